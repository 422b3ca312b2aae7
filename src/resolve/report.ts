// How does a solution become an answer? Everything that people and programs need to know about it, as plain data.

import { canonicalText, compareText, type Json } from "../model/json.ts";
import { at } from "../model/place.ts";
import type { Problem, Request } from "../model/problem.ts";
import { requirementDetail } from "../rule/requirement.ts";
import { type BrokenRule, brokenKey } from "../rule/rules.ts";
import { type Candidates, hasNothing, isUnread } from "./candidates.ts";
import { hidingCatalogs } from "./catalog-order.ts";
import { usableFor } from "./extension-candidates.ts";
import { restsOnLimit } from "./limits-hit.ts";
import { shortRef } from "./member.ts";
import { type Held, heldBackIn, type Refused, unsatisfiedBy } from "./not-satisfied.ts";
import { operatorsOf } from "./operators.ts";
import type { Objective, OptionalNotMet, Outcome, PendingApproval, Resolution, Unsatisfied } from "./resolution.ts";
import type { Solution } from "./solution.ts";
import { heldByUnread, restsOnUnread } from "./unread.ts";
import type { Warning } from "./warning.ts";
import { warningsOf } from "./warnings.ts";

/** An answer, the items in it that can be explained, and the solutions they come from. */
export interface Reported {
  readonly resolution: Resolution;
  /** In the order of `unsatisfied` and `heldBack`. */
  readonly refused: readonly Refused[];
  readonly held: readonly Held[];
}

/** The answer as plain data. `free` is the solution in which nothing waits for approval. */
export function report(solution: Solution, free: Solution, pendingApproval: readonly PendingApproval[]): Reported {
  const { problem } = free;
  const uncertain = heldByUnread(free);
  const refused = refusals(solution, free, uncertain).map(({ by, candidates }) =>
    unsatisfiedBy(by, candidates, isUndecided(by, candidates), solution.kept),
  );
  const unsatisfied = refused.map(({ item }) => item);
  const held = heldBackIn(solution, uncertain);
  const without = refused.filter(({ by, candidates }) => !by.satisfied.includes(candidates));
  const objectives = withPending(solution.objectives, problem.requests.length - without.length);
  const { solver, loaded } = solution.question.encoding;
  const { conflicts, propagations, decisions } = solver.statistics;
  const resolution: Resolution = {
    namespace: problem.namespace,
    outcome: outcomeOf(problem, unsatisfied),
    operators: operatorsOf(solution, free, pendingApproval, uncertain),
    heldBack: held.map(({ item }) => item),
    unsatisfied,
    pendingApproval,
    broken: solution.stillBroken
      .filter(({ byRemoval }) => byRemoval)
      .map(({ rule: { place, ...rule } }) => ({ ...rule, ...at(place) }))
      .sort((a, b) => compareText(subjectOf(a), subjectOf(b)) || compareText(brokenKey(a), brokenKey(b))),
    optionalNotMet: solution.unmetOptional
      .map(({ self, requirement }) => ({ operator: shortRef(self), detail: requirementDetail(requirement) }))
      .sort((a, b) => compareText(a.operator.name, b.operator.name) || compareText(keyOf(a), keyOf(b))),
    warnings: [...warningsOf(solution), ...exclusions(solution, free)],
    objectives,
    proven: objectives.every(({ proven }) => proven),
    statistics: {
      conflicts,
      propagations,
      decisions,
      variables: solver.variables,
      clauses: solver.clauses,
      bundles: loaded.length,
    },
  };
  return { resolution, refused, held };
}

/** The solution that refuses a request, and its candidates there. */
type Refusal = Omit<Refused, "item">;

/** The requests that are not satisfied, or `uncertain`. One that is pending approval counts as satisfied. */
function refusals(solution: Solution, free: Solution, uncertain: readonly Candidates[]): readonly Refusal[] {
  const isContent = ({ open, unsatisfied }: Solution): boolean => open.length + unsatisfied.length === 0;
  if (uncertain.length === 0 && isContent(solution) && isContent(free)) return [];
  // The free solution takes precedence and comes last.
  const byRequest = (some: (one: Solution) => readonly Candidates[]): ReadonlyMap<Request, Refusal> =>
    new Map([solution, free].flatMap((by) => some(by).map((candidates) => [candidates.request, { by, candidates }])));
  const open = byRequest((one) => one.open);
  const held = new Map(uncertain.map((candidates) => [candidates.request, { by: free, candidates }]));
  const satisfied = byRequest((one) => one.satisfied);
  const unsatisfied = byRequest((one) => one.unsatisfied);
  return free.problem.requests.flatMap(
    (request) =>
      open.get(request) ?? held.get(request) ?? (satisfied.has(request) ? [] : (unsatisfied.get(request) ?? [])),
  );
}

/** Warns if an approval would cost another request its operator: both are not possible together. */
function exclusions(solution: Solution, free: Solution): readonly Warning[] {
  return free.unsatisfied
    .filter(({ request }) => solution.satisfied.some((one) => one.request === request))
    .map(({ request }) => ({ code: "approval-excludes", request: request.id, ...at(request.place) }));
}

function withPending(objectives: readonly Objective[], satisfied: number): readonly Objective[] {
  return objectives.map((one) => (one.name === "subscriptions" ? { ...one, value: satisfied } : one));
}

function outcomeOf({ runtime, requests }: Problem, unsatisfied: readonly Unsatisfied[]): Outcome {
  if (runtime.problems.length > 0) return "Undecided";
  if (unsatisfied.length === 0) return "Resolved";
  if (unsatisfied.length < requests.length) return "Partial";
  return unsatisfied.some(({ undecided }) => undecided) ? "Undecided" : "Unsatisfiable";
}

/** Is the "no" to a request uncertain? */
function isUndecided(solution: Solution, candidates: Candidates): boolean {
  const { problem } = solution;
  return (
    problem.runtime.problems.length > 0 ||
    (solution.undecided.has(candidates) && !hasNothing(candidates)) ||
    isUnread(candidates) ||
    (hidingCatalogs(problem).length > 0 && mayDependOnUnknown(solution, candidates)) ||
    restsOnUnread(solution, candidates) ||
    restsOnLimit(solution, candidates)
  );
}

/** Could a bundle of an unavailable catalog change the "no"? Not if the request cannot use it, or cannot be read. */
function mayDependOnUnknown({ question, problem }: Solution, { request, none, nodes }: Candidates): boolean {
  if (none?.kind === "malformed") return false;
  if (none !== undefined)
    return request.catalog === undefined && usableFor(request, hidingCatalogs(problem)).length > 0;
  return nodes.some((node) => question.encoding.refusals.of(node) === undefined);
}

function keyOf({ detail }: OptionalNotMet): string {
  return canonicalText(detail as unknown as Json);
}

function subjectOf({ operator, detail }: BrokenRule): string {
  if (operator !== undefined) return operator.name;
  return "package" in detail ? detail.package : "api" in detail ? detail.api : "";
}
