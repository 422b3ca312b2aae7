// How does an optimiser write an expression whose parts are used several times?
//
// `cel.block([a, b], body)` with `cel.index(0)` for `a`: a form that is generated, not written by hand. It exists because the
// official tests use it; no environment of ours has it.
import type { Call, Node } from "../../src/cel/ast.ts";
import type { Library } from "../../src/cel/library.ts";
import type { Expansion, Macro } from "../../src/cel/macro.ts";

/** A name that no expression can spell, made of the numbers of the call. */
function numbered(name: string, count: number): Macro {
  return {
    name,
    namespace: "cel",
    member: false,
    arguments: count,
    expand: (call, expansion) => {
      const numbers = call.args.map((arg) => wholeNumber(arg, expansion));
      return {
        kind: "identifier",
        name: `@${name}:${numbers.join(":")}`,
        absolute: false,
        start: call.start,
        end: call.end,
      };
    },
  };
}

function wholeNumber(node: Node, expansion: Expansion): number {
  if (node.kind === "literal" && typeof node.value === "number" && node.value >= 0) return node.value;
  expansion.mistake(node, "expected a whole number that is not negative");
  return 0;
}

function block(call: Call, expansion: Expansion): Node {
  const [values, body] = call.args as [Node, Node];
  if (values.kind !== "list") {
    expansion.mistake(values, "cel.block needs a list of values");
    return call;
  }
  const { start, end } = call;
  return values.elements.reduceRight<Node>(
    (inner, { value }, index) => ({ kind: "bind", variable: `@index:${index}`, value, body: inner, start, end }),
    body,
  );
}

/** `cel.block`, `cel.index`, `cel.iterVar`, `cel.accuVar` */
export const blockLibrary: Library = {
  name: "block",
  macros: [
    { name: "block", namespace: "cel", member: false, arguments: 2, expand: block },
    numbered("index", 1),
    numbered("iterVar", 2),
    numbered("accuVar", 2),
  ],
};
