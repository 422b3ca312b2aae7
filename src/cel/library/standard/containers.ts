// How large is a container, what is in it, and what is at an index?

import { sizeAt } from "../../cost/range.ts";
import { sizeOf } from "../../cost/size.ts";
import { globalFunction, memberFunction, type Overload, type Running } from "../../library.ts";
import { BOOL, BYTES, INT, listOf, mapOf, parameter, STRING, type Type } from "../../type.ts";
import { equalValues } from "../../value/equality.ts";
import { type MapValue, mapGet } from "../../value/map-access.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";

const A: Type = parameter("A");
const B: Type = parameter("B");

const SIZED: readonly (readonly [Type, string])[] = [
  [STRING, "string"],
  [BYTES, "bytes"],
  [listOf(A), "list"],
  [mapOf(A, B), "map"],
];

const sizes: readonly Overload[] = SIZED.flatMap(([type, name]) => {
  const details = { atOnce: type.kind !== "string" };
  return [
    globalFunction("size", `size_${name}`, [type], INT, sizeOf, details),
    memberFunction("size", `${name}_size`, [type], INT, sizeOf, details),
  ];
});

function isIn(value: Value, list: readonly Value[], running: Running): boolean {
  running.work(list.length);
  for (const element of list) if (equalValues(value, element, running)) return true;
  return false;
}

const hasKey = (key: Value, map: MapValue, running: Running): boolean => mapGet(map, key, running) !== undefined;

const memberships: readonly Overload[] = [
  globalFunction("@in", "in_list", [A, listOf(A)], BOOL, isIn, {
    cost: ([, list], running) => sizeOf(list as Value, running),
    estimate: (args) => ({ cost: sizeAt(args, 1) }),
  }),
  globalFunction("@in", "in_map", [A, mapOf(A, B)], BOOL, hasKey, { atOnce: true }),
];

/** Declared for their types; the plan of a path does the work. */
const NEVER = (): Result => new CelError("an index is evaluated as part of a path");

const indexes: readonly Overload[] = [
  globalFunction("_[_]", "index_list", [listOf(A), INT], A, NEVER),
  globalFunction("_[_]", "index_map", [mapOf(A, B), A], B, NEVER),
];

/** `size`, `in` and the types of indexes. */
export const containerFunctions: readonly Overload[] = [...sizes, ...memberships, ...indexes];
