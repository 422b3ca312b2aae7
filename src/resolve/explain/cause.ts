// What can rule something out? The causes of a "no", each about a whole package, one group of which only one may run,
// or one request. A cause is reported as a fact; here is what it means.

import type { Requirement, RuntimeConstraint } from "../../constraint/constraint.ts";
import type { Predicate } from "../../constraint/predicate-key.ts";
import type { ClusterNode, Installed, Request, UnavailableCatalog } from "../../model/problem.ts";
import type { Refusal } from "../../rule/rules.ts";
import type { WhyStays } from "../../rule/upgrade-edge.ts";
import type { Candidates } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import type { Operator, Participant } from "../member.ts";

/**
 * Why one of some operators is wanted:
 * - `request`: a request names the package; any candidate satisfies it.
 * - `goal`: it is the question itself: can one of these be chosen?
 * - `update`: the answer updates an operator, since that maximises the number of updates.
 * - `best`: the answer gives a request of higher priority this candidate or a better one.
 */
export type WantedKind = "request" | "goal" | "update" | "best";

/** One of the members is in the answer: `member₁ ∨ member₂ ∨ …`. Without members it is unsatisfiable. */
export interface WantedCause<Asked = Request, Member = Operator> {
  readonly kind: "wanted";
  readonly why: WantedKind;
  /** Undefined if the question is about a bundle that is not requested. */
  readonly request?: Asked | undefined;
  /** The best first. */
  readonly members: readonly Member[];
}

/** An operator stays or is updated along its channel: `kept ∨ target₁ ∨ …`, and `¬kept ∨ ¬targetᵢ`. */
export interface StayOrMoveCause<Running = Installed, Target = Candidate> {
  readonly kind: "stay-or-move";
  readonly installed: Running;
  /** The channels of the targets. */
  readonly channels: readonly string[];
  readonly targets: readonly Target[];
}

/** An operator stays: `kept`, and `¬targetᵢ`. */
export interface StaysCause<Running = Installed, Target = Candidate, Open = Pick<Candidates, "request" | "none">> {
  readonly kind: "stays";
  readonly installed: Running;
  /** It is held; no request claims it; the request has nothing newer; or its source is gone or was not read. */
  readonly why: WhyStays;
  /** The request whose source is gone or was not read. */
  readonly open?: Open | undefined;
  readonly targets: readonly Target[];
}

/** One requirement of one version. */
export interface Demand {
  /** A bundle, an installed operator of the namespace, or one of another namespace. */
  readonly member: Operator;
  readonly requirement: Requirement;
}

/**
 * Versions of one package require something: each `¬member ∨ holds(constraint)`. They share the requirement, or all
 * require versions of the same other package. Also used for a rule that was broken before and is repaired by the
 * answer.
 */
export interface DemandCause {
  readonly kind: "demand";
  /** The package, or the name of an operator whose package is unknown. */
  readonly owner: string;
  /** By version, the newest first. */
  readonly demands: readonly Demand[];
  /** The rule was broken before and the answer repairs it, which has precedence. */
  readonly isRepair: boolean;
}

/** A version that is refused, and why. */
export interface Refused {
  readonly member: Operator;
  readonly refusal: Refusal;
  /** The runtime constraint that it does not meet. */
  readonly demanded?: RuntimeConstraint | undefined;
}

/** Versions of one package are refused by the same rule: `¬member` for each. */
export interface RefusalCause {
  readonly kind: "refusal";
  readonly owner: string;
  readonly refused: readonly Refused[];
  readonly isRepair: boolean;
}

/** At most one of the members; two that are both installed already may stay, unless the answer repairs that. */
export interface OnePerCause {
  readonly kind: "one-bundle" | "one-provider";
  /** The package, or the API as `gvkKey` writes it. */
  readonly of: string;
  readonly members: readonly Operator[];
  readonly isRepair: boolean;
}

/**
 * A participant that requires an API excludes one that defines its kind without serving that version: `¬user ∨
 * ¬bringer` each.
 */
export interface UnservedCause<Api = string, Member = Operator> {
  readonly kind: "unserved";
  /** As `gvkKey` writes it. */
  readonly api: Api;
  /** Versions of one package, or one installed operator. */
  readonly users: readonly Member[];
  /** Versions of another package. */
  readonly definers: readonly Member[];
}

/** A candidate from a catalog after an unavailable one cannot be a new dependency. */
export interface UnavailableCause {
  readonly kind: "unavailable";
  readonly catalogs: readonly UnavailableCatalog[];
}

/** A rule that takes part in a "no". */
export type Cause =
  | WantedCause
  | StayOrMoveCause
  | StaysCause
  | DemandCause
  | RefusalCause
  | OnePerCause
  | UnservedCause
  | UnavailableCause;

/** The participants that match a predicate, as the causes see it. */
export interface Matching {
  /** Members that match and can be used; the caller leaves out those that a `none` does not count. */
  readonly members: readonly Operator[];
  /** Members that match but cannot be used while a catalog is unavailable. */
  readonly doubtful: readonly Operator[];
  /** The cluster and operators of other namespaces: always present. */
  readonly fixed: readonly Participant[];
  /** The cluster, whether it matches or not. */
  readonly node: ClusterNode;
  /** An API that a CustomResourceDefinition of the cluster defines, but that no operator runs. */
  readonly isOrphan: boolean;
  /** A part of the catalogs that may match was not read. */
  readonly mayBeUnread: boolean;
}

/** Finds the participants that meet a predicate, for the one that requires it. */
export type Matches = (predicate: Predicate, requirer: Operator) => Matching;
