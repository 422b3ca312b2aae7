// Is this operator allowed at all, whatever else runs? The rules about a single operator.

import { bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { Requirements, RuntimeConstraint } from "../constraint/constraint.ts";
import type { Problem } from "../model/problem.ts";
import type { CheckedRule, Violation } from "./answer.ts";
import type { Matcher } from "./match.ts";
import { fitsInstallMode, fitsKubernetes, fitsOpenShift, type PlatformNeeds } from "./platform.ts";
import type { Member } from "./state.ts";

/** The rules for every operator that runs in the namespace. */
export function unfit(problem: Problem, member: Member, requirements: Requirements): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (rule: CheckedRule, text: string): void => {
    violations.push({ rule, text: `${member.name} ${text}` });
  };
  const needs = platformNeeds(member);
  const { options, node, targets, namespace } = problem;
  const problemOf = requirements.problems[0];
  if (problemOf !== undefined)
    report("malformed-constraint", `has a constraint that cannot be read: ${problemOf.message}`);
  if (requirements.hasCompounds && !options.compoundConstraints) report("feature-gate", "has a compound constraint");
  if (!fitsKubernetes(needs, node)) report("platform-version", `needs Kubernetes ${needs.minKubeVersion} or newer`);
  if (!fitsOpenShift(needs, node)) report("platform-version", `needs OpenShift ${needs.maxOpenShiftVersion} or older`);
  if (!fitsInstallMode(needs, targets, namespace))
    report("install-mode", "does not support the install mode needed here");
  return violations;
}

function platformNeeds({ properties, installed }: Member): PlatformNeeds {
  const { minKubeVersion, maxOpenShiftVersion, installModes } =
    installed === undefined ? bundleFacts(properties) : installedFacts(installed);
  return { minKubeVersion, maxOpenShiftVersion, installModes: installModes ?? [] };
}

/** The further rules for a bundle that is newly chosen; `isCandidate`: it is a candidate of some request. */
export function unchoosable(
  problem: Problem,
  member: Member,
  isCandidate: boolean,
  runtime: readonly (RuntimeConstraint | undefined)[],
  matcher: Matcher,
): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (rule: CheckedRule, text: string): void => {
    violations.push({ rule, text: `${member.name} is chosen, ${text}` });
  };
  if (!isCandidate && !isInChain(member)) report("upgrade-edge", "but no channel leads to it and no request names it");
  if (bundleFacts(member.properties).deprecated) report("deprecation", "but is olm.deprecated");
  if (problem.removed.includes(member.package ?? ""))
    report("subscription", `but its package ${member.package} is to be removed`);
  if (problem.runtime.problems.length > 0)
    report("runtime-constraint", "although the administrator's constraints cannot be read");
  for (const [position, constraint] of runtime.entries())
    if (
      constraint === undefined ||
      matcher.match(constraint.constraint, member.properties) !== (constraint.action === "require")
    )
      report("runtime-constraint", `against the administrator's constraint ${position + 1}`);
  return violations;
}

function isInChain({ catalog, bundle }: Member): boolean {
  const channels = catalog?.packages.get(bundle?.package ?? "")?.channels.values() ?? [];
  return [...channels].some(({ chain }) =>
    chain.some((entry) => entry.bundle !== undefined && entry.bundle === bundle),
  );
}
