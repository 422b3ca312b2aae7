import { expect, test } from "vitest";
import type { Property } from "../model/catalog.ts";
import type { Json } from "../model/json.ts";
import type { Constraint } from "./constraint.ts";
import { type MatchError, matches } from "./predicate.ts";
import { type ConstraintOptions, ConstraintReader } from "./read-requirements.ts";

const OPTIONS: ConstraintOptions = { compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1000 };

/** The constraint in a value, in scope `bundle`. */
function constraint(value: Json, type = "olm.constraint"): Constraint {
  const read = new ConstraintReader({ ...OPTIONS, compoundScope: "bundle" });
  const { requirements, problems } = read.of([{ type, value }]);
  expect(problems).toEqual([]);
  return requirements[0]?.constraint as Constraint;
}

const ETCD: readonly Property[] = [
  { type: "olm.package", value: { packageName: "etcd", version: "0.9.4" } },
  { type: "olm.gvk", value: { group: "etcd.example.com", version: "v1", kind: "Etcd" } },
  { type: "olm.label", value: { label: "lts" } },
  { type: "olm.maxOCPVersion", value: "4.9" },
  { type: "count", value: 5 },
  { type: "nested", value: { a: [1, { b: null }], c: 12345678901234567890n } },
];

const yes: Json = { package: { name: "etcd", versionRange: "<1.0.0" } };
const no: Json = { package: { name: "etcd", versionRange: ">1.0.0" } };
const error: Json = { cel: { rule: "properties[99].type == 'x'" } };
const limit: Json = {
  cel: { rule: "properties.all(a, properties.all(b, properties.all(c, properties.all(d, true))))" },
};

test.each<[Json, boolean]>([
  [yes, true],
  [no, false],
  [{ package: { name: "other", versionRange: "<1.0.0" } }, false],
  [{ gvk: { group: "etcd.example.com", version: "v1", kind: "Etcd" } }, true],
  [{ gvk: { group: "etcd.example.com", version: "v2", kind: "Etcd" } }, false],
  [{ gvk: { group: "", version: "v1", kind: "Etcd" } }, false],
  [{ cel: { rule: "properties.exists(p, p.type == 'olm.label' && p.value.label == 'lts')" } }, true],
  [{ cel: { rule: "properties.exists(p, p.type == 'certified')" } }, false],
  [{ propertyEquals: { name: "olm.maxOCPVersion", value: "4.9" } }, true],
  [{ propertyEquals: { name: "olm.maxOCPVersion", value: 4.9 } }, true],
  [{ propertyEquals: { name: "olm.maxOCPVersion", value: "4.90" } }, false],
  [{ propertyEquals: { name: "olm.maxOCPVersion", value: 4.8 } }, false],
  [{ propertyEquals: { name: "count", value: "5" } }, true],
  [{ propertyEquals: { name: "count", value: "5.0" } }, false],
  [{ propertyEquals: { name: "count", value: true } }, false],
  [{ propertyEquals: { name: "nested", value: { c: 12345678901234567890n, a: [1, { b: null }] } } }, true],
  [{ propertyEquals: { name: "nested", value: { c: 12345678901234567890n, a: [1, { b: null }, 2] } } }, false],
  [{ propertyEquals: { name: "nested", value: { c: 12345678901234567891n, a: [1, { b: null }] } } }, false],
  [{ propertyEquals: { name: "nested", value: { c: 12345678901234567890n, a: ["1", { b: null }] } } }, false],
  [{ propertyEquals: { name: "nested", value: { a: [1, { toString: null }], c: 12345678901234567890n } } }, false],
  [{ all: { constraints: [] } }, true],
  [{ any: { constraints: [] } }, false],
  [{ none: { constraints: [] } }, true],
  [{ all: { constraints: [yes, yes] } }, true],
  [{ all: { constraints: [yes, no] } }, false],
  [{ any: { constraints: [no, yes] } }, true],
  [{ any: { constraints: [no, no] } }, false],
  [{ none: { constraints: [no, yes] } }, false],
  [{ none: { constraints: [no, no] } }, true],
  [{ none: { constraints: [{ none: { constraints: [yes] } }] } }, true],
  [{ all: { constraints: [yes, { any: { constraints: [no, { none: { constraints: [no] } }] } }] } }, true],
])("%o is %o", (value, expected) => {
  expect(matches(constraint(value), ETCD)).toBe(expected);
});

test("a label", () => {
  expect(matches(constraint({ label: "lts" }, "olm.label.required"), ETCD)).toBe(true);
  expect(matches(constraint({ label: "edge" }, "olm.label.required"), ETCD)).toBe(false);
});

test("a version that is not strict is in no range", () => {
  const properties = [{ type: "olm.package", value: { packageName: "etcd", version: "v0.9" } }];
  expect(matches(constraint(yes), properties)).toBe(false);
});

test("values of any shape do not match", () => {
  for (const value of [null, 1, "x", [], {}, [{ packageName: "etcd" }]] satisfies Json[]) {
    const properties = ["olm.package", "olm.gvk", "olm.label"].map((type) => ({ type, value }));
    expect(matches(constraint(yes), properties)).toBe(false);
    expect(matches(constraint({ gvk: { group: "", version: "v1", kind: "K" } }), properties)).toBe(false);
    expect(matches(constraint({ label: "lts" }, "olm.label.required"), properties)).toBe(false);
  }
});

test.each<[Json]>([
  [error],
  [{ any: { constraints: [yes, error] } }],
  [{ any: { constraints: [error, yes] } }],
  [{ all: { constraints: [no, error] } }],
  [{ none: { constraints: [yes, error] } }],
  [{ none: { constraints: [error] } }],
  [{ any: { constraints: [yes, { none: { constraints: [error] } }] } }],
  [{ all: { constraints: [limit, error] } }],
  [{ all: { constraints: [error, limit] } }],
])("an error anywhere is the answer: %j", (value) => {
  const result = matches(constraint(value), ETCD) as MatchError;
  expect(result).toMatchObject({ limit: false });
  expect(result.message).toMatch(/./);
});

test("a limit is a separate result, with the place of its rule", () => {
  expect(matches(constraint({ any: { constraints: [yes, limit] } }), ETCD)).toMatchObject({
    limit: true,
    path: ["any", "constraints", 1],
  });
});
