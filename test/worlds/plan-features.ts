// What happens in a plan? Names for everything that a test of plans should come across.

import type { FoundPlan, PlannedChange, PlannedStep } from "../../src/plan/plan-draft.ts";
import { compareVersions } from "../../src/semver/version.ts";
import { providedIn } from "./bundle-manifests.ts";

/** What happens in a plan, each once. */
export function featuresOf({ before, generations, last }: FoundPlan): readonly string[] {
  const steps = generations.flatMap((generation) => generation.steps);
  const changes = steps.flatMap((step) => step.changes);
  const features: readonly (readonly [string, boolean])[] = [
    ["several generations", generations.length > 1],
    ["joint step", steps.some((step) => step.changes.length > 1)],
    ["joint step of three", steps.some((step) => step.changes.length > 2)],
    ["installation", changes.some(({ from, to }) => from === undefined && to !== undefined)],
    ["dependency", changes.some(({ generatedSubscription }) => generatedSubscription !== undefined)],
    ["dependency of the cluster scope", before.scope === "cluster" && changes.some(isDependency)],
    ["jump", changes.some(isJump)],
    ["older", changes.some(isOlder)],
    ["removal", changes.some(({ to }) => to === undefined)],
    ["API passed on", steps.some(isPassedOn)],
    ["migration", steps.some(({ migrations }) => migrations.length > 0)],
    ["waits for approval", last.pendingApproval.length > 0],
    ["held back", last.heldBack.length > 0],
  ];
  return features.filter(([, happens]) => happens).map(([name]) => name);
}

/** Does an operator take over an API that another one of the step had? */
function isPassedOn({ changes }: PlannedStep): boolean {
  const before = ({ from }: PlannedChange): readonly string[] => providedIn(from?.properties ?? []);
  const after = ({ to }: PlannedChange): readonly string[] => providedIn(to?.bundle.properties ?? []);
  return changes.some((giver) =>
    changes.some((heir) => heir !== giver && after(heir).some((api) => before(giver).includes(api))),
  );
}

function isDependency({ from, to, request }: PlannedChange): boolean {
  return from === undefined && to !== undefined && request === undefined;
}

/** A SelfCertified update that no upgrade edge leads to. */
function isJump({ from, to, request }: PlannedChange): boolean {
  const entries = to?.catalog.packages.get(to.bundle.package)?.channels.get(to.channel)?.entries;
  const entry = entries?.get(to?.bundle.name ?? "");
  if (from === undefined || entry === undefined || request?.extension?.policy !== "SelfCertified") return false;
  return entry.replaces !== from.name && !entry.skips.includes(from.name) && entry.skipRange === undefined;
}

function isOlder({ from, to }: PlannedChange): boolean {
  return from?.version !== undefined && to !== undefined && compareVersions(to.bundle.version, from.version) < 0;
}
