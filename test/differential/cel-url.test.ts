/** Are URLs read as in Kubernetes? */
import { expect, test } from "vitest";
import { formatLibrary } from "../../src/cel/library/kubernetes/format.ts";
import { urlLibrary } from "../../src/cel/library/kubernetes/url.ts";
import { type MapValue, mapEntries, UNCOUNTED } from "../../src/cel/value/map-access.ts";
import type { Result, Value } from "../../src/cel/value/value.ts";
import { call, expectRows, kubernetesCost, plain } from "./cel-kubernetes/call.ts";
import { readTable, type Table } from "./table.ts";

interface Row {
  readonly text: string;
  readonly messages?: readonly string[];
}

const ask = (id: string, ...args: readonly Result[]): Result => call(urlLibrary, id, ...args);

/** Go reports what is wrong with an IPv6 address; we only report that it is wrong. */
function withoutAddressReason(message: string): string {
  return message.replace(/(invalid host: ParseAddr\(".*"\): ).*$/, "$1unable to parse IP");
}

const PARTS = ["scheme", "host", "hostname", "port"];

function answer({ text }: Row): unknown {
  const format = call(formatLibrary, "format.uri") as Value;
  const messages = plain(call(formatLibrary, "format-validate", format, text)) ?? undefined;
  const common = {
    text,
    isURL: ask("is_url_string", text),
    cost: kubernetesCost(urlLibrary, "string_to_url", text),
    validateCost: kubernetesCost(formatLibrary, "format-validate", format, text),
    messages,
  };
  const value = ask("string_to_url", text);
  if (plain(value) === null) return { ...common, refused: true };
  const query = mapEntries(ask("url_get_query", value) as MapValue, UNCOUNTED);
  return {
    ...common,
    string: plain(value),
    ...Object.fromEntries(PARTS.map((part) => [part, ask(`url_get_${part}`, value)])),
    escapedpath: ask("url_get_escaped_path", value),
    query: Object.fromEntries(query),
  };
}

test("URLs", () => {
  const rows = readTable<Table<Row>>("cel-url.json").rows;
  expect(rows.length).toBeGreaterThan(300);
  const comparable = rows.map((row) =>
    row.messages === undefined ? row : { ...row, messages: row.messages.map(withoutAddressReason) },
  );
  expectRows(comparable, answer);
});
