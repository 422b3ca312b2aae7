import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import { managedClusterValue } from "./managed-cluster-value.ts";

describe("the value of managedCluster", () => {
  test("has what the type always has, and no apiVersion and kind", () => {
    expect(managedClusterValue({ apiVersion: "v1", kind: "ManagedCluster", metadata: { name: "c" } })).toEqual({
      metadata: { name: "c" },
      spec: { hubAcceptsClient: false },
      status: { version: {}, conditions: null },
    });
  });

  test("leaves out what OCM's type leaves out where it is empty or zero", () => {
    const metadata = { name: "c", creationTimestamp: null, generation: 0, deletionGracePeriodSeconds: 0 };
    const configs = [{ url: "https://c", caBundle: "" }, { caBundle: null }, { url: "https://d", caBundle: "Yw==" }];
    const condition = { type: "A", status: "True", lastTransitionTime: null, reason: "", message: "" };
    expect(
      managedClusterValue({
        metadata,
        spec: { hubAcceptsClient: true, leaseDurationSeconds: 0, managedClusterClientConfigs: configs },
        status: {
          version: {},
          conditions: [
            { ...condition, observedGeneration: 0 },
            { ...condition, observedGeneration: 2 },
          ],
        },
      }),
    ).toEqual({
      metadata: { name: "c", deletionGracePeriodSeconds: 0 },
      spec: {
        hubAcceptsClient: true,
        managedClusterClientConfigs: [{ url: "https://c" }, { url: "" }, { url: "https://d", caBundle: "Yw==" }],
      },
      status: { version: {}, conditions: [condition, { ...condition, observedGeneration: 2 }] },
    });
  });

  test("leaves out what is empty", () => {
    const given: JsonObject = {
      metadata: { name: "c", creationTimestamp: null, labels: {}, annotations: null, generateName: "", finalizers: [] },
      spec: { hubAcceptsClient: true, taints: [], leaseDurationSeconds: 60 },
      status: {
        conditions: [],
        clusterClaims: [{ name: "a", value: "" }],
        allocatable: {},
        version: { kubernetes: "" },
      },
    };
    expect(managedClusterValue(given)).toEqual({
      metadata: { name: "c" },
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
      status: { conditions: [], clusterClaims: [{ name: "a" }], version: {} },
    });
  });

  // Made with runtime.DefaultUnstructuredConverter of k8s.io/apimachinery v0.37.2.
  test.each<[string | number | bigint, string]>([
    ["1024Mi", "1Gi"],
    ["32Gi", "32Gi"],
    ["1e3", "1e3"],
    [8, "8"],
    [0.5, "500m"],
    ["1000m", "1"],
    ["0.1", "100m"],
    ["007", "007"],
    [" 5", "5"],
    ["1000k", "1M"],
    ["1024", "1024"],
    ["1000", "1k"],
    ["1000000000000", "1T"],
    ["592705486848", "592705486848"],
    ["369942021Ki", "369942021Ki"],
    ["92914m", "92914m"],
    ["00", "0"],
    ["0m", "0"],
    ["1.0", "1"],
    ["5.5Gi", "5632Mi"],
    ["+5", "+5"],
    [123456789012345678901234567890n, "123456789012345678901234567890"],
    ["not an amount", "not an amount"],
  ])("the amount %s", (given, text) => {
    expect(managedClusterValue({ status: { allocatable: { x: given } } }).status).toMatchObject({
      allocatable: { x: text },
    });
  });

  test("times are in UTC with whole seconds, null if they are not set", () => {
    const value = managedClusterValue({
      metadata: { name: "c", creationTimestamp: "2026-01-01T02:00:00.75+02:00" },
      spec: {
        taints: [
          { key: "a", effect: "NoSelect" },
          { key: "b", effect: "NoSelect", timeAdded: "2026-01-01T00:00:00Z" },
        ],
      },
      status: { conditions: [{ type: "X", status: "True", lastTransitionTime: "yesterday" }] },
    });
    expect(value).toMatchObject({
      metadata: { creationTimestamp: "2026-01-01T00:00:00Z" },
      spec: { taints: [{ key: "a", timeAdded: null }, { timeAdded: "2026-01-01T00:00:00Z" }] },
      status: { conditions: [{ type: "X", status: "True", lastTransitionTime: "yesterday", reason: "", message: "" }] },
    });
  });

  test("what is fine is not copied, and nothing is changed", () => {
    const given: JsonObject = {
      metadata: { name: "c", creationTimestamp: "2026-01-01T00:00:00Z", labels: { a: "b" } },
      spec: {
        hubAcceptsClient: true,
        taints: [{ key: "a", value: "b", effect: "NoSelect", timeAdded: "2026-01-01T00:00:00Z" }],
      },
      status: {
        version: { kubernetes: "v1.31.0" },
        allocatable: { cpu: "8" },
        clusterClaims: [{ name: "a", value: "b" }],
        conditions: [
          { type: "X", status: "True", reason: "R", message: "M", lastTransitionTime: "2026-01-01T00:00:00Z" },
        ],
      },
    };
    const before = JSON.stringify(given);
    const value = managedClusterValue(given);
    expect(value.metadata).toBe(given.metadata);
    expect(value.spec).toBe(given.spec);
    expect(value.status).toBe(given.status);
    expect(JSON.stringify(given)).toBe(before);
  });

  test("fields that we do not know stay; inherited names are data like any other", () => {
    const given = JSON.parse(
      '{"metadata":{"name":"c","new":1,"labels":{"__proto__":"x"}},"__proto__":{"spec":1},"extra":true}',
    ) as JsonObject;
    const value = managedClusterValue(given);
    expect(Object.keys(value).sort()).toEqual(["__proto__", "extra", "metadata", "spec", "status"]);
    expect(value.metadata).toMatchObject({ new: 1 });
  });
});
