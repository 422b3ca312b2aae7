// How do the values, types and declarations of the official tests, written as protobuf's JSON, read in our engine?
import { globalFunction, memberFunction, type Overload } from "../../src/cel/library.ts";
import type { Type } from "../../src/cel/type.ts";
import * as type from "../../src/cel/type.ts";
import { Bytes, CelMap, type MapKey, TypeValue } from "../../src/cel/value/boxes.ts";
import { parseDuration } from "../../src/cel/value/duration.ts";
import { mapKey } from "../../src/cel/value/map-access.ts";
import { double, int, Uint } from "../../src/cel/value/number.ts";
import { parseTimestamp } from "../../src/cel/value/timestamp.ts";
import { CelError, type Result, type Value } from "../../src/cel/value/value.ts";

/** `cel.expr.Value` */
export interface ValueJson {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly enumValue?: { readonly type: string; readonly value?: number };
  readonly objectValue?: { readonly "@type": string; readonly value?: unknown };
  readonly mapValue?: { readonly entries?: readonly { readonly key: ValueJson; readonly value: ValueJson }[] };
  readonly listValue?: { readonly values?: readonly ValueJson[] };
  readonly typeValue?: string;
}

/** `cel.expr.Type` */
export interface TypeJson {
  readonly dyn?: unknown;
  readonly null?: unknown;
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly listType?: { readonly elemType?: TypeJson };
  readonly mapType?: { readonly keyType?: TypeJson; readonly valueType?: TypeJson };
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly type?: TypeJson;
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly TypeJson[] };
}

/** `cel.expr.Decl` */
export interface DeclarationJson {
  readonly name: string;
  readonly ident?: { readonly type: TypeJson };
  readonly function?: { readonly overloads: readonly OverloadJson[] };
}

interface OverloadJson {
  readonly overloadId: string;
  readonly params?: readonly TypeJson[];
  readonly resultType: TypeJson;
  readonly isInstanceFunction?: boolean;
}

/** Takes the name of a message or enum that was met. */
export type Meet = (name: string) => void;

/** The messages that the language definition makes values of other types of: how such a value is written in JSON. */
const WELL_KNOWN: Readonly<Record<string, { readonly type: Type; readonly read: (json: unknown) => Value }>> = {
  "google.protobuf.BoolValue": { type: wrapper(type.BOOL), read: (json) => json === true },
  "google.protobuf.BytesValue": { type: wrapper(type.BYTES), read: (json) => bytes(String(json)) },
  "google.protobuf.DoubleValue": { type: wrapper(type.DOUBLE), read: (json) => double(Number(json)) },
  "google.protobuf.FloatValue": { type: wrapper(type.DOUBLE), read: (json) => double(Math.fround(Number(json))) },
  "google.protobuf.Int32Value": { type: wrapper(type.INT), read: (json) => integer(String(json)) },
  "google.protobuf.Int64Value": { type: wrapper(type.INT), read: (json) => integer(String(json)) },
  "google.protobuf.StringValue": { type: wrapper(type.STRING), read: (json) => String(json) },
  "google.protobuf.UInt32Value": { type: wrapper(type.UINT), read: (json) => new Uint(BigInt(String(json))) },
  "google.protobuf.UInt64Value": { type: wrapper(type.UINT), read: (json) => new Uint(BigInt(String(json))) },
  "google.protobuf.Timestamp": { type: type.TIMESTAMP, read: (json) => sure(parseTimestamp(String(json))) },
  "google.protobuf.Duration": { type: type.DURATION, read: (json) => sure(parseDuration(String(json))) },
  "google.protobuf.Struct": { type: type.mapOf(type.STRING, type.DYN), read: plainJson },
  "google.protobuf.ListValue": { type: type.listOf(type.DYN), read: plainJson },
  "google.protobuf.Value": { type: type.DYN, read: plainJson },
};

const PRIMITIVES: Readonly<Record<string, Type>> = {
  BOOL: type.BOOL,
  INT64: type.INT,
  UINT64: type.UINT,
  DOUBLE: type.DOUBLE,
  STRING: type.STRING,
  BYTES: type.BYTES,
  ANY: type.DYN,
  TIMESTAMP: type.TIMESTAMP,
  DURATION: type.DURATION,
};

/** The value; undefined when it is or has a message, each of which is passed to `meet`. */
export function readValue(json: ValueJson, meet: Meet): Value | undefined {
  if (json.boolValue !== undefined) return json.boolValue;
  if (json.int64Value !== undefined) return integer(json.int64Value);
  if (json.uint64Value !== undefined) return new Uint(BigInt(json.uint64Value));
  if (json.doubleValue !== undefined) return double(Number(json.doubleValue));
  if (json.stringValue !== undefined) return json.stringValue;
  if (json.bytesValue !== undefined) return bytes(json.bytesValue);
  if (json.typeValue !== undefined) return new TypeValue(json.typeValue);
  if (json.listValue !== undefined) return readList(json.listValue.values ?? [], meet);
  if (json.mapValue !== undefined) return readMap(json.mapValue.entries ?? [], meet);
  if (json.objectValue !== undefined) return readMessage(json.objectValue, meet);
  if (json.enumValue !== undefined) {
    meet(json.enumValue.type);
    return undefined;
  }
  if (json.nullValue !== undefined) return null;
  throw new Error(`not a value: ${JSON.stringify(json)}`);
}

function readList(items: readonly ValueJson[], meet: Meet): Value | undefined {
  const values = items.map((item) => readValue(item, meet));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** A map; one with string keys becomes a plain object, as input is. */
function readMap(
  entries: readonly { readonly key: ValueJson; readonly value: ValueJson }[],
  meet: Meet,
): Value | undefined {
  const read = entries.map((entry) => [readValue(entry.key, meet), readValue(entry.value, meet)] as const);
  const complete = read.filter((pair): pair is [Value, Value] => pair[0] !== undefined && pair[1] !== undefined);
  if (complete.length < read.length) return undefined;
  if (complete.every(([key]) => typeof key === "string")) return Object.fromEntries(complete);
  const map = new Map<MapKey, readonly [Value, Value]>();
  for (const pair of complete) map.set(mapKey(pair[0]) as MapKey, pair);
  return new CelMap(map);
}

function readMessage(json: { readonly "@type": string; readonly value?: unknown }, meet: Meet): Value | undefined {
  const name = json["@type"].replace(/^.*\//, "");
  const known = WELL_KNOWN[name];
  if (known !== undefined) return known.read(json.value);
  meet(name);
  return undefined;
}

/** The type; a message, which is passed to `meet`, becomes a type that has nothing but its name. */
export function readType(json: TypeJson, meet: Meet): Type {
  const simple = PRIMITIVES[json.primitive ?? json.wellKnown ?? ""];
  if (simple !== undefined) return simple;
  if (json.wrapper !== undefined) return wrapper(PRIMITIVES[json.wrapper] as Type);
  if (json.listType !== undefined) return type.listOf(readType(json.listType.elemType ?? {}, meet));
  if (json.mapType !== undefined) {
    return type.mapOf(readType(json.mapType.keyType ?? {}, meet), readType(json.mapType.valueType ?? {}, meet));
  }
  if (json.messageType !== undefined) {
    const known = WELL_KNOWN[json.messageType];
    if (known !== undefined) return known.type;
    meet(json.messageType);
    return type.opaque(json.messageType);
  }
  if (json.abstractType !== undefined) {
    const parameters = json.abstractType.parameterTypes ?? [];
    return type.opaque(json.abstractType.name, ...parameters.map((parameter) => readType(parameter, meet)));
  }
  if (json.typeParam !== undefined) return type.parameter(json.typeParam);
  if (json.type !== undefined) return typeOfType(json.type, meet);
  return json.null === undefined ? type.DYN : type.NULL;
}

function typeOfType(json: TypeJson, meet: Meet): Type {
  return Object.keys(json).length === 0 ? type.TYPE : type.typeOf(readType(json, meet));
}

/** The functions of a declaration. They can be checked, not called. */
export function readFunctions(json: DeclarationJson, meet: Meet): readonly Overload[] {
  return (json.function?.overloads ?? []).map((overload) => {
    const make = overload.isInstanceFunction ? memberFunction : globalFunction;
    const parameters = (overload.params ?? []).map((parameter) => readType(parameter, meet));
    const call = () => new CelError("declared, but not there");
    return make(json.name, overload.overloadId, parameters, readType(overload.resultType, meet), call);
  });
}

function wrapper(of: Type): Type {
  return { kind: "wrapper", of };
}

function integer(text: string): Value {
  return int(BigInt(text)) as Value;
}

function sure(result: Result): Value {
  if (result instanceof CelError) throw new Error(result.message);
  return result;
}

function bytes(base64: string): Bytes {
  return new Bytes(new Uint8Array(Buffer.from(base64, "base64")));
}

/** `google.protobuf.Value`: JSON, whose numbers are doubles. */
function plainJson(json: unknown): Value {
  if (typeof json === "number") return double(json);
  if (Array.isArray(json)) return json.map(plainJson);
  if (typeof json !== "object" || json === null) return json as Value;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, plainJson(value)]));
}
