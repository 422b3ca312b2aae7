// What does a namespace look like after others have had their answers? Several namespaces are resolved one after another,
// each on top of what the others will be: two answers that are right by themselves could break each other.

import type { Installed, Problem } from "../model/problem.ts";
import { byNamespaceAndName, runningAs, withDefinitionsOf } from "./carried-out.ts";
import type { Resolution, ResolvedOperator } from "./resolution.ts";

/** The problem once these answers have been carried out in their namespaces. */
export function afterOthers(problem: Problem, others: readonly Resolution[]): Problem {
  const changed = others.filter(({ namespace, operators }) => namespace !== problem.namespace && operators.some(isNew));
  if (changed.length === 0) return problem;
  const namespaces = new Set(changed.map(({ namespace }) => namespace));
  const elsewhere = [
    ...problem.elsewhere.filter(({ namespace }) => !namespaces.has(namespace)),
    ...changed.flatMap(({ namespace, operators }) => operators.map((operator) => running(operator, namespace))),
  ];
  const bundles = changed.flatMap(({ operators }) => operators.flatMap(({ from }) => from?.bundle ?? []));
  return {
    ...problem,
    elsewhere: elsewhere.sort(byNamespaceAndName),
    definitions: bundles.reduce(withDefinitionsOf, problem.definitions ?? []),
  };
}

function isNew({ from }: ResolvedOperator): boolean {
  return from !== undefined;
}

/** The operator as it will run. */
function running({ from, installed }: ResolvedOperator, namespace: string): Installed {
  return from === undefined ? (installed as Installed) : runningAs(from.bundle, namespace);
}
