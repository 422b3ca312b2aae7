// What can change without approval? The problem in which Manual requests change nothing (semantics: "Manual
// approval").

import type { Installed, Problem, Request } from "../model/problem.ts";
import { compareRequests } from "./prepare/claims.ts";

/** The problem without anything that needs approval; the same object if nothing does. */
export function automaticProblem(problem: Problem): Problem {
  const manual = problem.requests.filter(({ approval }) => approval === "Manual");
  if (manual.length === 0) return problem;
  const running = new Set(problem.installed.map(({ name }) => name));
  const isManual = ({ name }: Installed): boolean => {
    const claims = problem.requests.filter((request) => request.installed === name);
    return claims.length > 0 && claims.every(({ approval }) => approval === "Manual");
  };
  return {
    ...problem,
    requests: problem.requests.filter(
      ({ approval, installed }) => approval !== "Manual" || (installed !== undefined && running.has(installed)),
    ),
    unapproved: manual,
    installed: problem.installed.map((operator) =>
      operator.hold === undefined && isManual(operator)
        ? { ...operator, hold: { by: "approval", text: "its Subscription asks for approval" } }
        : operator,
    ),
  };
}

/** The problem that was passed to `automaticProblem`. */
export function withApprovals(problem: Problem): Problem {
  const { unapproved } = problem;
  if (unapproved === undefined) return problem;
  const known = new Set(problem.requests.map(({ id }) => id));
  return {
    ...problem,
    requests: [...problem.requests, ...unapproved.filter(({ id }) => !known.has(id))].sort(compareRequests),
    unapproved: undefined,
    installed: problem.installed.map((one) => (one.hold?.by === "approval" ? { ...one, hold: undefined } : one)),
  };
}

/** Packages of which no bundle is chosen without approval, except candidates of an Automatic request. */
export function manualPackages({ unapproved = [] }: Problem): ReadonlyMap<string, Request> {
  const byPackage = new Map<string, Request>();
  for (const request of unapproved) if (!byPackage.has(request.package)) byPackage.set(request.package, request);
  return byPackage;
}
