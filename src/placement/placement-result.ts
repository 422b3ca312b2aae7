// What came of a Placement, and what did each rule say of each cluster? Plain data: JSON and structuredClone carry it whole. The
// words are in render/sentence/placement-*.ts.

import type { TraceBranch } from "../cel/trace-tree.ts";
import type { Taint } from "../model/managed-cluster.ts";
import type { Place } from "../model/place.ts";
import type { Placement, SpreadConstraint } from "../model/placement.ts";
import type { ClusterDecision } from "../model/placement-decision.ts";
import type { Fault, UnreadScoreName, UnusableSet } from "./fault.ts";

/** Something that is wrong with a Placement or with a set that it uses, and where. */
export interface Mistake {
  readonly fault: Fault;
  readonly place: Place;
  /** The part of OCM's scheduler that notices it; empty for the prioritizer policy. */
  readonly plugin: "" | "Predicate" | "TaintToleration" | "DecisionGroup";
  /** Nothing is wrong, but it costs too much to find out. */
  readonly isLimit?: true;
  /** A cluster that the Placement has, or a score that it may read, could not be read. */
  readonly isUnread?: true;
}

/** What became of a Placement. */
export type PlacementOutcome =
  /** Clusters were chosen. */
  | "placed"
  /** It is misconfigured; what was decided before stays. */
  | "kept"
  /** It is misconfigured; everything is taken back, as OCM does it. */
  | "emptied"
  /** It is being deleted, or its annotation disables scheduling. */
  | "ignored";

/** How many clusters ended at each step. Each member of the eligible sets is in one of the six. */
export interface Tally {
  readonly terminating: number;
  /** No predicate holds. */
  readonly unmatched: number;
  /** No predicate holds, and at least one expression ended with an error. */
  readonly failed: number;
  readonly tainted: number;
  /** It could be chosen, or it or a score of it could not be read; and it was not chosen. */
  readonly left: number;
  readonly selected: number;
}

/** A decision group: a part of the selected clusters that is rolled out together. */
export interface Group {
  readonly index: number;
  /** Empty for those that no group of the Placement names. */
  readonly name: string;
  /** In the order of names; with sortBy Score, the highest first. */
  readonly clusters: readonly string[];
}

/** A PlacementDecision as it is to be: at most 100 clusters. */
export interface Slice {
  readonly name: string;
  readonly groupIndex: number;
  readonly groupName: string;
  /** In the order of names; with sortBy Score, the highest first. */
  readonly clusters: readonly string[];
}

/** The answer to a Placement. */
export interface PlacementResult {
  readonly placement: Placement;
  readonly state: PlacementOutcome;
  /** Why it is misconfigured, or could not be decided. Empty when `placed`. */
  readonly mistakes: readonly Mistake[];
  /** Sets that are bound and asked for but cannot be used. */
  readonly brokenSets: readonly Mistake[];
  /** Probable mistakes that do not prevent a decision, such as a misspelt field of managedCluster or an expired score. */
  readonly warnings: readonly Mistake[];
  /** The sets that are bound to the namespace and asked for, by name. */
  readonly eligibleSets: readonly string[];
  /** Sets that are requested and cannot be used, by name. */
  readonly unusableSets: readonly UnusableSet[];
  /** How many clusters are missing. */
  readonly unscheduled: number;
  readonly tally: Tally;
  readonly conditions: readonly PlacementCondition[];
  /** The next moment at which time alone may change the answer, as RFC 3339. */
  readonly wakeAt?: string;
}

/** Which clusters a Placement has, and how they are divided. Asked for separately: there may be a hundred thousand. */
export interface PlacementDecisions {
  /** By name, bytewise. */
  readonly selected: readonly string[];
  readonly groups: readonly Group[];
  readonly slices: readonly Slice[];
}

/** A condition of the status: OCM's two, and one of ours. */
export interface PlacementCondition {
  readonly type: "PlacementSatisfied" | "PlacementMisconfigured" | "PlacementEvaluated";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: ConditionMessage;
  /** The generation of the Placement that it is about. */
  readonly observedGeneration?: number;
}

/** What the message of a condition says. */
export type ConditionMessage =
  | { readonly kind: "no-bindings" | "scheduled" | "configured" | "evaluated" | "not-evaluated" | "none-asked-for" }
  | { readonly kind: "no-intersection" | "empty-sets"; readonly sets: readonly string[] }
  | { readonly kind: "kept"; readonly count: number; readonly faults: FirstFaults }
  /** `isLeft`: predicates held, or there are none, but no cluster is left. */
  | { readonly kind: "no-match"; readonly isLeft: boolean; readonly taints?: TaintCount }
  | { readonly kind: "unscheduled"; readonly count: number; readonly taints?: TaintCount }
  | { readonly kind: "faults"; readonly faults: FirstFaults }
  /** The first mistake as OCM reports it. */
  | { readonly kind: "ocm-mistake"; readonly plugin: Mistake["plugin"]; readonly fault: Fault }
  | Readonly<{
      kind: "problems";
      brokenSets?: FirstFaults;
      failed: FirstOf<Failure>;
      /** Clusters that could not be read. */
      unread: FirstOf<string>;
      unreadScores?: UnreadScoresFound;
    }>;

/** How many clusters depend on scores that could not be read, and the first of these scores. */
export interface UnreadScoresFound {
  readonly clusters: number;
  readonly first: readonly UnreadScoreName[];
  /** Are there others? */
  readonly more: boolean;
}

/** How many there are, and the first of them. */
type FirstOf<Item> = Readonly<{ count: number; first: readonly Item[] }>;

/** The first of some faults. */
export interface FirstFaults {
  readonly first: readonly Fault[];
  readonly more: number;
}

/** How many of the candidates are rejected by taints. */
export interface TaintCount {
  readonly tainted: number;
  readonly candidates: number;
}

/** A cluster that could not be evaluated, and the expression that failed. */
export interface Failure {
  readonly cluster: string;
  readonly predicate: number;
  readonly index: number;
  readonly detail: CelDetail;
}

/** The outcome of a check. Skipped: an earlier check was decisive. */
export type Outcome = "true" | "false" | "error" | "skipped";

/** What kind of thing is checked. */
export type CheckKind = Check["kind"];

interface CheckBase {
  /** The position of its predicate; absent for what is no part of a predicate. */
  readonly predicate?: number;
  /**
   * The position in its list: of matchLabels by key and then matchExpressions, of celExpressions, of the eligible sets, of the
   * cluster's taints, of spreadConstraints.
   */
  readonly index: number;
  readonly outcome: Outcome;
  readonly place: Place;
}

/** One rule, and what it says of one cluster. */
export type Check = SetCheck | ValueCheck | CelCheck | TaintCheck | SpreadCheck;

/** Is the cluster a member of a set? */
export interface SetCheck extends CheckBase {
  readonly kind: "set";
  /** The name of the set. */
  readonly rule: string;
  readonly detail?:
    | { readonly kind: "unlabelled" | "terminating" }
    | { readonly kind: "other-set"; readonly set: string }
    | { readonly kind: "broken"; readonly fault: Fault };
}

/** Does a line of a selector hold? */
export interface ValueCheck extends CheckBase {
  readonly kind: "label" | "claim";
  /** The line: `cloud In (Amazon, Azure)`. */
  readonly rule: string;
  readonly key: string;
  /** What the cluster has under the key; absent if nothing, or if it was not looked up. */
  readonly value?: string;
}

/** Is an expression true? */
export interface CelCheck extends CheckBase {
  readonly kind: "cel";
  /** The text of the expression. */
  readonly rule: string;
  readonly detail?: CelDetail;
  /** If it was asked for: the value of every part. */
  readonly trace?: TraceBranch;
}

/** Why an expression is what it is. */
export type CelDetail =
  /** The values that it read. */
  | { readonly kind: "values"; readonly values: readonly ReadValue[] }
  /** The error of the CEL engine, in its words. */
  | { readonly kind: "error"; readonly message: string }
  /** A score that cannot be used. */
  | { readonly kind: "score-error"; readonly why: string }
  /** It was not evaluated: it may read a score that could not be read. */
  | { readonly kind: "unread-score"; readonly score: UnreadScoreName }
  | { readonly kind: "not-compiled" }
  | { readonly kind: "predicate-cost"; readonly limit: number }
  | { readonly kind: "not-asked"; readonly why: "time" | "cost" | "placement" };

/** A part of an expression that reads the cluster, and its value as CEL writes it. */
export interface ReadValue {
  readonly expression: string;
  readonly value: string;
}

/** Is a taint tolerated? */
export interface TaintCheck extends CheckBase {
  readonly kind: "taint";
  readonly taint: Pick<Taint, "key" | "value" | "effect">;
  /** Absent if it was not asked. */
  readonly tolerance?: Tolerance;
}

/** Why a taint is tolerated, or why not. `by` is the position of a toleration; times are RFC 3339. */
export type Tolerance =
  | { readonly kind: "no-effect" | "selected-before" }
  | { readonly kind: "tolerated"; readonly by: number; readonly until?: string }
  /**
   * `isSoft`: it only puts the cluster behind all others; `ifNew`: it concerns only clusters that were not selected before. A
   * toleration that matches has expired; `endedAt` is absent where the taint does not say when it was added.
   */
  | Readonly<{
      kind: "untolerated";
      isSoft: boolean;
      ifNew: boolean;
      expired?: Readonly<{ by: number; endedAt?: string }>;
    }>;

/** Does a spread constraint allow the cluster? */
export interface SpreadCheck extends CheckBase {
  readonly kind: "spread";
  readonly constraint: Pick<SpreadConstraint, "topologyKey" | "topologyKeyType" | "maxSkew" | "whenUnsatisfiable">;
  /** Absent if the cluster was not ranked. */
  readonly counts?: SpreadCounts;
}

/** How many clusters are selected with the value that a cluster has under the topology key. */
export interface SpreadCounts {
  /** Absent if the cluster lacks the key. */
  readonly value?: string;
  readonly count: number;
  /** The value of which the fewest are selected, and how many; of a constraint that forbids the cluster. */
  readonly least?: { readonly value?: string; readonly count: number };
}

/** The last step that a cluster reached. `outside`: it is in none of the eligible sets; `undecided`: no cluster was evaluated. */
export type Verdict =
  | "outside"
  | "undecided"
  | "terminating"
  | "unmatched"
  | "failed"
  | "tainted"
  | "left"
  /** It or a score of it could not be read; and it was not selected before, or there is no room for it. */
  | "unread"
  | "selected"
  | "kept";

/** The part of one prioritizer in a score. */
export interface ScorePart {
  /** Balance, Steady, ResourceAllocatableCPU, ResourceAllocatableMemory, AddOn/resource/score or Spread. */
  readonly name: string;
  /** From -100 to 100, before the weight. */
  readonly score: number;
  readonly weight: number;
  readonly detail: ScoreDetail;
}

/** What a score was made of. */
export type ScoreDetail =
  | { readonly kind: "steady"; readonly isDecided: boolean }
  /** How many decisions of other Placements name the cluster, and the one that most name. */
  | { readonly kind: "balance"; readonly count: number; readonly most: number }
  /** `validUntil` is RFC 3339; absent if it cannot be read. */
  | { readonly kind: "expired"; readonly validUntil?: string }
  /** There is such a score; or there is none. */
  | { readonly kind: "add-on" | "missing" }
  | { readonly kind: "allocatable"; readonly amount: string }
  | { readonly kind: "spread" };

/** Why a cluster is selected, or why not. */
export type ClusterReason =
  /** The checks say which rules do not hold: of predicates, taints, spread constraints. */
  | { readonly kind: "terminating" | "unmatched" | "tainted" | "spread" | "no-room" | "withheld" }
  | { readonly kind: "kept" | "undecided"; readonly state: PlacementOutcome }
  /** By a predicate, or because there is none; `of` is how many could be selected, if not all of them are. */
  | { readonly kind: "selected"; readonly predicate?: number; readonly of?: number }
  /** Others come first. */
  | { readonly kind: "left"; readonly selected: number; readonly cut: Cut }
  /** It is in no eligible set; `own` are the sets that it is in, `wanted` those that the Placement asks for. */
  | ({ readonly kind: "outside"; readonly namespace: string } & Readonly<
      Record<"own" | "unbound" | "wanted", readonly string[]>
    >)
  /** The ManagedCluster could not be read, or a score that the cluster depends on; and what follows from that. */
  | Readonly<{ kind: "unread"; isSupposed: boolean; score?: UnreadScoreName; reason?: ClusterReason }>
  /** The PlacementDecisions of an earlier state do not name it. */
  | { readonly kind: "not-decided" };

/** Why others come first: a soft taint, Spread when they were picked, a higher score, or the tie-break. */
export type Cut =
  | { readonly kind: "soft-taint" | "spread" | "none" }
  | { readonly kind: "score"; readonly lowest: number }
  | { readonly kind: "tie"; readonly tieBreak: "name" | "hash" };

/** The full report on one cluster for one Placement. */
export interface ClusterReport {
  readonly name: string;
  readonly verdict: Verdict;
  readonly selected: boolean;
  /** The weighted sum; absent for a cluster that was not ranked. */
  readonly score?: number;
  readonly parts: readonly ScorePart[];
  /** From 1, among those that could be chosen; absent for a cluster that was not ranked. */
  readonly rank?: number;
  /** An untolerated PreferNoSelect taint puts it behind all others. */
  readonly isSoftTainted: boolean;
  readonly checks: readonly Check[];
  readonly reason: ClusterReason;
  /** What its PlacementDecision says of it; absent for a cluster that is not selected. */
  readonly decision?: ClusterDecision;
}
