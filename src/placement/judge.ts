// How far does a cluster get? Predicates, then taints: the short way, for very many clusters. What each rule says is told
// by cluster-checks.ts.
import { LimitError } from "../cel/plan/frame.ts";
import type { Timestamp } from "../cel/value/timestamp.ts";
import type { BindingSource, FleetCluster } from "./fleet.ts";
import { evaluateOnCluster } from "./placement-environment.ts";
import type { PlacementMode } from "./placement-mode.ts";
import type { PreparedExpression, PreparedPlacement, PreparedPredicate } from "./prepare.ts";
import type { ScoreBook } from "./score-book.ts";
import { holdForClaims, holdForLabels } from "./selector.ts";
import { judgeTaints } from "./tolerance.ts";

/** How far a cluster got, as a small number; those that can be chosen are the highest. */
export const GOT: {
  readonly outside: 0;
  readonly terminating: 1;
  readonly unmatched: 2;
  readonly failed: 3;
  readonly tainted: 4;
  readonly lastResort: 5;
  readonly through: 6;
  /** It was chosen before, and nobody can read it now: it stays, before all others. */
  readonly unread: 7;
} = { outside: 0, terminating: 1, unmatched: 2, failed: 3, tainted: 4, lastResort: 5, through: 6, unread: 7 };

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
  readonly bookOf: (cluster: string) => ScoreBook;
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
    if (cluster.terminating) return GOT.terminating;
    const matched = this.#match(prepared.predicates, entry);
    if (matched !== GOT.through || cluster.taints.length === 0) return matched;
    const { tolerated, isLastResort, until } = judgeTaints(cluster, {
      tolerations: prepared.placement.tolerations,
      mode,
      now,
      isDecided: isDecided(cluster.name),
    });
    this.until = until;
    if (!tolerated) return GOT.tainted;
    return isLastResort ? GOT.lastResort : GOT.through;
  }

  #match(predicates: readonly PreparedPredicate[], entry: FleetCluster): number {
    if (predicates.length === 0) return GOT.through;
    let worst: number = GOT.unmatched;
    const { cluster } = entry;
    for (let position = 0; position < predicates.length; position++) {
      const predicate = predicates[position] as PreparedPredicate;
      if (!holdForLabels(predicate.labels, cluster.labels) || !holdForClaims(predicate.claims, cluster.claims))
        continue;
      const outcome = this.#evaluate(predicate.expressions, entry);
      if (outcome === GOT.through) {
        this.matchedBy = position;
        return outcome;
      }
      if (outcome === GOT.failed) worst = outcome;
    }
    return worst;
  }

  #evaluate(expressions: readonly PreparedExpression[], entry: FleetCluster): number {
    if (expressions.length === 0) return GOT.through;
    const { bookOf, wanted } = this.#given;
    const bindings = entry.bindings({ book: bookOf(entry.cluster.name), wanted });
    let spent = 0;
    for (const { program } of expressions) {
      if (program === undefined) return GOT.failed;
      const result = evaluateOnCluster(program, bindings);
      spent += program.cost;
      this.cost += program.cost;
      if (result === false) return GOT.unmatched;
      if (result === true && spent <= PREDICATE_COST_LIMIT) continue;
      if (result === true || result instanceof LimitError) this.isLimited = true;
      return GOT.failed;
    }
    return GOT.through;
  }
}
