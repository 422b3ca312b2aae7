// What came of a Placement, and what did each rule say of each cluster? Plain data; the words for people are made of it.

import type { TraceRecord } from "../cel/plan/frame.ts";
import type { Timestamp } from "../cel/value/timestamp.ts";
import type { CelError } from "../cel/value/value.ts";
import type { Condition } from "../model/condition.ts";
import type { Place } from "../model/place.ts";
import type { Placement } from "../model/placement.ts";
import type { ClusterDecision } from "../model/placement-decision.ts";

/** Something that is wrong with a Placement or with a set that it uses. */
export interface Mistake {
  /** Lower-case, one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
  readonly place: Place;
  /** The part of OCM's scheduler that notices it; empty for the prioritizer policy. */
  readonly plugin: "" | "Predicate" | "TaintToleration" | "DecisionGroup";
  /** Nothing is wrong, but it costs too much to find out. */
  readonly isLimit?: true;
  /** A cluster that the Placement has could not be read. */
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
  /** It is being deleted, or its annotation says that nobody is to touch it. */
  | "ignored";

/** How many clusters got how far. Each member of the eligible sets is in one of the six. */
export interface Tally {
  readonly terminating: number;
  /** No predicate holds. */
  readonly unmatched: number;
  /** No predicate holds, and at least one expression ended with an error. */
  readonly failed: number;
  readonly tainted: number;
  /** It could be chosen, or was chosen before and could not be read, and was not chosen. */
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

/** A set that a Placement asks for and cannot use. */
export interface UnusableSet {
  readonly name: string;
  /** Nobody made it; or nobody allowed the namespace to use it. */
  readonly why: "missing" | "unbound";
  /** The bound set that may have been meant. */
  readonly meant?: string | undefined;
}

/** The answer to a Placement. */
export interface PlacementResult {
  readonly placement: Placement;
  readonly state: PlacementOutcome;
  /** Why it is misconfigured, or could not be decided. Empty when `placed`. */
  readonly mistakes: readonly Mistake[];
  /** Sets that are bound and asked for but cannot be used. */
  readonly brokenSets: readonly Mistake[];
  /** What is odd but does no harm, such as a misspelt field of managedCluster or a score that has expired. */
  readonly warnings: readonly Mistake[];
  /** The sets that are bound to the namespace and asked for, by name. */
  readonly eligibleSets: readonly string[];
  /** Those that are asked for in vain, by name. */
  readonly unusableSets: readonly UnusableSet[];
  /** By name, bytewise. */
  readonly selected: readonly string[];
  /** How many clusters are missing. */
  readonly unscheduled: number;
  readonly tally: Tally;
  readonly conditions: readonly Condition[];
  readonly groups: readonly Group[];
  readonly slices: readonly Slice[];
  /** The next moment at which time alone may change the answer. */
  readonly wakeAt: Timestamp | undefined;
}

/** What a check came to. Skipped: something before it had decided already. */
export type Outcome = "true" | "false" | "error" | "skipped";

/** What kind of thing is checked. */
export type CheckKind = "set" | "label" | "claim" | "cel" | "taint" | "spread";

/** One rule, and what it says of one cluster. */
export interface Check {
  readonly kind: CheckKind;
  /** The position of its predicate; undefined for what is no part of a predicate. */
  readonly predicate: number | undefined;
  /**
   * The position in its list: of matchLabels by key and then matchExpressions, of celExpressions, of the eligible sets, of the
   * cluster's taints, of spreadConstraints.
   */
  readonly index: number;
  readonly outcome: Outcome;
  /** The rule in its own words: `cloud In (Amazon, Azure)`, the text of the expression, `key=value:NoSelect`. */
  readonly rule: string;
  /** The value that made it so, or the message of the error; empty where there is nothing to say. */
  readonly detail: string;
  /** Of an expression that failed: the error itself. */
  readonly error?: CelError | undefined;
  /** Of an expression, if it was asked for: the value of every part. */
  readonly trace?: TraceRecord | undefined;
  readonly place: Place;
}

/** How far a cluster got. `outside`: it is in none of the eligible sets; `undecided`: nobody was judged. */
export type Verdict =
  | "outside"
  | "undecided"
  | "terminating"
  | "unmatched"
  | "failed"
  | "tainted"
  | "left"
  /** It was selected before, could not be read, and there is no room for it. */
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
  /** What the score was made of: `3 of at most 4 other decisions`; empty where there is nothing to say. */
  readonly detail: string;
}

/** Everything there is to say about one cluster and one Placement. */
export interface ClusterReport {
  readonly name: string;
  readonly verdict: Verdict;
  readonly selected: boolean;
  /** The weighted sum; undefined for a cluster that was not ranked. */
  readonly score: number | undefined;
  readonly parts: readonly ScorePart[];
  /** From 1, among those that could be chosen; undefined for a cluster that was not ranked. */
  readonly rank: number | undefined;
  /** An untolerated PreferNoSelect taint puts it behind all others. */
  readonly isSoftTainted: boolean;
  readonly checks: readonly Check[];
  /** One sentence: why it is selected, or why not. */
  readonly reason: string;
  /** What its PlacementDecision says of it; undefined for a cluster that is not selected. */
  readonly decision: ClusterDecision | undefined;
}
