// What may not happen before a person approves it? Written from docs/how-it-resolves.md, for judging answers.

import type { Chosen } from "../../src/check/answer.ts";
import { candidatesOf } from "../../src/check/candidates.ts";
import type { Problem } from "../../src/model/problem.ts";

/** The world in which nothing is approved. */
export function withoutApprovals(world: Problem): Problem {
  const asks = { manual: new Set<string>(), automatic: new Set<string>() };
  for (const { approval, installed } of world.requests)
    if (installed !== undefined) asks[approval === "Manual" ? "manual" : "automatic"].add(installed);
  const runs = (name: string | undefined): boolean => world.installed.some((one) => one.name === name);
  const unapproved = world.requests.filter(({ approval }) => approval === "Manual");
  if (unapproved.length === 0) return world;
  return {
    ...world,
    unapproved,
    requests: world.requests.filter((request) => !unapproved.includes(request) || runs(request.installed)),
    installed: world.installed.map((one) =>
      one.hold === undefined && asks.manual.has(one.name) && !asks.automatic.has(one.name)
        ? { ...one, hold: { by: "approval", text: "not yet" } }
        : one,
    ),
  };
}

/** Would a bundle come although only Manual Subscriptions ask for it? */
export function needsApproval(problem: Problem, { catalog, bundle }: Chosen): boolean {
  const own = (problem.unapproved ?? []).filter((request) => request.package === bundle.package);
  const others = problem.requests.filter((request) => request.approval === "Automatic");
  const isOffered = others.some((request) =>
    candidatesOf(problem, request).bundles.some((one) => one.catalog === catalog && one.bundle === bundle),
  );
  return own.length > 0 && !isOffered;
}
