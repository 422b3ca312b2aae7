// Does an operator fit the cluster and its target namespaces? Only known facts count.

import type { Property } from "../model/catalog.ts";
import type { InstallMode } from "../model/installed-operator.ts";
import type { ClusterNode, TargetNamespaces } from "../model/problem.ts";
import { parseClusterVersion } from "../semver/tolerant.ts";
import type { Version } from "../semver/version.ts";

/** The platform requirements of an operator. */
export interface PlatformNeeds {
  readonly minKubeVersion: string | undefined;
  readonly maxOpenShiftVersion: string | undefined;
  readonly installModes: readonly InstallMode[];
}

/**
 * Is the cluster's Kubernetes at least the minimum version? Compared by three numbers: OLM drops the server's suffix.
 */
export function fitsKubernetes({ minKubeVersion }: PlatformNeeds, node: ClusterNode): boolean {
  const needed = minKubeVersion === undefined ? undefined : readable(minKubeVersion);
  const there = clusterVersion(node, "kubernetes.version");
  if (needed === undefined || there === undefined) return true;
  if (there.major !== needed.major) return there.major > needed.major;
  return there.minor === needed.minor ? there.patch >= needed.patch : there.minor > needed.minor;
}

/** Is the cluster's OpenShift, by major and minor, at most the maximum version? */
export function fitsOpenShift({ maxOpenShiftVersion }: PlatformNeeds, node: ClusterNode): boolean {
  const most = maxOpenShiftVersion === undefined ? undefined : readable(maxOpenShiftVersion);
  const there = clusterVersion(node, "openshift.version");
  if (most === undefined || there === undefined) return true;
  return there.major < most.major || (there.major === most.major && there.minor <= most.minor);
}

/** Does the operator support the install modes that the OperatorGroup needs? */
export function fitsInstallMode(
  { installModes }: PlatformNeeds,
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
