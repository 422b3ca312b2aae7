// How far does a cluster get? Predicates, then taints: the short way, for very many clusters. What each rule says is told
// by cluster-checks.ts.
import { LimitError } from "../../cel/plan/frame.ts";
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { evaluateOnCluster } from "../cel/placement-environment.ts";
import type { BindingSource, FleetCluster } from "../fleet.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { PreparedExpression, PreparedPlacement, PreparedPredicate } from "../prepare/prepare.ts";
import { holdForClaims, holdForLabels } from "../prepare/selector.ts";
import type { AddOnScores } from "../score/add-on-scores.ts";
import { judgeTaints } from "./taint-toleration.ts";

/** How far a cluster got, as a small number; those that can be chosen are the highest. */
export const STAGE: {
  readonly outside: 0;
  readonly terminating: 1;
  readonly unmatched: 2;
  readonly failed: 3;
  readonly tainted: 4;
  readonly softTainted: 5;
  readonly feasible: 6;
  /** It was chosen before, and nobody can read it now: it stays, before all others. */
  readonly unread: 7;
} = { outside: 0, terminating: 1, unmatched: 2, failed: 3, tainted: 4, softTainted: 5, feasible: 6, unread: 7 };

/** What a predicate may cost for one cluster, all of its expressions together: as in OCM. */
export const PREDICATE_COST_LIMIT = 10_000_000;

/** What a cluster is judged by. */
export interface Judging extends BindingSource {
  readonly prepared: PreparedPlacement;
  readonly mode: PlacementMode;
  readonly now: Timestamp;
  /** Has the Placement chosen this cluster before? */
  readonly isDecided: (cluster: string) => boolean;
  /** The scores that count for a cluster. */
  readonly scoresFor: (cluster: string) => AddOnScores;
}

/** Judges clusters; after each, tells what that cost and until when it holds. */
export class Judge {
  readonly #given: Judging;
  /** What the expressions have cost for the last cluster. */
  cost = 0;
  /** Was an expression stopped at its limit for the last cluster? */
  isLimited = false;
  /** The position of the predicate that held for the last cluster. */
  matchedBy = 0;
  /** When a toleration ends that the last cluster owes its place to. */
  until: Timestamp | undefined = undefined;

  constructor(given: Judging) {
    this.#given = given;
  }

  /** Forgets what it told of the last cluster. */
  reset(): void {
    this.cost = 0;
    this.isLimited = false;
    this.matchedBy = 0;
    this.until = undefined;
  }

  /** How far the cluster gets; it is in one of the eligible sets. */
  judge(entry: FleetCluster): number {
    this.reset();
    const { prepared, mode, now, isDecided } = this.#given;
    const { cluster } = entry;
    if (cluster.terminating) return STAGE.terminating;
    const matched = this.#match(prepared.predicates, entry);
    if (matched !== STAGE.feasible || cluster.taints.length === 0) return matched;
    const { tolerated, isSoftTainted, until } = judgeTaints(cluster, {
      tolerations: prepared.placement.tolerations,
      mode,
      now,
      isDecided: isDecided(cluster.name),
    });
    this.until = until;
    if (!tolerated) return STAGE.tainted;
    return isSoftTainted ? STAGE.softTainted : STAGE.feasible;
  }

  #match(predicates: readonly PreparedPredicate[], entry: FleetCluster): number {
    if (predicates.length === 0) return STAGE.feasible;
    let worst: number = STAGE.unmatched;
    const { cluster } = entry;
    for (let position = 0; position < predicates.length; position++) {
      const predicate = predicates[position] as PreparedPredicate;
      if (!holdForLabels(predicate.labels, cluster.labels) || !holdForClaims(predicate.claims, cluster.claims))
        continue;
      const outcome = this.#evaluate(predicate.expressions, entry);
      if (outcome === STAGE.feasible) {
        this.matchedBy = position;
        return outcome;
      }
      if (outcome === STAGE.failed) worst = outcome;
    }
    return worst;
  }

  #evaluate(expressions: readonly PreparedExpression[], entry: FleetCluster): number {
    if (expressions.length === 0) return STAGE.feasible;
    const { scoresFor, wanted } = this.#given;
    const bindings = entry.bindings({ addOnScores: scoresFor(entry.cluster.name), wanted });
    let spent = 0;
    for (const { program } of expressions) {
      if (program === undefined) return STAGE.failed;
      const result = evaluateOnCluster(program, bindings);
      spent += program.cost;
      this.cost += program.cost;
      if (result === false) return STAGE.unmatched;
      if (result === true && spent <= PREDICATE_COST_LIMIT) continue;
      if (result === true || result instanceof LimitError) this.isLimited = true;
      return STAGE.failed;
    }
    return STAGE.feasible;
  }
}
