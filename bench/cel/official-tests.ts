// Which official tests can every library take, and what are their values in terms that belong to none of them?

import { Bytes, CelMap, Optional, TypeValue } from "../../src/cel/value/boxes.ts";
import { Duration } from "../../src/cel/value/duration.ts";
import { type MapValue, mapEntries, UNCOUNTED } from "../../src/cel/value/map-access.ts";
import { isDouble, isNumber, Uint } from "../../src/cel/value/number.ts";
import { Timestamp } from "../../src/cel/value/timestamp.ts";
import { Boxed, type Value } from "../../src/cel/value/value.ts";
import { officialCases } from "../../test/conformance/official.ts";

/** A value with its kind. */
export interface Tagged {
  readonly kind:
    | "plain"
    | "int"
    | "uint"
    | "double"
    | "bytes"
    | "type"
    | "time"
    | "duration"
    | "optional"
    | "list"
    | "map";
  readonly value: unknown;
}

/** A test without protobuf messages and functions of its own. */
export interface OfficialTest {
  readonly section: string;
  readonly expression: string;
  readonly container: string;
  readonly bindings: Readonly<Record<string, Tagged>>;
  /** Undefined: an error. */
  readonly expected: Tagged | undefined;
}

/** The tests that ask for a value or an error, and need neither messages nor functions or macros that only tests have. */
export function officialTests(): readonly OfficialTest[] {
  return officialCases().flatMap(({ section, expression, container, bindings, functions, needs, blocks, expected }) => {
    if (needs.length > 0 || functions.length > 0 || blocks) return [];
    const value = expected.kind === "result" ? expected.value : undefined;
    if (expected.kind !== "error" && value === undefined) return [];
    const tagged = Object.entries(bindings).map(([name, bound]): [string, Tagged] => [name, tag(bound)]);
    const wanted = value === undefined ? undefined : tag(value);
    return [{ section, expression, container, bindings: Object.fromEntries(tagged), expected: wanted }];
  });
}

function tag(value: Value): Tagged {
  if (value === null || typeof value === "string" || typeof value === "boolean") return { kind: "plain", value };
  if (value instanceof Uint) return { kind: "uint", value: value.value };
  if (isNumber(value)) {
    const number = value instanceof Boxed ? value.value : value;
    return isDouble(value) ? { kind: "double", value: Number(number) } : { kind: "int", value: BigInt(number) };
  }
  if (value instanceof Bytes) return { kind: "bytes", value: value.value };
  if (value instanceof TypeValue) return { kind: "type", value: value.name };
  if (value instanceof Timestamp) return { kind: "time", value: [value.seconds, value.nanos] };
  if (value instanceof Duration) return { kind: "duration", value: value.nanoseconds };
  if (value instanceof Optional)
    return { kind: "optional", value: value.content === undefined ? undefined : tag(value.content) };
  if (Array.isArray(value)) return { kind: "list", value: value.map(tag) };
  if (value instanceof Boxed && !(value instanceof CelMap)) throw new Error(`no library but ours has ${String(value)}`);
  const entries = mapEntries(value as MapValue, UNCOUNTED);
  return { kind: "map", value: entries.map(([key, content]) => [tag(key), tag(content)]) };
}
