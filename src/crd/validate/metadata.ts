// Is the metadata of an object, or of one embedded in it, what Kubernetes takes? Follows metav1.ObjectMeta and
// ValidateObjectMeta of k8s.io/apimachinery v0.37, validateEmbeddedResource of apiextensions-apiserver.

import { toBytes } from "../../cel/library/kubernetes/byte-text.ts";
import {
  isDateTime,
  whyNotDns1035Label,
  whyNotDns1123Label,
  whyNotDns1123Subdomain,
  whyNotLabelValue,
  whyNotQualifiedName,
} from "../../cel/library/kubernetes/format-rules.ts";
import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import { kindOf } from "./expectation.ts";
import type { FaultDetail, MetadataShape } from "./fault.ts";
import { shown, shownScalar } from "./value-text.ts";

/** Reports that the value below a resource, at the end of these steps, is wrong. */
export type Report = (steps: Path, detail: FaultDetail) => void;

const SHAPES: ReadonlyMap<string, MetadataShape> = new Map<string, MetadataShape>([
  ["name", "text"],
  ["generateName", "text"],
  ["namespace", "text"],
  ["selfLink", "text"],
  ["uid", "text"],
  ["resourceVersion", "text"],
  ["generation", "whole number"],
  ["creationTimestamp", "time"],
  ["deletionTimestamp", "time"],
  ["deletionGracePeriodSeconds", "whole number"],
  ["labels", "texts by name"],
  ["annotations", "texts by name"],
  ["ownerReferences", "list of objects"],
  ["finalizers", "list of texts"],
  ["managedFields", "list of objects"],
]);

/** Is it a field of metadata? Others are dropped. */
export function isMetadataField(name: string): boolean {
  return SHAPES.has(name);
}

const OWNER_FIELDS: ReadonlySet<string> = new Set("apiVersion kind name uid controller blockOwnerDeletion".split(" "));

/** Is it a field of an owner reference? Others are dropped. */
export function isOwnerField(name: string): boolean {
  return OWNER_FIELDS.has(name);
}

/** Reports what is wrong with the metadata, the apiVersion and the kind of an embedded resource. */
export function checkEmbedded(resource: JsonObject, report: Report): void {
  for (const name of ["apiVersion", "kind"]) {
    const value = own(resource, name);
    if (value === undefined) report([name], { kind: "embedded-required" });
    else if (value === "") report([name], { kind: "empty" });
    else checkTypeName(name, value, report);
  }
  const metadata = own(resource, "metadata");
  if (metadata !== undefined && metadata !== null) checkMetadata(metadata, whyNotPathSegment, report);
}

function checkTypeName(name: string, value: Json, report: Report): void {
  if (typeof value !== "string") report([name], { kind: "not-text", is: kindOf(value) });
  else if (name === "apiVersion" && value.split("/", 3).length > 2) {
    report([name], { kind: "api-version", actual: shownScalar(value) });
  } else if (name === "kind") {
    checkName([name], value, whyNotDns1035Label(toBytes(value.toLowerCase())), report);
  }
}

/** Reports what is wrong with the apiVersion, the kind and the metadata of a whole object, as far as they are there. */
export function checkRoot(object: JsonObject, report: Report): void {
  for (const name of ["apiVersion", "kind"]) {
    const value = own(object, name);
    if (value !== undefined && typeof value !== "string") report([name], { kind: "not-text", is: kindOf(value) });
  }
  const metadata = own(object, "metadata");
  if (metadata !== undefined && metadata !== null) checkMetadata(metadata, whyNotDns1123Subdomain, report);
}

type WhyNotName = (bytes: string) => readonly string[];

function whyNotPathSegment(bytes: string): readonly string[] {
  if (bytes === "." || bytes === "..") return [`may not be '${bytes}'`];
  return ["/", "%"].filter((character) => bytes.includes(character)).map((found) => `may not contain '${found}'`);
}

function checkMetadata(metadata: Json, whyNotName: WhyNotName, report: Report): void {
  if (!isObject(metadata)) {
    report(["metadata"], { kind: "not-metadata", is: kindOf(metadata) });
    return;
  }
  const wellFormed = new Map<string, Json>();
  for (const [name, shape] of SHAPES) {
    const value = own(metadata, name);
    if (value === undefined || value === null) continue;
    if (hasShape(value, shape, ["metadata", name], report)) wellFormed.set(name, value);
  }
  const name = wellFormed.get("name");
  if (typeof name === "string" && name !== "") checkName(["metadata", "name"], name, whyNotName(toBytes(name)), report);
  const namespace = wellFormed.get("namespace");
  if (typeof namespace === "string" && namespace !== "") {
    checkName(["metadata", "namespace"], namespace, whyNotDns1123Label(toBytes(namespace)), report);
  }
  const generation = wellFormed.get("generation");
  if (generation !== undefined && Number(generation) < 0) report(["metadata", "generation"], { kind: "negative" });
  checkLabels((wellFormed.get("labels") ?? {}) as JsonObject, report);
  checkAnnotations((wellFormed.get("annotations") ?? {}) as JsonObject, report);
  for (const [index, finalizer] of ((wellFormed.get("finalizers") ?? []) as string[]).entries()) {
    checkName(["metadata", "finalizers", index], finalizer, whyNotQualifiedName(toBytes(finalizer ?? "")), report);
  }
  for (const [index, owner] of ((wellFormed.get("ownerReferences") ?? []) as JsonObject[]).entries()) {
    checkOwner(owner ?? {}, ["metadata", "ownerReferences", index], report);
  }
}

/** What a value of a shape is; what is in it is checked by itself. */
const IS_SHAPED: Readonly<Record<MetadataShape, (value: Json) => boolean>> = {
  text: (value) => typeof value === "string",
  "whole number": (value) => typeof value === "bigint" || Number.isSafeInteger(value),
  time: (value) => typeof value === "string" && isDateTime(value),
  "texts by name": isObject,
  "list of texts": isList,
  "list of objects": isList,
};

/** Null means an empty value everywhere, as in Go. */
function hasShape(value: Json, shape: MetadataShape, steps: Path, report: Report): boolean {
  if (!isOf(IS_SHAPED[shape](value), shape, value, steps, report)) return false;
  const parts: Parts = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return everyPart(parts, shape === "list of objects" ? "object" : "text", steps, report);
}

function isOf(fits: boolean, expected: MetadataShape | "object", value: Json, steps: Path, report: Report): boolean {
  if (!fits) report(steps, { kind: "shape", expected, actual: shown(value) });
  return fits;
}

type Parts = readonly (readonly [string | number, Json])[];

function everyPart(parts: Parts, expected: "text" | "object", steps: Path, report: Report): boolean {
  let fit = true;
  for (const [step, part] of parts) {
    if (part === null || (expected === "text" ? typeof part === "string" : isObject(part))) continue;
    fit = isOf(false, expected, part, [...steps, step], report);
  }
  return fit;
}

function checkLabels(labels: JsonObject, report: Report): void {
  for (const [key, value] of Object.entries(labels)) {
    checkName(["metadata", "labels", key], key, whyNotQualifiedName(toBytes(key)), report);
    const text = typeof value === "string" ? value : "";
    checkName(["metadata", "labels", key], text, whyNotLabelValue(toBytes(text)), report);
  }
}

/** All annotations together, in bytes. */
const MAX_ANNOTATIONS = 256 * 1024;

function checkAnnotations(annotations: JsonObject, report: Report): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    const bytes = toBytes(key);
    size += bytes.length + toBytes(typeof value === "string" ? value : "").length;
    checkName(["metadata", "annotations", key], key, whyNotQualifiedName(bytes.toLowerCase()), report);
  }
  if (size > MAX_ANNOTATIONS) {
    report(["metadata", "annotations"], { kind: "annotations", limit: MAX_ANNOTATIONS, actual: size });
  }
}

function checkOwner(owner: JsonObject, steps: Path, report: Report): void {
  for (const name of ["apiVersion", "kind", "name", "uid"]) {
    const value = own(owner, name);
    if (value === undefined || value === null || value === "") report([...steps, name], { kind: "empty" });
    else if (typeof value !== "string")
      report([...steps, name], { kind: "shape", expected: "text", actual: shown(value) });
  }
}

function checkName(steps: Path, value: string, mistakes: readonly string[], report: Report): void {
  if (mistakes.length > 0) report(steps, { kind: "name", actual: shownScalar(value), mistakes });
}
