// Which orphans are to be removed, and how? All of them, but for those that would be brought back at once, and for those of
// whose kinds there are objects: somebody may still use them.

import type { Problem } from "../model/problem.ts";
import { resolve } from "../resolve/resolve.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import { orphansIn } from "./orphans.ts";
import type { OperatorChange, Orphan, PlanOptions } from "./plan.ts";
import { takeSteps } from "./take-steps.ts";

/** The changes that take the orphans of a namespace away, but not those of packages that are asked for. */
export function removals(
  problem: Problem,
  prune: PlanOptions["prune"],
  asked: readonly string[] = [],
): readonly OperatorChange[] {
  const wanted = new Set(asked);
  for (;;) {
    const orphans = orphansIn(problem, wanted);
    const used = prune === "with-objects" ? [] : orphans.filter(({ inUse }) => inUse.length > 0);
    if (used.length > 0) {
      // What they need stays with them.
      for (const orphan of used) wanted.add(orphan.package);
      continue;
    }
    const changes = orphans.map((orphan) => removalOf(orphan, problem));
    if (changes.length === 0) return [];
    const without = withMigrations(takeSteps(problem, changes).after);
    const gone = new Set(changes.map((change) => change.package));
    const back = changesOf(resolve(without), without).filter((change) => gone.has(change.package));
    if (back.length === 0) return changes;
    for (const change of back) wanted.add(change.package);
  }
}

/** The change that takes an orphan away. */
function removalOf({ package: owner, name }: Orphan, { installed, requests }: Problem): OperatorChange {
  return {
    package: owner,
    from: installed.find((one) => one.name === name),
    alsoFrom: [],
    to: undefined,
    request: requests.find((request) => request.installed === name),
    generatedSubscription: undefined,
    requiredBy: [],
    reason: "it came as a dependency, and nobody needs it any more",
  };
}
