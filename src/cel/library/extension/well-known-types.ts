// Which protobuf messages are values of the language itself?
//
// `google.protobuf.Int32Value{value: 1}` is the int 1, a `Struct` is a map: the language definition calls them well-known
// types. They exist so that expressions written for other implementations run; new ones do not need them.
import type { Library, Message, Running } from "../../library.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../../type.ts";
import { Bytes, CelMap } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { durationOrOverflow, NANOS_PER_SECOND } from "../../value/duration.ts";
import { isMap, type MapValue, mapEntries } from "../../value/map-access.ts";
import { type Double, double, doubleOf, isInt, Uint } from "../../value/number.ts";
import { addDuration, type Timestamp, timestampOfSeconds } from "../../value/timestamp.ts";
import { CelError, isList, type Result, type Value } from "../../value/value.ts";
import { typeConstant } from "../standard/standard.ts";

/** A message with the one field `value`, which may also be null. */
function wrapper(name: string, of: Type, unset: Value, accept: (value: Value) => Result = (value) => value): Message {
  return {
    name: `google.protobuf.${name}`,
    fields: new Map([["value", of]]),
    result: { kind: "wrapper", of },
    make: (fields) => accept(fields.get("value") ?? unset),
  };
}

function within(least: bigint, most: bigint, type: string): (value: Value) => Result {
  return (value) => {
    const number = BigInt(value instanceof Uint ? value.value : (value as number | bigint));
    return number < least || number > most ? new CelError(`${number} does not fit into ${type}`) : value;
  };
}

const wrappers: readonly Message[] = [
  wrapper("BoolValue", BOOL, false),
  wrapper("BytesValue", BYTES, new Bytes(new Uint8Array())),
  wrapper("DoubleValue", DOUBLE, double(0)),
  wrapper("FloatValue", DOUBLE, double(0), (value) => double(Math.fround(doubleOf(value as number | Double)))),
  wrapper("Int32Value", INT, 0, within(-(2n ** 31n), 2n ** 31n - 1n, "32 bits")),
  wrapper("Int64Value", INT, 0),
  wrapper("StringValue", STRING, ""),
  wrapper("UInt32Value", UINT, new Uint(0n), within(0n, 2n ** 32n - 1n, "32 bits")),
  wrapper("UInt64Value", UINT, new Uint(0n)),
];

const TIME_FIELDS: ReadonlyMap<string, Type> = new Map([
  ["seconds", INT],
  ["nanos", INT],
]);

function durationOf(fields: ReadonlyMap<string, Value>): Result {
  const seconds = BigInt((fields.get("seconds") ?? 0) as number | bigint);
  return durationOrOverflow(seconds * NANOS_PER_SECOND + BigInt((fields.get("nanos") ?? 0) as number | bigint));
}

function timestampOf(fields: ReadonlyMap<string, Value>): Result {
  const whole = timestampOfSeconds((fields.get("seconds") ?? 0) as number | bigint);
  const rest = durationOrOverflow(BigInt((fields.get("nanos") ?? 0) as number | bigint));
  return whole instanceof CelError || rest instanceof CelError ? whole : addDuration(whole as Timestamp, rest);
}

const ANYTHING: Type = mapOf(STRING, DYN);

/** JSON has one kind of number. */
function asJson(value: Value, running: Running): Result {
  if (isInt(value)) return double(Number(value));
  if (value instanceof Uint) return double(Number(value.value));
  if (isList(value)) return jsonList(value, running);
  return isMap(value) ? jsonMap(value, running) : value;
}

function jsonList(list: readonly Value[], running: Running): Result {
  running.allocate(list.length);
  const elements = list.map((element) => asJson(element, running));
  return elements.find((element) => element instanceof CelError) ?? (elements as Value[]);
}

function jsonMap(map: MapValue, running: Running): Result {
  running.allocate(running.mapSize(map));
  const entries = new Map<string, readonly [Value, Value]>();
  for (const [key, value] of mapEntries(map, running)) {
    const json = asJson(value, running);
    if (json instanceof CelError) return json;
    if (typeof key !== "string")
      return new CelError(() => `a key of a Struct must be a string, not ${describeValue(key)}`);
    entries.set(key, [key, json]);
  }
  return new CelMap(entries);
}

const VALUE_FIELDS: ReadonlyMap<string, Type> = new Map([
  ["null_value", DYN],
  ["bool_value", BOOL],
  ["number_value", DOUBLE],
  ["string_value", STRING],
  ["struct_value", ANYTHING],
  ["list_value", listOf(DYN)],
]);

function chosenOf(fields: ReadonlyMap<string, Value>): Result {
  const [name, value] = [...fields].at(-1) ?? ["null_value", null];
  return name === "null_value" ? null : (value as Value);
}

const messages: readonly Message[] = [
  ...wrappers,
  { name: "google.protobuf.Duration", fields: TIME_FIELDS, result: DURATION, make: durationOf },
  { name: "google.protobuf.Timestamp", fields: TIME_FIELDS, result: TIMESTAMP, make: timestampOf },
  {
    name: "google.protobuf.Struct",
    fields: new Map([["fields", ANYTHING]]),
    result: ANYTHING,
    make: (fields, running) => jsonMap((fields.get("fields") ?? {}) as MapValue, running),
  },
  {
    name: "google.protobuf.ListValue",
    fields: new Map([["values", listOf(DYN)]]),
    result: listOf(DYN),
    make: (fields, running) => jsonList((fields.get("values") ?? []) as Value[], running),
  },
  { name: "google.protobuf.Value", fields: VALUE_FIELDS, result: DYN, make: chosenOf },
];

/** Literals of `google.protobuf` messages that are values of the language. */
export const wellKnownTypesLibrary: Library = {
  name: "well-known types",
  messages,
  constants: [
    { name: "google.protobuf.NullValue.NULL_VALUE", type: INT, value: 0 },
    { ...typeConstant(NULL), name: "google.protobuf.NullValue" },
  ],
};
