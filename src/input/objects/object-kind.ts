// What defines a kind of objects? Its group, its versions, its shape, and how an object of that shape becomes a model
// object.

import type { Report } from "../../model/finding.ts";
import { type JsonObject, partOf } from "../../model/json.ts";
import type { NamespacedObject } from "../../model/object.ts";
import { anything, each, integer, list, map, object, objectWith, type Shape, text } from "../shape.ts";
import { textOf } from "./fields.ts";

/** An object of the input, after its shape was checked. Its namespace is empty if the kind is not namespaced. */
export interface GivenObject extends NamespacedObject {
  readonly object: JsonObject;
  readonly metadata: JsonObject;
  /** The version of its apiVersion: `v1beta1`. */
  readonly version: string;
  readonly report: Report;
}

/** The naming rules of Kubernetes. */
export type Naming = "DNS label" | "DNS subdomain";

/** A kind of objects. */
export interface ObjectKind<Model> {
  readonly kind: string;
  readonly group: string;
  /** The versions that are read without a warning; the first is the current one. */
  readonly versions: readonly string[];
  readonly namespaced: boolean;
  /** An object without a namespace is in the default one, which is reported or not; or it is rejected. */
  readonly missingNamespace?: "reported" | "rejected";
  /** The naming rule of its objects; undefined if names are not checked. */
  readonly naming?: Naming;
  readonly shape: Shape;
  readonly build: (given: GivenObject) => Model;
}

const METADATA: Shape = objectWith(["name"], {
  ...each(text, "name", "namespace", "generateName"),
  labels: map(text),
  annotations: map(text),
  generation: integer,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: integer,
  ...each(text, "uid", "resourceVersion", "selfLink"),
  ...each(anything, "finalizers", "ownerReferences", "managedFields"),
});

/** The shape of an object with a spec and a status (or other fields next to its metadata). */
export function objectShape(fields: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape {
  return objectWith(["metadata", ...required], { apiVersion: text, kind: text, metadata: METADATA, ...fields });
}

/** The shape of an object that must have a spec. */
export function shapeWithSpec(fields: Readonly<Record<string, Shape>>): Shape {
  return objectShape(fields, ["spec"]);
}

/** The shape of `matchExpressions`: operators and values are not checked here. */
export const REQUIREMENTS: Shape = list(object({ key: text, operator: text, values: list(text) }));

/** The shape of a label selector. */
export const LABEL_SELECTOR: Shape = object({ matchLabels: map(text), matchExpressions: REQUIREMENTS });

/** The shape of a list of conditions. */
export const CONDITIONS: Shape = list(
  objectWith(["type", "status"], {
    ...each(text, "type", "status", "reason", "message", "lastTransitionTime", "lastUpdateTime"),
    observedGeneration: integer,
  }),
);

/** Where a namespaced object is written, and what it is called. */
export function identityOf({ place, namespace, name }: GivenObject): NamespacedObject {
  return { place, namespace, name };
}

/** Is the object being deleted? */
export function isTerminating(given: GivenObject): boolean {
  return textOf(given.metadata, "deletionTimestamp") !== undefined;
}

/** The spec of an object. */
export function specOf(given: GivenObject): JsonObject {
  return partOf(given.object, "spec");
}

/** The status of an object. */
export function statusOf(given: GivenObject): JsonObject {
  return partOf(given.object, "status");
}
