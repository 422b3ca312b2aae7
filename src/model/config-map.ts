// What is a ConfigMap, and which one has the runtime constraints?

import type { TextMap } from "./labels.ts";
import type { NamespacedObject } from "./object.ts";

/** Strings by key. */
export interface ConfigMap extends NamespacedObject {
  readonly data: TextMap;
}

/** The default ConfigMap of the administrator's runtime constraints, and its key. */
export const RUNTIME_CONFIG_MAP: { readonly namespace: string; readonly name: string } = {
  namespace: "olm",
  name: "olm-runtime-constraints",
};
export const RUNTIME_KEY = "properties";
