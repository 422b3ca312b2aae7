// What does the pipeline read, and what do its first five steps give?
import type { Placement } from "../model/placement.ts";
import type { DecidedSlices } from "./decide/decided-slices.ts";
import type { DecisionDelta } from "./decide/decision-delta.ts";
import type { Eligibility } from "./eligible/eligibility.ts";
import type { MatchState } from "./filter/match-state.ts";
import type { Hub } from "./hub.ts";
import type { Interests } from "./interests.ts";
import type { PreparedPlacement } from "./prepare/prepare.ts";
import type { AddOnScores } from "./score/add-on-scores.ts";
import type { OtherDecisions, Scores } from "./score/scores.ts";
import type { Selection } from "./select/selection.ts";

/**
 * A Placement and everything that its answer depends on. The engine replaces fields between two updates of an evaluation, so a
 * step reads them when it runs and keeps no copy.
 */
export interface EvaluationInput {
  readonly placement: Placement;
  readonly hub: Hub;
  /** The PlacementDecisions that it has. */
  readonly decided: DecidedSlices;
  /** The decisions of other Placements. */
  readonly others: OtherDecisions;
}

/** The scores that count for a cluster. */
export function scoresFor({ hub, decided }: EvaluationInput, cluster: string): AddOnScores {
  return hub.scoresWithoutExpiry !== undefined && decided.has(cluster) ? hub.scoresWithoutExpiry : hub.addOnScores;
}

/** The result of steps 1 to 5. `match`, `scores`, `selection` and `delta` are updated in place when clusters change. */
export interface Evaluation {
  readonly input: EvaluationInput;
  readonly prepared: PreparedPlacement;
  readonly eligibility: Eligibility;
  readonly interests: Interests;
  readonly match: MatchState;
  readonly scores: Scores;
  readonly selection: Selection;
  readonly delta: DecisionDelta;
}
