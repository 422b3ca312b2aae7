// Which custom kinds does a cluster have, and which objects of them? CustomResourceDefinitions and everything that
// may be an instance of one.

import type { Gvk } from "./catalog.ts";
import type { JsonObject } from "./json.ts";
import type { NamedObject } from "./object.ts";
import type { Path } from "./place.ts";

/** One version of a custom kind. */
export interface CustomResourceVersion {
  readonly name: string;
  /** The API server serves it. */
  readonly served: boolean;
  /** Objects are stored in it. */
  readonly storage: boolean;
  /** Its openAPIV3Schema, as written. */
  readonly schema?: JsonObject | undefined;
  /** The path of the schema in the definition. */
  readonly schemaAt: Path;
  /** Its subresources: status, scale. */
  readonly subresources: readonly string[];
}

/** A CustomResourceDefinition, in one form for v1 and v1beta1. Its name is `<plural>.<group>`. */
export interface CustomResourceDefinition extends NamedObject {
  /** v1 or v1beta1: the version of the definition itself. */
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** Namespaced or Cluster. */
  readonly scope: string;
  readonly versions: readonly CustomResourceVersion[];
  /** v1beta1's `spec.version`, which must be the name of the first version. */
  readonly specVersion?: string | undefined;
  /** The versions in which objects may still be stored; empty if unknown, since the API server always records one. */
  readonly storedVersions: readonly string[];
  /** None or Webhook. */
  readonly conversionStrategy: string;
  /** Unknown fields of its objects are kept (the default of v1beta1). */
  readonly preserveUnknownFields: boolean;
  /** The definition as given. */
  readonly object: JsonObject;
}

/** Any object of a kind that is not one of ours. */
export interface CustomResource extends NamedObject, Gvk {
  readonly apiVersion: string;
  /** As given: whether the kind is namespaced is unknown here. */
  readonly namespace?: string | undefined;
  /** The object as given. */
  readonly object: JsonObject;
}
