// Does a "no" rest on a rule that was too expensive to evaluate? Then it is no real "no".

import type { Constraint } from "../constraint/constraint.ts";
import type { Candidates } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import { isPredicate, type Predicate, predicateOf } from "./predicate-key.ts";
import type { Solution } from "./solution.ts";
import { runtimeConstraintsOf } from "./unary-rules.ts";

/** Beyond so many bundles the search is given up, and the answer is "perhaps". */
const MOST_NODES = 2_000;

/** Was a limit hit by any rule that the candidates, or what they need, rest on? */
export function restsOnLimit({ problem, round }: Solution, { nodes }: Candidates): boolean {
  const { universe } = round.encoding;
  if (!universe.hasLimits) return false;
  const runtime = runtimeConstraintsOf(universe, problem.runtime).map(({ constraint }) => constraint.constraint);
  if (runtime.some((constraint) => universe.isLimited(predicateOf(constraint)))) return true;
  const seen = new Set<Node>(nodes);
  for (const node of seen) {
    const predicates = universe
      .requirementsOf(node.bundle.properties)
      .requirements.flatMap(({ constraint }) => predicatesIn(constraint));
    if (seen.size > MOST_NODES || predicates.some((predicate) => universe.isLimited(predicate))) return true;
    for (const predicate of predicates)
      for (const provider of universe.providers(predicate, node.index.catalog, problem.namespace)) seen.add(provider);
  }
  return false;
}

/** The predicates of a demand, wherever they stand in it. */
export function predicatesIn(constraint: Constraint): readonly Predicate[] {
  if (isPredicate(constraint)) return [predicateOf(constraint)];
  return "constraints" in constraint ? constraint.constraints.flatMap(predicatesIn) : [];
}
