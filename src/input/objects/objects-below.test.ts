// What remains of a cluster's objects if files are given beside it?

import { expect, test } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { clusterPlace, wholeSource } from "../../model/place.ts";
import { ObjectsReader } from "./read-objects.ts";

function subscription(name: string, namespace: string | undefined, channel: string | number): JsonObject {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { name, channel, source: "harbour", sourceNamespace: "olm" },
  };
}

/** The objects of a cluster, and above them those of a file, whose default namespace is `bridge`. */
function readAbove(
  cluster: readonly JsonObject[],
  file: readonly JsonObject[],
): ClusterObjects & { readonly findings: readonly Finding[] } {
  const below = new ObjectsReader(() => {});
  for (const object of cluster) {
    const { name, namespace } = object.metadata as { readonly name: string; readonly namespace: string };
    below.add(object, clusterPlace(object.kind as string, namespace, name));
  }
  const findings: Finding[] = [];
  const reader = new ObjectsReader((found) => findings.push(found), "bridge");
  for (const [index, object] of file.entries()) reader.add(object, { source: "x.yaml", line: index + 1, column: 1 });
  reader.addBelow([below]);
  return { ...reader.finish(), findings };
}

function channels({ subscriptions }: ClusterObjects): readonly string[] {
  return subscriptions.map(({ namespace, name, channel }) => `${namespace}/${name} ${channel}`);
}

test("an object replaces that of the same kind, namespace and name, and is added to all others", () => {
  const cluster = [
    subscription("foghorn", "bridge", "stable"),
    subscription("foghorn", "cargo", "stable"),
    subscription("sextant", "bridge", "stable"),
  ];
  const read = readAbove(cluster, [subscription("foghorn", "bridge", "fast"), subscription("winch", "bridge", "fast")]);
  expect(channels(read)).toEqual([
    "bridge/foghorn fast",
    "bridge/sextant stable",
    "bridge/winch fast",
    "cargo/foghorn stable",
  ]);
  expect([read.findings, read.rejected]).toEqual([[], []]);
  expect(channels(readAbove(cluster, [subscription("foghorn", undefined, "fast")]))).toContain("bridge/foghorn fast");
});

test("a valid object replaces one that the cluster has and that is invalid", () => {
  const cluster = [subscription("foghorn", "bridge", 2), subscription("sextant", "bridge", 2)];
  const read = readAbove(cluster, [subscription("foghorn", "bridge", "fast")]);
  expect(channels(read)).toEqual(["bridge/foghorn fast"]);
  expect(read.rejected.map(({ name }) => name)).toEqual(["sextant"]);
});

test("an invalid object replaces nothing", () => {
  const read = readAbove([subscription("foghorn", "bridge", "stable")], [subscription("foghorn", "bridge", 2)]);
  expect(channels(read)).toEqual(["bridge/foghorn stable"]);
  expect(read.findings).toHaveLength(1);
});

test("what the cluster did not return stays unknown, whatever is given", () => {
  const below = new ObjectsReader(() => {});
  below.loseKind("Subscription", wholeSource("cluster/Subscription"), false);
  below.missKind({ group: "example.com", kind: "Winch" });
  below.completeKind({ group: "example.com", kind: "Crane" });
  const reader = new ObjectsReader(() => {});
  reader.add(subscription("foghorn", "bridge", "fast"), { source: "x.yaml", line: 1, column: 1 });
  reader.addBelow([below]);
  const { lost, unreadKinds, wholeKinds } = reader.finish();
  expect([lost.kinds?.has("Subscription"), unreadKinds?.size, wholeKinds?.size]).toEqual([true, 1, 1]);
});
