// What does a constraint state, as plain data? What a sentence about it needs, without compiled programs and parsed
// ranges.

import type { Gvk } from "../model/catalog.ts";
import { canonicalText } from "../model/json.ts";
import { type RangeOutline, rangeOutline } from "../semver/blang-range.ts";
import type { Constraint, Scope } from "./constraint.ts";
import { type RequiredProperty, requiredProperty } from "./plain-rule.ts";
import { type RequiredVersion, requiredVersion } from "./version-rule.ts";

interface Stated {
  /** The author's message for failures. */
  readonly message?: string | undefined;
}

/** A constraint that a single member can satisfy. */
export type LeafOutline = Stated &
  (
    | { readonly kind: "gvk"; readonly gvk: Gvk }
    | { readonly kind: "package"; readonly name: string; readonly range: RangeOutline }
    | { readonly kind: "label"; readonly label: string }
    /** With the cluster version or the property that the rule requires, if that is all it does. */
    | Readonly<{
        kind: "cel";
        rule: string;
        version?: RequiredVersion | undefined;
        property?: RequiredProperty | undefined;
      }>
    /** As JSON: an integer may have more digits than a JavaScript number. */
    | { readonly kind: "propertyEquals"; readonly name: string; readonly value: string }
  );

/** Outlines under `all`, `any` or `none`. */
export interface CompoundOutline extends Stated {
  readonly kind: "all" | "any" | "none";
  readonly scope: Scope;
  readonly constraints: readonly Outline[];
}

/** A constraint as plain data. */
export type Outline = LeafOutline | CompoundOutline;

/** A constraint as plain data. */
export function outlineOf(constraint: Constraint): Outline {
  const message = constraint.message === undefined ? {} : { message: constraint.message };
  switch (constraint.kind) {
    case "gvk":
      return { kind: "gvk", gvk: { ...constraint.gvk }, ...message };
    case "package":
      return { kind: "package", name: constraint.name, range: rangeOutline(constraint.range), ...message };
    case "label":
      return { kind: "label", label: constraint.label, ...message };
    case "propertyEquals":
      return { kind: "propertyEquals", name: constraint.name, value: canonicalText(constraint.value), ...message };
    case "cel": {
      const version = requiredVersion(constraint);
      const property = version === undefined ? requiredProperty(constraint) : undefined;
      const { rule } = constraint;
      return { kind: "cel", rule, ...(version && { version }), ...(property && { property }), ...message };
    }
    default: {
      const { kind, scope, constraints } = constraint;
      return { kind, scope, constraints: constraints.map(outlineOf), ...message };
    }
  }
}
