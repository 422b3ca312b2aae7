// Which tree does a text have, and which errors do texts without one get?
import { describe, expect, test } from "vitest";
import type { Node } from "../ast.ts";
import { IssueList } from "../issue.ts";
import { bindingsLibrary } from "../library/extension/bindings.ts";
import { twoVariablesLibrary } from "../library/extension/two-variables.ts";
import { standardMacros } from "../library/standard/macros.ts";
import { writeValue } from "../value/describe.ts";
import { parse } from "./parser.ts";
import { numberParts } from "./size-limit.ts";

const macros = [...standardMacros, ...(bindingsLibrary.macros ?? []), ...(twoVariablesLibrary.macros ?? [])];

/** The structure in prefix form: `(_+_ 1 (size x))`. */
function show(node: Node): string {
  switch (node.kind) {
    case "literal":
      return writeValue(node.value);
    case "identifier":
      return (node.absolute ? "." : "") + node.name;
    case "select":
      return `(${node.test ? "has" : node.optional ? "?" : ""}.${node.field} ${show(node.operand)})`;
    case "call":
      return `(${node.name}${[...(node.target === undefined ? [] : [node.target]), ...node.args].map((part) => ` ${show(part)}`).join("")})`;
    case "list":
      return `[${node.elements.map(({ value, optional }) => (optional ? "?" : "") + show(value)).join(" ")}]`;
    case "map":
      return `{${node.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${show(key)}: ${show(value)}`).join(" ")}}`;
    case "message":
      return `${node.name}{${node.fields.map(({ name, value }) => `${name}: ${show(value)}`).join(" ")}}`;
    case "fold":
      return `(${node.fold} ${node.variable}${node.second === undefined ? "" : ` ${node.second}`} ${show(node.range)}${[node.predicate, node.transform].map((part) => (part === undefined ? "" : ` ${show(part)}`)).join("")})`;
    case "bind":
      return `(bind ${node.variable} ${show(node.value)} ${show(node.body)})`;
    case "optional-map":
      return `(optMap ${node.variable} ${show(node.target)} ${show(node.body)})`;
  }
}

function structure(text: string): string {
  const issues = new IssueList(text);
  const node = parse(text, macros, issues);
  return node === undefined
    ? `! ${issues
        .list()
        .map(({ line, column, message }) => `${line}:${column} ${message}`)
        .join(" | ")}`
    : show(node);
}

test.for([
  ["1 + 2 * 3 - 4", "(_-_ (_+_ 1 (_*_ 2 3)) 4)"],
  ["a || b && c || d", "(_||_ a (_&&_ b c) d)"],
  ["(a || b) || c", "(_||_ (_||_ a b) c)"],
  ["a ? b : c ? d : e", "(_?_:_ a b (_?_:_ c d e))"],
  ["a < b == c", "(_==_ (_<_ a b) c)"],
  ["x in [1, 2,]", "(@in x [1 2])"],
  ["[,]", "[]"],
  ["{ , }", "{}"],
  ["Name{,}", "Name{}"],
  ["[?]", '! 1:3 expected a value and found "]"'],
  ["[?,]", '! 1:3 expected a value and found ","'],
  ["size('a',)", "! 1:9 a call has no comma after its last argument"],
  ["has(x.a,)", "! 1:8 a call has no comma after its last argument"],
  ["[1].map(x, x,)", "! 1:13 a call has no comma after its last argument"],
  ["f(,)", "! 1:3 a call has no comma after its last argument"],
  ["f(a,", '! 1:2 "(" is never closed'],
  ["!a.b", "(!_ (.b a))"],
  ["!!a", "a"],
  ["-a - -1", "(_-_ (-_ a) -1)"],
  ["--1", "1"],
  ["-(1)", "(-_ 1)"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["-1.size()", "(size -1)"],
  ["- 1.5", "-1.5"],
  ["0xFF + 0x10u", "(_+_ 255 16u)"],
  [".5 + 1e3 + 2.0", "(_+_ (_+_ 0.5 1000.0) 2.0)"],
  ["a.b[0].?c[?'d']", '(_[?_] (?.c (_[_] (.b a) 0)) "d")'],
  ["a.`b-c/d.e f`", "(.b-c/d.e f a)"],
  [".a.b(c)", "(b .a c)"],
  [".f(1)", "(.f 1)"],
  ["[?a, b]", "[?a b]"],
  ["{?'a': b, 1: c,}", '{?"a": b 1: c}'],
  ["a.b.C{x: 1, `y z`: 2}", "a.b.C{x: 1 y z: 2}"],
  ["{}.a", "(.a {})"],
  ["'a' \"b\"", "! 1:5 expected an operator or the end and found a literal"],
  ["r'\\d' + R\"\\n\"", '(_+_ "\\\\d" "\\\\n")'],
  ["'''a\n'b'''", '"a\\n\'b"'],
  ["b'é' == b'\\xc3\\251'", '(_==_ b"\\xc3\\xa9" b"\\xc3\\xa9")'],
  ["br'\\x'", 'b"\\\\x"'],
  ["'\\u00e9\\U0001F600\\101\\a\\`\\?'", '"é😀A\\u0007`?"'],
  ["has(a.b)", "(has.b a)"],
  ["l.all(x, x > 0)", "(all x l (_>_ x 0))"],
  ["l.map(x, x > 0, x)", "(map x l (_>_ x 0) x)"],
  ["m.transformMap(k, v, v)", "(transformMap k v m v)"],
  ["cel.bind(x, 1, x)", "(bind x 1 x)"],
  ["a // the rest is a comment", "a"],
  ["a\n  .b", "(.b a)"],
  ["optional.of(a).as", "(.as (of optional a))"],
])("%s", ([text, expected]) => {
  expect(structure(text as string)).toBe(expected);
});

describe("mistakes", () => {
  test.for([
    ["", "the expression is empty"],
    ["1 +", "the expression ends too early"],
    ["(1", '"(" is never closed'],
    ["a = 1", 'unexpected "="'],
    ["'abc", "the string is not closed: ' is missing"],
    ["'\\q'", "there is no escape \\q"],
    ["'\\ud800'", "\\ud800 is no character"],
    ["b'\\u00e9'", "\\u cannot stand in bytes"],
    ["'\\x4'", "\\x needs 2 hexadecimal digits"],
    [
      "9223372036854775808",
      "the number is outside of 64 bits: ints go from -9223372036854775808 to 9223372036854775807",
    ],
    ["18446744073709551616u", "the number is more than the largest uint, 18446744073709551615u"],
    ["for + 1", '"for" is a reserved word and cannot be a name'],
    ["a.in", 'expected a field\'s name and found "in"'],
    ["`a`", 'expected a value and found "a"'],
    ["f(1 2)", "expected , or ) and found a literal"],
    ["has(a)", "has() needs a field: has(a.b)"],
    ["l.all(a.b, true)", "expected the name of a variable"],
    ["m.all(k, k, true)", "both variables are called k"],
    ["a ? b", "expected : and found the end"],
    ["{1 2}", "expected : and found a literal"],
    ['score("default, "cpuAvailable") < 2', "the closing quote of this string is missing"],
  ])("%s", ([text, message]) => {
    const issues = new IssueList(text as string);
    expect(parse(text as string, macros, issues)).toBeUndefined();
    expect(issues.list()[0]?.message).toBe(message);
  });

  test("several are found at once, at their places", () => {
    expect(structure("a == == 1 &&\n (b | 2")).toBe(
      '! 1:6 expected a value and found "==" | 2:2 "(" is never closed | 2:5 unexpected "|"',
    );
  });

  test("columns count code points", () => {
    expect(structure("'😀é' + ; + 1")).toBe('! 1:8 unexpected ";"');
  });

  test("the seed's typo is shown corrected", () => {
    const text = 'managedCluster.score("default, "cpuAvailable") < 2';
    const issues = new IssueList(text);
    parse(text, macros, issues);
    expect(issues.list().map(({ hint }) => hint)).toEqual([
      'did you mean managedCluster.score("default", "cpuAvailable") < 2 ?',
    ]);
  });
});

describe("bounds", () => {
  test.for([
    ["parentheses", `${"(".repeat(300)}1${")".repeat(300)}`],
    ["brackets", "[".repeat(50_000)],
    ["conditionals", `true${"?true:true".repeat(300)}`],
    ["alternating signs", `${"-!".repeat(20_000)}1`],
  ])("%s nest no deeper than the limit", ([, text]) => {
    expect(structure(text as string)).toMatch(/nested more than 250 levels deep/);
  });

  test("fields and indexes in a row have a limit too", () => {
    for (const link of [".b", "[0]", ".f()"]) {
      const text = `a${link.repeat(10_000)}`;
      const issues = new IssueList(text);
      expect(numberParts(parse(text, macros, issues) as Node, issues)).toBe(false);
    }
  });

  test("long chains of operators are no depth", () => {
    const text = `1${" + 1".repeat(20_000)} == 20001 && ${"true && ".repeat(2_000)} true`;
    const issues = new IssueList(text);
    expect(numberParts(parse(text, macros, issues) as Node, issues)).toBe(true);
  });
});
