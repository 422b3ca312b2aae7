import { expect, test } from "vitest";
import { checkExpressions } from "../../src/expression/check-expressions.ts";
import { characterPlace, findExpressions } from "../../src/expression/find-expressions.ts";
import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import type { JsonObject } from "../../src/model/json.ts";

const LIST = '[{"type": "olm.constraint", "value": {"cel": {"rule": "tru"}}}]';

function found(objects: readonly JsonObject[]) {
  const reader = new ObjectsReader(() => {});
  for (const [index, object] of objects.entries())
    reader.add(object, { source: "all.yaml", line: 10 * index + 1, column: 1 });
  return findExpressions([], reader.finish());
}

const PLACEMENT = {
  apiVersion: "cluster.open-cluster-management.io/v1beta1",
  kind: "Placement",
  metadata: { name: "lamp", namespace: "apps" },
  spec: { predicates: [{ requiredClusterSelector: { celSelector: { celExpressions: ["true"] } } }] },
};
const RUNTIME = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "olm-runtime-constraints", namespace: "olm" },
  data: { properties: LIST },
};

test("expressions and their positions are plain data", () => {
  const all = found([PLACEMENT, RUNTIME]);
  expect(all.expressions.map(({ owner }) => owner)).toEqual([
    { kind: "Placement", namespace: "apps", name: "lamp" },
    { kind: "ConfigMap", namespace: "olm", name: "olm-runtime-constraints" },
  ]);
  expect(JSON.parse(JSON.stringify(all))).toStrictEqual(all);
});

test("the position of a character inside a text that is itself JSON", () => {
  const [, rule] = found([PLACEMENT, RUNTIME]).expressions;
  if (rule === undefined) throw new Error("no rule was found");
  const place = characterPlace(rule.position, 1);
  expect(place.path).toEqual(["data", "properties"]);
  expect(LIST[place.offset ?? 0]).toBe("r");
});

test("each issue has the places of its first and last character", () => {
  const [check] = checkExpressions(found([RUNTIME]).expressions, { compat: [] });
  expect(check?.errors.map(({ first, last }) => LIST.slice(first.offset, (last.offset ?? 0) + 1))).toEqual(["tru"]);
});
