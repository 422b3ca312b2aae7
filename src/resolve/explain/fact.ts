// What takes part in a "no", as an answer carries it? Facts, each about a package, one group of which only one may run, or
// one request, and how the "no" follows from them. Plain data: operators are numbers, their places in a list.

import type { Outline } from "../../constraint/outline.ts";
import type { Gvk } from "../../model/catalog.ts";
import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import type { Place } from "../../model/place.ts";
import type { Hold, UnavailableCatalog } from "../../model/problem.ts";
import type { BrokenRule, Detail, RuleName } from "../../rule/rules.ts";
import type { NoCandidates } from "../candidates.ts";
import type { NamedRequest } from "../prepare/given.ts";
import type { StaysCause, WantedKind } from "./cause.ts";

/** The place of an operator in the list of those that are spoken of. */
export type OperatorId = number;

/** An operator that is spoken of. */
export interface ExplainedOperator extends OperatorRef {
  /** A bundle that no channel leads to: its catalog does not offer it. */
  readonly isOffChain?: true | undefined;
}

/** What is on offer of a package beyond the operators that are spoken of. */
export interface Offer {
  readonly package: string;
  /** A version for each gap between those that are spoken of, and each of those that another bundle has, too. */
  readonly others: readonly string[];
}

/** Whom facts speak of. */
export interface Cast {
  readonly operators: readonly ExplainedOperator[];
  /** None for a package of which nothing else is on offer. */
  readonly offers: readonly Offer[];
}

interface Stated {
  readonly rule: RuleName | "all-or-nothing";
  /** The package, the operator, the request, or the API (`gvkKey`) that it is about. */
  readonly subject: string;
  readonly place?: Place | undefined;
}

/** One of the members is in the answer. */
export interface WantedFact extends Stated {
  readonly kind: "wanted";
  readonly why: WantedKind;
  /** Whose wish it is; nothing where a bundle is asked about that no request asks for. */
  readonly request?: RequestRef | undefined;
  /** The best first. */
  readonly members: readonly OperatorId[];
}

/** An operator stays or moves along its channel. */
export interface StayOrMoveFact extends Stated {
  readonly kind: "stay-or-move";
  readonly installed: OperatorId;
  /** Those in which the targets are. */
  readonly channels: readonly string[];
  readonly targets: readonly OperatorId[];
}

/** An operator stays. */
export interface StaysFact extends Stated {
  readonly kind: "stays";
  readonly installed: OperatorId;
  readonly why: StaysCause["why"];
  readonly hold?: Hold | undefined;
  /** The request whose source is gone or was not read. */
  readonly open?: { readonly request: RequestRef; readonly none: NoCandidates } | undefined;
  readonly targets: readonly OperatorId[];
}

/** A value for which a rule is false, or the error that stopped it, of one operator. */
export interface NearMiss {
  readonly operator: OperatorId;
  /** What the rule reads, and what that is. */
  readonly values: readonly { readonly expression: string; readonly value: string }[];
  readonly error?: string | undefined;
  /** Its property that the rule asks for, where that is all the rule does. */
  readonly property?: { readonly type: string; readonly value: string } | undefined;
}

/** Who meets a constraint that is about one operator at a time, seen from whoever demands it. */
export interface Meeting {
  readonly members: readonly OperatorId[];
  /** They match, but may not serve while a catalog is not available. */
  readonly doubtful: readonly OperatorId[];
  /** Who is there whatever is chosen: the cluster, operators of other namespaces. */
  readonly fixed: readonly ("cluster" | OperatorId)[];
  /** Why there is nobody, and what there is instead. */
  readonly missing?: Missing | undefined;
}

/** What is known about a demand that nobody meets. */
export interface Missing {
  /** An API that a CustomResourceDefinition of the cluster defines, and that no operator runs. */
  readonly isOrphan?: true | undefined;
  /** Something of the catalogs was not read that may match. */
  readonly mayBeUnread?: true | undefined;
  /** The version that the cluster states, where one is asked for. */
  readonly stated?: string | undefined;
  /** Other versions of the package that is demanded. */
  readonly others?: readonly OperatorId[] | undefined;
  /** Of whom the rule is nearly true. */
  readonly nearest?: NearMiss | undefined;
}

/** Something that is demanded. */
export interface Demanded {
  readonly constraint: Outline;
  /** It was written as a conflict. */
  readonly isConflict?: true | undefined;
}

/** Versions of one package demand something. */
export interface DemandFact extends Stated {
  readonly kind: "demand";
  /** The package; the name of an operator whose package is not known; or `namespace/name` of one of another namespace. */
  readonly owner: string;
  /** Each with the places of what it demands and of who meets that. By version, the newest first. */
  readonly demands: readonly { readonly member: OperatorId; readonly demanded: number; readonly met: number }[];
  readonly demanded: readonly Demanded[];
  /** Who meets the parts that the sentence is about: see `meetingsFor`. */
  readonly met: readonly (readonly Meeting[])[];
  /** The rule was broken before, and the answer repairs it. */
  readonly isRepair?: true | undefined;
}

/** Versions of one package are refused by the same rule. */
export interface RefusalFact extends Stated {
  readonly kind: "refusal";
  readonly owner: string;
  readonly refused: readonly {
    readonly member: OperatorId;
    readonly detail: Detail;
    /** The values for which a rule of the administrator is false. */
    readonly miss?: NearMiss | undefined;
  }[];
  readonly isRepair?: true | undefined;
}

/** At most one of the members. */
export type OnePerFact = Stated & {
  readonly members: readonly OperatorId[];
  readonly isRepair?: true | undefined;
} & (
    | { readonly kind: "one-bundle"; readonly package: string }
    | { readonly kind: "one-provider"; readonly api: Gvk; readonly declarations: readonly Declaration[] }
  );

/** Where an operator declares that it provides an API. */
export interface Declaration {
  readonly member: OperatorId;
  readonly place?: Place | undefined;
}

/** Who needs an API is not there beside who brings its kind without serving that version. */
export interface UnservedFact extends Stated {
  readonly kind: "unserved";
  readonly api: Gvk;
  readonly users: readonly OperatorId[];
  readonly bringers: readonly OperatorId[];
}

/** Nobody may serve a new dependency who comes after a catalog that is not available. */
export interface UnavailableFact extends Stated {
  readonly kind: "unavailable";
  readonly catalogs: readonly UnavailableCatalog[];
}

/** A Manual Subscription keeps everything as it is until it is approved. */
export interface WaitsFact extends Stated {
  readonly kind: "waits";
  readonly request: RequestRef;
}

/** All or nothing was asked for, and this request cannot have anything. */
export interface AllOrNothingFact extends Stated {
  readonly kind: "all-or-nothing";
  readonly request: RequestRef;
}

/** There is nothing that a request could be given. */
export interface NoCandidatesFact extends Stated {
  readonly kind: "no-candidates";
  readonly request: RequestRef;
  readonly none: NoCandidates;
  /** The catalogs or channels that there are instead. */
  readonly known: readonly string[];
  /** What is on offer of the package, where no version matches. */
  readonly offered: readonly OperatorId[];
  /** Not all catalogs are available. */
  readonly isCatalogMissing?: true | undefined;
  /** Also what OLM says about it. */
  readonly isCompat?: true | undefined;
}

/** What runs violates a rule. */
export interface BrokenFact extends Stated {
  readonly kind: "broken";
  readonly broken: BrokenRule;
}

/** No update leads to a version, or none that is safe. */
export interface NoWayFact extends Stated {
  readonly kind: "no-way";
  readonly wish: NamedRequest;
  readonly why:
    | { readonly kind: "no-package" }
    /** The newest version that there is. */
    | { readonly kind: "no-version"; readonly newest: string }
    /** Nothing that could be installed leads there. */
    | { readonly kind: "no-beginning" }
    | { readonly kind: "no-update"; readonly from: OperatorRef }
    /** Every state that can be reached was looked at. */
    | { readonly kind: "unsafe" }
    /** Not every state that can be reached was looked at. */
    | { readonly kind: "search-ended" };
  /** Something of the package was not read. */
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
  | UnavailableFact
  | NoCandidatesFact
  | WaitsFact
  | AllOrNothingFact
  | BrokenFact
  | NoWayFact;

/** Facts, and whom they speak of. */
export interface Facts extends Cast {
  readonly facts: readonly Fact[];
}

/** What is certain after a step. */
export type Conclusion =
  /** One of these has to be there, or none of these can be. */
  | { readonly kind: "one-of" | "none-of"; readonly members: readonly OperatorId[] }
  /** It cannot be. */
  | { readonly kind: "impossible" };

/** One step of a proof. */
export interface Step {
  /** The places of the facts that it rests on. */
  readonly facts: readonly number[];
  /** The places of the earlier steps that it rests on; of a step within a case, also those before the case. */
  readonly after: readonly number[];
  readonly conclusion: Conclusion;
}

/** A case, and what comes of it. */
export interface Case {
  /** One of these is there. */
  readonly members: readonly OperatorId[];
  /** The whole numbering goes on: its first step has the place after the step that made the cases. */
  readonly proof: Proof;
}

/** How a "no" follows from its facts. Its last step says `impossible`, or every case does. */
export interface Proof {
  readonly steps: readonly Step[];
  /** If the steps do not suffice: what the last `one-of` leaves open, one by one. */
  readonly cases: readonly Case[];
}
