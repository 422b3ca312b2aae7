// What can forbid something? The causes of a "no", each about a whole package, one group of which only one may run, or one
// request. What is told about a cause is a fact; here is what it means.

import type { Requirement, RuntimeConstraint } from "../../constraint/constraint.ts";
import type { Predicate } from "../../constraint/predicate-key.ts";
import type { ClusterNode, Installed, Request, UnavailableCatalog } from "../../model/problem.ts";
import type { Refusal } from "../../rule/rules.ts";
import type { WhyStays } from "../../rule/upgrade-edge.ts";
import type { Candidates } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import type { Operator, Participant } from "../member.ts";

/**
 * Why one of some members is wanted:
 * - `request`: somebody asks for the package, and any candidate will do.
 * - `goal`: it is the question itself: could it be one of these?
 * - `update`: the answer updates an operator, since that makes the most updates.
 * - `best`: the answer gives a request that comes first this candidate or a better one.
 */
export type WantedKind = "request" | "goal" | "update" | "best";

/** One of the members is in the answer: `member₁ ∨ member₂ ∨ …`. Without members there is nothing that could be. */
export interface WantedCause {
  readonly kind: "wanted";
  readonly why: WantedKind;
  /** Whose wish it is; nothing where a bundle is asked about that nobody asked for. */
  readonly request: Request | undefined;
  /** The best first. */
  readonly members: readonly Operator[];
}

/** An operator stays or moves along its channel: `kept ∨ target₁ ∨ …`, and `¬kept ∨ ¬targetᵢ`. */
export interface StayOrMoveCause {
  readonly kind: "stay-or-move";
  readonly installed: Installed;
  /** Those in which the targets are. */
  readonly channels: readonly string[];
  readonly targets: readonly Candidate[];
}

/** An operator stays: `kept`, and `¬targetᵢ`. */
export interface StaysCause {
  readonly kind: "stays";
  readonly installed: Installed;
  /** It is held; nobody asks for it; what is asked for has nothing newer; or it is gone, or was not read. */
  readonly why: WhyStays;
  /** Whose source is gone or was not read. */
  readonly open?: Pick<Candidates, "request" | "none"> | undefined;
  readonly targets: readonly Candidate[];
}

/** One demand of one version. */
export interface Demand {
  /** A bundle, an operator of the namespace that is kept, or one of another namespace. */
  readonly member: Operator;
  readonly requirement: Requirement;
}

/**
 * Versions of one package demand something: each `¬member ∨ holds(constraint)`. They share the demand, or all demand
 * versions of the same other package. For a rule that was broken before and is repaired by the answer, too.
 */
export interface DemandCause {
  readonly kind: "demand";
  /** The package, or the name of an operator whose package is not known. */
  readonly owner: string;
  /** By version, the newest first. */
  readonly demands: readonly Demand[];
  /** The rule was broken before; the answer repairs it, and that is worth more. */
  readonly isRepair: boolean;
}

/** A version that may not be there, and why. */
export interface Refused {
  readonly member: Operator;
  readonly refusal: Refusal;
  /** The constraint of the administrator that it does not meet. */
  readonly demanded?: RuntimeConstraint | undefined;
}

/** Versions of one package are refused by the same rule: `¬member` for each. */
export interface RefusalCause {
  readonly kind: "refusal";
  readonly owner: string;
  readonly refused: readonly Refused[];
  readonly isRepair: boolean;
}

/** At most one of the members; two that both run already may go on, unless the answer repairs that. */
export interface OnePerCause {
  readonly kind: "one-bundle" | "one-provider";
  /** The package, or the API as `gvkKey` writes it. */
  readonly of: string;
  readonly members: readonly Operator[];
  readonly isRepair: boolean;
}

/** Who needs an API is not there beside who brings its kind without serving that version: `¬user ∨ ¬bringer` each. */
export interface UnservedCause {
  readonly kind: "unserved";
  /** As `gvkKey` writes it. */
  readonly api: string;
  /** Versions of one package, or one operator that runs. */
  readonly users: readonly Operator[];
  /** Versions of another package. */
  readonly bringers: readonly Operator[];
}

/** Nobody may serve a new dependency who comes after a catalog that is not available. */
export interface UnavailableCause {
  readonly kind: "unavailable";
  readonly catalogs: readonly UnavailableCatalog[];
}

/** Something that can take part in a "no". */
export type Cause =
  | WantedCause
  | StayOrMoveCause
  | StaysCause
  | DemandCause
  | RefusalCause
  | OnePerCause
  | UnservedCause
  | UnavailableCause;

/** Who can meet a predicate, as the causes see it. */
export interface Matching {
  /** Members that match and may serve; those that a `none` does not count are left out by whoever asks. */
  readonly members: readonly Operator[];
  /** Members that match, but may not serve while a catalog is not available. */
  readonly doubtful: readonly Operator[];
  /** The cluster, or operators of other namespaces: they are there whatever is chosen. */
  readonly fixed: readonly Participant[];
  /** The cluster, whether it matches or not. */
  readonly node: ClusterNode;
  /** It is an API that a CustomResourceDefinition of the cluster defines, and that no operator runs. */
  readonly isOrphan: boolean;
  /** Something of the catalogs was not read that may match. */
  readonly mayBeUnread: boolean;
}

/** Answers who meets a predicate, for a member that demands it. */
export type Matches = (predicate: Predicate, requirer: Operator) => Matching;
