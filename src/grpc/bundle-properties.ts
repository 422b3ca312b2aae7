// Which properties does a bundle have? Those that the registry lists, and what it says about the bundle in older spellings:
// dependencies, APIs and the version. OLM reads them in the same way.

import { getOrAdd } from "../model/grouped.ts";
import { canonicalText, isObject, type Json, type JsonObject, own, readCanonical } from "../model/json.ts";
import { nestsDeeper } from "../model/json-depth.ts";
import { parsedJson } from "../net/json-fields.ts";
import type { Api, BundleContent, TypedText } from "./messages.ts";

/** The property as a document of a catalog has it. */
type Property = JsonObject;

/** Documents nest at most 512 deep, and a value is inside of three objects and lists. */
const MAX_DEPTH = 500;

/** The properties of a bundle of this package. */
export function propertiesOf(owner: string, content: BundleContent): readonly Property[] {
  const { properties, dependencies, providedApis, requiredApis, version } = content;
  const listed =
    properties.length > 0 ? properties.map(property) : providedApis.map((api) => apiProperty("olm.gvk", api));
  const required =
    dependencies.length > 0
      ? dependencies.flatMap(requirement)
      : requiredApis.map((api) => apiProperty("olm.gvk.required", api));
  const identity = listed.some(({ type }) => type === "olm.package")
    ? []
    : [{ type: "olm.package", value: { packageName: owner, version } }];
  return [...listed, ...missing(required, listed), ...identity, ...manifests(content)];
}

/** The requirements that are not listed already. */
function missing(required: readonly Property[], listed: readonly Property[]): readonly Property[] {
  if (required.length === 0) return required;
  const known = new Set(listed.map(requirementKey));
  return required.filter((one) => {
    const key = requirementKey(one);
    return !known.has(key) && known.add(key);
  });
}

/** Bundles share the texts of their properties, so that each is parsed once. */
const known = new WeakMap<TypedText, Property>();

/** A value that cannot be read is left out: the reader of catalogs reports a property without a value. */
function property(typed: TypedText): Property {
  return getOrAdd(known, typed, () => {
    const value = jsonValue(typed.value);
    return value === undefined ? { type: typed.type } : { type: typed.type, value };
  });
}

/** The value of a JSON text with the digits of all integers; undefined if it is not JSON, too deep, or has too large a number. */
function jsonValue(text: string): Json | undefined {
  if (nestsDeeper(text, MAX_DEPTH)) return undefined;
  const value = parsedJson(text) as Json | undefined;
  if (value === undefined) return undefined;
  const largest = largestNumber(value);
  if (largest <= Number.MAX_SAFE_INTEGER) return value;
  return largest === Number.POSITIVE_INFINITY ? undefined : exactValue(text);
}

/** Its pattern can exhaust the stack on a text of many megabytes. */
function exactValue(text: string): Json | undefined {
  try {
    return readCanonical(text);
  } catch {
    return undefined;
  }
}

function largestNumber(value: Json): number {
  if (typeof value === "number") return Math.abs(value);
  if (typeof value !== "object" || value === null) return 0;
  let largest = 0;
  for (const part of Object.values(value) as Json[]) largest = Math.max(largest, largestNumber(part));
  return largest;
}

function apiProperty(type: string, { group, version, kind }: Api): Property {
  return { type, value: { group, version, kind } };
}

/** A dependency as a property; nothing if OLM does not know its type. */
function requirement({ type, value: text }: TypedText): readonly Property[] {
  switch (type) {
    case "olm.gvk":
      return [property({ type: "olm.gvk.required", value: text })];
    case "olm.package": {
      const { value } = property({ type, value: text });
      const required = "olm.package.required";
      if (!isObject(value)) return [{ type: required, ...(value !== undefined && { value }) }];
      const [packageName = "", versionRange = ""] = [fieldOf(value, "packageName"), fieldOf(value, "version")];
      return [{ type: required, value: { packageName, versionRange } }];
    }
    case "olm.label":
      return [property({ type: "olm.label.required", value: text })];
    case "olm.constraint":
      return [property({ type, value: text })];
    default:
      return [];
  }
}

/** Equal for properties that require the same; keys in another case and other keys do not matter, as for OLM. */
function requirementKey({ type, value }: Property): string {
  const fields = FIELDS.get(type as string);
  if (fields === undefined || !isObject(value)) return canonicalText([type ?? "", value ?? null]);
  return canonicalText([type ?? "", ...fields.map((field) => fieldOf(value, field) ?? "")]);
}

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["olm.gvk.required", ["group", "version", "kind"]],
  ["olm.package.required", ["packageName", "versionRange"]],
]);

/** A field whose key may be written in another case. */
function fieldOf(value: JsonObject, key: string): Json | undefined {
  const exact = own(value, key);
  if (exact !== undefined) return exact;
  const other = Object.keys(value).find((name) => name.toLowerCase() === key.toLowerCase());
  return other === undefined ? undefined : own(value, other);
}

/** The manifests, if the server sends them. The ClusterServiceVersion is usually one of them. */
function manifests({ csv, objects }: BundleContent): readonly Property[] {
  const hasCsv = csv === "" || objects.includes(csv) || objects.some(isCsv);
  return (hasCsv ? objects : [csv, ...objects]).map((text) => ({
    type: "olm.bundle.object",
    value: { data: Buffer.from(text).toString("base64") },
  }));
}

function isCsv(text: string): boolean {
  const value = nestsDeeper(text, MAX_DEPTH) ? undefined : (parsedJson(text) as Json | undefined);
  return isObject(value) && own(value, "kind") === "ClusterServiceVersion";
}
