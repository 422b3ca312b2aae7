import { expect, test } from "vitest";
import { type Catalog, gvkKey, kindKey } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { changeableKinds, definitionQuestion, operatorQuestion } from "./questions.ts";

const gvk = (kind: string): { readonly group: string; readonly version: string; readonly kind: string } => ({
  group: "example.com",
  version: "v1",
  kind,
});
const KEYS = (...kinds: readonly string[]): ReadonlySet<string> => new Set(kinds.map((kind) => kindKey(gvk(kind))));

/** A cluster with these definitions, and an operator that owns one of them. */
const OBJECTS = {
  customResourceDefinitions: ["Crane", "Davit", "Winch"].map((kind) => ({
    ...gvk(kind),
    name: `${kind.toLowerCase()}s.example.com`,
  })),
  installedOperators: [
    { customResourceDefinitions: { owned: [gvk("Crane"), gvk("Hatch")], required: [gvk("Davit")] } },
  ],
} as unknown as ClusterObjects;
const CATALOG = { providers: new Map([[gvkKey({ ...gvk("Winch"), version: "v2" }), []]]) } as unknown as Catalog;

test("custom resources are read of definitions that an operator owns or a bundle provides, in any version", async () => {
  expect(changeableKinds(OBJECTS, [])).toEqual(KEYS("Crane"));
  expect(changeableKinds(OBJECTS, [CATALOG])).toEqual(KEYS("Crane", "Winch"));
  const { instancesOf } = operatorQuestion(async () => [CATALOG], undefined, true);
  expect(await instancesOf?.(OBJECTS)).toEqual(KEYS("Crane", "Winch"));
});

test("or of those that are compared", () => {
  const { instancesOf } = definitionQuestion(new Set(["davits.example.com", "hatches.example.com"]), true);
  expect(instancesOf?.(OBJECTS)).toEqual(KEYS("Davit"));
});

test("--no-instances reads none", () => {
  expect(operatorQuestion(async () => [CATALOG], undefined, false).instancesOf).toBeUndefined();
  expect(definitionQuestion(new Set(["davits.example.com"]), false).instancesOf).toBeUndefined();
});
