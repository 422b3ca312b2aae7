// Are runtime constraints found, distinguished from properties of the cluster, and enforced when they cannot be read?

import { describe, expect, test } from "vitest";
import { given, PLACE } from "../../../test/resolve/prepare-given.ts";
import type { Property } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { ConfigMap } from "../../model/config-map.ts";
import type { Given } from "./problem-inputs.ts";
import { type ClusterDemands, readDemands } from "./runtime-constraints.ts";

function configMap(list: readonly Property[], more: Partial<ConfigMap> = {}): ConfigMap {
  const data = { properties: JSON.stringify(list) };
  return { place: PLACE, namespace: "olm", name: "olm-runtime-constraints", data, ...more };
}

function demands(objects: Partial<ClusterObjects>, more: Partial<Given> = {}): ClusterDemands {
  return readDemands(given(objects, more));
}

const certified: Property = {
  type: "olm.constraint",
  value: { cel: { rule: "properties.exists(p, p.type == 'certified')" } },
};
const version: Property = { type: "kubernetes.version", value: "1.30.0" };

test("no ConfigMap demands nothing", () => {
  expect(demands({ configMaps: [configMap([certified], { namespace: "other" })] })).toEqual({
    runtime: { entries: [], problems: [] },
    node: { properties: [] },
  });
});

test("constraints are demands, everything else is a fact", () => {
  const label = { type: "cluster.label", value: { name: "a", value: "b" } };
  const { runtime, node } = demands({ configMaps: [configMap([label, certified])] }, { nodeProperties: [version] });
  expect(runtime).toMatchObject({
    entries: [{ property: certified, place: { path: ["data", "properties"], offset: 1 } }],
    problems: [],
  });
  expect(node.properties).toEqual([version, label]);
});

test("a flag with the cluster's version overrides the list", () => {
  const older = { type: "kubernetes.version", value: "1.20.0" };
  expect(demands({ configMaps: [configMap([older])] }, { nodeProperties: [version] }).node.properties).toEqual([
    version,
  ]);
  expect(demands({ configMaps: [configMap([older])] }).node.properties).toEqual([older]);
});

test("another ConfigMap, or a file instead of it", () => {
  const configMaps = [configMap([version], { namespace: "ops", name: "rules" }), configMap([certified])];
  expect(demands({ configMaps }, { configMap: { namespace: "ops", name: "rules" } }).runtime.entries).toEqual([]);
  const runtimeConstraints = { text: "[]", place: PLACE };
  expect(demands({ configMaps }, { runtimeConstraints }).runtime.entries).toEqual([]);
});

describe("fails closed:", () => {
  test("a constraint that cannot be read, at its place", () => {
    const broken = { type: "olm.constraint", value: { cel: { rule: "1 +" } } };
    const { runtime } = demands({ configMaps: [configMap([certified, broken])] });
    expect(runtime.problems).toMatchObject([{ code: "PL053", place: { path: [1, "cel", "rule"] } }]);
    expect(runtime.problems[0]?.place.offset).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ["an optional one", { cel: { rule: "true" }, action: { id: "require", optional: true } }],
    ["a scope", { all: { scope: "solution", constraints: [] } }],
    ["one beyond the limit", { cel: { rule: `'${"x".repeat(70_000)}' == ''` } }],
  ])("%s", (_, value) => {
    expect(demands({ configMaps: [configMap([{ type: "olm.constraint", value }])] }).runtime.problems).toHaveLength(1);
  });

  test("a ConfigMap without the list", () => {
    expect(demands({ configMaps: [configMap([], { data: { property: "[]" } })] }).runtime.problems).toMatchObject([
      { code: "PL009", message: "the ConfigMap olm/olm-runtime-constraints has no data.properties" },
    ]);
  });

  test("problems of the list itself", () => {
    const problem = { code: "PL003", severity: "error", message: "broken", place: PLACE } as const;
    const readList = () => ({ items: [], problems: [problem] });
    expect(demands({ configMaps: [configMap([])] }, { readList }).runtime.problems).toEqual([problem]);
  });

  test.each([
    ["the ConfigMap", { kind: "ConfigMap", namespace: "olm", name: "olm-runtime-constraints" }, 1],
    ["one without a readable name", { kind: "ConfigMap", namespace: "olm" }, 1],
    ["one without a readable namespace", { kind: "ConfigMap", name: "olm-runtime-constraints" }, 1],
    ["one whose kind is misspelt", { kind: "Configmap", namespace: "olm", name: "olm-runtime-constraints" }, 1],
    ["one without a kind", { kind: "", namespace: "olm", name: "olm-runtime-constraints" }, 1],
    ["not another ConfigMap", { kind: "ConfigMap", namespace: "olm", name: "other" }, 0],
    ["not one of another namespace", { kind: "ConfigMap", namespace: "ns" }, 0],
    ["not something of another kind", { kind: "Secret", namespace: "olm", name: "olm-runtime-constraints" }, 0],
    ["not something without any name", { kind: "" }, 0],
  ])("rejected objects: %s", (_, rejected, count) => {
    const objects = { rejected: [{ place: PLACE, ...rejected }] };
    expect(demands(objects).runtime.problems).toHaveLength(count);
    expect(demands(objects, { runtimeConstraints: { text: "[]", place: PLACE } }).runtime.problems).toEqual([]);
  });
});
