// Does a constraint hold for a single member? Leaves and compounds of scope `bundle` are about the properties of one
// member; this evaluates them one after the other.

import { CelError } from "../cel/value/value.ts";
import { bundleBindings } from "../constraint/bundle-environment.ts";
import type { CelConstraint, Constraint, PropertyEqualsConstraint } from "../constraint/constraint.ts";
import type { Gvk, Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import { canonicalText, isObject, type Json, type JsonObject, own } from "../model/json.ts";
import { inRange, type Range } from "../semver/blang-range.ts";
import { readVersion } from "../semver/version.ts";

/** True, false, or an evaluation error somewhere in the tree. */
export type Match = boolean | "error";

/** Evaluates members; results of CEL rules are cached. */
export class Matcher {
  readonly #results = new Map<CelConstraint["program"], Map<readonly Property[], Match>>();

  /** The result of a leaf, or of a tree of scope `bundle`, for these properties. */
  match(constraint: Constraint, properties: readonly Property[]): Match {
    switch (constraint.kind) {
      case "gvk":
        return properties.some((property) => provides(property, constraint.gvk));
      case "package":
        return properties.some((property) => isPackageInRange(property, constraint.name, constraint.range));
      case "label":
        return properties.some((property) => labelOf(property) === constraint.label);
      case "cel":
        return this.#cel(constraint, properties);
      case "propertyEquals":
        return properties.some((property) => equalsRequired(property, constraint));
      default: {
        const children = constraint.constraints.map((child) => this.match(child, properties));
        if (children.includes("error")) return "error";
        if (constraint.kind === "all") return !children.includes(false);
        return constraint.kind === "any" ? children.includes(true) : !children.includes(true);
      }
    }
  }

  #cel(constraint: CelConstraint, properties: readonly Property[]): Match {
    const results = getOrAdd(this.#results, constraint.program, () => new Map());
    return getOrAdd(results, properties, () => {
      const value = constraint.program.evaluate(bundleBindings(properties));
      return value instanceof CelError ? "error" : value === true;
    });
  }
}

function provides({ type, value }: Property, { group, version, kind }: Gvk): boolean {
  if (type !== "olm.gvk" || !isObject(value)) return false;
  return own(value, "group") === group && own(value, "version") === version && own(value, "kind") === kind;
}

/** The key of an API. */
export function apiKey({ group, version, kind }: Gvk): string {
  return JSON.stringify([group, version, kind]);
}

const apiKeys = new WeakMap<JsonObject, string>();

/** The API that a property provides. */
export function apiKeyOf({ type, value }: Property): string | undefined {
  if (type !== "olm.gvk" || !isObject(value)) return undefined;
  const known = apiKeys.get(value);
  if (known !== undefined) return known;
  const [group, version, kind] = [own(value, "group"), own(value, "version"), own(value, "kind")];
  if (typeof group !== "string" || typeof version !== "string" || typeof kind !== "string") return undefined;
  const key = apiKey({ group, version, kind });
  apiKeys.set(value, key);
  return key;
}

/** The package that a property states. */
export function packageOf({ type, value }: Property): string | undefined {
  if (type !== "olm.package" || !isObject(value)) return undefined;
  const name = own(value, "packageName");
  return typeof name === "string" ? name : undefined;
}

/** The label of a property. */
export function labelOf({ type, value }: Property): string | undefined {
  if (type !== "olm.label" || !isObject(value)) return undefined;
  const label = own(value, "label");
  return typeof label === "string" ? label : undefined;
}

function isPackageInRange(property: Property, name: string, range: Range): boolean {
  if (packageOf(property) !== name || !isObject(property.value)) return false;
  const text = own(property.value, "version");
  const version = typeof text === "string" ? readVersion(text) : undefined;
  return version !== undefined && inRange(range, version);
}

function equalsRequired({ type, value }: Property, required: PropertyEqualsConstraint): boolean {
  if (type !== required.name) return false;
  return (
    canonicalText(value) === canonicalText(required.value) ||
    spells(value, required.value) ||
    spells(required.value, value)
  );
}

/** Is one the text of the other, a number? */
function spells(text: Json, number: Json): boolean {
  return (typeof number === "number" || typeof number === "bigint") && text === String(number);
}
