// Which bundles provide an API? Equal APIs are nearly always one shared property, so that keys are joined only after all
// bundles were seen.

import { type Bundle, type Gvk, gvkKey, type Property } from "../../model/catalog.ts";

/** The providers by {@link gvkKey}; `byApi` has the bundles of each property, in their order. */
export function providersOf(byApi: ReadonlyMap<Property, Bundle[]>): ReadonlyMap<string, readonly Bundle[]> {
  const providers = new Map<string, Bundle[]>();
  for (const [property, bundles] of byApi) {
    const key = gvkKey(property.value as unknown as Gvk);
    const known = providers.get(key);
    if (known === undefined) providers.set(key, bundles);
    else for (const bundle of bundles) if (known.at(-1) !== bundle) known.push(bundle);
  }
  return providers;
}
