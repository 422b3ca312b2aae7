// Does the order of documents, files or keys change an answer? It may change only source positions.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import type { Finding } from "../../src/model/finding.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { exampleDocuments } from "../example-documents.ts";

/** The same value with the keys of every object in another order. */
function shuffleKeys(value: Json, keyOrder: (keys: string[]) => string[]): Json {
  if (isList(value)) return value.map((item) => shuffleKeys(item, keyOrder));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    keyOrder(Object.keys(value)).map((key) => [key, shuffleKeys(value[key] as Json, keyOrder)]),
  );
}

/** A result as text, with places left out and the keys of raw values in order. */
function comparable(result: unknown): string {
  return JSON.stringify(result, (key, value: unknown) => {
    if (key === "place") return undefined;
    if (typeof value === "bigint") return String(value);
    if (value instanceof Map) return { map: [...value] };
    if (isObject(value as Json))
      return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
    return value;
  });
}

function catalogOf(documents: readonly JsonObject[]): string {
  const builder = new CatalogBuilder({ name: "harbour", priority: 0 });
  for (const [index, document] of documents.entries())
    builder.add(document, { source: "all", line: index + 1, column: 1 });
  const { findings, others, ...rest } = builder.finish();
  const messages = findings.map((item) => `${item.code} ${item.message}`).sort();
  return comparable({ ...rest, messages, others: others.map((item) => item.schema).sort() });
}

function objectsOf(documents: readonly JsonObject[]): string {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((item) => findings.push(item));
  for (const [index, document] of documents.entries())
    reader.add(document, { source: "all", line: index + 1, column: 1 });
  return comparable({
    objects: reader.finish(),
    messages: findings.map((item) => `${item.code} ${item.message}`).sort(),
  });
}

describe.each([
  ["catalog", exampleDocuments("catalog"), catalogOf],
  ["cluster", exampleDocuments("cluster"), objectsOf],
  ["fleet", exampleDocuments("fleet"), objectsOf],
] as const)("%s", (_, documents, read) => {
  const expected = read(documents);

  test("there is something to shuffle", () => {
    expect(documents.length).toBeGreaterThan(10);
  });

  test("shuffled documents and keys give the same", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...documents.keys()], { minLength: documents.length }),
        fc.boolean(),
        (order, reverse) => {
          const keyOrder = (keys: string[]): string[] => (reverse ? keys.reverse() : keys.sort());
          const shuffled = order.map((index) => shuffleKeys(documents[index] as JsonObject, keyOrder) as JsonObject);
          expect(read(shuffled) === expected).toBe(true);
        },
      ),
      { seed: 7, numRuns: 20 },
    );
  });
});
