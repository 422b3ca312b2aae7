// What did the checker find out about each part of an expression?
import type { Node, Select } from "../ast.ts";
import type { Message, Overload } from "../library.ts";
import type { Type } from "../type.ts";
import type { Value } from "../value/value.ts";

/** What a name or a call means. */
export type Reference =
  /** A variable of the environment. */
  | { readonly kind: "variable"; readonly name: string }
  /** A variable of a macro, by the place it has while the expression runs. */
  | { readonly kind: "local"; readonly slot: number }
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "message"; readonly message: Message }
  /** A field that was written by another name than its proper one, which this is. */
  | { readonly kind: "field"; readonly name: string }
  | FunctionReference;

/** The function that a call means. */
export interface FunctionReference {
  readonly kind: "function";
  readonly name: string;
  /** The overloads that can be meant, judged by the static types; one of them decides what the call costs. */
  readonly overloads: readonly Overload[];
  /** All that could be called at run time: of the same name, form and number of arguments. */
  readonly callable: readonly Overload[];
  /** What it is called with, the receiver first. A namespace (`math` in `math.abs(x)`) is no receiver. */
  readonly args: readonly Node[];
}

/** A checked expression. */
export interface Checked {
  readonly root: Node;
  readonly types: ReadonlyMap<Node, Type>;
  readonly references: ReadonlyMap<Node, Reference>;
  /** The places of macro variables, by the node that introduces them: the first, and for two variables the one after. */
  readonly slots: ReadonlyMap<Node, number>;
  /** How many places there are. */
  readonly slotCount: number;
}

/** The type of a part. */
export function typeOfNode(checked: Checked, node: Node): Type {
  const type = checked.types.get(node);
  if (type === undefined) throw new Error(`no type was found for a ${node.kind}`);
  return type;
}

/** The proper name of the field that is selected. */
export function fieldName(checked: Checked, node: Select): string {
  const reference = checked.references.get(node);
  return reference?.kind === "field" ? reference.name : node.field;
}
