import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bytes } from "../../cel/value/boxes.ts";
import { Duration } from "../../cel/value/duration.ts";
import { KeyedList } from "../../cel/value/keyed-list.ts";
import { Double } from "../../cel/value/number.ts";
import { Timestamp } from "../../cel/value/timestamp.ts";
import type { Value } from "../../cel/value/value.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";
import { formatReader, readerFor, type ValueReader } from "./value-reader.ts";

function readerOf(schema: JsonObject): ValueReader | undefined {
  return readerFor(readSchema(schema).schema, false);
}

/** What a rule sees of the value. */
function seen(schema: JsonObject, value: Json): Value {
  const reader = readerOf(schema);
  return reader === undefined ? (value as Value) : reader(value);
}

const NUMBER: JsonObject = { type: "number" };
const TEXT: JsonObject = { type: "string" };

describe("what needs no reader has none", () => {
  test.for<JsonObject>([
    TEXT,
    { type: "integer" },
    { type: "array", items: TEXT },
    { type: "array", items: TEXT, "x-kubernetes-list-type": "atomic" },
    { type: "object", additionalProperties: TEXT },
    { type: "object", properties: { a: TEXT, b_c: { type: "object", properties: { d: TEXT } } } },
    { "x-kubernetes-int-or-string": true },
    { "x-kubernetes-preserve-unknown-fields": true },
    { type: "string", format: "email" },
  ])("%j", (schema) => {
    expect(readerOf(schema)).toBeUndefined();
  });
});

describe("what is seen", () => {
  test("numbers are doubles, even if the JSON has an integer", () => {
    expect(seen(NUMBER, 1)).toEqual(new Double(1));
    expect(seen(NUMBER, 1.5)).toBe(1.5);
    expect(seen(NUMBER, 2n ** 70n)).toBe(2 ** 70);
    expect(seen({ type: "array", items: NUMBER }, [1, 1.5])).toEqual([new Double(1), 1.5]);
  });

  test("fields by the names that rules write; null is absent; unknown fields stay", () => {
    const schema = {
      type: "object",
      properties: { "a-b": TEXT, n: { ...TEXT, nullable: true }, c: NUMBER, "x y": NUMBER },
    };
    const value = { "a-b": "q", n: null, c: 1, z: null, "x y": 1 };
    expect(seen(schema, value)).toEqual({ a__dash__b: "q", c: new Double(1), z: null, "x y": 1 });
  });

  test("null stays in lists and maps", () => {
    const nullable = { ...NUMBER, nullable: true };
    expect(seen({ type: "array", items: nullable }, [null, 1])).toEqual([null, new Double(1)]);
    expect(seen({ type: "object", additionalProperties: nullable }, { a: null })).toEqual({ a: null });
  });

  test("`__proto__` is a key like any other", () => {
    const value = JSON.parse('{"__proto__": 1, "a": 2}') as JsonObject;
    const map = seen({ type: "object", additionalProperties: NUMBER }, value) as JsonObject;
    expect(Object.keys(map)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    const read = seen(
      { type: "object", properties: JSON.parse('{"__proto__": {"type": "number"}}') as JsonObject },
      value,
    );
    expect(Object.keys(read as JsonObject).sort()).toEqual(["__underscores__proto__underscores__", "a"]);
  });

  test("values of another type than the schema's are left as they are", () => {
    for (const type of ["number", "string", "array", "object"])
      for (const value of ["a", 1, [1], { a: 1 }, null, true] as const) {
        const reader = readerOf({
          type,
          format: "date",
          items: TEXT,
          properties: { "a-b": TEXT },
          "x-kubernetes-list-type": "set",
        });
        expect(() => reader?.(value)).not.toThrow();
      }
  });

  test("lists of type set and map know their keys", () => {
    const set = seen({ type: "array", items: TEXT, "x-kubernetes-list-type": "set" }, ["a", "b"]) as KeyedList;
    expect(set).toBeInstanceOf(KeyedList);
    expect([...set.joined(["b", "c"])]).toEqual(["a", "b", "c"]);
    const items = { type: "object", properties: { "k-k": TEXT, v: { type: "integer" } } };
    const keyed = { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k-k"] };
    const list = seen(keyed, [
      { "k-k": "a", v: 1 },
      { "k-k": "b", v: 2 },
    ]) as KeyedList;
    expect(list.counterpart({ k__dash__k: "b", v: 9 })).toEqual({ k__dash__k: "b", v: 2 });
    expect([...list.joined([{ k__dash__k: "a", v: 7 }])].map((element) => (element as JsonObject).v)).toEqual([7, 2]);
  });
});

describe("formats", () => {
  // Compared with kube-openapi's strfmt, as apiextensions-apiserver v0.36.3 uses it.
  const hours = (count: number): Duration => new Duration(BigInt(count) * 3_600_000_000_000n);
  test.for<[format: string, text: string, value: unknown]>([
    ["duration", "1h30m", new Duration(5_400_000_000_000n)],
    ["duration", "1 day 12 hours", hours(36)],
    ["duration", "1 DAY", hours(24)],
    ["duration", "2w", hours(336)],
    ["duration", "10 microns", new Duration(10_000n)],
    ["duration", "-1h", hours(-1)],
    ["date", "2024-01-02", new Timestamp(1_704_153_600, 0)],
    ["date-time", "2024-01-02T00:00:00Z", new Timestamp(1_704_153_600, 0)],
    ["date-time", "2024-01-02T02:00:00.5+02:00", new Timestamp(1_704_153_600, 500_000_000, 7_200)],
    ["date-time", "2024-01-02T00:00:00", new Timestamp(1_704_153_600, 0)],
    ["date-time", "", new Timestamp(0, 0)],
    ["byte", "aGk_", new Bytes(new TextEncoder().encode("hi?"))],
    ["byte", "aGk=", new Bytes(new TextEncoder().encode("hi"))],
    ["byte", "", new Bytes(new Uint8Array())],
  ])("%s %j", ([format, text, value]) => {
    expect(formatReader(format)?.(text)).toEqual(value);
  });

  test.for<[format: string, text: string]>([
    ["duration", "1"],
    ["duration", "soon"],
    ["date", "2024-1-1"],
    ["date-time", "2024-13-01T01:00:00Z"],
    ["byte", "aGk/"],
    ["byte", "aGk"],
    ["byte", "a==="],
  ])("%s %j is unreadable", ([format, text]) => {
    const value = formatReader(format)?.(text);
    expect(value).toMatchObject({ text, type: { kind: "opaque", name: `text that is no ${format}` } });
  });

  test("no other format is read", () => {
    expect(formatReader(undefined)).toBeUndefined();
    expect(formatReader("toString")).toBeUndefined();
  });
});

test("what is read is never changed", () => {
  const schema = {
    type: "object",
    properties: {
      "a-b": { ...NUMBER, nullable: true },
      l: { type: "array", items: NUMBER, "x-kubernetes-list-type": "set" },
      m: { type: "object", additionalProperties: { type: "string", format: "date" } },
    },
  };
  const value = fc.record(
    {
      "a-b": fc.option(fc.integer()),
      l: fc.array(fc.integer()),
      m: fc.dictionary(fc.string(), fc.string()),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, (object) => {
      const before = JSON.stringify(object);
      seen(schema, object as Json);
      expect(JSON.stringify(object)).toBe(before);
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 10_000 : 200 },
  );
});
