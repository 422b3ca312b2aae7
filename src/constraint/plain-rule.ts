// Does a CEL rule only test a property? Most rules are `properties.exists(p, p.type == "x" && p.value == "y")`, which
// reads better as "the property x = "y"".

import type { Fold, Node } from "../cel/ast.ts";
import type { Checked } from "../cel/check/checked.ts";
import { describeValue } from "../cel/value/describe.ts";
import type { CelConstraint } from "./constraint.ts";
import { pathInElement } from "./needed-properties.ts";

/** A property that a rule tests. */
export interface RequiredProperty {
  readonly type: string;
  /** The value as a CEL literal; undefined if any value matches. */
  readonly value: string | undefined;
}

/** The property, if the rule is true exactly for members that have it. */
export function requiredProperty({ program }: CelConstraint): RequiredProperty | undefined {
  const { checked } = program;
  const root = propertyTest(checked);
  if (root === undefined) return undefined;
  const { predicate } = root;
  const terms = predicate.kind === "call" && predicate.name === "_&&_" ? predicate.args : [predicate];
  const values = new Map(terms.map((term) => equalityIn(checked, root, term) ?? ["", undefined]));
  const type = values.get("type");
  if (type?.kind !== "literal" || typeof type.value !== "string" || values.size !== terms.length) return undefined;
  if (terms.length === 1) return { type: type.value, value: undefined };
  const value = values.get("value");
  if (terms.length !== 2 || value?.kind !== "literal") return undefined;
  return { type: type.value, value: describeValue(value.value) };
}

/** The rule, if it is `properties.exists(p, …)`. */
export function propertyTest({ root, references }: Checked): (Fold & { readonly predicate: Node }) | undefined {
  if (root.kind !== "fold" || root.fold !== "exists" || root.second !== undefined) return undefined;
  const range = references.get(root.range);
  const isOfProperties = range?.kind === "variable" && range.name === "properties" && root.predicate !== undefined;
  return isOfProperties ? (root as Fold & { readonly predicate: Node }) : undefined;
}

/** The part of a property that must equal a literal, and the literal. */
function equalityIn(checked: Checked, fold: Fold, term: Node): readonly [string, Node] | undefined {
  if (term.kind !== "call" || term.name !== "_==_") return undefined;
  const [left, right] = term.args as [Node, Node];
  const [part, literal] = right.kind === "literal" ? [left, right] : [right, left];
  const path = pathInElement(checked, fold, part);
  return path === undefined || literal.kind !== "literal" ? undefined : [path, literal];
}
