// What does an answer change? Each operator that comes or moves on, with everybody whose place it takes.

import type { OperatorRef } from "../model/operator-ref.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import type { Resolution, ResolvedOperator } from "../resolve/resolution.ts";
import { universeOf } from "../resolve/universe.ts";
import type { PlannedChange } from "./planned.ts";

/** The changes of an answer, by package. */
export function changesOf({ operators }: Resolution, problem: Problem): readonly PlannedChange[] {
  const moving = operators.filter(({ from }) => from !== undefined);
  if (moving.length === 0) return [];
  const accounted = new Set(operators.map(({ installed }) => installed));
  const others = problem.installed.filter((one) => !accounted.has(one));
  const byName = new Map(operators.map((operator) => [operator.name, operator]));
  const refTo = (name: string): OperatorRef => {
    const { package: owner = "", version } = byName.get(name) ?? {};
    return { name, ...(owner !== "" && { package: owner }), ...(version !== undefined && { version }) };
  };
  return moving.map((operator) => ({
    ...changeOf(operator, others, problem),
    requiredBy: operator.requiredBy.map(refTo),
  }));
}

function changeOf(
  operator: ResolvedOperator,
  others: readonly Installed[],
  problem: Problem,
): Omit<PlannedChange, "requiredBy"> {
  return {
    package: operator.package,
    from: operator.installed,
    alsoFrom: others.filter((one) => isPassedTo(one, operator, problem)),
    to: operator.from,
    request: operator.request,
    generatedSubscription: operator.generatedSubscription,
    // Read now: what the answer was found with need not be kept for it.
    reason: { kind: "answer", text: operator.reason },
  };
}

/** Is there somebody who kept the one up to date, and goes on with the other? */
function isPassedTo({ name }: Installed, { from }: ResolvedOperator, problem: Problem): boolean {
  if (from === undefined) return false;
  const universe = universeOf(problem.catalogs, problem.options);
  const node = universe.indexOf(from.catalog).nodeOf(from.bundle);
  return problem.requests.some(
    (request) => request.installed === name && candidatesOf(request, problem, universe).channels.has(node),
  );
}
