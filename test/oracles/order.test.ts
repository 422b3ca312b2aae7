// Does the order in which things are given change a byte of the answer? It may change only source positions.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import { readRuntimeList } from "../../src/input/objects/runtime-constraints.ts";
import type { Catalog } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { DEFAULT_OPTIONS } from "../../src/model/problem.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { renderResolution } from "../../src/render/resolve/render-resolution.ts";
import { fixText } from "../../src/render/sentence/fix.ts";
import { namespacesWithSubscriptions } from "../../src/resolve/prepare/asked-namespaces.ts";
import { prepareProblems } from "../../src/resolve/prepare/prepare-problems.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { runCommand } from "../cli/run-command.ts";
import { exampleDocuments } from "../example-documents.ts";
import { Dice } from "../worlds/dice.ts";
import { generateLargeWorld } from "./large-world.ts";
import { resolutionText } from "./resolution-text.ts";
import { shuffled, shuffledDocuments } from "./shuffle.ts";

const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 500_000;
const MANY = process.env.PLIMSOLL_LONG ? 20 : 1;

const CATALOGS: readonly (readonly [name: string, documents: readonly JsonObject[]])[] = [
  ["harbour", exampleDocuments("catalog")],
  ["partner", exampleDocuments("partner-catalog")],
];
const CLUSTER = exampleDocuments("cluster");

function catalogOf(name: string, documents: readonly JsonObject[]): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0 });
  for (const [index, document] of documents.entries())
    builder.add(document, { source: name, line: index + 1, column: 1 });
  return builder.finish();
}

/** What `resolve -A -o json` prints of the example, without source positions. */
function resolveExample(arrange: <Item>(items: readonly Item[]) => readonly Item[], dice: Dice | undefined): string {
  const documents = (all: readonly JsonObject[]): readonly JsonObject[] =>
    dice === undefined ? all : shuffledDocuments(dice, all);
  const reader = new ObjectsReader(() => {});
  for (const [index, document] of documents(CLUSTER).entries())
    reader.add(document, { source: "cluster", line: index + 1, column: 1 });
  const objects = reader.finish();
  const { problems, warnings } = prepareProblems({
    catalogs: arrange(CATALOGS).map(([name, all]) => catalogOf(name, documents(all))),
    unavailable: [],
    objects,
    namespaces: arrange(namespacesWithSubscriptions(objects)),
    named: [],
    removed: [],
    held: [],
    nodeProperties: [],
    readList: readRuntimeList,
    options: DEFAULT_OPTIONS,
  });
  const resolutions = problems.map((problem) => resolve(problem));
  return renderResolution(
    { resolutions, isList: true, warnings, at: () => "somewhere", command: fixText },
    { output: "json", style: makeStyle(false), width: undefined },
  );
}

test("the example in any order gives the same bytes", () => {
  const expected = resolveExample((items) => items, undefined);
  expect(expected.length).toBeGreaterThan(10_000);
  for (let number = 0; number < 12 * MANY; number++) {
    const dice = new Dice(FIRST + number);
    const printed = resolveExample((items) => shuffled(dice, items), dice);
    if (printed !== expected) expect({ number, printed }).toEqual({ number, printed: expected });
  }
});

test("generated catalogs in any order give the same bytes", () => {
  const size = { packages: [30, 45], versions: [3, 6] } as const;
  for (let number = 0; number < 15 * MANY; number++) {
    const seed = FIRST + number;
    const expected = resolutionText(resolve(generateLargeWorld(seed, size)));
    const dice = new Dice(seed);
    const printed = resolutionText(
      resolve(generateLargeWorld(seed, size, (documents) => shuffledDocuments(dice, documents))),
    );
    expect({ seed, printed }).toEqual({ seed, printed: expected });
  }
});

test("the command prints the same bytes for files in any order", () => {
  const directory = mkdtempSync(join(tmpdir(), "plimsoll-order-"));
  const write = (name: string, documents: readonly JsonObject[]): string => {
    const path = join(directory, name);
    mkdirSync(path);
    for (const [index, document] of documents.entries())
      writeFileSync(join(path, `${index % 7}.json`), `${JSON.stringify(document)}\n`, { flag: "a" });
    return path;
  };
  const run = (label: string, dice: Dice | undefined): string => {
    const arranged = (all: readonly JsonObject[]): readonly JsonObject[] =>
      dice === undefined ? all : shuffledDocuments(dice, all);
    const catalogs = CATALOGS.map(([name, all]) => [
      "--catalog",
      `${name}=${write(`${label}-${name}`, arranged(all))}`,
    ]);
    const cluster = write(`${label}-cluster`, arranged(CLUSTER));
    const order = dice === undefined ? catalogs : catalogs.toReversed();
    const { out } = runCommand(["resolve", "-A", "-f", cluster, ...order.flat(), "-o", "json"], ".");
    return out.replaceAll(/"at": "[^"]*"/g, '"at": "somewhere"').replaceAll(/"command": ".*"/g, '"command": "some"');
  };
  try {
    const expected = run("straight", undefined);
    expect(expected).toContain('"kind": "ResolutionList"');
    expect(run("shuffled", new Dice(FIRST))).toBe(expected);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
