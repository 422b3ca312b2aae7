import { expect, test } from "vitest";
import { bundle, catalogOf } from "../../test/catalog/lantern-catalog.ts";
import type { Property } from "../model/catalog.ts";
import { deprecationOf } from "./deprecation.ts";
import { type Statements, statementsOf } from "./statements.ts";

const LAMP = { group: "light.example.com", version: "v1", kind: "Lamp" };
const OIL = { group: "", version: "v1", kind: "Oil" };

function statementsIn(...properties: Property[]): Statements {
  return statementsOf({ properties });
}

test("what a bundle provides and requires: each thing once, in order", () => {
  const required = (name: string): Property => ({
    type: "olm.package.required",
    value: { packageName: name, versionRange: ">=1.0.0" },
  });
  const statements = statementsIn(
    { type: "olm.package", value: { packageName: "lantern", version: "1.0.0" } },
    { type: "olm.gvk", value: OIL },
    { type: "olm.gvk", value: LAMP },
    { type: "olm.gvk", value: LAMP },
    { type: "olm.label", value: { label: "lit" } },
    required("wick"),
    required("lamp-oil"),
    required("wick"),
    { type: "olm.gvk.required", value: OIL },
    { type: "olm.label.required", value: { label: "dry" } },
    { type: "harbour.tier", value: "gold" },
  );
  expect(statements).toEqual({
    provides: { apis: [LAMP, OIL], labels: ["lit"] },
    requires: {
      apis: [OIL],
      packages: [
        { name: "lamp-oil", versionRange: ">=1.0.0" },
        { name: "wick", versionRange: ">=1.0.0" },
      ],
      labels: ["dry"],
      constraints: [],
    },
    other: [{ type: "harbour.tier", value: "gold" }],
  });
});

test("a constraint is what the resolver reads, as plain data", () => {
  const { constraints } = statementsIn(
    { type: "olm.constraint", value: { gvk: LAMP, message: "no light", action: { id: "conflict" } } },
    { type: "olm.constraint", value: { Package: { name: "wick", versionRange: "1.x" }, action: { optional: true } } },
    { type: "olm.constraint.cel", value: { rule: "true" } },
  ).requires;
  expect(constraints).toEqual([
    {
      kind: "constraint",
      outline: { kind: "gvk", gvk: LAMP },
      message: "no light",
      action: "conflict",
      optional: false,
    },
    {
      kind: "constraint",
      outline: { kind: "package", name: "wick", range: { text: "1.x" } },
      action: "require",
      optional: true,
    },
    { kind: "constraint", outline: { kind: "cel", rule: "true" }, action: "require", optional: false },
  ]);
  expect(structuredClone(constraints)).toEqual(constraints);
});

test("a constraint that cannot be read is there with what can be read of it and the first reason", () => {
  const { apis, packages, constraints } = statementsIn(
    { type: "olm.gvk.required", value: { group: "a.io", version: "", kind: "Wick" } },
    { type: "olm.package.required", value: { packageName: "wick", versionRange: "newest" } },
    { type: "olm.constraint", value: { cel: { rule: "true" } } },
    { type: "olm.constraint", value: {} },
    {
      type: "olm.constraint",
      value: { failureMessage: "dim", cel: { rule: "tru(" }, action: { id: "conflict", optional: true } },
    },
    { type: "olm.constraint.cel", value: { rule: "tru(", message: "dark" } },
    { type: "olm.label.required", value: { label: 1 } },
  ).requires;
  expect(apis).toEqual([
    { group: "a.io", version: "", kind: "Wick", problem: "the version of an API must not be empty" },
  ]);
  expect(packages).toMatchObject([{ name: "wick", versionRange: "newest" }]);
  expect(packages[0]?.problem).toContain('"newest" is not a version range');
  expect(constraints).toMatchObject([
    { kind: "constraint" },
    {
      kind: "unreadable",
      type: "olm.constraint",
      reason: "the constraint is empty: it does not require anything",
      read: { action: "require", optional: false },
    },
    { kind: "unreadable", read: { kind: "cel", message: "dim", action: "conflict", optional: true } },
    { kind: "unreadable", type: "olm.constraint.cel", read: { kind: "cel", message: "dark", action: "require" } },
    { kind: "unreadable", type: "olm.label.required", read: { action: "require", optional: false } },
  ]);
  expect(structuredClone(constraints)).toEqual(constraints);
});

test("a bundle is deprecated by a message of its package, or by its own mark", () => {
  const catalog = catalogOf([
    { schema: "olm.package", name: "lantern", defaultChannel: "stable" },
    {
      schema: "olm.channel",
      package: "lantern",
      name: "stable",
      entries: [
        { name: "lantern.v1.0.0" },
        { name: "lantern.v1.1.0", replaces: "lantern.v1.0.0" },
        { name: "lantern.v1.2.0", replaces: "lantern.v1.1.0" },
      ],
    },
    bundle("lantern", "1.0.0", [{ type: "olm.deprecated", value: {} }]),
    bundle("lantern", "1.1.0"),
    bundle("lantern", "1.2.0"),
    {
      schema: "olm.deprecations",
      package: "lantern",
      entries: [{ reference: { schema: "olm.bundle", name: "lantern.v1.1.0" }, message: "it flickers" }],
    },
  ]);
  const owner = catalog.packages.get("lantern");
  const found = [...(owner?.bundles.values() ?? [])].map((one) => owner && deprecationOf(owner, one));
  expect(found).toEqual([{ kind: "marked" }, { kind: "stated", message: "it flickers" }, undefined]);
});
