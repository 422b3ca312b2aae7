// Sizes as apiextensions-apiserver v0.36.3 computes them (apiserver pkg/cel/common/schemas.go).
import { expect, test } from "vitest";
import { printType } from "../../cel/type.ts";
import type { JsonObject } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";
import { declare } from "./declared.ts";

const TEXT: JsonObject = { type: "string" };
const INT: JsonObject = { type: "integer" };
const REQUEST = 3 * 1024 * 1024;

test.for<[schema: JsonObject, type: string, most: number, leastBytes: number]>([
  [TEXT, "string", REQUEST - 2, 2],
  [{ ...TEXT, maxLength: 10 }, "string", 40, 2],
  [{ ...TEXT, enum: ["é", "abc"] }, "string", 3, 2],
  [{ ...TEXT, enum: ["ééé", "abc"] }, "string", 6, 2],
  [{ ...TEXT, enum: ["abc"], maxLength: 1 }, "string", 4, 2],
  [{ ...TEXT, format: "byte", maxLength: 10 }, "bytes", 10, 2],
  [{ ...TEXT, format: "date" }, "timestamp", 12, 12],
  [{ ...TEXT, format: "date-time" }, "timestamp", 32, 21],
  [{ ...TEXT, format: "duration" }, "duration", 32, 3],
  [{ "x-kubernetes-int-or-string": true }, "dyn", REQUEST - 2, 1],
  [{ "x-kubernetes-int-or-string": true, maxLength: 3 }, "dyn", 12, 1],
  [{ type: "boolean" }, "bool", 0, 4],
  [{ type: "number" }, "double", 0, 1],
  [{ type: "array", items: INT }, "list(int)", (REQUEST - 2) / 2, 2],
  [{ type: "array", items: INT, maxItems: 4 }, "list(int)", 4, 2],
  [{ type: "object", additionalProperties: INT }, "map(string, int)", Math.floor((REQUEST - 2) / 7), 2],
  [{ type: "object", additionalProperties: INT, maxProperties: 4 }, "map(string, int)", 4, 2],
  [
    {
      type: "object",
      required: ["aaaa", "bb", "c"],
      properties: { aaaa: TEXT, bb: { ...TEXT, default: "x" }, c: INT, d: INT },
    },
    "the object",
    0,
    18,
  ],
])("%j is %s", ([json, type, most, leastBytes]) => {
  const declared = declare(readSchema(json).schema, false, "");
  expect(declared).toMatchObject({ most, leastBytes });
  expect(declared === undefined ? "" : printType(declared.type)).toBe(type);
});
