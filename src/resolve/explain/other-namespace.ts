// Could it be installed in another namespace, whose OperatorGroup fits? The request is moved there, and the answer of
// that namespace is compared with its present one.

import type { Problem, Request } from "../../model/problem.ts";
import type { Fix } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { type Change, changed, namedRequestOf, problemIn } from "../what-if.ts";
import { fixOf } from "./advice.ts";
import type { Cause } from "./cause.ts";
import { isBreaking, solved } from "./trial.ts";

/** Number of namespaces tried, and reported. */
const MAX_TRIED = 10;
const MAX_REPORTED = 2;

/** Other namespaces in which a request could be satisfied, if an install mode rules it out here. */
export function fixesElsewhere(
  { problem, isLate }: Solution,
  request: Request,
  causes: readonly Cause[],
): readonly Fix[] {
  const isMode = (cause: Cause): boolean =>
    cause.kind === "refusal" && cause.refused.some(({ refusal }) => refusal.detail.rule === "install-mode");
  if (request.installed !== undefined || !causes.some(isMode)) return [];
  const wish = namedRequestOf(request);
  const found: Fix[] = [];
  for (const neighbour of (problem.neighbours ?? []).slice(0, MAX_TRIED)) {
    if (found.length === MAX_REPORTED) break;
    if (neighbour.namespace === problem.namespace) continue;
    const change: Change = { kind: "elsewhere", namespace: neighbour.namespace, wish };
    const before = problemIn(problem, neighbour);
    if (isServedThere(before, changed(problem, change), isLate)) found.push(fixOf([change], problem));
  }
  return found;
}

/** Is the new request satisfied without taking an operator from another one? */
function isServedThere(before: Problem, after: Problem, isLate: Solution["isLate"]): boolean {
  const [then, now] = [solved(after, isLate), solved(before, isLate)];
  const had = new Set(now.satisfied.map(({ request }) => request.id));
  const mustBeServed = ({ id }: Request): boolean => had.has(id) || !before.requests.some((one) => one.id === id);
  return !then.unsatisfied.some(({ request }) => mustBeServed(request)) && !isBreaking(then, now);
}
