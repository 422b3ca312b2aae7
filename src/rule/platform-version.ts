// Does an operator run on this version of Kubernetes and OpenShift? Only known versions count.

import type { BundleFacts } from "../constraint/bundle-facts.ts";
import { compareText } from "../model/json.ts";
import type { ClusterNode } from "../model/problem.ts";
import { parseClusterVersion } from "../semver/tolerant.ts";
import { compareVersions, printVersion, readVersion, type Version } from "../semver/version.ts";
import { declaring, type Lift, MAX_VERSIONS, type RefusedOperator } from "./shape/lift.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** A required cluster version, and the present one. */
export interface PlatformVersionDetail {
  readonly rule: "platform-version";
  readonly of: "Kubernetes" | "OpenShift";
  readonly bound: "at least" | "at most";
  /** The normalised version, for comparisons. */
  readonly version: string;
  /** The version as written by the author. */
  readonly text: string;
  /** The version that the cluster states. */
  readonly cluster: string;
}

/** A required version that cannot be enforced, because one side is unknown or unreadable. */
export interface PlatformNote {
  readonly of: "Kubernetes" | "OpenShift";
  /** As written by the author. */
  readonly text: string;
  readonly why: "no-version" | "unknown-cluster" | "unreadable-cluster";
  /** What the cluster states, if that is not a version. */
  readonly cluster?: string | undefined;
}

/**
 * The cluster's Kubernetes is at least the bundle's minKubeVersion: `¬bundle`. As in OLM's installation check, the
 * suffix of the server's version is dropped: 1.28.0-rc.1 is 1.28.0. Then a suffix of the minimum version has no
 * effect either, since no pre-release of 1.28.0 is above 1.28.0.
 */
export const kubernetesVersion: UnaryRule = {
  name: "platform-version",
  bindsRunning: true,
  refusal: ({ facts }, { node }) => {
    const least = withoutSuffix(readable(facts.minKubeVersion));
    if (least === undefined) return undefined;
    const cluster = statedVersion(node, "kubernetes.version");
    const version = withoutSuffix(readable(cluster));
    if (version === undefined || compareVersions(version, least) >= 0) return undefined;
    const versions = { version: printVersion(least), text: facts.minKubeVersion as string, cluster: cluster as string };
    return { detail: { rule: "platform-version", of: "Kubernetes", bound: "at least", ...versions } };
  },
  lifts: newerKubernetes,
};

/** The cluster's OpenShift is, by major and minor, not above the bundle's olm.maxOpenShiftVersion (OpenShift): `¬bundle`. */
export const openShiftVersion: UnaryRule = {
  name: "platform-version",
  bindsRunning: true,
  refusal: ({ facts }, { node }) => {
    const most = readable(facts.maxOpenShiftVersion);
    if (most === undefined) return undefined;
    const cluster = statedVersion(node, "openshift.version");
    const version = readable(cluster);
    if (version === undefined) return undefined;
    if (version.major < most.major || (version.major === most.major && version.minor <= most.minor)) return undefined;
    const versions = { version: printVersion(most), text: `${most.major}.${most.minor}`, cluster: cluster as string };
    return { detail: { rule: "platform-version", of: "OpenShift", bound: "at most", ...versions } };
  },
};

/** The lowest Kubernetes versions that the refused bundles require, and the highest, which satisfies all. */
function newerKubernetes(refused: readonly RefusedOperator[]): readonly Lift[] {
  const needs = refused.flatMap(({ detail }) => {
    if (detail.rule !== "platform-version" || detail.of !== "Kubernetes") return [];
    const version = readVersion(detail.version);
    return version === undefined ? [] : [{ text: detail.text, version }];
  });
  const sorted = needs.toSorted((a, b) => compareVersions(a.version, b.version) || compareText(a.text, b.text));
  const first = sorted.filter(({ version }, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareVersions(before.version, version) !== 0;
  });
  const some = new Set([...first.slice(0, MAX_VERSIONS), ...first.slice(-1)]);
  return [...some].map(({ text }) => ({
    ...declaring({ type: "kubernetes.version", value: text }),
    isLeast: true,
  }));
}

function withoutSuffix(version: Version | undefined): Version | undefined {
  return version === undefined ? undefined : { ...version, pre: [], build: [] };
}

/** Stated versions that cannot be enforced. */
export function platformNotes(facts: BundleFacts, node: ClusterNode): readonly PlatformNote[] {
  return [
    ...notes("Kubernetes", facts.minKubeVersion, node, "kubernetes.version"),
    ...notes("OpenShift", facts.maxOpenShiftVersion, node, "openshift.version"),
  ];
}

function notes(
  of: PlatformNote["of"],
  text: string | undefined,
  node: ClusterNode,
  type: string,
): readonly PlatformNote[] {
  if (text === undefined) return [];
  if (readable(text) === undefined) return [{ of, text, why: "no-version" }];
  const cluster = statedVersion(node, type);
  if (cluster === undefined) return [{ of, text, why: "unknown-cluster" }];
  return readable(cluster) === undefined ? [{ of, text, why: "unreadable-cluster", cluster }] : [];
}

/** The first version of this type among the properties of the cluster. */
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
