// What do two lists have in common, seen as sets?

import { largest, product, upTo } from "../../cost/range.ts";
import { sizeOf } from "../../cost/size.ts";
import { type CallDetails, globalFunction, type Library, type Running } from "../../library.ts";
import { BOOL, listOf, parameter, type Type } from "../../type.ts";
import type { Value } from "../../value/value.ts";
import { membershipOf } from "./membership.ts";

type List = readonly Value[];

const LIST: Type = listOf(parameter("T"));

function contains(list: List, part: List, running: Running): boolean {
  const members = membershipOf(running, list);
  return part.every((value) => members.has(value));
}

const isEquivalent = (a: List, b: List, running: Running): boolean =>
  contains(a, b, running) && contains(b, a, running);

function intersects(a: List, b: List, running: Running): boolean {
  // Costs 1, however long the other list is.
  if (b.length === 0) return false;
  const members = membershipOf(running, b);
  return a.some((value) => members.has(value));
}

/** Every element of one list is compared with every element of the other, `times` times. */
function comparing(times: number): CallDetails {
  return {
    cost: ([a, b], running) => 1 + Math.trunc(sizeOf(a as Value, running) * sizeOf(b as Value, running) * times),
    estimate: (args) => upTo(1 + times * product(largest(args, 0), largest(args, 1)), 1),
  };
}

/** `sets.contains`, `sets.equivalent`, `sets.intersects` */
export const setsLibrary: Library = {
  name: "sets",
  functions: [
    globalFunction("sets.contains", "list_sets_contains_list", [LIST, LIST], BOOL, contains, comparing(1)),
    globalFunction("sets.equivalent", "list_sets_equivalent_list", [LIST, LIST], BOOL, isEquivalent, comparing(2)),
    globalFunction("sets.intersects", "list_sets_intersects_list", [LIST, LIST], BOOL, intersects, comparing(1)),
  ],
};
