// For which namespaces do the operators of a namespace work? OLM's OperatorGroup.

import type { TextMap } from "./labels.ts";
import type { Place } from "./place.ts";
import type { LabelSelector } from "./selector.ts";

/** The namespaces that the operators of one namespace serve, and how they are updated. */
export interface OperatorGroup {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  readonly annotations: TextMap;
  /** The namespaces asked for; none, and no selector either, means all. */
  readonly targetNamespaces: readonly string[];
  readonly selector?: LabelSelector | undefined;
  /** The namespaces that OLM found for it; one empty name means all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Default or TechPreviewUnsafeFailForward. */
  readonly upgradeStrategy: string;
}
