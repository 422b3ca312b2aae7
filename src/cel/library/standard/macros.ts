// Which macros are available in every expression?
import type { Fold, FoldKind, Node } from "../../ast.ts";
import type { Expansion, Macro } from "../../macro.ts";

/** The variable that a macro's argument names; a mistake if it is not a simple name. */
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

/** Which arguments of a macro are the condition and the change. */
type Parts = (args: readonly Node[]) => Pick<Fold, "predicate" | "transform">;

/** A macro over elements with one variable, `range.name(x, …)`, or with two, `range.name(k, v, …)`. */
export function foldMacro(name: string, kind: FoldKind, variables: 1 | 2, parts: Parts, count: number): Macro {
  return {
    name,
    member: true,
    arguments: count,
    expand: ({ target, args, at, start, end }, expansion) => {
      const variable = variableName(args[0] as Node, expansion);
      const second = variables === 2 ? variableName(args[1] as Node, expansion) : undefined;
      if (variable === second) {
        expansion.mistake(args[1] as Node, `both variables are called ${second}`, "give them different names");
      }
      const { predicate, transform } = parts(args);
      const range = target as Node;
      return { kind: "fold", fold: kind, range, variable, second, predicate, transform, at, start, end };
    },
  };
}

/** The last argument decides about an element. */
export const byPredicate: Parts = (args) => ({ predicate: args.at(-1), transform: undefined });

/** The macros of the language definition. */
export const standardMacros: readonly Macro[] = [
  has,
  foldMacro("all", "all", 1, byPredicate, 2),
  foldMacro("exists", "exists", 1, byPredicate, 2),
  foldMacro("exists_one", "existsOne", 1, byPredicate, 2),
  foldMacro("existsOne", "existsOne", 1, byPredicate, 2),
  foldMacro("filter", "filter", 1, byPredicate, 2),
  foldMacro("map", "map", 1, (args) => ({ predicate: undefined, transform: args[1] }), 2),
  foldMacro("map", "map", 1, (args) => ({ predicate: args[1], transform: args[2] }), 3),
];
