// Which value is a plain YAML scalar? Neither YAML 1.1 nor 1.2 but what the Kubernetes API machinery reads: `on` is
// true, `012` is ten, a date is a string. test/differential/yaml.json holds the original's answers. One deliberate
// difference: an integer beyond 2^53 stays exact here (a bigint) instead of becoming a double.

import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  type MappingTagDefinition,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
  type Schema,
  type SequenceTagDefinition,
  seqTag,
} from "js-yaml";
import type { Json } from "../model/json.ts";

const NULLS = new Set(["", "~", "null", "Null", "NULL"]);

/** A value for each of some words. */
function wordsFor<Value>(value: Value, words: string): [string, Value][] {
  return words.split(" ").map((word) => [word, value]);
}

const BOOLEANS = new Map<string, boolean>([
  ...wordsFor(true, "y Y yes Yes YES true True TRUE on On ON"),
  ...wordsFor(false, "n N no No NO false False FALSE off Off OFF"),
]);

const SPECIAL_FLOATS = new Map<string, number>([
  ...wordsFor(Number.NaN, ".nan .NaN .NAN"),
  ...wordsFor(Number.POSITIVE_INFINITY, ".inf .Inf .INF +.inf +.Inf +.INF"),
  ...wordsFor(Number.NEGATIVE_INFINITY, "-.inf -.Inf -.INF"),
]);

const DIGITS = [..."0123456789"];
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]{1,16})|0[bB]([01]{1,64})|0[oO]?([0-7]{1,21})|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const MAX_NUMBER_LENGTH = 400;

const nullTag: ScalarTagDefinition<null> = defineScalarTag("tag:yaml.org,2002:null", {
  implicit: true,
  implicitFirstChars: ["", "~", "n", "N"],
  resolve: (source) => (NULLS.has(source) ? null : NOT_RESOLVED),
  identify: (data) => data === null,
  represent: () => "null",
});

const boolTag: ScalarTagDefinition<boolean> = defineScalarTag("tag:yaml.org,2002:bool", {
  implicit: true,
  implicitFirstChars: [..."yYnNtTfFoO"],
  resolve: (source) => BOOLEANS.get(source) ?? NOT_RESOLVED,
  identify: (data) => typeof data === "boolean",
});

const intTag: ScalarTagDefinition<number | bigint> = defineScalarTag("tag:yaml.org,2002:int", {
  implicit: true,
  implicitFirstChars: ["-", "+", ...DIGITS],
  resolve: (source) => readInteger(source) ?? NOT_RESOLVED,
  identify: (data) => typeof data === "bigint" || Number.isInteger(data),
});

const floatTag: ScalarTagDefinition<number> = defineScalarTag("tag:yaml.org,2002:float", {
  implicit: true,
  implicitFirstChars: ["-", "+", ".", ...DIGITS],
  resolve: (source) => readFloat(source) ?? NOT_RESOLVED,
  identify: (data) => typeof data === "number",
});

/** `!!binary` becomes the decoded bytes as text. */
const binaryTag: ScalarTagDefinition<string> = defineScalarTag("tag:yaml.org,2002:binary", {
  resolve: (source) => decodeBase64(source) ?? NOT_RESOLVED,
  identify: () => false,
});

/** `!!timestamp` stays text. */
const timestampTag: ScalarTagDefinition<string> = defineScalarTag("tag:yaml.org,2002:timestamp", {
  resolve: (source) => source,
  identify: () => false,
});

/** An unknown tag is ignored: a scalar is text, a collection is what it is. */
const unknownScalarTags: ScalarTagDefinition<string>[] = ["!", "tag:"].map((prefix) =>
  defineScalarTag(prefix, { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
);
type Carrier = Record<string, unknown>;
const unknownMappingTags: MappingTagDefinition<Carrier, Carrier>[] = ["!", "tag:"].map((prefix) =>
  defineMappingTag<Carrier>(prefix, { ...keyedMap(), matchByTagPrefix: true, identify: () => false }),
);
const unknownSequenceTags: SequenceTagDefinition<unknown[], unknown[]>[] = ["!", "tag:"].map((prefix) =>
  defineSequenceTag<unknown[]>(prefix, {
    create: seqTag.create,
    addItem: seqTag.addItem,
    matchByTagPrefix: true,
    identify: () => false,
  }),
);

/** A mapping must have keys other than `null`. */
const mappingTag: MappingTagDefinition<Carrier, Carrier> = defineMappingTag("tag:yaml.org,2002:map", {
  ...keyedMap(),
  identify: mapTag.identify,
  represent: mapTag.represent,
});

function keyedMap(): Pick<typeof mapTag, "create" | "addPair" | "has" | "keys" | "get"> {
  return {
    create: mapTag.create,
    addPair: (map, key, value) => (key === null ? "a key is missing" : mapTag.addPair(map, key, value)),
    has: mapTag.has,
    keys: mapTag.keys,
    get: mapTag.get,
  };
}

/** The value of plain text, without quotes and tags. */
export function plainScalar(source: string): Json {
  if (NULLS.has(source)) return null;
  return BOOLEANS.get(source) ?? readInteger(source) ?? readFloat(source) ?? source;
}

/** The schema for the YAML parser. */
export const KUBERNETES_SCHEMA: Schema = FAILSAFE_SCHEMA.withTags(
  mappingTag,
  nullTag,
  boolTag,
  intTag,
  floatTag,
  mergeTag,
  binaryTag,
  timestampTag,
  unknownScalarTags,
  unknownMappingTags,
  unknownSequenceTags,
);

function readInteger(source: string): number | bigint | undefined {
  if (source.length > MAX_NUMBER_LENGTH) return undefined;
  const match = INTEGER.exec(source.includes("_") ? source.replaceAll("_", "") : source);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = decimal ?? (hex ? `0x${hex}` : binary ? `0b${binary}` : `0o${octal}`);
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return sign === "-" && value !== 0 ? -value : value;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

function readFloat(source: string): number | undefined {
  const special = SPECIAL_FLOATS.get(source);
  if (special !== undefined) return special;
  if (source.length > MAX_NUMBER_LENGTH) return undefined;
  const plain = source.includes("_") ? source.replaceAll("_", "") : source;
  const value = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function decodeBase64(source: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(source.replace(/\s/g, "")), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
