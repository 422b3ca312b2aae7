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
