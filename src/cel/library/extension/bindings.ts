// How is a value given a name inside an expression?
import type { Node } from "../../ast.ts";
import type { Library } from "../../library.ts";
import { variableName } from "../standard/macros.ts";

/** `cel.bind(name, value, body)` */
export const bindingsLibrary: Library = {
  name: "bindings",
  macros: [
    {
      name: "bind",
      namespace: "cel",
      member: false,
      arguments: 3,
      expand: (call, expansion) => ({
        kind: "bind",
        variable: variableName(call.args[0] as Node, expansion),
        value: call.args[1] as Node,
        body: call.args[2] as Node,
        start: call.start,
        end: call.end,
      }),
    },
  ],
};
