// Which namespaces do the operators of a namespace watch? OLM's OperatorGroup.

import type { TextMap } from "./labels.ts";
import type { NamespacedObject } from "./object.ts";
import type { LabelSelector } from "./selector.ts";

/** The target namespaces of the operators of a namespace, and how they are upgraded. */
export interface OperatorGroup extends NamespacedObject {
  readonly annotations: TextMap;
  /** The requested namespaces; empty, without a selector, means all. */
  readonly targetNamespaces: readonly string[];
  readonly selector?: LabelSelector | undefined;
  /** The namespaces that OLM has found; one empty name means all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Default or TechPreviewUnsafeFailForward. */
  readonly upgradeStrategy: string;
}
