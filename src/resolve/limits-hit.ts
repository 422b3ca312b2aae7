// Does a "no" depend on a predicate that was too expensive to evaluate? Then it is undecided.

import { isLimit } from "../constraint/predicate.ts";
import { type Predicate, predicateOf } from "../constraint/predicate-key.ts";
import type { Candidates } from "./candidates.ts";
import type { Candidate } from "./catalog-index.ts";
import { type Operator, propertiesOf } from "./member.ts";
import type { Solution } from "./solution.ts";
import { runtimeConstraintsOf } from "./unary-rules.ts";

/** Did any predicate that the candidates, their requirements or the installed operators depend on exceed its limit? */
export function restsOnLimit(solution: Solution, { nodes }: Candidates): boolean {
  const { problem, question } = solution;
  const { world } = question.encoding;
  if (!world.hasLimits) return false;
  const runtime = runtimeConstraintsOf(world, problem.runtime).map(({ constraint }) => constraint);
  const isRefusedAtLimit = ({ bundle }: Candidate): boolean =>
    runtime.some((constraint) => isLimit(world.verdict(predicateOf(constraint), bundle.properties)));
  if ([...problem.installed, ...problem.elsewhere].some((operator) => hasLimited(solution, operator))) return true;
  const seen = new Set<Candidate>(nodes);
  for (const node of seen) {
    if (isRefusedAtLimit(node) || hasLimited(solution, node)) return true;
    if (question.encoding.refusals.of(node) !== undefined) continue;
    for (const { predicate } of world.leavesOf(node.bundle.properties))
      for (const provider of world.providers(predicate, node.index.catalog, problem.namespace)) seen.add(provider);
  }
  return false;
}

/** The predicates of a member that were too expensive for some participant. */
export function limitedDemands(solution: Solution, member: Operator): readonly Predicate[] {
  const { problem, question, members } = solution;
  const { world } = question.encoding;
  if (!world.hasLimits) return [];
  const around = [...members, ...problem.installed, ...problem.elsewhere, problem.node];
  return world
    .predicatesOf(propertiesOf(member))
    .filter((predicate) => predicate.isExpensive && world.isLimited(predicate, around));
}

function hasLimited(solution: Solution, member: Operator): boolean {
  return limitedDemands(solution, member).length > 0;
}
