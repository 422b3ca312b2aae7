/** Do ranges mean what they mean to the Go originals? */
import { describe, expect, test } from "vitest";
import { inRange, parseRange } from "../../src/semver/blang-range.ts";
import { parseConstraint, satisfies } from "../../src/semver/masterminds-range.ts";
import { parseVersion, type Version } from "../../src/semver/version.ts";
import { readTable, type Table } from "./table.ts";

interface RangeRow {
  readonly range: string;
  readonly refused?: true;
  /** The versions asked about; those of the whole table when missing. */
  readonly versions?: readonly string[];
  readonly in?: readonly string[];
  /** The versions for which the original crashes; such a range is refused here. */
  readonly panics?: readonly string[];
}

interface RangeTable extends Table<RangeRow> {
  readonly versions: readonly string[];
}

/** The versions of a row that are inside, or nothing when the range is refused. */
type Answer = (range: string, versions: readonly Version[]) => readonly boolean[] | undefined;

function answer<T extends object>(
  parse: (text: string) => T | string,
  contains: (range: T, v: Version) => boolean,
): Answer {
  return (text, versions) => {
    const range = parse(text);
    return typeof range === "string" ? undefined : versions.map((version) => contains(range, version));
  };
}

describe.for([
  ["blang-ranges.json", answer(parseRange, inRange)],
  ["masterminds-ranges.json", answer(parseConstraint, satisfies)],
] as const)("%s", ([name, ask]) => {
  const table = readTable<RangeTable>(name);

  test("every row has the original's answer", () => {
    const differences: string[] = [];
    for (const row of table.rows) {
      const versions = row.versions ?? table.versions;
      const answers = ask(
        row.range,
        versions.map((text) => parseVersion(text) as Version),
      );
      const isRefused = row.refused === true || row.panics !== undefined;
      if (isRefused !== (answers === undefined)) {
        differences.push(`${JSON.stringify(row.range)} ${isRefused ? "should be refused" : "should be accepted"}`);
      }
      for (const [i, isInside] of answers?.entries() ?? []) {
        const version = versions[i] as string;
        if (isInside !== (row.in ?? []).includes(version)) {
          differences.push(
            `${JSON.stringify(row.range)} ${isInside ? "should not contain" : "should contain"} ${version}`,
          );
        }
      }
    }
    expect(differences).toEqual([]);
  });

  test("the table is large enough to mean something", () => {
    const accepted = table.rows.filter((row) => row.refused !== true);
    expect(accepted.length).toBeGreaterThan(300);
    expect(table.rows.length - accepted.length).toBeGreaterThan(200);
  });
});
