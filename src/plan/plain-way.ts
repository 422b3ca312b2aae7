// Does the ordinary plan lead there, where the search for the shortest way was too much? Generation after generation, as long
// as it takes, of those who could matter; the others stay.

import type { Installed, Problem } from "../model/problem.ts";
import { Resolver } from "../resolve/resolve.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import { ownerOf, relevantPackages } from "./relevant-packages.ts";
import { type GenerationSets, operatorOf, packagesOf } from "./search-way.ts";
import { takeSteps } from "./take-steps.ts";
import type { Quest } from "./target.ts";

/** The generations until the target is reached; nothing if they do not lead there. */
export function plainWay(
  { problem, request, distanceOf }: Quest,
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
    const asked = withMigrations(now);
    const changes = changesOf(resolver.resolve(asked, stop), asked);
    const { steps, after } = takeSteps(now, changes);
    if (steps.length === 0) return undefined;
    generations.push([steps.flatMap((step) => step.changes)]);
    now = after;
  }
}

/** Those who cannot matter stay; nobody new is asked for beside the target. */
function withOthersHeld(problem: Problem, packages: ReadonlySet<string>): Problem {
  const installed = problem.installed.map(
    (one): Installed =>
      packages.has(ownerOf(one, problem)) ? one : { ...one, hold: one.hold ?? { by: "flag", text: "" } },
  );
  return { ...problem, installed };
}
