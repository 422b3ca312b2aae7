/** Does Kubernetes find the same wrong with names, dates and other formatted texts? */
import { expect, test } from "vitest";
import { formatLibrary } from "../../src/cel/library/kubernetes/format.ts";
import { Optional } from "../../src/cel/value/boxes.ts";
import type { Result, Value } from "../../src/cel/value/value.ts";
import { call, expectRows, kubernetesCost, plain } from "./cel-kubernetes/call.ts";
import { readTable, type Table } from "./table.ts";

type Row =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "costs"; readonly format: string; readonly costs: readonly number[] };

interface FormatTable extends Table<Row> {
  /** All messages; a row has the places of its messages by format. */
  readonly messages: readonly string[];
}

const table = readTable<FormatTable>("cel-format.json");
const names = table.rows.flatMap((row) => (row.kind === "costs" ? [row.format] : []));

function format(name: string): Value {
  const found = call(formatLibrary, "format-named", name);
  const content = found instanceof Optional ? found.content : undefined;
  expect(content).toBe(call(formatLibrary, `format.${name}`));
  return content as Value;
}

function places(result: Result): readonly number[] | undefined {
  const messages = plain(result) as readonly string[] | null;
  return messages?.map((message) => table.messages.indexOf(message));
}

function answer(row: Row): unknown {
  if (row.kind === "costs") {
    const costs = row.costs.map((_, length) =>
      kubernetesCost(formatLibrary, "format-validate", format(row.format), "ä".repeat(length)),
    );
    return { ...row, costs };
  }
  const { kind, text } = row;
  const validated = names
    .filter((name) => name !== "uri")
    .map((name) => [name, places(call(formatLibrary, "format-validate", format(name), text))] as const);
  return { kind, text, wrong: Object.fromEntries(validated.filter(([, mistakes]) => mistakes !== undefined)) };
}

test("formats", () => {
  expect(names.length).toBe(13);
  expectRows(table.rows, answer);
});

test("a name that no format has", () => {
  expect(call(formatLibrary, "format-named", "DNS1123Label")).toBe(Optional.none);
  expect(call(formatLibrary, "format-named", "constructor")).toBe(Optional.none);
});
