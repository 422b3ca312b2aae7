// Which are the tests of cel-go's parser (parser_test.go), as cases for our engine?
//
// cel-go's trees are not ours, so that a case asks only whether a text has the syntax of an expression.
import { tests } from "@bufbuild/cel-spec/testdata/parsing.js";
import type { Case, Expected } from "./case.ts";

/**
 * The data was made with a parser that goes 32 levels deep at most and has neither optional syntax nor names in
 * backquotes. These are refused there and accepted by cel-go v0.29.2 as its environments set it up (checked with bench/peers/cel-go,
 * environment "spec", without check).
 */
const ACCEPTED_BY_ENVIRONMENTS = [
  143, 152, 153, 154, 155, 156, 157, 158, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 178,
  179, 180, 181, 182,
];

/** The tests of the parser, in their order. */
export function parsingCases(): readonly Case[] {
  return (tests.tests ?? []).map((test, index) => ({
    corpus: "parsing",
    section: "parsing",
    key: `parsing/${index}`,
    expression: test.original.expr,
    container: "",
    variables: {},
    functions: [],
    bindings: {},
    check: false,
    crossTypeComparisons: false,
    blocks: false,
    expected: expectedOf(index, test.ast !== undefined),
    needs: [],
  }));
}

function expectedOf(index: number, parsed: boolean): Expected {
  return parsed || ACCEPTED_BY_ENVIRONMENTS.includes(index) ? { kind: "parsed" } : { kind: "refused", at: [] };
}
