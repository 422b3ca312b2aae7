import { describe, expect, test } from "vitest";
import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import type { ManagedClusterSet, ManagedClusterSetBinding } from "../../src/model/cluster-set.ts";
import { type Finding, finding } from "../../src/model/finding.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Place } from "../../src/model/place.ts";
import type { FleetObjects } from "../../src/placement/engine.ts";
import { missingSets, unreadInput } from "../../src/placement/missing-input.ts";
import { unreadInputText } from "../../src/render/placement/choice-text.ts";

function at(line: number): Place {
  return { source: "fleet.yaml", line, column: 1 };
}

/** What could not be read of these documents. */
function unread(objects: readonly JsonObject[], more: readonly Finding[] = []): readonly string[] {
  const findings: Finding[] = [...more];
  const reader = new ObjectsReader((found) => void findings.push(found));
  for (const [index, object] of objects.entries()) reader.add(object, at(10 * index + 1));
  return unreadInput(reader.finish(), findings).map(unreadInputText);
}

const OCM = "cluster.open-cluster-management.io";

describe("what may count for a placement", () => {
  test.each<[string, JsonObject]>([
    [
      "Placement apps/lamp",
      { apiVersion: `${OCM}/v1beta1`, kind: "Placement", metadata: { name: "lamp", namespace: "apps" }, spec: "all" },
    ],
    [
      "ManagedCluster bergen",
      { apiVersion: `${OCM}/v1`, kind: "ManagedCluster", metadata: { name: "bergen" }, spec: 1 },
    ],
    ["ManagedClustr oslo", { apiVersion: `${OCM}/v1`, kind: "ManagedClustr", metadata: { name: "oslo" } }],
    ["a ManagedCluster of fleet.yaml", { apiVersion: `${OCM}/v1`, kind: "ManagedCluster", metadata: {} }],
    ["an object of fleet.yaml", { metadata: { name: "oslo" } }],
    ["a part of fleet.yaml", { apiVersion: "v1", kind: "List", items: "none" }],
  ])("%s", (text, object) => {
    expect(unread([object])).toEqual([text]);
  });

  test("two of one name that differ", () => {
    const cluster = (taints: JsonObject[]) => ({
      ...{ apiVersion: `${OCM}/v1`, kind: "ManagedCluster", metadata: { name: "bergen" } },
      spec: { taints },
    });
    expect(unread([cluster([]), cluster([{ key: "fog", effect: "NoSelect" }])])).toEqual(["ManagedCluster bergen"]);
  });

  test("a document that is none, a file that ends too early", () => {
    const broken = finding("PL003", at(40), { message: "", dropped: "document" });
    const truncated = finding("PL001", { source: "more.yaml.gz", line: 0, column: 0 }, { message: "" });
    const missing = finding("PL001", { source: "gone.yaml", line: 0, column: 0 }, { message: "", dropped: "file" });
    expect(unread([], [broken, truncated, missing])).toEqual([
      "a part of fleet.yaml",
      "a part of more.yaml.gz",
      "gone.yaml",
    ]);
  });
});

test("what is no part of a placement may be broken", () => {
  const subscription = {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name: "a" },
    spec: 1,
  };
  const bundle = { schema: "olm.bundle", name: "a" };
  const doubled = finding("PL005", at(50), { message: "" });
  expect(unread([subscription, bundle], [doubled])).toEqual([]);
  const broken = finding("PL003", at(1), { message: "", dropped: "document" });
  expect(unread([subscription], [broken])).toEqual(["a part of fleet.yaml"]);
});

test("sets that are bound and not given, by namespace", () => {
  const binding = (namespace: string, name: string) => ({ namespace, name }) as ManagedClusterSetBinding;
  const fleet = {
    managedClusterSets: [{ name: "wet" } as ManagedClusterSet],
    managedClusterSetBindings: [binding("apps", "dry"), binding("apps", "salt"), binding("pit", "wet")],
  };
  expect(missingSets(fleet as unknown as FleetObjects)).toEqual(new Map([["apps", ["dry", "salt"]]]));
});

test("an object that is broken in two files is listed once", () => {
  const rejected = ["a.yaml", "b.yaml"].map((source) => ({
    place: { source, line: 1, column: 1 },
    kind: "ManagedCluster",
    name: "bergen",
  }));
  expect(unreadInput({ rejected }, [])).toEqual([{ type: "object", kind: "ManagedCluster", name: "bergen" }]);
});
