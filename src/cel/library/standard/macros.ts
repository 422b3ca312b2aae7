// Which macros does every expression have?
import type { Call, Fold, FoldKind, Node } from "../../ast.ts";
import type { Expansion, Macro } from "../../macro.ts";

/** The variable that a macro's argument names; a mistake when it is no simple name. */
export function variableName(node: Node, expansion: Expansion): string {
  if (node.kind === "identifier" && !node.absolute) {
    if (node.name === "__result__")
      expansion.mistake(node, "__result__ cannot be a variable: implementations use this name themselves");
    return node.name;
  }
  expansion.mistake(
    node,
    "expected the name of a variable",
    "the first argument of a macro names its variable: list.all(x, x > 0)",
  );
  return "_";
}

/** `has(a.b)`: is the field there? */
const has: Macro = {
  name: "has",
  member: false,
  arguments: 1,
  expand: (call, expansion) => {
    const field = call.args[0] as Node;
    if (field.kind === "select" && !field.optional && !field.test)
      return { ...field, test: true, start: call.start, end: call.end };
    expansion.mistake(field, "has() needs a field: has(a.b)", 'for a key in brackets write "key" in a');
    return call;
  },
};

/** A macro over elements with one variable: `range.name(x, …)`. */
function fold(
  name: string,
  kind: FoldKind,
  parts: (args: readonly Node[]) => Pick<Fold, "predicate" | "transform">,
  count: number,
): Macro {
  return {
    name,
    member: true,
    arguments: count,
    expand: (call, expansion) => ({
      kind: "fold",
      fold: kind,
      range: call.target as Node,
      variable: variableName(call.args[0] as Node, expansion),
      second: undefined,
      ...parts(call.args),
      at: call.at,
      start: call.start,
      end: call.end,
    }),
  };
}

/** The second argument decides about an element. */
export function byPredicate(args: readonly Node[]): Pick<Fold, "predicate" | "transform"> {
  return { predicate: args.at(-1), transform: undefined };
}

/** The macros of the language definition. */
export const standardMacros: readonly Macro[] = [
  has,
  fold("all", "all", byPredicate, 2),
  fold("exists", "exists", byPredicate, 2),
  fold("exists_one", "existsOne", byPredicate, 2),
  fold("existsOne", "existsOne", byPredicate, 2),
  fold("filter", "filter", byPredicate, 2),
  fold("map", "map", (args) => ({ predicate: undefined, transform: args[1] }), 2),
  fold("map", "map", (args) => ({ predicate: args[1], transform: args[2] }), 3),
];

/** A macro over elements with two variables: `range.name(k, v, …)`. */
export function foldOfTwo(
  name: string,
  kind: FoldKind,
  parts: (args: readonly Node[]) => Pick<Fold, "predicate" | "transform">,
  count: number,
): Macro {
  return {
    name,
    member: true,
    arguments: count,
    expand: (call: Call, expansion) => {
      const [first, second] = [
        variableName(call.args[0] as Node, expansion),
        variableName(call.args[1] as Node, expansion),
      ];
      if (first === second)
        expansion.mistake(call.args[1] as Node, `both variables are called ${first}`, "give them different names");
      const { target, at, start, end } = call;
      return {
        kind: "fold",
        fold: kind,
        range: target as Node,
        variable: first,
        second,
        ...parts(call.args),
        at,
        start,
        end,
      };
    },
  };
}
