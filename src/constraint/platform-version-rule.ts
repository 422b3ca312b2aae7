// Does an operator run on this version of Kubernetes and OpenShift? Only what is known counts.

import type { ClusterNode } from "../model/problem.ts";
import { parseClusterVersion } from "../semver/tolerant.ts";
import { compareVersions, type Version } from "../semver/version.ts";
import type { BundleFacts } from "./bundle-facts.ts";
import { type Rule, rule } from "./rule.ts";

/** The cluster's Kubernetes is at least the bundle's minKubeVersion (OLM checks it when it installs): `¬bundle`. */
export function kubernetesVersionRule(subject: string, facts: BundleFacts, node: ClusterNode): Rule | undefined {
  const least = readable(facts.minKubeVersion);
  const text = versionText(node, "kubernetes.version");
  const version = readable(text);
  if (least === undefined || version === undefined || compareVersions(version, least) >= 0) return undefined;
  const sentence = `${subject} needs Kubernetes ${facts.minKubeVersion} or newer, and the cluster has ${text}`;
  return rule("platform-version", subject, sentence);
}

/** The cluster's OpenShift is, by major and minor, not above the bundle's olm.maxOpenShiftVersion (OpenShift): `¬bundle`. */
export function openShiftVersionRule(subject: string, facts: BundleFacts, node: ClusterNode): Rule | undefined {
  const most = readable(facts.maxOpenShiftVersion);
  const text = versionText(node, "openshift.version");
  const version = readable(text);
  if (most === undefined || version === undefined) return undefined;
  if (version.major < most.major || (version.major === most.major && version.minor <= most.minor)) return undefined;
  const sentence = `${subject} runs on OpenShift ${facts.maxOpenShiftVersion} at most, and the cluster has ${text}`;
  return rule("platform-version", subject, sentence);
}

/** What is said about versions but cannot be enforced, because one side is unknown or unreadable. */
export function platformNotes(subject: string, facts: BundleFacts, node: ClusterNode): readonly string[] {
  return [
    ...notes(`${subject} needs at least Kubernetes`, facts.minKubeVersion, node, "kubernetes.version"),
    ...notes(`${subject} runs at most on OpenShift`, facts.maxOpenShiftVersion, node, "openshift.version"),
  ];
}

function notes(need: string, said: string | undefined, node: ClusterNode, type: string): readonly string[] {
  if (said === undefined) return [];
  if (readable(said) === undefined) return [`${need} ${JSON.stringify(said)}, which is no version: it is not enforced`];
  const text = versionText(node, type);
  if (text === undefined) return [`${need} ${said}, and the version of the cluster is not known: it is not enforced`];
  if (readable(text) !== undefined) return [];
  return [
    `${need} ${said}, and the version of the cluster, ${JSON.stringify(text)}, is no version: it is not enforced`,
  ];
}

/** The first version of that kind which the cluster states. */
function versionText({ properties }: ClusterNode, type: string): string | undefined {
  for (const property of properties) {
    const { value } = property;
    if (property.type === type && (typeof value === "string" || typeof value === "number")) return String(value);
  }
  return undefined;
}

function readable(text: string | undefined): Version | undefined {
  const version = text === undefined ? undefined : parseClusterVersion(text);
  return typeof version === "string" ? undefined : version;
}
