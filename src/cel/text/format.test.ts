// Is a formatted expression the same expression, formatted for good, with all of its comments?
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressions } from "../../../test/cel/expressions.ts";
import { officialCases } from "../../../test/conformance/official.ts";
import type { Node } from "../ast.ts";
import { CompileError } from "../compile-error.ts";
import { everyLibrary } from "../library/every-library.ts";
import { Double } from "../value/number.ts";
import { format } from "./format.ts";
import { parse } from "./parse-text.ts";

/** The structure without positions. */
function structure(node: Node): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value) => {
      if (key === "start" || key === "end" || key === "at") return undefined;
      if (typeof value === "bigint") return `${value}n`;
      if (typeof value === "number" && !Number.isFinite(value)) return String(value);
      if (Object.is(value, -0)) return "-0";
      return value instanceof Double ? `double ${Object.is(value.value, -0) ? "-0" : value.value}` : value;
    }),
  );
}

function comments(text: string): readonly string[] {
  return (text.match(/\/\/ c\d+/g) ?? []).sort();
}

/** Checks the laws for a text that is an expression. */
function checkLaws(text: string): void {
  const { ast } = parse(text);
  if (ast === undefined) return;
  for (const width of [100, 40, 1]) {
    const formatted = format(text, { width });
    const again = parse(formatted);
    expect(again.errors, formatted).toEqual([]);
    expect(structure(again.ast as Node), formatted).toEqual(structure(ast));
    expect(format(formatted, { width }), text).toBe(formatted);
    expect(comments(formatted)).toEqual(comments(text));
    if (!/'''|"""/.test(text)) expect(formatted).not.toMatch(/[ \t]$/m);
    // The structure alone is written as the same expression, too.
    const alone = format(ast, { width });
    expect(structure(parse(alone).ast as Node), alone).toEqual(structure(ast));
    expect(format(parse(alone).ast as Node, { width })).toBe(alone);
  }
}

/** Tokens of any expression, with every kind of literal, selection and operator. */
const anything: fc.Arbitrary<string> = fc.letrec<{ readonly part: string }>((tie) => {
  const part = tie("part");
  const some = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((texts) => texts.join(" "));
  const is = (text: string): fc.Arbitrary<string> => fc.constant(text);
  const operator = fc.constantFrom(..."+ - * / % == != < <= > >= in && ||".split(" "));
  const literal = fc.constantFrom(
    ...[
      "1",
      "-1",
      "- 1",
      "0x1F",
      "2u",
      "1.5",
      "-1.5",
      ".5",
      "1e3",
      "-0.0",
      "9223372036854775807",
      "-9223372036854775808",
    ],
    ...["'a'", '"b\\n"', "r'\\d'", "b'\\xff'", "'''x\ny'''", "true", "null", '"\u2028"', "'\"'", '"\ud800"'],
  );
  const name = fc.constantFrom("a", "b", ".c", "x", "size", "_y");
  const field = fc.constantFrom("f", "g", "`a-b`", "`in`", "for");
  return {
    part: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      fc.oneof(literal, name),
      some(part, operator, part),
      some(part, operator, part, operator, part),
      some(is("("), part, is(")")),
      some(fc.constantFrom("!", "-", "!!", "--"), part),
      some(part, is("?"), part, is(":"), part),
      some(is("("), part, is(")"), fc.constantFrom(".", ".?"), field),
      some(name, is("."), field, is("("), part, is(","), part, is(")")),
      some(is("("), part, is(") . all ( x ,"), part, is(")")),
      some(part, is("["), part, is("]")),
      some(name, is("[?"), part, is("]")),
      some(is("["), part, is(", ?"), part, is("]")),
      some(is("{"), part, is(":"), part, is(", ?"), part, is(":"), part, is("}")),
      some(is("a . B { f :"), part, is(", ? `g-h` :"), part, is("}")),
      some(is("f ("), part, is(")")),
      is("[ ]"),
      is("f ( )"),
    ),
  };
}).part;

/** The text with comments and line breaks at some of its blanks. */
const commented: fc.Arbitrary<string> = fc
  .tuple(
    anything,
    fc.array(fc.constantFrom("", "", "", "\n", " // c\n", "\n// c\n", "\n\n // c\n // c\n"), { maxLength: 8 }),
  )
  .map(([text, gaps]) => {
    let count = 0;
    let gap = 0;
    // Not inside of strings: those that have blanks have none of their own.
    const spaced = text.replace(/ (?!\n)/g, () => gaps[gap++ % Math.max(1, gaps.length)] || " ");
    return spaced.replace(/\/\/ c\n/g, () => `// c${count++}\n`);
  });

describe("the laws", () => {
  test("for well-typed expressions", () => {
    fc.assert(fc.property(expressions, checkLaws), { numRuns: 100 });
  });

  test("for any structure", () => {
    fc.assert(fc.property(anything, checkLaws), { numRuns: 400 });
  });

  test("with comments anywhere", () => {
    fc.assert(fc.property(commented, checkLaws), { numRuns: 400 });
  });

  test("for the expressions of the official tests", () => {
    const texts = new Set(officialCases().map(({ expression }) => expression));
    expect(texts.size).toBeGreaterThan(1000);
    for (const text of texts) checkLaws(text);
  });
});

describe("what it looks like", () => {
  test.for([
    ["a&&b||(c&&d)", "a && b || c && d"],
    ["a&&(b||c)", "a && (b || c)"],
    ["a && (b && c)", "a && (b && c)"],
    ["((a+b))*c-(d*e)", "(a + b) * c - d * e"],
    ["a-(b-c)-(d)", "a - (b - c) - d"],
    ["(a?b:c)?d:e?f:g", "(a ? b : c) ? d : e ? f : g"],
    ["!(a)&&!(b==c)", "!a && !(b == c)"],
    ["-(1)+-(-x)- -1", "-(1) + -(-x) - -1"],
    ["(-1).f()+(-a).f()", "-1.f() + (-a).f()"],
    ["has( a.b )", "has(a.b)"],
    ["l.filter( x,x>0 ).all(y , y<9)", "l.filter(x, x > 0).all(y, y < 9)"],
    ["{'a':1 , ?'b':o}", "{'a': 1, ?'b': o}"],
    ["[ 1,?o ]", "[1, ?o]"],
    ["a .?b [?'c' ]", "a.?b[?'c']"],
    ["a.`b-c`+a.`d`", "a.`b-c` + a.d"],
    ["google.protobuf.Int32Value{ value:1 }", "google.protobuf.Int32Value{value: 1}"],
    ["0x1F+1u+1.50+'it''s'.size()", undefined],
    ["0x1F + r'\\d'.size() + 1.50", "0x1F + r'\\d'.size() + 1.50"],
    ["a in[1]", "a in [1]"],
    ["  a // why\n", "a // why"],
    ["// first\n// second\na", "// first\n// second\na"],
  ] as [string, string | undefined][])("%s", ([text, formatted]) => {
    if (formatted === undefined) expect(() => format(text)).toThrow(CompileError);
    else expect(format(text)).toBe(formatted);
  });

  test("long expressions are broken at operators and between arguments", () => {
    const text =
      "managedCluster.metadata.labels['env'] == 'prod' && (managedCluster.spec.hubAcceptsClient || managedCluster.status.conditions.exists(c, c.type == 'Available' && c.status == 'True' && c.reason != 'Unknown')) && (size(managedCluster.metadata.name) > 3 ? managedCluster.metadata.name.startsWith('lisbon') : false) // all\n";
    expect(format(text, { width: 60 })).toMatchInlineSnapshot(`
      "managedCluster.metadata.labels['env'] == 'prod' &&
      (
        managedCluster.spec.hubAcceptsClient ||
        managedCluster.status.conditions.exists(
          c,
          c.type == 'Available' &&
          c.status == 'True' &&
          c.reason != 'Unknown'
        )
      ) &&
      (
        size(managedCluster.metadata.name) > 3
          ? managedCluster.metadata.name.startsWith('lisbon')
          : false
      ) // all"
    `);
    expect(
      format("[aaaaaaaaaa, // one\nbbbbbbbbb,\n// before c\ncccccccccc // three\n// end\n]"),
    ).toMatchInlineSnapshot(`
      "[
        aaaaaaaaaa, // one
        bbbbbbbbb,
        // before c
        cccccccccc // three
        // end
      ]"
    `);
    expect(
      format("some.condition(a) ? {'first': aaaaaaaaaaaa, 'second': bbbbbbbbbb} : {'third': ccccccc}", { width: 40 }),
    ).toMatchInlineSnapshot(`
      "some.condition(a)
        ? {
            'first': aaaaaaaaaaaa,
            'second': bbbbbbbbbb
          }
        : {'third': ccccccc}"
    `);
    expect(
      format("aaaaaaaa + bbbbbbbbb * cccccccc - ddddddddd || eeeeeeee && fffffff && ggggggg", { width: 20 }),
    ).toMatchInlineSnapshot(`
      "aaaaaaaa +
        bbbbbbbbb *
          cccccccc -
        ddddddddd ||
      eeeeeeee &&
        fffffff &&
        ggggggg"
    `);
  });

  test("a structure with macros is written with them", () => {
    const text =
      "a.exists_one(x, has(x.b) && cel.bind(n, x.c, n > 1)) && o.optMap(y, y).hasValue() && m.transformMap(k, v, k != '', v)";
    expect(format(parse(text, { libraries: everyLibrary }).ast as Node)).toBe(
      format(text).replaceAll("'", '"').replaceAll("\n", "\n"),
    );
  });

  test("what no text has is refused", () => {
    const { ast } = parse("l.sortBy(x, x)", {});
    expect(() => format(ast as Node)).toThrow(TypeError);
  });

  test("mistakes are shown with their places", () => {
    expect(() => format("a +\n b c")).toThrow(new CompileError("a +\n b c", parse("a +\n b c").errors));
    expect(parse("a +\n b c").errors).toHaveLength(1);
    try {
      format("a +\n b c");
    } catch (thrown) {
      expect((thrown as Error).message).toMatchInlineSnapshot(`
        "2:4: expected an operator or the end and found "c"
           b c
             ^"
      `);
    }
  });

  test("long chains and deep structures are written", () => {
    expect(format(Array(20_000).fill("a").join("+"), { width: 1e6 })).toBe(Array(20_000).fill("a").join(" + "));
    expect(format(Array(20_000).fill("a").join("&&"), { width: 1e6 })).toBe(Array(20_000).fill("a").join(" && "));
    const deep = `${"(a + ".repeat(240)}1${")".repeat(240)}`;
    expect(format(deep, { width: 1e6 })).toBe(deep.slice(1, -1));
    expect(() => format("a".repeat(200_000))).toThrow(CompileError);
  });
});
