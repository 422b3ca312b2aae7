// What does the API server make of an object before it validates it? Fields that the schema does not know are dropped,
// nulls where none may be too, and defaults are put in. Follows pkg/apiserver/schema/pruning, defaulting and objectmeta of
// apiextensions-apiserver v0.37, in the order of pkg/apiserver/customresource_handler.go.

import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { Schema } from "../schema/schema.ts";
import type { UndecidedReason } from "./fault.ts";
import { isMetadataField, isOwnerField } from "./metadata.ts";

/** Faster than Object.hasOwn where the key comes from the object. */
const { hasOwnProperty: hasOwn } = Object.prototype;

/** Gives the value as it is served; the same value, if nothing changes. */
export type Serve = (value: Json, serving: Serving) => Json;

/** What happened while an object was served. */
export class Serving {
  readonly path: (string | number)[] = [];
  readonly dropped: Path[] = [];
  /** Why not everything could be checked. */
  undecided: UndecidedReason | undefined;
  /** How many values the defaults that were put in have together. */
  filled = 0;

  drop(key: string): void {
    this.dropped.push([...this.path, key]);
  }

  /** Puts a default in, unless there are too many: defaults in defaults can be more than any object could hold. */
  fill({ value, size }: Default): Json {
    this.filled += size;
    if (this.filled <= MAX_FILLED) return value;
    this.undecided ??= { kind: "defaults", limit: MAX_FILLED };
    return null;
  }
}

const MAX_FILLED = 1_000_000;

/**
 * Which unknown fields are dropped? `all`: all. `below`: those of the known fields, here they are kept
 * (x-kubernetes-preserve-unknown-fields, and items of a list that has it). `none`: none, at any depth.
 */
export type Pruning = "all" | "below" | "none";

/** How values of a schema are served. `keepsNulls`: nulls are kept where none may be. */
export function serveFor(
  schema: Schema,
  wanted: Pruning,
  keepsNulls: boolean,
  isResource: boolean = schema.embeddedResource,
): Serve {
  const pruning = wanted === "all" && schema.preserveUnknownFields ? "below" : wanted;
  const object = objectServe(schema, pruning, keepsNulls, isResource);
  const list = listServe(schema, pruning, keepsNulls);
  return (value, serving) => {
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? list(value, serving) : object(value as JsonObject, serving);
  };
}

/** One field, or the items of a list: how its value is served, and its default. */
interface Part {
  readonly serve: Serve;
  readonly nullable: boolean;
  readonly default: (() => Default) | undefined;
}

/** A default as it is put in, with the number of its values. */
interface Default {
  readonly value: Json;
  readonly size: number;
}

function partOf(schema: Schema, pruning: Pruning, keepsNulls: boolean): Part {
  let made: Serve | undefined;
  const serve: Serve = (value, serving) => {
    made ??= serveFor(schema, pruning, keepsNulls);
    return made(value, serving);
  };
  const { default: written, nullable } = schema;
  if (written === undefined) return { serve, nullable, default: undefined };
  let served: Default | undefined;
  return {
    serve,
    nullable,
    default: () => {
      served ??= servedDefault(written, serveFor(schema, pruning, true));
      return served;
    },
  };
}

/** Unknown fields are dropped from a default, too, and it gets the defaults of its own fields. */
function servedDefault(written: Json, serve: Serve): Default {
  const serving = new Serving();
  const value = serve(written, serving);
  return { value, size: sizeOf(written) + serving.filled };
}

function sizeOf(value: Json): number {
  const left: Json[] = [value];
  let size = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    size++;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) left.push(inner as Json);
  }
  return size;
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** In a resource, apiVersion, kind and metadata are always known. */
function objectServe(
  schema: Schema,
  pruning: Pruning,
  keepsNulls: boolean,
  isResource: boolean,
): (object: JsonObject, serving: Serving) => Json {
  const { properties, additionalProperties } = schema;
  const below: Pruning = pruning === "none" ? "none" : "all";
  const parts = new Map<string, Part>();
  for (const [name, property] of properties) {
    const isMeta = isResource && META_FIELDS.has(name);
    parts.set(name, partOf(property, isMeta ? "none" : below, keepsNulls));
  }
  const others = othersPart(additionalProperties, below, keepsNulls);
  const defaults = [...parts].filter(([, part]) => part.default !== undefined);
  const dropsUnknown = pruning === "all" && others === undefined;
  if (others === undefined && parts.size === 0 && !dropsUnknown && !isResource) return (object) => object;

  return (object, serving) => {
    let changed: Record<string, Json> | undefined;
    for (const key in object) {
      if (!hasOwn.call(object, key)) continue;
      const given = object[key] as Json;
      const known = parts.get(key);
      // Most fields are not changed.
      if (known !== undefined && typeof given !== "object") continue;
      const isMeta = isResource && META_FIELDS.has(key);
      const part = known ?? (isMeta ? undefined : others);
      const isUnknown = part === undefined && dropsUnknown && !isMeta;
      if (isUnknown) serving.drop(key);
      if (isUnknown || (given === null && part !== undefined && isNeedless(part, keepsNulls))) {
        changed ??= { ...object };
        delete changed[key];
        continue;
      }
      let value = given;
      if (given === null) {
        if (part?.default !== undefined && !part.nullable) value = serving.fill(part.default());
      } else if (typeof given === "object") {
        serving.path.push(key);
        if (isMeta && key === "metadata") value = servedMetadata(given, serving);
        if (part !== undefined) value = part.serve(value, serving);
        serving.path.pop();
      }
      if (value === given) continue;
      changed ??= { ...object };
      put(changed, key, value);
    }
    for (const [name, part] of defaults) {
      if (Object.hasOwn(object, name) || part.default === undefined) continue;
      changed ??= { ...object };
      put(changed, name, serving.fill(part.default()));
    }
    return changed ?? object;
  };
}

/** Is a null dropped from a field? */
function isNeedless(part: Part, keepsNulls: boolean): boolean {
  return !part.nullable && part.default === undefined && !keepsNulls;
}

/** How fields that are not among the properties are served; undefined if nothing is known about them. */
function othersPart(others: Schema["additionalProperties"], pruning: Pruning, keepsNulls: boolean): Part | undefined {
  if (others === undefined) return undefined;
  if (typeof others === "object") return partOf(others, pruning, keepsNulls);
  // Where fields are allowed without a schema, everything in them is unknown.
  return pruning === "none" ? undefined : { serve: emptied, nullable: true, default: undefined };
}

function listServe(
  schema: Schema,
  pruning: Pruning,
  keepsNulls: boolean,
): (list: readonly Json[], serving: Serving) => Json {
  const { items } = schema;
  if (items === undefined) return pruning === "all" ? emptied : (list) => list;
  const part = partOf(items, pruning, keepsNulls);
  return (list, serving) => {
    let changed: Json[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as Json;
      let value = item;
      if (item === null) {
        if (!part.nullable && part.default !== undefined) value = serving.fill(part.default());
      } else if (typeof item === "object") {
        serving.path.push(index);
        value = part.serve(item, serving);
        serving.path.pop();
      }
      if (value === item) continue;
      changed ??= [...list];
      changed[index] = value;
    }
    return changed ?? list;
  };
}

/** Metadata without the fields that Kubernetes does not know, of itself and of its owners. */
function servedMetadata(metadata: Json, serving: Serving): Json {
  if (!isObject(metadata)) return metadata;
  const known = withoutUnknown(metadata, isMetadataField, serving);
  const owners = own(known, OWNERS);
  if (!isList(owners)) return known;
  serving.path.push(OWNERS);
  const served = owners.map((owner, index) => {
    if (!isObject(owner)) return owner;
    serving.path.push(index);
    const servedOwner = withoutUnknown(owner, isOwnerField, serving);
    serving.path.pop();
    return servedOwner;
  });
  serving.path.pop();
  return served.some((owner, index) => owner !== owners[index]) ? { ...known, [OWNERS]: served } : known;
}

const OWNERS = "ownerReferences";

function withoutUnknown(object: JsonObject, isKnown: (name: string) => boolean, serving: Serving): JsonObject {
  let changed: Record<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    if (isKnown(key)) continue;
    serving.drop(key);
    changed ??= { ...object };
    delete changed[key];
  }
  return changed ?? object;
}

/** How deep lists without a schema may nest. */
const MAX_LISTS = 500;

/** A value without a schema: its objects lose all their fields. */
function emptied(value: Json, serving: Serving): Json {
  return emptiedBelow(value, serving, 0);
}

function emptiedBelow(value: Json, serving: Serving, level: number): Json {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) {
    const keys = Object.keys(value);
    for (const key of keys) serving.drop(key);
    return keys.length === 0 ? value : {};
  }
  if (level === MAX_LISTS) {
    serving.undecided ??= { kind: "lists-too-deep", levels: MAX_LISTS };
    return value;
  }
  let changed: Json[] | undefined;
  for (const [index, item] of value.entries()) {
    serving.path.push(index);
    const inner = emptiedBelow(item, serving, level + 1);
    serving.path.pop();
    if (inner === item) continue;
    changed ??= [...value];
    changed[index] = inner;
  }
  return changed ?? value;
}

/** Sets an own field, even `__proto__`. */
function put(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
