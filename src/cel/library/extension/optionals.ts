// What can be done with a value that may be absent?
import type { Call, Node } from "../../ast.ts";
import { largest, upTo } from "../../cost/range.ts";
import { type ArgumentEstimate, globalFunction, type Library, memberFunction, type Running } from "../../library.ts";
import type { Expansion, Macro } from "../../macro.ts";
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, parameter, type Type } from "../../type.ts";
import { Bytes, Optional } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { isMap } from "../../value/map-access.ts";
import { isNumber } from "../../value/number.ts";
import { Boxed, CelError, type Result, type Value } from "../../value/value.ts";
import { variableName } from "../standard/macros.ts";
import { typeConstant } from "../standard/standard.ts";

const A: Type = parameter("A");
const B: Type = parameter("B");
const MAYBE: Type = optionalOf(A);
const LIST: Type = listOf(A);
const MAP: Type = mapOf(A, B);

/** Nothing, false, zero or empty: what a field has that was never set. */
function isZero(value: Value, running: Running): boolean {
  if (value === null || value === false || value === "") return true;
  if (isNumber(value)) return Number(value instanceof Boxed ? value.value : value) === 0;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Bytes) return value.value.length === 0;
  if (isMap(value)) return running.mapSize(value) === 0;
  return value instanceof Boxed && "isZero" in value && value.isZero === true;
}

function contentOf(optional: Optional): Result {
  return optional.content === undefined ? new CelError("optional.none() has no value") : optional.content;
}

function unwrap(list: readonly Value[]): Result {
  const contents: Value[] = [];
  for (const element of list) {
    if (!(element instanceof Optional))
      return new CelError(() => `an element must be an optional, not ${describeValue(element)}`);
    if (element.content !== undefined) contents.push(element.content);
  }
  return contents;
}

const AT_ONCE = { atOnce: true };

const sameSize = { estimate: (args: readonly ArgumentEstimate[]) => upTo(1, largest(args, 0)) };

function optionalMap(name: string, flat: boolean): Macro {
  return {
    name,
    member: true,
    arguments: 2,
    expand: (call: Call, expansion: Expansion) => ({
      kind: "optional-map",
      target: call.target as Node,
      variable: variableName(call.args[0] as Node, expansion),
      body: call.args[1] as Node,
      flat,
      start: call.start,
      end: call.end,
    }),
  };
}

/** The element at a position of a list, if it has one. */
function element(position: 0 | -1): (list: readonly Value[]) => Optional {
  return (list) => (list.length === 0 ? Optional.none : new Optional(list.at(position)));
}

function ofNonZeroValue(value: Value, running: Running): Optional {
  return isZero(value, running) ? Optional.none : new Optional(value);
}

/** Declared for their types; the plan evaluates paths and alternatives itself. */
const PLANNED = (): Result => new CelError("evaluated by the plan");

/** Optional types: `.?`, `[?]`, `optional.of`, `orValue`, `optMap` … */
export const optionalsLibrary: Library = {
  name: "optionals",
  constants: [typeConstant(optionalOf(DYN))],
  macros: [optionalMap("optMap", false), optionalMap("optFlatMap", true)],
  functions: [
    globalFunction("optional.of", "optional_of", [A], MAYBE, (value: Value) => new Optional(value), AT_ONCE),
    globalFunction("optional.ofNonZeroValue", "optional_ofNonZeroValue", [A], MAYBE, ofNonZeroValue, AT_ONCE),
    globalFunction("optional.none", "optional_none", [], MAYBE, () => Optional.none),
    globalFunction("optional.unwrap", "optional_unwrap", [listOf(MAYBE)], listOf(A), unwrap, sameSize),
    memberFunction("unwrapOpt", "optional_unwrapOpt", [listOf(MAYBE)], listOf(A), unwrap, sameSize),
    memberFunction("hasValue", "optional_hasValue", [MAYBE], BOOL, ({ content }: Optional) => content !== undefined),
    memberFunction("value", "optional_value", [MAYBE], A, contentOf),
    memberFunction("or", "optional_or_optional", [MAYBE, MAYBE], MAYBE, PLANNED),
    memberFunction("orValue", "optional_orValue_value", [MAYBE, A], A, PLANNED),
    memberFunction("first", "list_first", [LIST], MAYBE, element(0), AT_ONCE),
    memberFunction("last", "list_last", [LIST], MAYBE, element(-1), AT_ONCE),
    globalFunction("_[_]", "optional_list_index_int", [optionalOf(LIST), INT], MAYBE, PLANNED),
    globalFunction("_[_]", "optional_map_index_value", [optionalOf(MAP), A], optionalOf(B), PLANNED),
    globalFunction("_[?_]", "list_optindex_optional_int", [LIST, INT], MAYBE, PLANNED),
    globalFunction("_[?_]", "optional_list_optindex_optional_int", [optionalOf(LIST), INT], MAYBE, PLANNED),
    globalFunction("_[?_]", "map_optindex_optional_value", [MAP, A], optionalOf(B), PLANNED),
    globalFunction("_[?_]", "optional_map_optindex_optional_value", [optionalOf(MAP), A], optionalOf(B), PLANNED),
  ],
};
