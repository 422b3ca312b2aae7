// Does a property of one of OLM's types have a valid value? See docs/lint.md, PL053. Constraints (`olm.constraint`)
// are read by src/constraint.

import { heldOf } from "../../model/held-manifest.ts";
import { isObject, type Json, own, typeName } from "../../model/json.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { foldedKeys, object, type Shape, text } from "../shape.ts";

/** Values whose keys `opm` reads case-insensitively. */
const GVK: Shape = object({ group: text, version: text, kind: text });
const FIELDS: Readonly<Record<string, Shape>> = {
  "olm.gvk": GVK,
  "olm.gvk.required": GVK,
  "olm.package": object({ packageName: text, version: text, release: text }),
  "olm.package.required": object({ packageName: text, versionRange: text }),
};

/** The value of a known property with its keys in canonical case. */
export function foldedValue(type: string, value: Json): Json {
  return Object.hasOwn(FIELDS, type) ? foldedKeys(value, FIELDS[type] as Shape) : value;
}

/** The known type that was probably meant by a type of OLM's that is not known. */
export function typeMeant(type: string): string | undefined {
  if (Object.hasOwn(CHECKS, type) || !/^olm\./i.test(type) || OTHERS.includes(type)) return undefined;
  return didYouMean(type, [...Object.keys(CHECKS), ...OTHERS]);
}

/** Known types whose values are read elsewhere, or have no effect. */
const OTHERS: readonly string[] = ["olm.constraint", "olm.deprecated"];

type Check = (value: Json) => string | undefined;

/** Why a value does not fit its property type; undefined if it does, or if the type is not one of OLM's. */
export function propertyFault(type: string, value: Json): string | undefined {
  return Object.hasOwn(CHECKS, type) ? (CHECKS[type] as Check)(value) : undefined;
}

const CHECKS: Readonly<Record<string, Check>> = {
  "olm.gvk": checkGvk,
  "olm.gvk.required": checkGvk,
  "olm.package": (value) => texts(value, ["packageName", "version"]) ?? optionalText(value, "release"),
  "olm.package.required": checkRequiredPackage,
  "olm.label": (value) => texts(value, ["label"]),
  "olm.label.required": (value) => texts(value, ["label"]),
  "olm.bundle.object": checkManifest,
  "olm.csv.metadata": (value) =>
    isObject(value) ? undefined : `the value must be an object, but is ${typeName(value)}`,
  "olm.maxOpenShiftVersion": checkOpenShiftVersion,
};

function checkGvk(value: Json): string | undefined {
  const fault = texts(value, ["group", "version", "kind"]);
  if (fault !== undefined) return fault;
  const { group, version, kind } = value as { group: string; version: string; kind: string };
  if (version === "" || kind === "") return "version and kind must not be empty";
  if (/[/\s]/.test(group + version + kind)) return "group, version and kind must not contain slashes or spaces";
  return undefined;
}

/** Seed 003 writes `name`, the released system `packageName`. */
function checkRequiredPackage(value: Json): string | undefined {
  if (isObject(value) && own(value, "packageName") === undefined && own(value, "name") !== undefined)
    return texts(value, ["name", "versionRange"]);
  return texts(value, ["packageName", "versionRange"]);
}

/** A manifest is included as base64, or in another file. */
function checkManifest(value: Json): string | undefined {
  if (isObject(value) && heldOf(value) !== undefined) return undefined;
  if (isObject(value) && own(value, "data") === undefined && own(value, "ref") !== undefined)
    return texts(value, ["ref"]);
  const fault = texts(value, ["data"]);
  if (fault !== undefined) return fault;
  const { data } = value as { readonly data: string };
  const bare = data.replace(/[\r\n]/g, "");
  const isBase64 = bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
  return isBase64 ? undefined : "data is not base64";
}

function checkOpenShiftVersion(value: Json): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && /^v?[0-9]{1,9}\.[0-9]{1,9}(\.0)?$/.test(text)) return undefined;
  return 'the value must be a version of major and minor, such as "4.18"';
}

/** Checks that an object has texts under some keys. */
function texts(value: Json, keys: readonly string[]): string | undefined {
  if (!isObject(value)) return `the value must be an object, but is ${typeName(value)}`;
  for (const key of keys) {
    const item = own(value, key);
    if (item === undefined) return `${key} is missing`;
    if (typeof item !== "string") return notText(key, item);
  }
  return undefined;
}

function optionalText(value: Json, key: string): string | undefined {
  const item = isObject(value) ? own(value, key) : undefined;
  return item === undefined || item === null || typeof item === "string" ? undefined : notText(key, item);
}

function notText(key: string, value: Json): string {
  return `${key} must be text, but is ${typeName(value)}${typeof value === "object" ? "" : "; put it in quotes"}`;
}
