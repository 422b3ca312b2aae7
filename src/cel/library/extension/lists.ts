// What else can be done with lists: parts, order, doubles?
//
// Costs are those of version 3 of cel-go's library.

import type { Call, Node } from "../../ast.ts";
import { largest, literalInt, product, upTo } from "../../cost/range.ts";
import { LIST_COST, sizeOf } from "../../cost/size.ts";
import {
  type ArgumentEstimate,
  type CallDetails,
  globalFunction,
  type Library,
  memberFunction,
  type Overload,
  type Running,
} from "../../library.ts";
import type { Expansion, Macro } from "../../macro.ts";
import { DYN, INT, listOf, parameter, type Type } from "../../type.ts";
import { Bytes } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { isInt } from "../../value/number.ts";
import { typeName, typeOfValue } from "../../value/type-of-value.ts";
import { CelError, isList, type Result, type Value } from "../../value/value.ts";
import { variableName } from "../standard/macros.ts";
import { membershipOf } from "./membership.ts";
import { compareValues, isOrdered, ORDERED_TYPES } from "./ordering.ts";

type List = readonly Value[];
type Int = number | bigint;

const T: Type = parameter("T");
const LIST: Type = listOf(T);

/** The longest list that `lists.range` makes, as in cel-go. */
const MAX_RANGE_LENGTH = 1_000_000;

function slice(list: List, start: Int, end: Int): Result {
  if (start < 0 || end < 0)
    return new CelError(`a part of a list cannot begin at ${start} and end at ${end}: positions are not negative`);
  if (start > end) return new CelError(`a part of a list cannot begin at ${start} and end at ${end}`);
  if (end > list.length) return new CelError(`position ${end} is outside of a list of ${list.length} elements`);
  return list.slice(Number(start), Number(end));
}

function range(count: Int, running: Running): Result {
  if (count < 0) return new CelError(`lists.range() needs a size that is not negative, not ${count}`);
  if (count > MAX_RANGE_LENGTH)
    return new CelError(`lists.range() makes at most ${MAX_RANGE_LENGTH} elements, not ${count}`);
  running.allocate(Number(count));
  return Array.from({ length: Number(count) }, (_, index) => index);
}

function flattenOnce(list: List, running: Running): Result {
  return flatten(list, 1, running);
}

/** Lists inside the list, and inside those, down to the depth, are replaced by their elements. */
function flatten(list: List, depth: Int, running: Running): Result {
  if (depth < 0) return new CelError(`flatten() needs a depth that is not negative, not ${depth}`);
  const flat: Value[] = [];
  collect(list, Number(depth), flat, running);
  return flat;
}

function collect(list: List, depth: number, flat: Value[], running: Running): void {
  // One list may be inside another many times, so that elements are counted while they are collected.
  running.allocate(list.length);
  for (const element of list) {
    if (depth > 0 && isList(element)) collect(element, depth - 1, flat, running);
    else flat.push(element);
  }
}

function distinct(list: List, running: Running): Result {
  const seen = membershipOf(running);
  return list.filter((value) => {
    if (seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

function sort(list: List, running: Running): Result {
  return sortByKeys(list, list, running);
}

/** The elements in the order of their keys; those with equal keys stay as they are. */
function sortByKeys(list: List, keys: List, running: Running): Result {
  running.work(8 * list.length);
  const first = keys[0];
  if (first === undefined) return list;
  if (list.length !== keys.length)
    return new CelError(`a list of ${list.length} elements cannot be sorted by ${keys.length} keys`);
  if (!isOrdered(first))
    return new CelError(() => `a list cannot be sorted by ${describeValue(first)}, which has no order`);
  const type = typeOfValue(first);
  const other = keys.find((key) => typeOfValue(key).kind !== type.kind);
  if (other !== undefined) {
    return new CelError(
      () => `a list cannot be sorted by values of different types: ${describeValue(first)} and ${describeValue(other)}`,
    );
  }
  const order = Array.from(keys.keys()).sort((a, b) => compareValues(keys[a] as Value, keys[b] as Value, running) ?? 0);
  return order.map((index) => list[index] as Value);
}

// A call with an error or a value of another type in place of a list or depth fails before cel-go has counted its cost.

function listCost(size: number): number {
  return Math.trunc(size) + 1 + LIST_COST;
}

/** The cost is the length of the result, which is at most `longest`. */
function byResult(longest: (args: readonly ArgumentEstimate[]) => number): CallDetails {
  return {
    resultCost: (_args, result, running) => listCost(sizeOf(result, running)),
    estimate: (args) => upTo(listCost(Math.max(1, longest(args))), longest(args)),
  };
}

const slicing = byResult((args) => {
  const [start, end] = [literalInt(args, 1) ?? 0, literalInt(args, 2) ?? Number.POSITIVE_INFINITY];
  return Math.max(0, Math.min(largest(args, 0), end) - Math.max(0, start));
});

const reversing = byResult((args) => largest(args, 0));

const ranging = byResult((args) => Math.min(MAX_RANGE_LENGTH, Math.max(0, literalInt(args, 0) ?? MAX_RANGE_LENGTH)));

const flattening: CallDetails = {
  cost: ([list, depth], running) => {
    if (depth !== undefined && !isInt(depth)) return 0;
    const times = Number(depth ?? 1);
    return listCost(sizeOf(list as Value, running) * (times < 0 ? 1 : times));
  },
  estimate: (args) => {
    const depth = args.length === 1 ? 1 : (literalInt(args, 1) ?? Number.POSITIVE_INFINITY);
    return upTo(listCost(product(largest(args, 0), depth < 0 ? 1 : depth)), Number.POSITIVE_INFINITY);
  },
};

/** Every element is compared with every other one; strings and bytes cost more. */
function comparing(argument: number): CallDetails {
  return {
    cost: (args) => {
      const keys = args[argument] as Value;
      if (!isList(keys)) return 0;
      const [first] = keys;
      return listCost(keys.length ** 2 * (typeof first === "string" || first instanceof Bytes ? 2 + 0.1 : 2));
    },
    estimate: (args) => upTo(listCost(largest(args, argument) ** 2 * (2 + 0.1)), largest(args, 0)),
  };
}

const sorting: readonly Overload[] = ORDERED_TYPES.flatMap((type) => {
  const [keys, id] = [listOf(type), `list_${typeName(type)}_sort`];
  return [
    memberFunction("sort", id, [keys], keys, sort, comparing(0)),
    memberFunction("@sortByAssociatedKeys", `${id}ByAssociatedKeys`, [LIST, keys], LIST, sortByKeys, comparing(1)),
  ];
});

/** The name that `sortBy` gives its list; no expression can spell it. */
const INPUT = "@__sortBy_input__";

/** `list.sortBy(x, key)`: the list, bound to a name, is sorted by the list of its keys. */
const sortBy: Macro = {
  name: "sortBy",
  member: true,
  arguments: 2,
  expand: (call: Call, expansion: Expansion): Node => {
    const place = { start: call.start, end: call.end };
    const target = call.target as Node;
    if (target.kind === "literal" || target.kind === "map" || target.kind === "message") {
      expansion.mistake(target, "sortBy() sorts lists");
      return call;
    }
    const input: Node = { kind: "identifier", name: INPUT, absolute: false, ...place };
    const variable = variableName(call.args[0] as Node, expansion);
    const keys: Node = {
      kind: "fold",
      fold: "map",
      range: input,
      variable,
      second: undefined,
      predicate: undefined,
      transform: call.args[1],
      at: call.at,
      ...place,
    };
    const body: Node = {
      kind: "call",
      name: "@sortByAssociatedKeys",
      target: { ...input },
      args: [keys],
      at: call.at,
      ...place,
    };
    return { kind: "bind", variable: INPUT, value: target, body, ...place };
  },
};

/** `slice`, `flatten`, `sort`, `sortBy`, `distinct`, `reverse`, `lists.range` */
export const listsLibrary: Library = {
  name: "lists",
  macros: [sortBy],
  functions: [
    memberFunction("slice", "list_slice", [LIST, INT, INT], LIST, slice, slicing),
    memberFunction("flatten", "list_flatten", [listOf(LIST)], LIST, flattenOnce, flattening),
    memberFunction("flatten", "list_flatten_int", [listOf(DYN), INT], listOf(DYN), flatten, flattening),
    ...sorting,
    globalFunction("lists.range", "lists_range", [INT], listOf(INT), range, ranging),
    memberFunction("reverse", "list_reverse", [LIST], LIST, (list: List) => [...list].reverse(), reversing),
    memberFunction("distinct", "list_distinct", [LIST], LIST, distinct, comparing(0)),
  ],
};
