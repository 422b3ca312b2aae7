import { expect, test } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { orphanApis } from "./definitions.ts";

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
