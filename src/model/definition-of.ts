// What does a CustomResourceDefinition contain, and an object of such a kind? v1beta1 may name a single version and
// one schema for all versions; both are converted to the form of v1. A field of the wrong type counts as missing.

import type { CustomResource, CustomResourceDefinition, CustomResourceVersion } from "./custom-resource.ts";
import { compareText, isList, isObject, type Json, type JsonObject, own, partOf } from "./json.ts";
import type { Path, Place } from "./place.ts";

/** The definition of an object; `version` is v1 or v1beta1. */
export function definitionOf(object: JsonObject, version: string, place: Place): CustomResourceDefinition {
  const spec = partOf(object, "spec");
  const names = partOf(spec, "names");
  return {
    place,
    name: text(partOf(object, "metadata"), "name") ?? "",
    apiVersion: version,
    group: text(spec, "group") ?? "",
    kind: text(names, "kind") ?? "",
    plural: text(names, "plural") ?? "",
    scope: text(spec, "scope") ?? "Namespaced",
    versions: versionsOf(spec),
    specVersion: text(spec, "version"),
    storedVersions: items(own(partOf(object, "status"), "storedVersions")).filter((item) => typeof item === "string"),
    conversionStrategy: text(partOf(spec, "conversion"), "strategy") ?? "None",
    preserveUnknownFields: (own(spec, "preserveUnknownFields") ?? version === "v1beta1") === true,
    object,
  };
}

/** The custom resource of an object. */
export function customResourceOf(object: JsonObject, apiVersion: string, kind: string, place: Place): CustomResource {
  const metadata = partOf(object, "metadata");
  const slash = apiVersion.indexOf("/");
  return {
    place,
    apiVersion,
    group: slash < 0 ? "" : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind,
    namespace: text(metadata, "namespace"),
    name: text(metadata, "name") ?? "",
    object,
  };
}

function versionsOf(spec: JsonObject): readonly CustomResourceVersion[] {
  const sharedAt: Path = ["spec", "validation", "openAPIV3Schema"];
  const shared = given(partOf(spec, "validation"), "openAPIV3Schema");
  const sharedResources = subresourcesOf(spec);
  const versions = items(own(spec, "versions"));
  const single = text(spec, "version");
  const forAll = { schema: shared, schemaAt: sharedAt, subresources: sharedResources ?? [] };
  if (versions.length === 0 && single !== undefined) return [{ name: single, served: true, storage: true, ...forAll }];
  return versions.map((item, index) => {
    const version = isObject(item) ? item : {};
    const schema = given(partOf(version, "schema"), "openAPIV3Schema");
    const isShared = schema === undefined && shared !== undefined;
    return {
      name: text(version, "name") ?? "",
      served: own(version, "served") === true,
      storage: own(version, "storage") === true,
      schema: schema ?? shared,
      schemaAt: isShared ? sharedAt : ["spec", "versions", index, "schema", "openAPIV3Schema"],
      subresources: subresourcesOf(version) ?? sharedResources ?? [],
    };
  });
}

function subresourcesOf(object: JsonObject): readonly string[] | undefined {
  const subresources = given(object, "subresources");
  return subresources && Object.keys(subresources).sort(compareText);
}

function given(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

function items(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function text(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === "string" ? value : undefined;
}
