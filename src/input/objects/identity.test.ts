// Is an object reported that has no namespace, or a name that Kubernetes rejects?

import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { ObjectsReader } from "./read-objects.ts";

const OCM = "cluster.open-cluster-management.io";

function read(object: JsonObject, namespace?: string): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding), namespace);
  reader.add(object, { source: "input.yaml", line: 1, column: 1 });
  return { ...reader.finish(), findings };
}

function findingLines({ findings }: { readonly findings: readonly Finding[] }): readonly string[] {
  return findings.map(({ code, place, message }) => `${code} ${printPath(place.path ?? [])}: ${message}`);
}

describe("an object without a namespace", () => {
  const object = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: "x" } });

  it.each([
    ["placements", object(`${OCM}/v1beta1`, "Placement")],
    ["placementDecisions", object(`${OCM}/v1beta1`, "PlacementDecision")],
    ["managedClusterSetBindings", object(`${OCM}/v1beta2`, "ManagedClusterSetBinding")],
  ] as const)("is read as in namespace default, which is reported: %s", (list, value) => {
    const found = read(value);
    expect(findingLines(found)).toEqual([`PL012 metadata: the ${value.kind} "x" does not state its namespace`]);
    expect(found.findings[0]?.help).toBe("it is taken as one of the namespace default; write metadata.namespace");
    expect(found[list]).toMatchObject([{ namespace: "default", name: "x" }]);
    const asked = read(value, "apps");
    expect(findingLines(asked)).toEqual([]);
    expect(asked[list]).toMatchObject([{ namespace: "apps", name: "x" }]);
  });

  it("is not reported for other kinds", () => {
    expect(findingLines(read(object("v1", "ConfigMap")))).toEqual([]);
    expect(findingLines(read(object(`${OCM}/v1`, "ManagedCluster")))).toEqual([]);
  });
});

describe("a name", () => {
  const LABEL = "only lower-case letters, digits and inner hyphens, at most 63";
  const SUBDOMAIN = "only lower-case letters, digits, dots and inner hyphens, at most 253";

  it.each([
    ["a", undefined],
    ["a-1", undefined],
    ["0".repeat(63), undefined],
    ["a".repeat(64), `${JSON.stringify("a".repeat(64))} has 64 characters, more than 63`],
    ["a.b", '"a.b" is not a DNS label'],
    ["-a", '"-a" is not a DNS label'],
    ["a-", '"a-" is not a DNS label'],
    ["__proto__", '"__proto__" is not a DNS label'],
    ["Berlin", '"Berlin" is not a DNS label'],
    ["a\n", '"a\\n" is not a DNS label'],
  ])("of a ManagedCluster: %j", (name, wrong) => {
    const found = read({ apiVersion: `${OCM}/v1`, kind: "ManagedCluster", metadata: { name } });
    expect(findingLines(found)).toEqual(wrong === undefined ? [] : [`PL012 metadata.name: metadata.name ${wrong}`]);
    if (wrong !== undefined) expect(found.findings[0]?.help).toBe(`Kubernetes refuses it: ${LABEL}`);
    expect(found.managedClusters.map((cluster) => cluster.name)).toEqual([name]);
  });

  it.each([
    ["a.b-c.0", undefined],
    ["a".repeat(253), undefined],
    ["a".repeat(254), `${JSON.stringify("a".repeat(254))} has 254 characters, more than 253`],
    ["a..b", '"a..b" is not a DNS subdomain'],
    ["a.", '"a." is not a DNS subdomain'],
    ["a_b", '"a_b" is not a DNS subdomain'],
  ])("of a ManagedClusterSet: %j", (name, wrong) => {
    const found = read({ apiVersion: `${OCM}/v1beta2`, kind: "ManagedClusterSet", metadata: { name } });
    expect(findingLines(found)).toEqual(wrong === undefined ? [] : [`PL012 metadata.name: metadata.name ${wrong}`]);
    if (wrong !== undefined) expect(found.findings[0]?.help).toBe(`Kubernetes refuses it: ${SUBDOMAIN}`);
    expect(found.managedClusterSets).toHaveLength(1);
  });

  it("of a namespace has no dots", () => {
    const found = read({
      apiVersion: `${OCM}/v1beta1`,
      kind: "Placement",
      metadata: { name: "a.b", namespace: "a.b" },
    });
    expect(findingLines(found)).toEqual(['PL012 metadata.namespace: metadata.namespace "a.b" is not a DNS label']);
    expect(found.placements).toHaveLength(1);
  });

  it("of other kinds is not looked at", () => {
    expect(
      findingLines(read({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "A_b", namespace: "A.b" } })),
    ).toEqual([]);
  });

  it.each([
    [{ name: "a/b", namespace: "n" }, 'PL009 metadata.name: the name "a/b" has a slash in it'],
    [{ name: "a", namespace: "n/m" }, 'PL009 metadata.namespace: the namespace "n/m" has a slash in it'],
  ])("with a slash in it makes an object useless: %j", (metadata, message) => {
    const found = read({ apiVersion: `${OCM}/v1beta1`, kind: "Placement", metadata });
    expect(findingLines(found)).toEqual([message]);
    expect(found.findings[0]?.dropped).toBe("document");
    expect(found.placements).toEqual([]);
    expect(found.rejected).toMatchObject([metadata]);
  });
});

describe("the name of a ManagedClusterSetBinding", () => {
  const binding = (spec: JsonObject) =>
    read({
      apiVersion: `${OCM}/v1beta2`,
      kind: "ManagedClusterSetBinding",
      metadata: { name: "a", namespace: "n" },
      spec,
    });

  it("is that of its set", () => {
    expect(findingLines(binding({ clusterSet: "a" }))).toEqual([]);
    expect(findingLines(binding({}))).toEqual([]);
    const found = binding({ clusterSet: "b" });
    expect(findingLines(found)).toEqual([
      'PL012 spec.clusterSet: spec.clusterSet is "b", but the binding has the name "a"',
    ]);
    expect(found.managedClusterSetBindings).toMatchObject([{ name: "a", clusterSet: "b" }]);
  });
});
