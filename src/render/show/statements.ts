// What does a bundle say about itself? Its properties, sorted into what it provides, what it requires and the rest.

import type { Bundle, Gvk, Package, Property } from "../../model/catalog.ts";
import { compareText, isObject, type Json, own } from "../../model/json.ts";
import { type ConstraintSummary, summariseConstraint } from "./constraint-summary.ts";
import { apiText } from "./statement-text.ts";

/** A package that a bundle needs, in some range of versions. */
export interface RequiredPackage {
  readonly name: string;
  readonly versionRange: string;
}

/** The properties of a bundle by their meaning: each thing once, APIs, packages and labels in order. */
export interface Statements {
  readonly provides: { readonly apis: readonly Gvk[]; readonly labels: readonly string[] };
  readonly requires: {
    readonly apis: readonly Gvk[];
    readonly packages: readonly RequiredPackage[];
    readonly labels: readonly string[];
    readonly constraints: readonly ConstraintSummary[];
  };
  /** Everything else but the identity of the bundle. */
  readonly other: readonly Property[];
}

const UNDERSTOOD: ReadonlySet<string> = new Set([
  "olm.package",
  "olm.gvk",
  "olm.gvk.required",
  "olm.package.required",
  "olm.label",
  "olm.label.required",
  "olm.constraint",
  "olm.constraint.cel",
]);

/** Sorts out the properties of a bundle. */
export function statementsOf({ properties }: Bundle): Statements {
  const valuesOf = (type: string): Json[] => properties.filter((one) => one.type === type).map((one) => one.value);
  return {
    provides: { apis: apis(valuesOf("olm.gvk")), labels: labels(valuesOf("olm.label")) },
    requires: {
      apis: apis(valuesOf("olm.gvk.required")),
      packages: packages(valuesOf("olm.package.required")),
      labels: labels(valuesOf("olm.label.required")),
      constraints: [...valuesOf("olm.constraint"), ...valuesOf("olm.constraint.cel")].map(summariseConstraint),
    },
    other: properties.filter(({ type }) => !UNDERSTOOD.has(type)),
  };
}

function apis(values: readonly Json[]): Gvk[] {
  const byText = new Map<string, Gvk>();
  for (const value of values) {
    const gvk = { group: textOf(value, "group"), version: textOf(value, "version"), kind: textOf(value, "kind") };
    byText.set(apiText(gvk), gvk);
  }
  return sortedValues(byText);
}

function packages(values: readonly Json[]): RequiredPackage[] {
  const byText = new Map<string, RequiredPackage>();
  for (const value of values) {
    const name = textOf(value, "packageName") || textOf(value, "name");
    const versionRange = textOf(value, "versionRange");
    byText.set(`${name} ${versionRange}`, { name, versionRange });
  }
  return sortedValues(byText);
}

function labels(values: readonly Json[]): string[] {
  return [...new Set(values.map((value) => textOf(value, "label")))].sort();
}

function sortedValues<Value>(byText: ReadonlyMap<string, Value>): Value[] {
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value);
}

function textOf(value: Json, key: string): string {
  const text = isObject(value) ? own(value, key) : undefined;
  return typeof text === "string" ? text : "";
}

/** What the author says about a bundle that should no longer be used; nothing if it may be. */
export function deprecationOf(owner: Package, bundle: Bundle): string | undefined {
  const message = owner.deprecations.bundles.get(bundle.name);
  if (message !== undefined) return message;
  return bundle.properties.some(({ type }) => type === "olm.deprecated")
    ? "marked olm.deprecated: it only holds the upgrade graph together"
    : undefined;
}

/** A deprecation for a person, also one that says nothing. */
export function deprecationText(message: string | undefined): string | undefined {
  return message === "" ? "yes, without a reason" : message;
}
