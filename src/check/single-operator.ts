// Is this operator allowed on its own? The rules about a single operator; of the cluster, only known
// facts count.

import { type BundleFacts, bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { Requirements, RuntimeConstraint } from "../constraint/constraint.ts";
import type { Property } from "../model/catalog.ts";
import type { ClusterNode, Problem, TargetNamespaces } from "../model/problem.ts";
import { parseClusterVersion } from "../semver/tolerant.ts";
import type { Version } from "../semver/version.ts";
import type { CheckedRule, Violation } from "./answer.ts";
import type { Matcher } from "./match.ts";
import type { Member } from "./state.ts";

/** The rules for every operator that runs in the namespace. */
export function unfit(problem: Problem, member: Member, requirements: Requirements): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (rule: CheckedRule, text: string): void => {
    violations.push({ rule, text: `${member.name} ${text}` });
  };
  const { installed, properties } = member;
  const facts = installed === undefined ? bundleFacts(properties) : installedFacts(installed);
  const { options, node, targets, namespace } = problem;
  const problemOf = requirements.problems[0];
  if (problemOf !== undefined)
    report("malformed-constraint", `has a constraint that cannot be read: ${problemOf.message}`);
  if (requirements.hasCompounds && !options.compoundConstraints) report("feature-gate", "has a compound constraint");
  if (!fitsKubernetes(facts, node)) report("platform-version", `needs Kubernetes ${facts.minKubeVersion} or newer`);
  if (!fitsOpenShift(facts, node)) report("platform-version", `needs OpenShift ${facts.maxOpenShiftVersion} or older`);
  if (!fitsInstallMode(facts, targets, namespace))
    report("install-mode", "does not support the install mode needed here");
  return violations;
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
    report("runtime-constraint", "although the runtime constraints cannot be read");
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

/**
 * Is the cluster's Kubernetes at least the minimum version? Compared by three numbers: OLM drops the server's suffix.
 */
function fitsKubernetes({ minKubeVersion }: BundleFacts, node: ClusterNode): boolean {
  const needed = minKubeVersion === undefined ? undefined : readable(minKubeVersion);
  const there = clusterVersion(node, "kubernetes.version");
  if (needed === undefined || there === undefined) return true;
  if (there.major !== needed.major) return there.major > needed.major;
  return there.minor === needed.minor ? there.patch >= needed.patch : there.minor > needed.minor;
}

/** Is the cluster's OpenShift, by major and minor, at most the maximum version? */
function fitsOpenShift({ maxOpenShiftVersion }: BundleFacts, node: ClusterNode): boolean {
  const most = maxOpenShiftVersion === undefined ? undefined : readable(maxOpenShiftVersion);
  const there = clusterVersion(node, "openshift.version");
  if (most === undefined || there === undefined) return true;
  return there.major < most.major || (there.major === most.major && there.minor <= most.minor);
}

/** Does the operator support the install modes that the OperatorGroup needs? */
function fitsInstallMode(
  { installModes = [] }: BundleFacts,
  targets: TargetNamespaces | undefined,
  namespace: string,
): boolean {
  if (targets === undefined || installModes.length === 0) return true;
  const supported = installModes.filter((mode) => mode.supported).map(({ type }) => type);
  return neededModes(targets, namespace).every((mode) => supported.includes(mode));
}

function neededModes({ all, names }: TargetNamespaces, namespace: string): readonly string[] {
  if (all) return ["AllNamespaces"];
  const own = names.includes(namespace) ? ["OwnNamespace"] : [];
  if (names.length > 1) return ["MultiNamespace", ...own];
  return names.length === 1 && own.length === 0 ? ["SingleNamespace"] : own;
}

function clusterVersion(node: ClusterNode, type: string): Version | undefined {
  const statedVersions = (property: Property): readonly string[] =>
    property.type === type && (typeof property.value === "string" || typeof property.value === "number")
      ? [String(property.value)]
      : [];
  const first = node.properties.flatMap(statedVersions)[0];
  return first === undefined ? undefined : readable(first);
}

function readable(text: string): Version | undefined {
  const version = parseClusterVersion(text);
  return typeof version === "string" ? undefined : version;
}
