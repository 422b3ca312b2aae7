// Which are the tests of cel-go's type checker (checker_test.go, v0.29.2), as cases for our engine?
import { tests } from "@bufbuild/cel-spec/testdata/checking.js";
import { globalFunction, memberFunction, type Overload } from "../../src/cel/library.ts";
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, type Type, UINT } from "../../src/cel/type.ts";
import { CelError } from "../../src/cel/value/value.ts";
import type { Case, Expected } from "./case.ts";
import { environmentOf, type TestJson } from "./official.ts";

/** What the checker's tests declare besides the declarations of each test. */
const VARIABLES: Readonly<Record<string, Type>> = {
  is: STRING,
  ii: INT,
  iu: UINT,
  iz: BOOL,
  ib: BYTES,
  id: DOUBLE,
  ix: NULL,
};

const NOT_CALLED = () => new CelError("declared, but not there");

const FUNCTIONS: readonly Overload[] = [
  globalFunction("fg_s", "fg_s_0", [], STRING, NOT_CALLED),
  memberFunction("fi_s_s", "fi_s_s_0", [STRING], STRING, NOT_CALLED),
];

/** The one test that forbids comparisons of numbers of different kinds; all others allow them. */
const WITHOUT_CROSS_TYPE_COMPARISONS = 106;

/**
 * The data was made with an environment without optional syntax and without comparisons of numbers of different kinds;
 * here is what checker_test.go itself expects of the tests that have these: a type, or where the mistake is.
 */
const AS_IN_CHECKER_TEST: Readonly<Record<number, { readonly type: string } | { readonly at: string }>> = {
  107: { type: "bool" },
  108: { type: "bool" },
  109: { type: "bool" },
  110: { type: "bool" },
  111: { type: "bool" },
  116: { type: "optional_type(string)" },
  117: { type: "bool" },
  121: { type: "bool" },
  122: { type: "map(string, string)" },
  123: { type: "string" },
  124: { type: "map(string, string)" },
  125: { at: "1:10" },
  126: { type: "list(string)" },
  127: { at: "1:3" },
  128: { type: "google.expr.proto2.test.TestAllTypes" },
  129: { at: "1:29" },
};

/** The tests of the type checker, in their order. */
export function checkingCases(): readonly Case[] {
  return (tests.tests ?? []).map((test, index) => {
    const environment = environmentOf(test.original as unknown as TestJson);
    return {
      corpus: "checking",
      section: "checking",
      key: `checking/${index}`,
      ...environment,
      variables: { ...VARIABLES, ...environment.variables },
      functions: [...FUNCTIONS, ...environment.functions],
      bindings: {},
      check: true,
      crossTypeComparisons: index !== WITHOUT_CROSS_TYPE_COMPARISONS,
      blocks: false,
      expected: expectedOf(index, test.type, test.error ?? ""),
    };
  });
}

function expectedOf(index: number, type: string | undefined, error: string): Expected {
  const own = AS_IN_CHECKER_TEST[index];
  if (own !== undefined) return "type" in own ? { kind: "result", type: own.type } : { kind: "refused", at: [own.at] };
  if (type !== undefined) return { kind: "result", type };
  return { kind: "refused", at: [...error.matchAll(/^ERROR: .*?:(\d+:\d+):/gm)].map((match) => match[1] as string) };
}
