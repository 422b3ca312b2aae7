// Where do administrators put text? Kubernetes' ConfigMap.

import type { TextMap } from "./labels.ts";
import type { Place } from "./place.ts";

/** Texts under keys. */
export interface ConfigMap {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  readonly data: TextMap;
}

/** Where the administrator's runtime constraints are kept where nothing else is said, and under which key. */
export const RUNTIME_CONFIG_MAP: { readonly namespace: string; readonly name: string } = {
  namespace: "olm",
  name: "olm-runtime-constraints",
};
export const RUNTIME_KEY = "properties";
