// Which parts of an expression are paths through values: `a.b["c"]`, `list[0].?d`, `(condition ? a : b).c`?
//
// cel-go calls them attributes. They matter because a path is charged as a whole.
import type { Node } from "../ast.ts";
import type { Checked } from "./checked.ts";

/** Is it a path, or a conditional (which may be the root of one)? The name of a constant is not a path. */
export function isAttribute(checked: Checked, node: Node): boolean {
  if (checked.references.get(node)?.kind === "constant") return false;
  return node.kind === "identifier" || node.kind === "select" || isIndex(node) || isConditional(node);
}

/** `container[index]`, `container[?index]` */
export function isIndex(node: Node): boolean {
  return node.kind === "call" && (node.name === "_[_]" || node.name === "_[?_]");
}

/** `condition ? yes : no` */
export function isConditional(node: Node): boolean {
  return node.kind === "call" && node.name === "_?_:_";
}

/** The operand of a field or an index. */
export function operandOf(node: Node): Node | undefined {
  if (node.kind === "select") return node.operand;
  return node.kind === "call" && isIndex(node) ? node.args[0] : undefined;
}

/** Does the path begin with a conditional? Such a path is not charged for its root. */
export function rootIsConditional(checked: Checked, node: Node): boolean {
  let root = node;
  for (;;) {
    // A name with dots may be declared as a whole.
    if (checked.references.get(root)?.kind === "variable") return false;
    const operand = operandOf(root);
    if (operand === undefined || !isAttribute(checked, operand)) return isConditional(root);
    root = operand;
  }
}

/** Does the path begin with a variable, and so lead into the input? */
export function rootIsVariable(checked: Checked, node: Node): boolean {
  for (let root: Node | undefined = node; root !== undefined; root = operandOf(root)) {
    const kind = checked.references.get(root)?.kind;
    if (kind === "variable" || kind === "local") return true;
  }
  return false;
}
