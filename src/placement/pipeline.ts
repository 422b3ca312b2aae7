// How is a Placement scheduled? The numbered steps of docs/placement.md ("Design"), each a function in the folder of its stage.
import { DecisionDelta } from "./decide/decision-delta.ts";
import { eligibleSets } from "./eligible/eligibility.ts";
import { type Evaluation, type PlacementInput, scoresFor } from "./evaluation.ts";
import { filterClusters } from "./filter/match-state.ts";
import type { FleetCluster } from "./fleet.ts";
import { interestsOf } from "./interests.ts";
import { preparePlacement } from "./prepare/prepare.ts";
import { scoreClusters } from "./score/scores.ts";
import type { Flip } from "./select/selected-names.ts";
import { selectClusters } from "./select/selection.ts";

/** Steps 1 to 5, from scratch: which clusters are selected? */
export function evaluate(input: PlacementInput): Evaluation {
  const { placement, hub } = input;

  // 1. Prepare: read the spec, compile its expressions, find mistakes.
  const prepared = preparePlacement(placement, hub.mode, hub.compile);

  // 2. Eligible sets: bound to the namespace and asked for.
  const eligibility = eligibleSets(placement, hub);
  const interests = interestsOf(prepared, eligibility);

  // 3. Filter: predicates, then taints.
  const judging = {
    prepared,
    mode: hub.mode,
    addOnScores: hub.addOnScores,
    get now() {
      return hub.now;
    },
    get wanted() {
      return hub.wanted;
    },
    isDecided: (cluster: string) => input.decided.has(cluster),
    scoresFor: (cluster: string) => scoresFor(input, cluster),
  };
  const match = filterClusters({ input, eligibility, interests, judging });

  // 4. Score: prioritizers, multiplied by their weights and added.
  const scoring = scoreClusters(input, prepared.prioritizers, match);

  // 5. Rank, spread and cut.
  const selection = selectClusters(input, prepared, match, scoring);

  const delta = new DecisionDelta(input.decided, selection.names.current());
  return { input, prepared, eligibility, interests, judging, match, scoring, selection, delta };
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

/** Steps 3 to 5 for clusters that changed, in place; returns what became selected or unselected, undefined if that is not known. */
export function update(evaluation: Evaluation, change: EvaluationChange): readonly Flip[] | undefined {
  const { input, match, scoring, selection, delta } = evaluation;
  const { clusters, refiltered, isRescored, isRedecided } = change;
  let flips: readonly Flip[] | undefined = [];
  if (clusters.size > 0 || isRescored) {
    selection.withdraw(clusters);
    for (const slot of clusters.keys())
      if (refiltered.has(slot)) match.update(slot);
      else match.updateScoreEnds(slot);
    const areAllRescored = scoring.update(clusters, isRescored);
    selection.update(clusters, areAllRescored);
    flips = selection.flips;
  }
  if (flips === undefined || isRedecided) delta.restart(input.decided, selection.names.current());
  else delta.change(flips);
  return flips;
}
