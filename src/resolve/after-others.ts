// What does a namespace look like after others have had their answers? Several namespaces are resolved one after another,
// each on top of what the others will be: two answers that are right by themselves could break each other.

import { compareText } from "../model/json.ts";
import type { Installed, Problem } from "../model/problem.ts";
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
  return {
    ...problem,
    elsewhere: elsewhere.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name)),
  };
}

function isNew({ from }: ResolvedOperator): boolean {
  return from !== undefined;
}

/** The operator as it will run. */
function running({ from, installed, name, package: owner }: ResolvedOperator, namespace: string): Installed {
  if (from === undefined) return installed as Installed;
  return {
    namespace,
    name,
    package: owner,
    version: from.bundle.version,
    properties: from.bundle.properties,
    minKubeVersion: undefined,
    installModes: [],
    hold: undefined,
    place: from.bundle.place,
  };
}
