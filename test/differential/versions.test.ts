/** Do versions read and compare as in blang/semver? */
import { expect, test } from "vitest";
import { parseTolerant } from "../../src/semver/tolerant.ts";
import { compareVersions, parseVersion, printVersion, type Version } from "../../src/semver/version.ts";
import { readTable, type Table } from "./table.ts";

interface VersionRow {
  readonly text: string;
  /** What the text means when read strictly or tolerantly; missing when refused. */
  readonly strict?: string;
  readonly tolerant?: string;
}

interface VersionTable extends Table<VersionRow> {
  readonly ordered: readonly string[];
  /** For each version of `ordered` one sign for each version of `ordered`. */
  readonly comparisons: readonly string[];
}

const table = readTable<VersionTable>("versions.json");

function printed(version: Version | string): string | undefined {
  return typeof version === "string" ? undefined : printVersion(version);
}

test.for([
  ["strict", parseVersion],
  ["tolerant", parseTolerant],
] as const)("%s reading", ([how, parse]) => {
  const differences = table.rows
    .filter((row) => printed(parse(row.text)) !== row[how])
    .map((row) => `${JSON.stringify(row.text)} should be ${row[how] ?? "refused"}, is ${printed(parse(row.text))}`);
  expect(differences).toEqual([]);
});

test("comparison", () => {
  const versions = table.ordered.map((text) => parseVersion(text) as Version);
  const signs = versions.map((a) => versions.map((b) => "<=>"[compareVersions(a, b) + 1]).join(""));
  expect(signs).toEqual(table.comparisons);
});
