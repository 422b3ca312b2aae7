// What did the checker find out about each part of an expression?
import type { Node, Select } from "../ast.ts";
import type { Message, Overload } from "../library.ts";
import type { Type } from "../type.ts";
import type { Value } from "../value/value.ts";
import type { PerPart } from "./per-part.ts";

/** What a name or a call means. */
export type Reference =
  /** A variable of the environment. */
  | { readonly kind: "variable"; readonly name: string }
  /** A variable of a macro, by its slot in the frame. */
  | { readonly kind: "local"; readonly slot: number }
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "message"; readonly message: Message }
  /** A field that was written by an alias; this is its proper name. */
  | { readonly kind: "field"; readonly name: string }
  | FunctionReference;

/** The function that a call means. */
export interface FunctionReference {
  readonly kind: "function";
  readonly name: string;
  /** The overloads that match the static types; one of them determines the cost of the call. */
  readonly overloads: readonly Overload[];
  /** All that could be called at run time: of the same name, form and number of arguments. */
  readonly callable: readonly Overload[];
  /** What it is called with, the receiver first. A namespace (`math` in `math.abs(x)`) is not a receiver. */
  readonly args: readonly Node[];
}

/** A checked expression. */
export interface Checked {
  readonly root: Node;
  /** The type of the whole. */
  readonly type: Type;
  /** The types of all parts. */
  readonly types: Pick<PerPart<Type>, "get">;
  readonly references: PerPart<Reference>;
  /** The slots of macro variables, by the node that introduces them: the first; a second variable has the next slot. */
  readonly slots: PerPart<number>;
  /** The number of slots. */
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
