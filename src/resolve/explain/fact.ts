// What is a "no" based on, as an answer holds it? Facts, each about a package, one group of which only one may run,
// or one request, and how the "no" follows from them. Plain data: operators are indexes into a list. cause.ts says what
// those facts mean that have the fields of a cause.

import type { Outline } from "../../constraint/outline.ts";
import type { Gvk } from "../../model/catalog.ts";
import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import type { Place } from "../../model/place.ts";
import type { Hold } from "../../model/problem.ts";
import type { BrokenRule, Detail, RuleName } from "../../rule/rules.ts";
import type { NoCandidates } from "../candidates.ts";
import type { NamedRequest } from "../prepare/problem-inputs.ts";
import type { StayOrMoveCause, StaysCause, UnavailableCause, UnservedCause, WantedCause } from "./cause.ts";

/** The index of an operator in the list of mentioned operators. */
export type OperatorId = number;

/** A mentioned operator. */
export interface ExplainedOperator extends OperatorRef {
  /** A bundle on no chain: its catalog does not offer it. */
  readonly isOffChain?: true | undefined;
}

/** The versions of a package beyond the mentioned operators. */
export interface Offer {
  readonly package: string;
  /** One version for each gap between the mentioned ones, and each mentioned version that another bundle has, too. */
  readonly others: readonly string[];
}

/** The operators that facts mention. */
export interface Mentioned {
  readonly operators: readonly ExplainedOperator[];
  /** Packages without further versions have no entry. */
  readonly offers: readonly Offer[];
}

interface Stated {
  readonly rule: RuleName | "all-or-nothing";
  /** The package, operator, request or API (`gvkKey`) that it is about. */
  readonly subject: string;
  readonly place?: Place | undefined;
}

export type WantedFact = Stated & WantedCause<RequestRef, OperatorId>;

export type StayOrMoveFact = Stated & StayOrMoveCause<OperatorId, OperatorId>;

export type StaysFact = Stated &
  StaysCause<OperatorId, OperatorId, Readonly<{ request: RequestRef; none: NoCandidates }>> & {
    readonly hold?: Hold | undefined;
  };

/** For one operator: the values for which a rule is false, or the error that stopped it. */
export interface NearMiss {
  readonly operator: OperatorId;
  /** The expressions that the rule reads, and their values. */
  readonly values: readonly { readonly expression: string; readonly value: string }[];
  readonly error?: string | undefined;
  /** The property that the rule tests, if that is all the rule does. */
  readonly property?: { readonly type: string; readonly value: string } | undefined;
}

/** The participants that meet a constraint about one operator at a time, seen from the requirer. */
export interface Meeting {
  readonly members: readonly OperatorId[];
  /** They match but cannot be used while a catalog is unavailable. */
  readonly doubtful: readonly OperatorId[];
  /** Always present: the cluster, operators of other namespaces. */
  readonly fixed: readonly ("cluster" | OperatorId)[];
  /** Why there are none, and what there is instead. */
  readonly missing?: Missing | undefined;
}

/** What is known about a requirement without a provider. */
export interface Missing {
  /** An API that a CustomResourceDefinition of the cluster defines, but that no operator runs. */
  readonly isOrphan?: true | undefined;
  /** A part of the catalogs that may match was not read. */
  readonly mayBeUnread?: true | undefined;
  /** The version that the cluster states, if one is required. */
  readonly stated?: string | undefined;
  /** Other versions of the required package. */
  readonly others?: readonly OperatorId[] | undefined;
  /** The operator for which the rule is nearly true. */
  readonly nearest?: NearMiss | undefined;
}

/** A constraint that is required. */
export interface Demanded {
  readonly constraint: Outline;
  /** It was written as a conflict. */
  readonly isConflict?: true | undefined;
}

/** Versions of one package require something. */
export interface DemandFact extends Stated {
  readonly kind: "demand";
  /**
   * The package; the name of an operator whose package is unknown; or `namespace/name` for one of another namespace.
   */
  readonly owner: string;
  /** Each with the indexes of its constraint and of the participants that meet it. By version, newest first. */
  readonly demands: readonly { readonly member: OperatorId; readonly demanded: number; readonly met: number }[];
  readonly demanded: readonly Demanded[];
  /** The participants that meet the parts the sentence is about: see `meetingsFor`. */
  readonly met: readonly (readonly Meeting[])[];
  /** The rule was broken before, and the answer repairs it. */
  readonly isRepair?: true | undefined;
}

/** Versions of one package are refused by the same rule. */
export interface RefusalFact extends Stated {
  readonly kind: "refusal";
  readonly owner: string;
  /** `miss` has the values for which the administrator's rule is false. */
  readonly refused: readonly Readonly<{ member: OperatorId; detail: Detail; miss?: NearMiss | undefined }>[];
  readonly isRepair?: true | undefined;
}

/** At most one of the members. */
export type OnePerFact = Stated & {
  readonly members: readonly OperatorId[];
  readonly isRepair?: true | undefined;
} & (
    | { readonly kind: "one-bundle"; readonly package: string; readonly scope?: "cluster" | undefined }
    | { readonly kind: "one-provider"; readonly api: Gvk; readonly declarations: readonly Declaration[] }
  );

/** Where an operator declares that it provides an API. */
export interface Declaration {
  readonly member: OperatorId;
  readonly place?: Place | undefined;
}

export type UnservedFact = Stated & UnservedCause<Gvk, OperatorId>;

/**
 * A Manual Subscription changes nothing until it is approved; or --all-or-nothing was given, and the request cannot be
 * satisfied.
 */
export type RequestFact = Stated & Readonly<{ kind: "waits" | "all-or-nothing"; request: RequestRef }>;

/** The request has no candidates. */
export interface NoCandidatesFact extends Stated {
  readonly kind: "no-candidates";
  readonly request: RequestRef;
  readonly none: NoCandidates;
  /** The existing catalogs or channels. */
  readonly known: readonly string[];
  /** The bundles of the package, if no version matches. */
  readonly offered: readonly OperatorId[];
  /** Some catalogs are unavailable. */
  readonly isCatalogMissing?: true | undefined;
  /** Also report OLM's own message. */
  readonly isCompat?: true | undefined;
}

/** No upgrade path leads to a version, or no safe one. */
export interface NoWayFact extends Stated {
  readonly kind: "no-way";
  readonly target: NamedRequest;
  /**
   * `newest` is the newest existing version; `no-beginning`: no installable version leads there; `unsafe` and
   * `search-ended`: all reachable states were visited, or not all.
   */
  readonly why:
    | { readonly kind: "no-package" | "no-beginning" | "unsafe" | "search-ended" }
    | { readonly kind: "no-version"; readonly newest: string }
    | { readonly kind: "no-update"; readonly from: OperatorRef };
  /** A part of the package was not read. */
  readonly isUnread?: true | undefined;
}

/** One rule that takes part in a "no". */
export type Fact =
  | WantedFact
  | StayOrMoveFact
  | StaysFact
  | DemandFact
  | RefusalFact
  | OnePerFact
  | UnservedFact
  | (Stated & UnavailableCause)
  | NoCandidatesFact
  | RequestFact
  /** The installed operators violate a rule. */
  | (Stated & Readonly<{ kind: "broken"; broken: BrokenRule }>)
  | NoWayFact;

/** Facts, and the operators they mention. */
export interface Facts extends Mentioned {
  readonly facts: readonly Fact[];
}

/** What holds after a step. */
export type Conclusion =
  /** One of these must be chosen, or none of these can be. */
  | { readonly kind: "one-of" | "none-of"; readonly members: readonly OperatorId[] }
  /** Contradiction. */
  | { readonly kind: "impossible" };

/** One step of a proof. */
export interface Step {
  /** The indexes of the facts that it uses. */
  readonly facts: readonly number[];
  /** The indexes of the earlier steps that it uses; within a case, also those before the case. */
  readonly after: readonly number[];
  readonly conclusion: Conclusion;
}

/** A case and its proof. */
export interface Case {
  /** The assumption: one of these is chosen. */
  readonly members: readonly OperatorId[];
  /** Numbering continues: its first step has the index after the step that made the cases. */
  readonly proof: Proof;
}

/** How a "no" follows from its facts. Its last step is `impossible`, or every case ends so. */
export interface Proof {
  readonly steps: readonly Step[];
  /** If the steps do not suffice: the alternatives of the last `one-of`. */
  readonly cases: readonly Case[];
}
