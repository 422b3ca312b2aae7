/** Are timestamps and durations those of cel-go? */
import { expect, test } from "vitest";
import { timeLibrary } from "../../src/cel/library/standard/time.ts";
import { equalValues } from "../../src/cel/value/equality.ts";
import type { Result, Value } from "../../src/cel/value/value.ts";
import { countingRun } from "../cel/call-overload.ts";
import { call, expectRows, plain } from "./cel-kubernetes/call.ts";
import { readTable, type Table } from "./table.ts";

type Row =
  | { readonly kind: "timestamp" | "duration"; readonly text: string }
  | { readonly kind: "zone"; readonly timestamp: string; readonly zone: string }
  | { readonly kind: "shift"; readonly timestamp: string; readonly duration: string }
  | { readonly kind: "between" | "durations"; readonly a: string; readonly b: string };

const table = readTable<Table<Row>>("cel-time.json");

const ask = (id: string, ...args: readonly Result[]): Result => call(timeLibrary, id, ...args);
const timestamp = (text: string): Result => ask("string_to_timestamp", text);
const duration = (text: string): Result => ask("string_to_duration", text);

const PARTS = [
  "year",
  "month",
  "day_of_year",
  "day_of_month",
  "day_of_month_1_based",
  "day_of_week",
  "hours",
  "minutes",
  "seconds",
  "milliseconds",
];
const OPERATORS = ["less", "less_equals", "greater", "greater_equals"];

function comparisons(type: string, a: Result, b: Result): unknown[] {
  const equal = equalValues(a as Value, b as Value, countingRun());
  return [...OPERATORS.map((operator) => ask(`${operator}_${type}`, a, b)), equal];
}

function answer(row: Row): unknown {
  switch (row.kind) {
    case "timestamp": {
      const value = timestamp(row.text);
      if (plain(value) === null) return { ...row, refused: true };
      const parts = PARTS.map((part) => plain(ask(`timestamp_to_${part}`, value)));
      const seconds = plain(ask("timestamp_to_int64", value));
      return { kind: row.kind, text: row.text, string: ask("timestamp_to_string", value), seconds, parts };
    }
    case "duration": {
      const value = duration(row.text);
      if (plain(value) === null) return { ...row, refused: true };
      const parts = ["hours", "minutes", "seconds", "milliseconds"].map((part) => ask(`duration_to_${part}`, value));
      const nanoseconds = plain(ask("duration_to_int64", value));
      const { kind, text } = row;
      return { kind, text, string: ask("duration_to_string", value), nanoseconds, parts: parts.map(plain) };
    }
    case "zone": {
      const { kind, zone } = row;
      const value = timestamp(row.timestamp);
      const ids = PARTS.map((part) => `timestamp_to_${part}${part === "seconds" ? "_tz" : "_with_tz"}`);
      const parts = ids.map((id) => plain(ask(id, value, zone)));
      const refused = parts.every((part) => part === null);
      return { kind, timestamp: row.timestamp, zone, ...(refused ? { refused } : { parts }) };
    }
    case "shift": {
      const value = timestamp(row.timestamp);
      const span = duration(row.duration);
      const later = plain(ask("add_timestamp_duration", value, span));
      expect(plain(ask("add_duration_timestamp", span, value))).toBe(later);
      const { kind } = row;
      const earlier = plain(ask("subtract_timestamp_duration", value, span));
      return { kind, timestamp: row.timestamp, duration: row.duration, later, earlier };
    }
    case "between": {
      const [a, b] = [timestamp(row.a), timestamp(row.b)];
      const difference = plain(ask("duration_to_int64", ask("subtract_timestamp_timestamp", a, b)));
      return { kind: row.kind, a: row.a, b: row.b, difference, comparisons: comparisons("timestamp", a, b) };
    }
    case "durations": {
      const [a, b] = [duration(row.a), duration(row.b)];
      const sum = plain(ask("duration_to_int64", ask("add_duration_duration", a, b)));
      const difference = plain(ask("duration_to_int64", ask("subtract_duration_duration", a, b)));
      return { kind: row.kind, a: row.a, b: row.b, sum, difference, comparisons: comparisons("duration", a, b) };
    }
  }
}

/** cel-go counts all milliseconds of a duration; the official tests want those of its last second. */
function asTheOfficialTestsWant(row: Row): Row {
  if (row.kind !== "duration" || !("parts" in row)) return row;
  const parts = row.parts as readonly string[];
  const milliseconds = BigInt(parts[3] as string) % 1000n;
  return { ...row, parts: [...parts.slice(0, 3), String(milliseconds)] } as Row;
}

test("timestamps and durations", () => {
  expect(table.rows.length).toBeGreaterThan(1000);
  expectRows(table.rows.map(asTheOfficialTestsWant), answer);
});
