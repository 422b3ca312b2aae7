// Which custom kinds does somebody have to do with? Those that he provides, owns, requires, or brings definitions of.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import { kindKey, type Property } from "../model/catalog.ts";
import { gvkOf, providedApis } from "../resolve/catalog-index.ts";

/** The kinds that properties speak of, by `kindKey`. */
export function kindsIn(properties: readonly Property[]): readonly string[] {
  const required = properties.filter(({ type }) => type === "olm.gvk.required");
  const named = [...properties, ...required.map(({ value }) => ({ type: "olm.gvk", value }))];
  const { definitions, owned = [] } = bundleDefinitions(properties);
  return [...definitions.map(kindKey), ...[...owned, ...providedApis(named)].map((api) => kindKey(gvkOf(api)))];
}
