// What is reported if there may already be values that the new schema names, rejects or empties? Follows pruning of
// apiextensions-apiserver v0.37 (src/crd/validate/prune-and-default.ts); crdify v0.6.0 passes every new field (N04).

import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../../test/crd/in-words.ts";
import type { JsonObject } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";
import type { KeptUnknown } from "./compare-schemas.ts";

const PRESERVE = { "x-kubernetes-preserve-unknown-fields": true };

function differenceLines(before: JsonObject, after: JsonObject, kept?: KeptUnknown): readonly string[] {
  const differences = compareSchemas(readSchema(before).schema, readSchema(after).schema, kept);
  return differences.map(({ code, path, effect, message }) => `${code} ${path} ${effect}: ${message}`);
}

/** Differences of the spec. */
function specDifferences(before: JsonObject, after: JsonObject, kept?: KeptUnknown): readonly string[] {
  const object = (spec: JsonObject): JsonObject => ({ properties: { spec: { type: "object", ...spec } } });
  return differenceLines(object(before), object(after), kept);
}

const WAS_KEPT = "the field is new: so far anything was kept here, from now on it must be";

describe("a new field where unknown fields were kept", () => {
  const cfg = { type: "object", properties: { a: { type: "string" } } };
  const expected = [`CRD215 .spec.cfg tighter: ${WAS_KEPT} {"properties":{"a":{"type":"string"}},"type":"object"}`];

  test("is reported once", () => {
    expect(specDifferences(PRESERVE, { ...PRESERVE, properties: { cfg } })).toEqual(expected);
    const both = { ...PRESERVE, properties: { cfg, old: { type: "string" } } };
    expect(specDifferences({ ...PRESERVE, properties: { old: { type: "string" } } }, both)).toEqual(expected);
  });

  test("is reported if the definition keeps them", () => {
    expect(specDifferences({}, { properties: { cfg } }, { old: true, new: true })).toEqual(expected);
    expect(specDifferences({}, { properties: { cfg } }, { old: true, new: false })).toEqual(expected);
    expect(specDifferences({}, { properties: { cfg } }, { old: false, new: true })).toEqual([]);
  });

  test("is reported for the items of a list that keeps them", () => {
    const list = (items: JsonObject): JsonObject => ({ properties: { list: { type: "array", ...PRESERVE, items } } });
    expect(specDifferences(list({ type: "object" }), list({ type: "object", properties: { cfg } }))).toEqual(
      expected.map((line) => line.replace(".spec.", ".spec.list[*].")),
    );
  });

  test("is not reported for fields below it, where they were dropped", () => {
    const inner = (properties: JsonObject): JsonObject => ({
      ...PRESERVE,
      properties: { a: { type: "object", properties } },
    });
    expect(specDifferences(inner({}), inner({ cfg }))).toEqual([]);
  });

  test("is not reported if nothing changes", () => {
    expect(specDifferences(PRESERVE, { ...PRESERVE, properties: { cfg: PRESERVE } })).toEqual([]);
    expect(specDifferences(PRESERVE, { ...PRESERVE, properties: { cfg: { ...PRESERVE, description: "d" } } })).toEqual(
      [],
    );
    expect(specDifferences({}, { properties: { cfg: {} } }, { old: true, new: true })).toEqual([]);
  });

  test("loses its content if it has no schema", () => {
    expect(specDifferences(PRESERVE, { ...PRESERVE, properties: { cfg: {} } })).toEqual([
      "CRD215 .spec.cfg tighter: the field is new, and nothing is said about it: so far anything was kept here, from now on objects lose their fields",
    ]);
  });

  test("has its place and a short message, and is not checked by OLM v1", () => {
    const pattern = "x".repeat(100);
    const after = {
      properties: { a: { type: "object", properties: { b: { pattern } } }, c: { type: "string", pattern } },
    };
    const found = compareSchemas(readSchema(PRESERVE).schema, readSchema({ ...PRESERVE, ...after }).schema);
    expect(found).toMatchObject([
      { path: ".a", at: ["properties", "a"], gone: false, old: undefined, unseenByOlm: true },
      { path: ".c", at: ["properties", "c"], gone: false, old: undefined, unseenByOlm: true },
    ]);
    expect(found.map(({ message }) => message)).toEqual([
      `${WAS_KEPT} of type object, and what its schema does not name is dropped`,
      `${WAS_KEPT} of type string, as its schema says`,
    ]);
  });

  test("fields that every Kubernetes object has are reported only if their schema is stricter", () => {
    const meta = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { type: "object" } };
    expect(differenceLines({ type: "object" }, { type: "object", properties: meta })).toEqual([]);
    expect(differenceLines({ type: "object", ...PRESERVE }, { type: "object", ...PRESERVE, properties: meta })).toEqual(
      [],
    );
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
    expect(specDifferences(embedded, { ...embedded, properties: meta })).toEqual([]);
    const named = { type: "object", properties: { name: { maxLength: 9 } } };
    expect(differenceLines({ type: "object" }, { type: "object", properties: { metadata: named } })).toEqual([
      `CRD215 .metadata tighter: ${WAS_KEPT} {"properties":{"name":{"maxLength":9}},"type":"object"}`,
    ]);
    // Elsewhere, they are fields as any other.
    expect(specDifferences({}, { properties: { metadata: named } })).toEqual([]);
    expect(specDifferences(PRESERVE, { ...PRESERVE, properties: { kind: { type: "string" } } })).toHaveLength(1);
  });
});

describe("a new field where other keys were allowed", () => {
  const texts = { additionalProperties: { type: "string" } };
  const p = (field: JsonObject): JsonObject => ({ ...texts, properties: { p: field } });
  const wasOther = (was: string, is: string): string =>
    `CRD211 .spec.p tighter: the field is new: so far it was a key as any other, with values that are ${was}; from now on it must be ${is}`;

  test("is reported if their values may be invalid for it", () => {
    expect(specDifferences(texts, p({ type: "integer" }))).toEqual([
      wasOther('{"type":"string"}', '{"type":"integer"}'),
    ]);
    expect(specDifferences(texts, p({ type: "string", maxLength: 3 }))).toEqual([
      wasOther('{"type":"string"}', '{"maxLength":3,"type":"string"}'),
    ]);
    expect(specDifferences(texts, { properties: { p: { type: "integer" } } })).toEqual([
      "CRD211 .spec tighter: other keys are no longer kept",
      wasOther('{"type":"string"}', '{"type":"integer"}'),
    ]);
  });

  test("is not reported if it accepts the same or more", () => {
    expect(specDifferences(texts, p({ type: "string", description: "d" }))).toEqual([]);
    expect(
      specDifferences({ additionalProperties: { type: "string", maxLength: 3 } }, { ...p({ type: "string" }) }),
    ).toEqual([]);
    expect(
      specDifferences({ additionalProperties: false }, { additionalProperties: false, properties: { p: {} } }),
    ).toEqual([]);
  });

  test("is reported where anything was allowed, unless anything still is", () => {
    const any = { additionalProperties: true };
    expect(specDifferences(any, { ...any, properties: { p: { type: "integer" } } })).toEqual([
      wasOther("any", '{"type":"integer"}'),
    ]);
    expect(specDifferences(any, { ...any, properties: { p: {} } })).toEqual([]);
    const all = { old: true, new: true };
    expect(specDifferences(any, { ...any, properties: { p: {} } }, all)).toEqual([]);
    expect(specDifferences(any, { ...any, properties: { p: {} } }, { old: true, new: false })).toHaveLength(1);
  });

  test("is compared by its text where the values of other keys are more than a few words", () => {
    const values = { type: "object", properties: { a: { type: "string" } } };
    const map = { additionalProperties: values };
    expect(specDifferences(map, { ...map, properties: { p: values } })).toEqual([]);
    expect(specDifferences(map, { ...map, properties: { p: { type: "object" } } })).toHaveLength(1);
  });
});

describe("other keys that may have any value", () => {
  const EMPTIED = "other keys may now have any value, but objects under them lose their fields";
  const object = { type: "object", properties: { a: { type: "string" } } };

  test.each<JsonObject>([
    object,
    { type: "object", ...PRESERVE },
    { type: "object", additionalProperties: { type: "string" } },
    { type: "array", items: object },
    { type: "array", ...PRESERVE },
    { type: "array", ...PRESERVE, items: { type: "array", items: { type: "object" } } },
    { type: "object", "x-kubernetes-embedded-resource": true },
    PRESERVE,
  ])("lose the fields of %j", (values) => {
    for (const any of [true, {}])
      expect(specDifferences({ additionalProperties: values }, { additionalProperties: any })).toEqual([
        `CRD211 .spec tighter: ${EMPTIED}`,
      ]);
    expect(
      specDifferences({ additionalProperties: values }, { additionalProperties: true }, { old: true, new: true }),
    ).toEqual(["CRD211 .spec looser: other keys may now have any value"]);
  });

  test.each<JsonObject>([
    { type: "string" },
    { type: "object" },
    { type: "object", additionalProperties: false },
    { type: "array", items: { type: "integer" } },
    { type: "array" },
    { type: "array", ...PRESERVE, items: { type: "integer" } },
  ])("lose nothing of %j", (values) => {
    expect(specDifferences({ additionalProperties: values }, { additionalProperties: true })).toEqual([
      "CRD211 .spec looser: other keys may now have any value",
    ]);
  });

  test("lose the fields of what was kept so far", () => {
    expect(specDifferences(PRESERVE, { ...PRESERVE, additionalProperties: true })).toEqual([
      `CRD211 .spec tighter: ${EMPTIED}`,
    ]);
    expect(specDifferences(PRESERVE, { ...PRESERVE, additionalProperties: PRESERVE })).toEqual([
      'CRD211 .spec looser: other keys are now allowed, with values that are {"x-kubernetes-preserve-unknown-fields":true}',
    ]);
  });
});

describe("a field that goes", () => {
  const a = { type: "string" };

  test("is checked by the schema of other keys, also if unknown fields are kept", () => {
    const after = { ...PRESERVE, additionalProperties: { type: "integer" } };
    expect(specDifferences({ ...after, properties: { a } }, after)).toEqual([
      "CRD209 .spec.a different: the field is no longer there; its values are now those of any other key",
    ]);
  });

  test("may be missed if it had a default", () => {
    const properties = { a: { ...a, default: "x" } };
    expect(specDifferences({ ...PRESERVE, properties }, PRESERVE)).toEqual([
      "CRD209 .spec.a different: the field is no longer there; its values are kept, but not checked",
    ]);
  });

  test("is kept where the definition keeps unknown fields", () => {
    expect(specDifferences({ properties: { a } }, {}, { old: true, new: true })).toEqual([
      "CRD209 .spec.a looser: the field is no longer there; its values are kept, but not checked",
    ]);
  });
});
