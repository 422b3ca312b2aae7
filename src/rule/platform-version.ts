// Does an operator run on this version of Kubernetes and OpenShift? Only what is known counts.

import type { BundleFacts } from "../constraint/bundle-facts.ts";
import type { ClusterNode } from "../model/problem.ts";
import { parseClusterVersion } from "../semver/tolerant.ts";
import { compareVersions, type Version } from "../semver/version.ts";
import { type Rule, rule } from "./rule.ts";

/** What a rule says about versions, in parts. */
export interface PlatformNeed {
  readonly of: "Kubernetes" | "OpenShift";
  readonly bound: "at least" | "at most";
  readonly version: Version;
  /** The version as the author wrote it. */
  readonly text: string;
  /** The version that the cluster states. */
  readonly cluster: string;
}

const needs = new WeakMap<Rule, PlatformNeed>();

/** What a rule says about versions; nothing for rules about other things. */
export function platformNeedOf(rule: Rule): PlatformNeed | undefined {
  return needs.get(rule);
}

/** The words for a version that is needed: "1.24.0 or newer". */
export function boundText({ bound, text }: PlatformNeed): string {
  return bound === "at least" ? `${text} or newer` : `${text} or older`;
}

function refusal(subject: string, need: PlatformNeed): Rule {
  const text = `${subject} needs ${need.of} ${boundText(need)}, and the cluster has ${need.cluster}`;
  const refused = rule("platform-version", subject, text);
  needs.set(refused, need);
  return refused;
}

/**
 * The cluster's Kubernetes is at least the bundle's minKubeVersion: `¬bundle`. As OLM does when it installs, the suffix of
 * the server's version is dropped, whatever it says: 1.28.0-rc.1 is 1.28.0. Then a suffix of the least version has no
 * effect either, since no pre-release of 1.28.0 is above 1.28.0.
 */
export function kubernetesVersionRule(subject: string, facts: BundleFacts, node: ClusterNode): Rule | undefined {
  const least = withoutSuffix(readable(facts.minKubeVersion));
  const text = statedVersion(node, "kubernetes.version");
  const version = withoutSuffix(readable(text));
  if (least === undefined || version === undefined || compareVersions(version, least) >= 0) return undefined;
  const said = { version: least, text: facts.minKubeVersion as string, cluster: text as string };
  return refusal(subject, { of: "Kubernetes", bound: "at least", ...said });
}

function withoutSuffix(version: Version | undefined): Version | undefined {
  return version === undefined ? undefined : { ...version, pre: [], build: [] };
}

/** The cluster's OpenShift is, by major and minor, not above the bundle's olm.maxOpenShiftVersion (OpenShift): `¬bundle`. */
export function openShiftVersionRule(subject: string, facts: BundleFacts, node: ClusterNode): Rule | undefined {
  const most = readable(facts.maxOpenShiftVersion);
  const text = statedVersion(node, "openshift.version");
  const version = readable(text);
  if (most === undefined || version === undefined) return undefined;
  if (version.major < most.major || (version.major === most.major && version.minor <= most.minor)) return undefined;
  const said = { version: most, text: `${most.major}.${most.minor}`, cluster: text as string };
  return refusal(subject, { of: "OpenShift", bound: "at most", ...said });
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
  const text = statedVersion(node, type);
  if (text === undefined) return [`${need} ${said}, and the version of the cluster is not known: it is not enforced`];
  if (readable(text) !== undefined) return [];
  return [
    `${need} ${said}, and the version of the cluster, ${JSON.stringify(text)}, is no version: it is not enforced`,
  ];
}

/** The first version of that kind which the cluster states. */
export function statedVersion({ properties }: ClusterNode, type: string): string | undefined {
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
