// Which participants meet a requirement, seen from the requirer? Computed once for a question: hundreds of versions have
// the same requirement, and it is needed more than once.

import type { Predicate } from "../../constraint/predicate-key.ts";
import { gvkKey } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { matchingOperators } from "../matching-operators.ts";
import { type Operator, type Participant, propertiesOf } from "../member.ts";
import type { Question } from "../question.ts";
import { mayBeUnread } from "../unread.ts";
import type { Matches, Matching } from "./cause.ts";

const known = new WeakMap<Question, Matches>();

/** The matcher of a question; requirers of the same catalog with the same requirement get the same result. */
export function matchesIn(question: Question): Matches {
  return getOrAdd(known, question, () => {
    const answers = new Map<unknown, Map<string, Matching>>();
    return (predicate, requirer) => {
      const from = "bundle" in requirer ? requirer.index : undefined;
      const own = getOrAdd(answers, from, () => new Map<string, Matching>());
      return getOrAdd(own, predicate.key, () => matchingIn(question, predicate, requirer));
    };
  });
}

function matchingIn(question: Question, predicate: Predicate, requirer: Operator): Matching {
  const { problem, encoding, state, requested } = question;
  const { world } = encoding;
  const { constraint } = predicate;
  const isMatch = (member: Participant): boolean => world.isMatch(predicate, propertiesOf(member));
  const own = "bundle" in requirer ? requirer.index.catalog : undefined;
  const nodes = [...world.providers(predicate, own, problem.namespace), ...state.extras.filter(isMatch)];
  // Only while a catalog is unavailable can there be members that may not serve.
  const isSure = problem.unavailable.length === 0;
  const isUsable = (node: Operator): boolean => isSure || encoding.mayServe(node, requirer, requested);
  return {
    members: [...matchingOperators(world, predicate, problem.installed), ...(isSure ? nodes : nodes.filter(isUsable))],
    doubtful: isSure ? [] : nodes.filter((node) => !isUsable(node)),
    fixed: [...[problem.node].filter(isMatch), ...matchingOperators(world, predicate, problem.elsewhere)],
    node: problem.node,
    isOrphan: constraint.kind === "gvk" && problem.orphans?.includes(gvkKey(constraint.gvk)) === true,
    get mayBeUnread(): boolean {
      return mayBeUnread(problem, constraint);
    },
  };
}
