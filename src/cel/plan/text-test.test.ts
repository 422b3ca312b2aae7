// Does a loop that passes over elements answer, charge and stop as one that looks at each?
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { twoVariablesLibrary } from "../library/extension/two-variables.ts";
import { standardLibrary } from "../library/standard/standard.ts";
import type { Program } from "../program.ts";
import { DYN } from "../type.ts";
import { CelError } from "../value/value.ts";
import { LimitError } from "./frame.ts";

const known = environment({
  data: "json",
  libraries: [standardLibrary, twoVariablesLibrary],
  variables: { list: DYN },
});

const LONG = "platform.example.com";

const LISTS: readonly (readonly unknown[])[] = [
  [],
  [{ name: "a" }, { name: "b" }, { name: "c" }],
  [{ name: "" }, { name: "a" }, { name: LONG, type: "x" }, { name: "a" }],
  [{ name: `${LONG}!` }, { name: "😀".repeat(15) }, { name: `é${LONG}` }, { name: LONG, type: "y" }],
  [{ name: LONG, type: "y" }, { name: LONG }, { name: LONG, type: "x" }, { type: "x" }],
  [{ name: 1 }, { name: "b" }, "text", ["a"], null, { other: 1 }, { name: LONG }, { name: "b" }],
  [{ type: "x" }, { name: "a", type: "y" }, { name: "b", type: "y" }, { other: "a", type: "x" }],
  [{ other: LONG }, { other: "a" }, { other: "b" }],
];

const EXPRESSIONS: readonly string[] = [
  "list.exists(e, e.name == 'a')",
  "list.exists(e, e.name != 'a')",
  "list.all(e, e.name == 'a')",
  "list.all(e, e.name != 'a')",
  `list.exists(e, e.name == '${LONG}')`,
  `list.exists(e, e.name == '${LONG}' && e.type == 'x')`,
  `list.all(e, e.name != '${LONG}' || e.type == 'x')`,
  `list.all(e, e.name == '${LONG}' && e.type == 'x')`,
  `list.exists(e, e.other != '${LONG}' || e.type == 'x')`,
  "list.exists(e, e.type == '' && e.name == 'a' && true)",
  "list.exists(e, list.exists(f, e.name == 'b' && f.name == 'a'))",
  "list.exists(i, e, e.name == 'a')",
];

/** The value or the message, and the cost unless it was stopped. While it traces, a program looks at every element. */
function outcome(program: Program, list: readonly unknown[], traced: boolean): readonly unknown[] {
  const result = traced ? program.trace({ list }).result : program.evaluate({ list });
  if (result instanceof LimitError) return [result.message];
  return [result instanceof CelError ? result.message : result, program.cost];
}

test.for(EXPRESSIONS)("%s", (text) => {
  const program = compile(text, known).program as Program;
  for (const list of LISTS) {
    program.limit({ cost: 1_000_000 });
    const whole = outcome(program, list, true);
    expect(outcome(program, list, false)).toEqual(whole);
    for (let limit = 0; limit <= (whole[1] as number); limit++) {
      program.limit({ cost: limit });
      expect(outcome(program, list, false)).toEqual(outcome(program, list, true));
    }
  }
});
