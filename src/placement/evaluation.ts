// What is known when a Placement is answered? The hub around it, and what was worked out for it.
import type { Timestamp } from "../cel/value/timestamp.ts";
import type { ManagedClusterSetBinding } from "../model/cluster-set.ts";
import type { Placement } from "../model/placement.ts";
import type { DecidedSlices } from "./decide/decided-slices.ts";
import type { DecisionCounts } from "./decide/decision-counts.ts";
import type { DecisionDelta } from "./decide/decision-delta.ts";
import type { Eligibility, ReadSet } from "./eligible/eligibility.ts";
import type { UnreadSet } from "./eligible/unread.ts";
import type { Judging } from "./filter/judge.ts";
import type { MatchState } from "./filter/match-state.ts";
import type { BindingSource, Fleet } from "./fleet.ts";
import type { Interests } from "./interests.ts";
import type { PlacementMode } from "./placement-mode.ts";
import type { CompileExpression, PreparedPlacement } from "./prepare/prepare.ts";
import type { AddOnScores } from "./score/add-on-scores.ts";
import type { Scoring } from "./score/scoring.ts";
import type { Selection } from "./select/selection.ts";
import type { TieBreak } from "./select/tie-break.ts";
import type { OtherDecisions } from "./turns.ts";

/** Everything around a Placement. */
export interface PlacementWorld extends BindingSource {
  readonly fleet: Fleet;
  readonly sets: ReadonlyMap<string, ReadSet>;
  /** Sets and bindings that could not be read. */
  readonly rejected: readonly UnreadSet[];
  readonly bindings: (namespace: string) => readonly ManagedClusterSetBinding[];
  readonly counts: DecisionCounts;
  /** What others have chosen when the turn of a Placement comes. */
  readonly others: (key: string) => OtherDecisions;
  /** The answer of a Placement is going to be another one: whatever comes after it has to wait. */
  readonly reopen: (key: string) => void;
  readonly mode: PlacementMode;
  readonly tieBreak: TieBreak;
  readonly placementCostLimit: number;
  /** Is there no more time to judge clusters? */
  readonly isLate: () => boolean;
  /** The scores of a cluster that the Placement has, if they still count for it when they have expired. */
  readonly scoresWithoutExpiry: AddOnScores | undefined;
  readonly compile: CompileExpression;
  readonly now: Timestamp;
}

/** What is worked out about a Placement as it stands. */
export interface Evaluation {
  readonly prepared: PreparedPlacement;
  readonly eligibility: Eligibility;
  readonly interests: Interests;
  readonly judging: Judging;
  readonly match: MatchState;
  readonly scoring: Scoring;
  readonly selection: Selection;
  readonly delta: DecisionDelta;
}

/** A Placement that is to be answered. */
export interface EvaluationInput {
  readonly placement: Placement;
  readonly world: PlacementWorld;
  readonly evaluation: Evaluation;
  readonly decided: DecidedSlices;
  /** Is it left alone, by its own wish or because it is being deleted? */
  readonly isIgnored: boolean;
}
