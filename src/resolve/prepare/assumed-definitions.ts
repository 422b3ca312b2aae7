// What is a CustomResourceDefinition that was not given? It is assumed to be what the bundle of the installed
// operator that owns it defines. If several versions are installed, the newest is the last that was applied.

import { bundleDefinitions } from "../../constraint/bundle-definitions.ts";
import { type Bundle, type Catalog, kindKey } from "../../model/catalog.ts";
import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { compareText } from "../../model/json.ts";
import type { Installed } from "../../model/problem.ts";
import { compareWithBuild } from "../../semver/version.ts";

/** A definition, and the name of the installed bundle that contains it. */
export interface AssumedDefinition {
  readonly definition: CustomResourceDefinition;
  readonly assumedFrom: string;
}

/** The definitions in the bundles of operators of all namespaces, except for kinds that were given. */
export function assumedDefinitions(
  given: readonly CustomResourceDefinition[],
  operators: readonly Installed[],
  catalogs: readonly Catalog[],
): readonly AssumedDefinition[] {
  const names = new Set(given.map(({ name }) => name));
  const kinds = new Set(given.map(kindKey));
  const assumed: AssumedDefinition[] = [];
  for (const bundle of operators.toSorted(newestFirst).flatMap((one) => bundleOf(one, catalogs) ?? []))
    for (const definition of bundleDefinitions(bundle.properties).definitions) {
      if (names.has(definition.name) || kinds.has(kindKey(definition))) continue;
      names.add(definition.name);
      kinds.add(kindKey(definition));
      // A manifest inside a property has no line numbers. A status in a bundle is not the cluster's.
      const place = { ...bundle.place, exact: true as const };
      assumed.push({ definition: { ...definition, place, storedVersions: [] }, assumedFrom: bundle.name });
    }
  return assumed;
}

/** The bundle of an operator: if several catalogs have one of its name, the first that has definitions. */
function bundleOf({ name, package: owner }: Installed, catalogs: readonly Catalog[]): Bundle | undefined {
  if (owner === undefined) return undefined;
  return catalogs
    .flatMap(({ packages }) => packages.get(owner)?.bundles.get(name) ?? [])
    .find(({ properties }) => bundleDefinitions(properties).definitions.length > 0);
}

function newestFirst(a: Installed, b: Installed): number {
  if (a.version === undefined || b.version === undefined)
    return Number(a.version === undefined) - Number(b.version === undefined) || compareText(a.name, b.name);
  return compareWithBuild(b.version, a.version) || compareText(a.name, b.name);
}
