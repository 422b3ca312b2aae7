import { expect, test } from "vitest";
import type { Json } from "../model/json.ts";
import { printPath } from "../model/place.ts";
import { ConstraintReader } from "./read-requirements.ts";
import { isConstraintType, readRuntimeConstraint } from "./read-runtime-constraint.ts";

const reader = new ConstraintReader({ compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 });

const read = (value: Json, type = "olm.constraint") => readRuntimeConstraint({ type, value }, reader);

const K: Json = { gvk: { group: "g", version: "v1", kind: "K" } };

test("require and conflict are distinct; conflict is not wrapped", () => {
  expect(read(K).constraint).toMatchObject({ action: "require", constraint: { kind: "gvk" } });
  const conflict = { ...(K as object), action: { id: "conflict", optional: false } };
  expect(read(conflict).constraint).toMatchObject({ action: "conflict", constraint: { kind: "gvk" } });
});

test("compounds are of scope bundle, for any default", () => {
  expect(read({ any: { constraints: [K, { none: { constraints: [K] } }] } }).constraint).toMatchObject({
    constraint: { kind: "any", scope: "bundle", constraints: [{}, { kind: "none", scope: "bundle" }] },
  });
});

test("older property types and rules are read as everywhere", () => {
  expect(read({ label: "lts" }, "olm.label.required").constraint?.constraint.kind).toBe("label");
  expect(read({ rule: "true" }, "olm.constraint.cel").constraint?.constraint.kind).toBe("cel");
  expect(read({ rule: "tru" }, "olm.constraint.cel").problems).toHaveLength(1);
});

test.each<[Json, string, string]>([
  [
    { ...(K as object), action: { optional: true } },
    "action.optional",
    "optional is not possible for runtime constraints",
  ],
  [{ all: { scope: "bundle", constraints: [] } }, "all.scope", "scope is not possible for runtime constraints"],
  [
    { all: { constraints: [{ any: { scope: "solution", constraints: [] } }] } },
    "all.constraints[0].any.scope",
    "scope is not possible for runtime constraints",
  ],
  [{}, "", "the constraint is empty: it does not require anything"],
])("a mistake: %j", (value, path, message) => {
  const { constraint, problems } = read(value);
  expect(constraint).toBeUndefined();
  expect(problems.map((problem) => [printPath(problem.path), problem.message])).toEqual([[path, message]]);
});

test.each([
  ["olm.constraint", true],
  ["olm.constraint.cel", true],
  ["olm.gvk.required", true],
  ["olm.package.required", true],
  ["olm.label.required", true],
  ["olm.gvk", false],
  ["kubernetes.version", false],
  ["constructor", false],
])("is %s a constraint? %s", (type, expected) => {
  expect(isConstraintType(type)).toBe(expected);
});
