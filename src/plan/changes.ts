// What does an answer change? Each operator that is installed or updated, with all operators that it replaces.

import type { OperatorRef } from "../model/operator-ref.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import type { Resolution, ResolvedOperator } from "../resolve/resolution.ts";
import { type ChosenBundle, chosenBundle } from "../resolve/state-after.ts";
import type { PlannedChange } from "./plan-draft.ts";

/** The changes of an answer, by package. */
export function changesOf({ operators }: Resolution, problem: Problem): readonly PlannedChange[] {
  const moving = operators.filter(({ from }) => from !== undefined);
  if (moving.length === 0) return [];
  const accounted = new Set(operators.map(({ installed }) => installed?.name));
  const others = problem.installed.filter(({ name }) => !accounted.has(name));
  const byName = new Map(operators.map((operator) => [operator.name, operator]));
  const running = new Map(problem.installed.map((one) => [one.name, one]));
  const refTo = (name: string): OperatorRef => {
    const { package: owner = "", version } = byName.get(name) ?? {};
    return { name, ...(owner !== "" && { package: owner }), ...(version !== undefined && { version }) };
  };
  return moving.map((operator) => ({
    ...changeOf(operator, others, problem),
    from: running.get(operator.installed?.name ?? ""),
    requiredBy: operator.requiredBy.map(refTo),
  }));
}

function changeOf(
  operator: ResolvedOperator,
  others: readonly Installed[],
  problem: Problem,
): Omit<PlannedChange, "from" | "requiredBy"> {
  const { package: owner, request, generatedSubscription, reason } = operator;
  const to = chosenBundle(problem, operator);
  return {
    package: owner,
    alsoFrom: others.filter((one) => isPassedTo(one, to, problem)),
    to,
    request: problem.requests.find(({ id }) => id === request?.id),
    generatedSubscription,
    reason,
  };
}

/** Is there a request that claimed the one and now claims the other? */
function isPassedTo({ name }: Installed, to: ChosenBundle | undefined, problem: Problem): boolean {
  if (to === undefined) return false;
  const world = catalogWorld(problem);
  const node = world.indexOf(to.catalog).nodeOf(to.bundle);
  return problem.requests.some(
    (request) => request.installed === name && candidatesOf(request, problem, world).channels.has(node),
  );
}
