// Which APIs do properties provide?

import { gvkKey, type Property } from "../model/catalog.ts";
import { isObject, own } from "../model/json.ts";

const provided = new WeakMap<readonly Property[], readonly string[]>();

/** The APIs that properties provide, each once. */
export function providedApis(properties: readonly Property[]): readonly string[] {
  const known = provided.get(properties);
  if (known !== undefined) return known;
  const keys = new Set<string>();
  for (const { type, value } of properties) {
    if (type !== "olm.gvk" || !isObject(value)) continue;
    const [group, version, kind] = [own(value, "group"), own(value, "version"), own(value, "kind")];
    if (typeof group === "string" && typeof version === "string" && typeof kind === "string")
      keys.add(gvkKey({ group, version, kind }));
  }
  const apis = [...keys];
  provided.set(properties, apis);
  return apis;
}
