// How is a Placement scheduled? The numbered steps of docs/placement.md ("Design"), each a function in the folder of its stage.
import { DecisionDelta } from "./decide/decision-delta.ts";
import { type Decisions, decisionsOf } from "./decide/decisions.ts";
import { outcomeOf } from "./decide/outcome.ts";
import { eligibleSets } from "./eligible/eligibility.ts";
import type { Evaluation, EvaluationInput } from "./evaluation.ts";
import { filterClusters } from "./filter/match-state.ts";
import type { FleetCluster } from "./fleet.ts";
import { interestsOf } from "./interests.ts";
import type { PlacementResult } from "./placement-result.ts";
import { preparePlacement } from "./prepare/prepare.ts";
import { composeResult } from "./report/compose-result.ts";
import { scoreClusters } from "./score/scores.ts";
import type { Flip } from "./select/selected-names.ts";
import { selectClusters } from "./select/selection.ts";
import { decisionEntries } from "./write/entries.ts";
import { type SliceWrites, writesOf } from "./write/writes.ts";

/** Steps 1 to 5: which clusters are selected? */
export function evaluate(input: EvaluationInput): Evaluation {
  const { placement, hub, decided } = input;

  // 1. Prepare: read the spec, compile its expressions, find mistakes.
  const prepared = preparePlacement(placement, hub.mode, hub.compile);

  // 2. Eligible sets: bound to the namespace and asked for.
  const eligibility = eligibleSets(placement, hub);

  // What the next steps read of clusters: for the times at which scores expire, and for the cache.
  const interests = interestsOf(prepared, eligibility);

  // 3. Filter: predicates, then taints.
  const match = filterClusters({ input, prepared, eligibility, interests });

  // 4. Score: prioritizers, multiplied by their weights and added.
  const scores = scoreClusters(input, prepared.prioritizers, match);

  // 5. Select: rank, spread and cut.
  const selection = selectClusters(input, prepared, match, scores);

  // How that differs from its PlacementDecisions, for slices and for Balance of other Placements.
  const delta = new DecisionDelta(decided, selection.names.current());

  return { input, prepared, eligibility, interests, match, scores, selection, delta };
}

/** What changed since an evaluation. */
export interface EvaluationChange {
  /** Clusters that changed, by slot, as they were at the last evaluation. */
  readonly clusters: ReadonlyMap<number, FleetCluster | undefined>;
  /** Those of them that have to be filtered again; only the scores of the others changed. */
  readonly refiltered: ReadonlySet<number>;
  /** Must all clusters be scored again? */
  readonly isRescored: boolean;
  /** Did the PlacementDecisions of the Placement change? */
  readonly isRedecided: boolean;
}

/** Steps 3 to 5 for clusters that changed, in place; returns what became selected or unselected, undefined if that is unknown. */
export function update(evaluation: Evaluation, change: EvaluationChange): readonly Flip[] | undefined {
  const { input, match, scores, selection, delta } = evaluation;
  const { clusters, refiltered, isRescored, isRedecided } = change;
  let flips: readonly Flip[] | undefined = [];
  if (clusters.size > 0 || isRescored) {
    selection.withdraw(clusters);
    // 3. Filter.
    for (const slot of clusters.keys())
      if (refiltered.has(slot)) match.update(slot);
      else match.updateScoreEnds(slot);
    // 4. Score.
    const areAllRescored = scores.update(clusters, isRescored);
    // 5. Select.
    selection.update(clusters, areAllRescored);
    flips = selection.flips;
  }
  if (flips === undefined || isRedecided) delta.restart(input.decided, selection.names.current());
  else delta.change(flips);
  return flips;
}

/** The answer to a Placement: its result, and its clusters in groups and slices. */
export interface Answer {
  readonly result: PlacementResult;
  readonly decisions: Decisions;
}

/** Steps 6 to 9: what becomes of the selection? */
export function answer(evaluation: Evaluation): Answer {
  // 6. Outcome: is the selection used, do the last decisions stay, or are they removed?
  const outcome = outcomeOf(evaluation);

  // 7. Decision groups, and 8. slices.
  const decisions = decisionsOf(evaluation, outcome);

  // 9. Report: tally, warnings and conditions. report/cluster-report.ts reports on a cluster.
  return { decisions, result: composeResult(evaluation, outcome, decisions.count) };
}

/** Step 10: the API calls that bring the PlacementDecisions up to date. */
export function writes(evaluation: Evaluation, { result, decisions }: Answer): SliceWrites {
  if (result.state === "ignored") return { writes: [], isMove: false };
  const { placement, hub, decided } = evaluation.input;
  const entry = decisionEntries(evaluation, result.state);
  const hasScores = hub.writesScoresOf(placement);
  return writesOf({ placement, slices: decisions.slices(), decided, entry, hasScores, now: hub.now });
}
