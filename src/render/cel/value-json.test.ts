import { expect, test } from "vitest";
import { DYN, INT, listOf } from "../../cel/type.ts";
import { Bytes, CelMap, Optional, TypeValue } from "../../cel/value/boxes.ts";
import { Duration } from "../../cel/value/duration.ts";
import { double, Uint } from "../../cel/value/number.ts";
import { Timestamp } from "../../cel/value/timestamp.ts";
import type { Value } from "../../cel/value/value.ts";
import type { Json } from "../../model/json.ts";
import { shownType, valueJson } from "./value-json.ts";

test.each<[Value, Json]>([
  [null, null],
  [true, true],
  ["a", "a"],
  [9007199254740991, 9007199254740991],
  [9007199254740992n, "9007199254740992"],
  [new Uint(9007199254740991n), 9007199254740991],
  [new Uint(9007199254740992n), "9007199254740992"],
  [double(1), 1],
  [1.5, 1.5],
  [Number.NaN, "NaN"],
  [Number.NEGATIVE_INFINITY, "-Infinity"],
  [new Bytes(new Uint8Array([0, 255, 97])), "AP9h"],
  [new Timestamp(0, 5e8), "1970-01-01T00:00:00.5Z"],
  [new Duration(90_000_000_000n), "90s"],
  [new TypeValue("int"), "int"],
  [Optional.none, null],
  [new Optional(new Optional("a")), "a"],
  [
    [1, [double(2)]],
    [1, [2]],
  ],
  [
    new CelMap(
      new Map<string | boolean | number, readonly [Value, Value]>([
        ["a", ["a", 1]],
        [true, [true, 2n]],
        [3, [3, new Uint(4n)]],
      ]),
    ),
    { a: 1, true: "2", 3: 4 },
  ],
  [JSON.parse('{"__proto__": {"a": 1}}') as Value, JSON.parse('{"__proto__": {"a": 1}}') as Json],
])("%o as JSON", (value, json) => {
  expect(valueJson(value)).toEqual(json);
  expect(JSON.stringify(valueJson(value))).toBe(JSON.stringify(json));
});

test("the type that is shown", () => {
  expect(shownType(listOf(INT), [1])).toBe("list(int)");
  expect(shownType(DYN, "a")).toBe("string");
});
