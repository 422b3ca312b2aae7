// Which APIs does an operator need? Those that it requires, and the versions of kinds that it owns: it reads and
// writes objects in them.

import { bundleDefinitions } from "../../constraint/bundle-definitions.ts";
import type { Constraint, Requirements } from "../../constraint/constraint.ts";
import { providedApis } from "../../constraint/provided-apis.ts";
import { type Bundle, type Gvk, gvkOf, kindKey, type Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import type { Installed, Problem } from "../../model/problem.ts";

/** Reads the requirements of properties. */
export interface RequirementReader {
  requirementsOf(properties: readonly Property[]): Requirements;
}

/** A bundle, with the APIs that it provides. */
export interface Brought {
  readonly bundle: Bundle;
  readonly provides: readonly string[];
}

/** A bundle, or an installed operator. */
export type Needing = Brought | Installed;

/** The properties of a bundle, or of an installed operator. */
export function propertiesOf(one: Needing): readonly Property[] {
  return "bundle" in one ? one.bundle.properties : one.properties;
}

/** The APIs that properties require. */
export function requiredApis(reader: RequirementReader, properties: readonly Property[]): readonly Gvk[] {
  return reader
    .requirementsOf(properties)
    .requirements.filter(({ optional }) => !optional)
    .flatMap(({ constraint }) => apisIn(constraint));
}

function apisIn(constraint: Constraint): readonly Gvk[] {
  if (constraint.kind === "gvk") return [constraint.gvk];
  return constraint.kind === "all" ? constraint.constraints.flatMap(apisIn) : [];
}

/** The versions of kinds that a ClusterServiceVersion owns, if known. */
export function ownedApis(self: Needing): readonly Gvk[] {
  const owned = "bundle" in self ? bundleDefinitions(self.bundle.properties).owned : self.owned;
  return (owned ?? []).map(gvkOf);
}

/** Does an installed operator own the kind? If that is unknown: does it provide it? */
export function ownsKind({ owned, properties }: Installed, kind: string): boolean {
  return kindsOfApis(owned ?? providedApis(properties)).has(kind);
}

const ofApis = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The kinds of APIs, by `kindKey`. */
export function kindsOfApis(apis: readonly string[]): ReadonlySet<string> {
  return getOrAdd(ofApis, apis, () => new Set(apis.map((api) => kindKey(gvkOf(api)))));
}

/**
 * The number of owners of a kind: packages in namespaces whose operators own it. At least one, since the operator
 * that defines it owns it.
 */
export function ownersOfKind({ installed, elsewhere }: Pick<Problem, "installed" | "elsewhere">, kind: string): number {
  const owners = [...installed, ...elsewhere].filter((one) => ownsKind(one, kind));
  return Math.max(1, new Set(owners.map((one) => JSON.stringify([one.namespace, one.package ?? one.name]))).size);
}

/** The kinds of which an operator may need an API, cheaply: what it owns, it provides. */
export function neededKinds(reader: RequirementReader, self: Needing): readonly string[] {
  const provided = "bundle" in self ? self.provides : providedApis(self.properties);
  const apis = [...requiredApis(reader, propertiesOf(self)), ...provided.map(gvkOf)];
  return [...new Set(apis.map(kindKey))];
}

const ofProperties = new WeakMap<readonly Property[], readonly string[]>();

/** The kinds that properties provide, own, require or define, by `kindKey`, each once. */
export function kindsIn(properties: readonly Property[]): readonly string[] {
  return getOrAdd(ofProperties, properties, () => {
    const required = properties.filter(({ type }) => type === "olm.gvk.required");
    const named = [...properties, ...required.map(({ value }) => ({ type: "olm.gvk", value }))];
    const { definitions, owned = [] } = bundleDefinitions(properties);
    return [...new Set([...definitions.map(kindKey), ...kindsOfApis(owned), ...kindsOfApis(providedApis(named))])];
  });
}
