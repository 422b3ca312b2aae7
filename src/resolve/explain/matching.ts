// Who meets a demand? Everybody who could, seen from whoever demands it.

import type { Predicate } from "../../constraint/predicate-key.ts";
import { gvkKey } from "../../model/catalog.ts";
import { matchingOperators } from "../matching-operators.ts";
import { type Member, propertiesOf, type Self } from "../member.ts";
import type { Round } from "../round.ts";
import { mayBeUnread } from "../unread.ts";
import type { Matches, Matching } from "./cause.ts";

/** Answers for the members of a round. */
export function matchesIn(round: Round): Matches {
  const { problem, encoding, context, asked } = round;
  const { universe } = encoding;
  return (predicate: Predicate, requirer: Self): Matching => {
    const { constraint } = predicate;
    const isMatch = (member: Member): boolean => universe.isMatch(predicate, propertiesOf(member));
    const own = "bundle" in requirer ? requirer.index.catalog : undefined;
    const nodes = [...universe.providers(predicate, own, problem.namespace), ...context.extras.filter(isMatch)];
    // Only while a catalog is unavailable there is anybody who may not serve.
    const isSure = problem.unavailable.length === 0;
    const maySurely = (node: Self): boolean => isSure || encoding.mayServe(node, requirer, asked);
    return {
      members: [...matchingOperators(universe, predicate, problem.installed), ...nodes.filter(maySurely)],
      doubtful: isSure ? [] : nodes.filter((node) => !maySurely(node)),
      fixed: [...[problem.node].filter(isMatch), ...matchingOperators(universe, predicate, problem.elsewhere)],
      node: problem.node,
      isOrphan: constraint.kind === "gvk" && problem.orphans?.includes(gvkKey(constraint.gvk)) === true,
      get mayBeUnread(): boolean {
        return mayBeUnread(problem, constraint);
      },
    };
  };
}
