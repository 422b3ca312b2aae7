// Follows crdify v0.6.0, the validator of served versions; OLM cases N16 to N18.

import { expect, test } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import { schemaChangeText } from "../../render/sentence/schema-change.ts";
import { readSchema } from "../schema/read-schema.ts";
import { areAllCompared, differencesBetweenVersions, type VersionSchema } from "./between-versions.ts";

function version(name: string, choices: readonly string[], served = true): VersionSchema {
  const json: JsonObject = { properties: { pet: { type: "string", enum: choices } } };
  return { name, served, ...readSchema(json) };
}

function differenceLines(before: readonly VersionSchema[], after: readonly VersionSchema[]): readonly string[] {
  return differencesBetweenVersions(before, after).map(
    ({ from, to, difference }) =>
      `${from} -> ${to} ${difference.code} ${difference.path}: ${schemaChangeText(difference.detail)}`,
  );
}

const V1 = version("v1", ["cat", "dog"]);
const V2 = version("v2", ["cat"]);
const CAT_ONLY = 'v1 -> v2 CRD203 .pet: "dog" can no longer be chosen; allowed are "cat"';

test("N16: two served versions differ, the older one first in any order of the list", () => {
  expect(differenceLines([V1], [V2, V1])).toEqual([CAT_ONLY]);
});

test("N18: a difference that the old CRD already had is not reported", () => {
  expect(differenceLines([V1, V2], [V1, V2])).toEqual([]);
});

test("a difference at the same field with other values is a new one", () => {
  expect(differenceLines([V1, version("v2", ["dog"])], [V1, V2])).toEqual([CAT_ONLY]);
});

test("a difference with the same text, but with values that differ after the cut, is a new one", () => {
  const long = Array.from({ length: 100 }, (_, index) => `choice ${1000 + index}`);
  const before = [version("v1", [...long, "zz", "zzz"]), version("v2", [...long, "zz"])];
  const after = [version("v1", [...long, "yy", "zzz"]), version("v2", [...long, "yy"])];
  expect(differenceLines(before, after)).toHaveLength(1);
});

test("a difference of the same values with another effect is a new one", () => {
  const without = (rest: JsonObject): VersionSchema => ({ name: "v2", served: true, ...readSchema(rest) });
  const kept = without({ additionalProperties: false });
  const dropped = without({});
  expect(differenceLines([V1, without({ "x-kubernetes-preserve-unknown-fields": true })], [V1, dropped])).toEqual([
    "v1 -> v2 CRD209 .pet: the field is no longer there",
  ]);
  expect(differenceLines([V1, dropped], [V1, kept])).toHaveLength(1);
});

test("versions that are not served are not compared, before nor after", () => {
  expect(differenceLines([V1], [V1, version("v2", ["cat"], false)])).toEqual([]);
  expect(differenceLines([V1, version("v2", ["cat"], false)], [V1, V2])).toEqual([CAT_ONLY]);
});

test("all pairs are compared, in the order of Kubernetes", () => {
  const versions = [version("v1", ["c"]), version("v1alpha1", ["a", "b", "c"]), version("v1beta1", ["b", "c"])];
  expect(differenceLines([], versions).map((line) => line.split(" CRD203")[0])).toEqual([
    "v1alpha1 -> v1beta1",
    "v1alpha1 -> v1",
    "v1beta1 -> v1",
  ]);
});

test("where there is very much to compare, only neighbours are", () => {
  const many = Array.from({ length: 21 }, (_, index) => version(`v${index + 1}`, index === 0 ? ["a", "b"] : ["a"]));
  expect(areAllCompared(many)).toBe(true);
  expect(differenceLines([], many)).toHaveLength(20);
  const large = many.map((one) => ({ ...one, size: 3000 }));
  expect(areAllCompared(large)).toBe(false);
  expect(differenceLines([], large)).toHaveLength(1);
  expect(differenceLines([], large.slice(0, 10))).toHaveLength(9);
  // What was not compared before is not blamed on the upgrade.
  expect(differenceLines(large, many)).toEqual([]);
});

test("what a definition keeps counts for all its versions", () => {
  const bare: VersionSchema = { name: "v1", served: true, ...readSchema({ type: "object" }) };
  const typed: VersionSchema = {
    name: "v2",
    served: true,
    ...readSchema({ type: "object", properties: { a: { type: "string" } } }),
  };
  const found = (old: boolean, now: boolean, before: readonly VersionSchema[] = []): readonly string[] =>
    differencesBetweenVersions(before, [bare, typed], { old, new: now }).map(({ difference }) => difference.code);
  expect(found(true, false)).toEqual([]);
  expect(found(false, true)).toEqual(["CRD215"]);
  expect(found(true, true, [bare, typed])).toEqual([]);
  expect(found(false, true, [bare, typed])).toEqual(["CRD215"]);
});
