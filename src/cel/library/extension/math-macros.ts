// How do `math.least` and `math.greatest` take any number of arguments?
import type { Call, Node } from "../../ast.ts";
import type { Expansion, Macro } from "../../macro.ts";
import { isNumber } from "../../value/number.ts";

/** Can the argument be a number? Only what is written as something else cannot. */
function mayBeNumber(node: Node): boolean {
  if (node.kind === "literal") return isNumber(node.value);
  return node.kind !== "list" && node.kind !== "map" && node.kind !== "message";
}

function isListOfNumbers(node: Node): boolean {
  return node.kind === "list" && node.elements.length > 0 && node.elements.every(({ value }) => mayBeNumber(value));
}

/** One or two arguments are given to the function as they are, more as a list. */
function numberMacro(name: string, becomes: string): Macro {
  return {
    name,
    namespace: "math",
    member: false,
    arguments: undefined,
    expand: (call: Call, expansion: Expansion): Node => {
      const { args, at, start, end } = call;
      const [first] = args;
      if (first === undefined) {
        expansion.mistake(call, `math.${name}() needs at least one argument`);
        return call;
      }
      const wrong = args.length === 1 && isListOfNumbers(first) ? undefined : args.find((arg) => !mayBeNumber(arg));
      if (wrong !== undefined) {
        expansion.mistake(wrong, `math.${name}() takes numbers${args.length === 1 ? " or a list of them" : ""}`);
        return call;
      }
      const elements = args.map((value) => ({ value, optional: false }));
      const list: Node = { kind: "list", elements, start: first.start, end: args.at(-1)?.end ?? first.end };
      return { kind: "call", name: becomes, target: undefined, args: args.length <= 2 ? args : [list], at, start, end };
    },
  };
}

/** `math.least(a, b, …)` */
export const least: Macro = numberMacro("least", "math.@min");
/** `math.greatest(a, b, …)` */
export const greatest: Macro = numberMacro("greatest", "math.@max");
