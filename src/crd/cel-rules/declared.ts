// Which type do the values of a schema node have in a rule, and how large can they be?
//
// Types and sizes are those of Kubernetes' apiextensions-apiserver v0.36.3; the sizes decide what a rule may cost.

import type { SchemaSizes } from "../../cel/cost/estimate.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
} from "../../cel/type.ts";
import type { Json } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";
import type { Bound, Schema } from "../schema/schema.ts";
import { escapeName } from "./escape-name.ts";

/** What rules know of the values of a schema node. */
export interface Declared {
  readonly type: Type;
  /** Characters, bytes, elements or entries at most; 0 for everything that has no size. */
  readonly most: number;
  /** The minimum size of a value in bytes of JSON. */
  readonly leastBytes: number;
  /** The fields of an object, by their names as rules write them. */
  readonly fields?: ReadonlyMap<string, Declared>;
  /** The keys of a map. */
  readonly keys?: Declared;
  /** The elements of a list, or the values of a map. */
  readonly elements?: Declared;
}

/** The sizes of the values below `self`. The first step of a path, the variable, is not looked at, as in the API server. */
export function sizesOf(self: Declared): SchemaSizes {
  return ({ steps, length }) => {
    let declared: Declared | undefined = self;
    for (let index = 1; index < length && declared !== undefined; index++) {
      const step = steps[index] as string;
      if (step === "@items" || step === "@values") declared = declared.elements;
      else declared = step === "@keys" ? declared.keys : declared.fields?.get(step);
    }
    return declared === undefined ? undefined : { min: 0, max: declared.most };
  };
}

/** The maximum size of a request to the API server, in bytes. */
export const MAX_BYTES: number = 3 * 1024 * 1024;
const MAX_CHARACTERS = MAX_BYTES - 2;

const TEXT_BYTES = 2;
const ANY_TEXT: Declared = { type: STRING, most: MAX_CHARACTERS, leastBytes: TEXT_BYTES };
/** The keys of maps: their size is unbounded, but the API server estimates it as 0. */
const KEYS: Declared = { type: STRING, most: 0, leastBytes: TEXT_BYTES };

/** What is known of the node's values; undefined if rules cannot see them. `name` is how messages call them. */
export function declare(schema: Schema, isResource: boolean, name: string): Declared | undefined {
  if (schema.intOrString) return { type: DYN, most: mostCharacters(schema) ?? MAX_CHARACTERS, leastBytes: 1 };
  switch (schema.type) {
    case "array":
      return declareList(schema, name);
    case "object":
      return typeof schema.additionalProperties === "object"
        ? declareMap(schema, schema.additionalProperties, name)
        : declareObject(schema, isResource, name);
    case "string":
      return declareText(schema);
    case "boolean":
      return { type: BOOL, most: 0, leastBytes: 4 };
    case "number":
      return { type: DOUBLE, most: 0, leastBytes: 1 };
    case "integer":
      return { type: INT, most: 0, leastBytes: 1 };
    default:
      return undefined;
  }
}

function declareList(schema: Schema, name: string): Declared | undefined {
  const { items } = schema;
  const elements = items === undefined ? undefined : declare(items, items.embeddedResource, `${name}[*]`);
  if (elements === undefined) return undefined;
  const most = count(schema.maxItems) ?? Math.floor(MAX_CHARACTERS / (elements.leastBytes + 1));
  return { type: listOf(elements.type), most, leastBytes: 2, elements };
}

function declareMap(schema: Schema, values: Schema, name: string): Declared | undefined {
  const elements = declare(values, values.embeddedResource, `${name}[*]`);
  if (elements === undefined) return undefined;
  const most = count(schema.maxProperties) ?? Math.floor(MAX_CHARACTERS / (elements.leastBytes + 6));
  return { type: mapOf(STRING, elements.type), most, leastBytes: 2, keys: KEYS, elements };
}

function declareObject(schema: Schema, isResource: boolean, name: string): Declared {
  const fields = new Map<string, Declared>();
  const required = new Set(schema.required);
  let leastBytes = 2;
  for (const [property, its] of isResource ? resourceProperties(schema) : schema.properties) {
    const declared = declare(its, its.embeddedResource, `${name}.${property}`);
    if (declared === undefined) continue;
    const escaped = escapeName(property);
    if (escaped !== undefined) fields.set(escaped, declared);
    if (required.has(property) && its.default === undefined)
      leastBytes += new TextEncoder().encode(property).length + declared.leastBytes + 4;
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type]));
  return {
    type: { kind: "object", name: name === "" ? "the object" : name, fields: types },
    most: 0,
    leastBytes,
    fields,
  };
}

const TEXT: Schema = readSchema({ type: "string" }).schema;
const METADATA: Schema = readSchema({
  type: "object",
  properties: { name: { type: "string" }, generateName: { type: "string" } },
}).schema;

/** The properties of a resource: it has its names, and no other metadata unless its schema has the names itself. */
export function resourceProperties({ properties }: Schema): ReadonlyMap<string, Schema> {
  const metadata = properties.get("metadata");
  if (
    properties.get("kind")?.type === "string" &&
    properties.get("apiVersion")?.type === "string" &&
    metadata?.type === "object" &&
    metadata.properties.get("name")?.type === "string" &&
    metadata.properties.get("generateName")?.type === "string"
  )
    return properties;
  return new Map([...properties, ["kind", TEXT], ["apiVersion", TEXT], ["metadata", METADATA]]);
}

function declareText(schema: Schema): Declared {
  switch (schema.format) {
    case "byte":
      return { type: BYTES, most: count(schema.maxLength) ?? MAX_CHARACTERS, leastBytes: TEXT_BYTES };
    case "duration":
      return { type: DURATION, most: 32, leastBytes: 3 };
    case "date":
      return { type: TIMESTAMP, most: 12, leastBytes: 12 };
    case "date-time":
      return { type: TIMESTAMP, most: 32, leastBytes: 21 };
    default:
      return { ...ANY_TEXT, most: mostCharacters(schema) ?? longestOf(schema.enum) ?? MAX_CHARACTERS };
  }
}

/** A character of the schema can be four bytes of JSON. */
function mostCharacters(schema: Schema): number | undefined {
  const most = count(schema.maxLength);
  return most === undefined ? undefined : 4 * most;
}

function longestOf(values: readonly Json[] | undefined): number | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const lengths = values.map((value) => (typeof value === "string" ? new TextEncoder().encode(value).length : 0));
  return lengths.reduce((longest, length) => Math.max(longest, length), 0);
}

/** The bound as a number; a negative one is 0. */
export function count(bound: Bound | undefined): number | undefined {
  return bound === undefined ? undefined : Math.max(0, Number(bound));
}
