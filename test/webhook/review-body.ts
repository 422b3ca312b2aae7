// What does an API server send to the webhook? The body of an AdmissionReview, and what the webhook answers.

import type { JsonObject } from "../../src/model/json.ts";

/** The parts of a request; the others are those of a ConfigMap or a Placement in `olm`. */
export interface ReviewParts {
  readonly kind?: "ConfigMap" | "Placement";
  readonly operation?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  /** Fields of the request that replace others. */
  readonly more?: JsonObject;
}

const GROUP = "cluster.open-cluster-management.io";
export const UID = "0b4e3f52-7d1c-4d6a-9a37-3f3d1c3b9a10";

/** An AdmissionReview as a value. */
export function review({ kind = "ConfigMap", operation = "CREATE", more = {}, ...parts }: ReviewParts): JsonObject {
  const isPlacement = kind === "Placement";
  const { namespace = "olm", name = isPlacement ? "web" : "olm-runtime-constraints" } = parts;
  const gvk = isPlacement ? { group: GROUP, version: "v1beta1", kind } : { group: "", version: "v1", kind };
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: UID,
      kind: gvk,
      resource: { group: gvk.group, version: gvk.version, resource: `${kind.toLowerCase()}s` },
      userInfo: { username: "kubernetes-admin" },
      dryRun: false,
      ...{ operation, namespace, name },
      object: parts.object ?? null,
      oldObject: parts.oldObject ?? null,
      ...more,
    },
  };
}

/** The body of a request. */
export function bodyOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** A ConfigMap of runtime constraints, as the API server has it. */
export function constraintsMap(text: string | undefined, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "olm-runtime-constraints", namespace: "olm", uid: "u", ...metadata },
    ...(text !== undefined && { data: { properties: text } }),
  };
}

/** A Placement, as the API server has it. */
export function placement(spec: JsonObject, metadata: JsonObject = {}, status: JsonObject = {}): JsonObject {
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "Placement",
    metadata: { name: "web", namespace: "olm", uid: "u", generation: 1, ...metadata },
    spec,
    status,
  };
}

/** A predicate with expressions. */
export function expressions(...celExpressions: readonly string[]): JsonObject {
  return { requiredClusterSelector: { celSelector: { celExpressions } } };
}
