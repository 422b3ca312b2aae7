// Which are the tests of cel-go's macros with two variables (comprehensions_test.go), as cases for our engine?
//
// The data has the expressions only. What must come of them was asked of cel-go v0.29.2 (bench/peers/cel-go, environment
// "spec") with the variables and the input that comprehensions_test.go gives, without its unknown parts.
import { tests } from "@bufbuild/cel-spec/testdata/comprehension.js";
import { DYN, INT, listOf, mapOf, STRING, type Type } from "../../src/cel/type.ts";
import { CelMap } from "../../src/cel/value/boxes.ts";
import type { Value } from "../../src/cel/value/value.ts";
import type { Case, Expected } from "./case.ts";

/** What a test declares, what it is given, and what it yields: `true` by default. */
interface Setting {
  readonly variables: Readonly<Record<string, Type>>;
  readonly bindings: Readonly<Record<string, Value>>;
  readonly value?: Value;
  readonly type?: string;
}

const NUMBERS = { x: listOf(INT), y: mapOf(INT, DYN) };
const TEXTS = { x: listOf(STRING), y: mapOf(INT, STRING) };
const FROM_ONE = intKeys([1, "hi"], [2, "hello"], [3, "howdy"]);
const FROM_ZERO = intKeys([0, "hi"], [1, "hello"], [2, "howdy"]);

const SETTINGS: Readonly<Record<number, Setting>> = {
  38: { variables: { m: mapOf(INT, INT) }, bindings: { m: intKeys([1, 1], [2, 2]) } },
  39: { variables: { m: mapOf(STRING, STRING) }, bindings: { m: { he: "hello", go: "goodbye" } } },
  48: {
    variables: { m: mapOf(STRING, listOf(INT)) },
    bindings: { m: { "legacy-solo": [1], "legacy-pair": [3, 2] } },
  },
  50: { variables: { m: mapOf(STRING, INT) }, bindings: { m: { "legacy-solo": 1, "legacy-pair": 2 } } },
  76: { variables: {}, bindings: {}, value: { a: "WORLD", b: "hello" }, type: "map(string, string)" },
  81: { variables: { x: listOf(DYN), y: INT }, bindings: { x: [0, 1], y: 3 } },
  82: {
    variables: { x: listOf(DYN), y: INT },
    bindings: { x: [0, 1], y: 1 },
    value: intKeys([0, 0]),
    type: "map(dyn, int)",
  },
  83: { variables: NUMBERS, bindings: { x: [1, 2, 3], y: FROM_ONE } },
  84: { variables: NUMBERS, bindings: { x: [7], y: FROM_ONE }, value: false },
  85: { variables: NUMBERS, bindings: { x: [1, 2, 3], y: FROM_ONE } },
  86: { variables: NUMBERS, bindings: { x: [42, 0, 43], y: FROM_ONE }, value: false },
  87: { variables: NUMBERS, bindings: { x: [42, 0, 43], y: FROM_ONE } },
  88: { variables: TEXTS, bindings: { x: ["howdy", "hello", "hi"], y: FROM_ZERO } },
  89: { variables: TEXTS, bindings: { x: ["howdy"], y: intKeys([0, "hello"]) }, value: false },
  90: { variables: { y: mapOf(INT, STRING) }, bindings: { y: FROM_ZERO }, value: "hihello", type: "string" },
  91: { variables: TEXTS, bindings: { x: ["hi", "hello", "howdy"], y: FROM_ZERO } },
};

/** `TestTwoVarComprehensionsStaticErrors`, and one that is only printed there and does not type-check. */
function isRefused(index: number): boolean {
  return (index >= 51 && index <= 72) || index === 77;
}

/** `TestTwoVarComprehensionsRuntimeErrors`, the second of which is also printed. */
function isError(index: number): boolean {
  return index >= 73 && index <= 75;
}

/** The tests of the macros with two variables, in their order. */
export function comprehensionCases(): readonly Case[] {
  return (tests.tests ?? []).map((test, index) => ({
    corpus: "comprehension",
    section: "comprehension",
    key: `comprehension/${index}`,
    expression: test.original.expr,
    container: "",
    variables: SETTINGS[index]?.variables ?? {},
    functions: [],
    bindings: SETTINGS[index]?.bindings ?? {},
    check: true,
    crossTypeComparisons: false,
    blocks: false,
    expected: expectedOf(index),
    needs: [],
  }));
}

function expectedOf(index: number): Expected {
  if (isRefused(index)) return { kind: "refused", at: [] };
  if (isError(index)) return { kind: "error", message: "insert failed: key already exists" };
  const setting = SETTINGS[index];
  return { kind: "result", value: setting?.value ?? true, type: setting?.type ?? "bool" };
}

function intKeys(...entries: readonly (readonly [key: number, value: Value])[]): CelMap {
  return new CelMap(new Map(entries.map((entry) => [entry[0], entry])));
}
