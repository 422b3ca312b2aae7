// Are two requirements the same? Leaves and `bundle` compounds get a key, so that a rule shared by hundreds of
// bundles is looked up, evaluated and encoded once.

import { gvkKey } from "../model/catalog.ts";
import { canonicalText } from "../model/json.ts";
import type { Constraint, Scope } from "./constraint.ts";

/** A condition on one member. */
export interface Predicate {
  readonly key: string;
  readonly constraint: Constraint;
  /** It has CEL rules, which have a cost. */
  readonly isExpensive: boolean;
}

const known = new WeakMap<Constraint, Predicate>();

/** The predicate of a leaf or of a compound of bundle scope. */
export function predicateOf(constraint: Constraint): Predicate {
  const before = known.get(constraint);
  if (before !== undefined) return before;
  const predicate = { key: keyOf(constraint), constraint, isExpensive: mayBeExpensive(constraint) };
  known.set(constraint, predicate);
  return predicate;
}

function keyOf(constraint: Constraint): string {
  switch (constraint.kind) {
    case "gvk":
      return `gvk ${gvkKey(constraint.gvk)}`;
    case "package":
      return `package ${JSON.stringify([constraint.name, constraint.range.text])}`;
    case "label":
      return `label ${JSON.stringify(constraint.label)}`;
    case "cel":
      return `cel ${JSON.stringify(constraint.rule)}`;
    case "propertyEquals":
      return `equals ${JSON.stringify(constraint.name)} ${canonicalText(constraint.value)}`;
    default:
      return `${constraint.kind}(${constraint.constraints.map(keyOf).join(",")})`;
  }
}

function mayBeExpensive(constraint: Constraint): boolean {
  return "constraints" in constraint ? constraint.constraints.some(mayBeExpensive) : constraint.kind === "cel";
}

/** Is it about one member at a time? */
export function isPredicate({ scope = "bundle" }: { readonly kind: string; readonly scope?: Scope }): boolean {
  return scope === "bundle";
}

/** The predicates of a constraint, at any depth, including those under a `none`. */
export function predicatesIn(constraint: Constraint): readonly Predicate[] {
  if (isPredicate(constraint)) return [predicateOf(constraint)];
  return "constraints" in constraint ? constraint.constraints.flatMap(predicatesIn) : [];
}

/** A predicate that a provider can meet; below a `none` of a `none`, only another member. */
export interface Providable {
  readonly predicate: Predicate;
  readonly byOthers: boolean;
}

/** The predicates of a constraint that a provider can meet: all that are below an even number of `none`, in order. */
export function providable(constraint: Constraint): readonly Providable[] {
  return positive(constraint, true, false);
}

function positive(constraint: Constraint, isWanted: boolean, byOthers: boolean): readonly Providable[] {
  if (isPredicate(constraint)) return isWanted ? [{ predicate: predicateOf(constraint), byOthers }] : [];
  if (!("constraints" in constraint)) return [];
  const isNone = constraint.kind === "none";
  return constraint.constraints.flatMap((child) => positive(child, isWanted !== isNone, byOthers || isNone));
}
