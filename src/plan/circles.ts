// Whose channels lead back to where he has been? In a plan nobody goes back; whoever follows the channels would, for ever.

import type { Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import type { Warning } from "../resolve/resolution.ts";
import { universeOf } from "../resolve/universe.ts";

/** A warning for each request whose operator could go back to a bundle that it had before. */
export function circles(problem: Problem): readonly Warning[] {
  const universe = universeOf(problem.catalogs, problem.options);
  return problem.requests.flatMap((request) => {
    const { left = [], ...free } = request;
    if (left.length === 0) return [];
    const back = candidatesOf(free, problem, universe).nodes.find(({ bundle }) => left.includes(bundle.name));
    if (back === undefined) return [];
    const message = `the channels of ${request.package} lead in a circle, from ${request.installed} back to ${back.bundle.name}: the plan ends there; name a channel in ${request.id}`;
    return [{ code: "upgrade-circle", message, place: request.place }];
  });
}
