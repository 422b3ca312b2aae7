// Does the ordinary plan reach the target, if the search for the shortest path was too large? Generation after
// generation of the relevant packages; all others are held.

import type { Installed, Problem } from "../model/problem.ts";
import { Resolver } from "../resolve/resolve.ts";
import { applySteps } from "./apply-steps.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import { ownerOf, relevantPackages } from "./relevant-packages.ts";
import { type GenerationSets, operatorOf, packagesOf } from "./search-path.ts";
import type { TargetSearch } from "./target.ts";

/** The generations until the target is reached; undefined if they do not reach it. */
export function plainPath(
  { problem, request, distanceOf }: TargetSearch,
  most: number,
  stop?: () => boolean,
): readonly GenerationSets[] | undefined {
  if (distanceOf(operatorOf(problem, request)) === undefined) return undefined;
  const { packages } = relevantPackages(problem, packagesOf(problem, request));
  const resolver = new Resolver();
  const generations: GenerationSets[] = [];
  let now = withOthersHeld(problem, packages);
  for (;;) {
    if (distanceOf(operatorOf(now, request)) === 0) return generations;
    if (generations.length === most || stop?.()) return undefined;
    const migrated = withMigrations(now);
    const changes = changesOf(resolver.resolve(migrated, stop), migrated);
    const { steps, after } = applySteps(now, changes);
    if (steps.length === 0) return undefined;
    generations.push([steps.flatMap((step) => step.changes)]);
    now = after;
  }
}

/** All other packages are held; nothing else is requested. */
function withOthersHeld(problem: Problem, packages: ReadonlySet<string>): Problem {
  const installed = problem.installed.map(
    (one): Installed =>
      packages.has(ownerOf(one, problem)) ? one : { ...one, hold: one.hold ?? { by: "flag", text: "" } },
  );
  return { ...problem, installed };
}
