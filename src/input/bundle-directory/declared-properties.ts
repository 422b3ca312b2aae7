// What do dependencies.yaml and properties.yaml declare? A dependency has an older form there and becomes the
// property that a catalog would have; every other property is taken as is.

import type { Property } from "../../model/catalog.ts";
import { finding, type Report } from "../../model/finding.ts";
import { isList, isObject, type Json, type JsonObject, own, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { propertyFault } from "../catalog/known-property.ts";
import type { PlacedDocument } from "../document.ts";

/** The declared properties and their places. */
export type DeclaredProperties = ReadonlyMap<Property, Place>;

/** Reads the properties of all metadata documents; unreadable entries are reported. */
export function readProperties(metadata: readonly PlacedDocument[], report: Report): DeclaredProperties {
  return readEntries(metadata, "properties", checkedProperty, report);
}

/** Reads the dependencies of all metadata documents as properties; unreadable entries are reported. */
export function readDependencies(metadata: readonly PlacedDocument[], report: Report): DeclaredProperties {
  return readEntries(metadata, "dependencies", requirement, report);
}

/** A property, if its value has the shape of its type; otherwise why not. */
export function checkedProperty(type: string, value: Json): Property | string {
  const fault = propertyFault(type, value);
  if (fault !== undefined) return fault;
  return { type, value: type === "olm.gvk" || type === "olm.gvk.required" ? apiOf(value as JsonObject) : value };
}

/** The type and value of a property, or why it has none. */
export function typeAndValue(entry: Json): { readonly type: string; readonly value: Json } | string {
  if (!isObject(entry)) return `it must be an object with type and value, but is ${typeName(entry)}`;
  const type = own(entry, "type");
  const value = own(entry, "value");
  if (type === undefined || type === null || type === "") return "it has no type";
  if (typeof type !== "string") return `its type must be text, but is ${typeName(type)}`;
  return value === undefined ? "it has no value" : { type, value };
}

type Convert = (type: string, value: Json) => Property | string;

function readEntries(
  metadata: readonly PlacedDocument[],
  key: "properties" | "dependencies",
  convert: Convert,
  report: Report,
): DeclaredProperties {
  const properties = new Map<Property, Place>();
  for (const document of metadata) {
    const entries = own(document.value, key);
    if (entries === undefined || entries === null) continue;
    const place = inside(document.place, key);
    if (!isList(entries)) {
      report(finding("PL082", place, { message: `${key} must be a list, but is ${typeName(entries)}` }));
      continue;
    }
    for (const [index, entry] of entries.entries()) {
      const given = typeAndValue(entry);
      const property = typeof given === "string" ? given : convert(given.type, given.value);
      if (typeof property !== "string") properties.set(property, inside(place, index));
      else {
        const type = typeof given === "string" ? "" : ` of type ${given.type}`;
        const message = `${key}[${index}]${type} cannot be read: ${property}`;
        report(finding("PL082", inside(place, index), { message }));
      }
    }
  }
  return properties;
}

/** The property of a dependency; `olm.gvk` among dependencies is `olm.gvk.required` elsewhere. */
function requirement(type: string, value: Json): Property | string {
  switch (type) {
    case "olm.gvk":
    case "olm.gvk.required":
      return checkedProperty("olm.gvk.required", value);
    case "olm.package":
    case "olm.package.required":
      return requiredPackage(value);
    case "olm.label":
    case "olm.label.required":
      return checkedProperty("olm.label.required", value);
    case "olm.constraint":
      // In any form: OLM accepts only a CEL rule here (case J36), and only by accident.
      return { type, value };
    default:
      return "the type of a dependency is olm.gvk, olm.package, olm.label or olm.constraint";
  }
}

/** A dependency has `version` where the property has `versionRange`. */
function requiredPackage(value: Json): Property | string {
  if (!isObject(value)) return `the value must be an object, but is ${typeName(value)}`;
  const packageName = own(value, "packageName") ?? own(value, "name");
  const versionRange = own(value, "versionRange") ?? own(value, "version");
  if (packageName === undefined || packageName === null) return "packageName is missing";
  if (versionRange === undefined || versionRange === null) return "version is missing";
  if (typeof versionRange !== "string") return `version must be text, but is ${typeName(versionRange)}`;
  return checkedProperty("olm.package.required", { packageName, versionRange });
}

/** Group, version and kind alone, so that equal APIs are equal values. */
function apiOf(value: JsonObject): JsonObject {
  return { group: value.group as Json, version: value.version as Json, kind: value.kind as Json };
}
