// What is a macro: a call that the parser replaces by something that no function could do?
import type { Call, Node } from "./ast.ts";

/** A call that is rewritten while parsing. */
export interface Macro {
  /** The function's name: `all`, `bind`, `greatest`. */
  readonly name: string;
  /** The namespace it is called in, such as `cel` for `cel.bind`; undefined when any receiver, or none, will do. */
  readonly namespace?: string;
  /** Is it called on something that becomes part of the result: `list.all(…)`? */
  readonly member: boolean;
  /** How many arguments; undefined for any number. A call with another number does not use the macro. */
  readonly arguments: number | undefined;
  /** The node that replaces the call. Mistakes are reported through `Expansion`; the call's node is then returned unchanged. */
  readonly expand: (call: Call, expansion: Expansion) => Node;
}

/** How a macro reports mistakes while it expands. */
export interface Expansion {
  /** A mistake at a part of the call. */
  mistake(at: Node, message: string, hint?: string): void;
}
