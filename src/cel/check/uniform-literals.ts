// Have all elements of a list literal, and all keys and all values of a map literal, one type?
//
// Kubernetes requires it (cel-go's validator of homogeneous literals, v0.26.0). Lists in the arguments of format() may be
// mixed.
import { children, type Node } from "../ast.ts";
import type { IssueList } from "../issue.ts";
import { optionalContent, printType, sameType, type Type } from "../type.ts";
import { type Checked, typeOfNode } from "./checked.ts";

/** Adds an error for each element that has another type than the first of its literal. */
export function checkUniformLiterals(checked: Checked, errors: IssueList): void {
  const waiting: Node[] = [checked.root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "call" && node.name === "format") continue;
    if (node.kind === "list") checkUniform(checked, node.elements, errors);
    if (node.kind === "map") {
      const keys = node.entries.map(({ key }) => ({ value: key, optional: false }));
      checkUniform(checked, keys, errors);
      checkUniform(checked, node.entries, errors);
    }
    waiting.push(...children(node));
  }
}

function checkUniform(
  checked: Checked,
  elements: readonly { readonly value: Node; readonly optional: boolean }[],
  errors: IssueList,
): void {
  let first: Type | undefined;
  for (const { value, optional } of elements) {
    const type = elementType(typeOfNode(checked, value), optional);
    first ??= type;
    if (sameType(first, type)) continue;
    errors.add(
      value.start,
      value.end,
      `an element is ${printType(type)}, but the first is ${printType(first)}`,
      "all elements of a literal need the same type here",
    );
  }
}

function elementType(type: Type, optional: boolean): Type {
  const element = optional ? (optionalContent(type) ?? type) : type;
  return element.kind === "wrapper" ? element.of : element;
}
