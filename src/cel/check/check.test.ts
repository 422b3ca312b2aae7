// Which types do expressions have, and which errors do those without one get?
import { describe, expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { bindingsLibrary } from "../library/extension/bindings.ts";
import { optionalsLibrary } from "../library/extension/optionals.ts";
import { twoVariablesLibrary } from "../library/extension/two-variables.ts";
import { standardLibrary } from "../library/standard/standard.ts";
import { BOOL, DYN, INT, listOf, mapOf, printType, type Shape, STRING, shaped } from "../type.ts";

const cluster: Shape = {
  name: "ManagedCluster",
  fields: new Map<string, Shape>([
    ["metadata", { name: "ManagedCluster.metadata", fields: new Map([["labels", { name: "labels" }]]) }],
    [
      "status",
      {
        name: "ManagedCluster.status",
        fields: new Map([
          [
            "clusterClaims",
            {
              name: "claims",
              elements: {
                name: "claim",
                fields: new Map([
                  ["name", { name: "name" }],
                  ["value", { name: "value" }],
                ]),
              },
            },
          ],
        ]),
      },
    ],
  ]),
};

const libraries = [standardLibrary, optionalsLibrary, bindingsLibrary, twoVariablesLibrary];
const variables = {
  n: INT,
  s: STRING,
  l: listOf(INT),
  m: mapOf(STRING, DYN),
  d: DYN,
  "a.b.c": INT,
  cluster: shaped(mapOf(STRING, DYN), cluster),
};
const env = environment({ libraries, variables });

function verdict(text: string, container = ""): string {
  const { type, errors } = compile(text, container === "" ? env : environment({ libraries, variables, container }));
  return type === undefined
    ? `! ${errors.map(({ column, message, hint }) => `${column} ${message}${hint === undefined ? "" : ` (${hint})`}`).join(" | ")}`
    : printType(type);
}

test.for([
  ["[]", "list(dyn)"],
  ["[1, 'a']", "list(dyn)"],
  ["[1, null]", "list(dyn)"],
  ["[duration('1s'), null]", "list(duration)"],
  ["{}", "map(dyn, dyn)"],
  ["{'a': 1, 'b': [d]}", "map(string, dyn)"],
  ["l.map(x, {x: string(x)})", "list(map(int, string))"],
  ["m.map(k, k)", "list(string)"],
  ["l.transformMap(i, x, x > i)", "map(int, bool)"],
  ["true ? [] : [1]", "list(int)"],
  ["[[]] + [[1]]", "list(list(int))"],
  ["m.a.b.c", "dyn"],
  ["m.?a.b", "optional_type(dyn)"],
  ["m.?a.optFlatMap(x, m.a)", "dyn"],
  ["l[?0].orValue(3)", "int"],
  ["optional.none()", "optional_type(dyn)"],
  ["l.first().optMap(x, x > 1)", "optional_type(bool)"],
  ["type(1)", "type(int)"],
  ["type(type(1))", "type(type(int))"],
  ["d + 1", "int"],
  ["d + d", "dyn"],
  ["d < 2.0", "bool"],
  ["a.b.c + 1", "int"],
  ["cel.bind(x, l, x[0])", "int"],
  ["l.exists(n, n == 1)", "bool"],
])("%s", ([text, type]) => {
  expect(verdict(text as string)).toBe(type);
});

describe("mistakes", () => {
  test.for([
    ["s.versionIsGreater('1')", "! 3 no such function `versionIsGreater`"],
    ["s.startWith('a')", "! 3 no such function `startWith` (did you mean `startsWith`?)"],
    ["l.exist(x, x > 1)", "! 3 no such function `exist` (did you mean `exists`?)"],
    ["l.map(x)", "! 3 no such function `map` (`x.map(…)` takes 2 or 3 arguments)"],
    ["clustr.a", "! 1 no such variable `clustr` (did you mean `cluster`?)"],
    ["size", "! 1 no such variable `size` (`size` is a function; it needs parentheses)"],
    ["s.size", "! 3 string has no fields (`size` is a function; write size())"],
    ["n + s", "! 3 `+` does not work on int and string (convert the other side with string(…))"],
    ["n < 2.0", "! 3 `<` does not work on int and double (convert one side: int(…) or double(…))"],
    ["[1.5].exists(x, x > 1)", "! 19 `>` does not work on double and int (convert one side: double(…) or int(…))"],
    ["n == s", "! 3 `==` does not work on int and string (both sides need the same type; dyn(…) compares anything)"],
    ["l.all(x, x)", "! 10 the condition of all() must be bool and is int"],
    ["n && true", "! 1 each side of && must be bool and is int"],
    ["n.all(x, true)", "! 1 all() goes through a list or a map, not through int"],
    ["[?n]", "! 3 an element with ? must be an optional and is int (remove the ?, or write optional.of(…))"],
    ["{1.5: 1}", "! 2 a key of a map must be a string, int, uint or bool and is double"],
    ["s.matches('(')", '! 11 "(" cannot be used as a regular expression: the ( at character 1 is never closed'],
    [
      "Foo{}",
      "! 1 no such message type `Foo` (other messages than those of google.protobuf are not supported; write a map: {'field': value})",
    ],
    ["string(type(nosuch))", "! 13 no such variable `nosuch`"],
    ["[nosuch].startsWith('a') || {[nosuch]: true}.b", "! 2 no such variable `nosuch` | 31 no such variable `nosuch`"],
    [
      "x + y + nope(z)",
      "! 1 no such variable `x` | 5 no such variable `y` | 9 no such function `nope` | 14 no such variable `z`",
    ],
  ])("%s", ([text, message]) => {
    const outcome = verdict(text as string).replaceAll(/ \(the variables here are [^)]*\)/g, "");
    expect(outcome).toBe(message);
  });

  test("numbers of different kinds compare where the environment allows it", () => {
    const crossing = environment({ libraries, variables, crossTypeComparisons: true });
    expect(compile("1 < 2.0 && 1u <= 1 && 2.5 > 1u", crossing).program?.evaluate({})).toBe(true);
  });

  test("the type of the result can be demanded", () => {
    const result = { type: BOOL, dynAllowed: false };
    expect(compile("1", env, { result }).errors[0]?.message).toBe("the expression must give bool and gives int");
    expect(compile("m.a", env, { result }).errors[0]?.message).toBe("the expression must give bool and gives dyn");
    expect(compile("m.a", env, { result: { ...result, dynAllowed: true } }).errors).toEqual([]);
  });
});

describe("known fields", () => {
  test.for([
    ["cluster.staus", "ManagedCluster has no field `staus` (did you mean `status`?)"],
    ["cluster.status.claims", "ManagedCluster.status has no field `claims`"],
    ["cluster.status.clusterClaims.exists(c, c.nam == 'x')", "claim has no field `nam` (did you mean `name`?)"],
    ["cluster.status.clusterClaims[0].valu", "claim has no field `valu` (did you mean `value`?)"],
    ["cluster['staus']", "ManagedCluster has no field `staus` (did you mean `status`?)"],
    ["has(cluster.staus)", "ManagedCluster has no field `staus` (did you mean `status`?)"],
  ])("%s is doubted", ([text, warning]) => {
    const { warnings, program } = compile(text as string, env);
    expect(warnings.map(({ message, hint }) => message + (hint === undefined ? "" : ` (${hint})`))).toEqual([warning]);
    expect(program).toBeDefined();
  });

  test("free keys are not", () => {
    expect(
      compile("cluster.metadata.labels.anything == 'x' && cluster.metadata.labels['other'] == 'y'", env).warnings,
    ).toEqual([]);
  });
});

describe("names in a namespace", () => {
  test("the innermost namespace comes first, a leading dot means the root", () => {
    const scoped = environment({ libraries, variables: { "x.y": INT, y: STRING }, container: "x.z" });
    expect(printType(compile("y", scoped).type as never)).toBe("int");
    expect(printType(compile(".y", scoped).type as never)).toBe("string");
  });

  test("a macro's variable hides a name with dots", () => {
    expect(verdict("[{'b': {'c': 's'}}].map(a, a.b.c)")).toBe("list(string)");
  });
});
