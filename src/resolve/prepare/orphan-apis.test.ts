import { expect, test } from "vitest";
import { kindKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { clusterDefinitions, orphanApis } from "./definitions.ts";

function definition(group: string, kind: string, versions: Readonly<Record<string, boolean>>) {
  return {
    group,
    kind,
    versions: Object.entries(versions).map(([name, served]) => ({ name, served, storage: false })),
  };
}

test("served versions of definitions that no operator owns", () => {
  const objects = {
    customResourceDefinitions: [
      definition("b.example.com", "Owned", { v1: true, v2: true }),
      definition("a.example.com", "Orphan", { v1: true, v1alpha1: false }),
    ],
    installedOperators: [
      {
        customResourceDefinitions: { owned: [{ group: "b.example.com", version: "v1", kind: "Owned" }], required: [] },
      },
    ],
  } as unknown as ClusterObjects;
  expect(orphanApis(objects, [])).toEqual(["a.example.com/v1/Orphan"]);
});

test("that a kind has no objects is known if a cluster returned all of them", () => {
  const objects = {
    customResourceDefinitions: [
      { ...definition("a.example.com", "Whole", { v1: true }), name: "wholes.a.example.com" },
      { ...definition("b.example.com", "Whole", { v1: true }), name: "wholes.b.example.com" },
    ],
    customResources: [],
    rejected: [],
    wholeKinds: new Set([kindKey({ group: "a.example.com", kind: "Whole" })]),
  } as unknown as ClusterObjects;
  expect(clusterDefinitions(objects, [], []).map((one) => one.objects)).toEqual([[], undefined]);
});
