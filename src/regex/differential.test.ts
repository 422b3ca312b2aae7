// Are the matches those of Go's regexp? Its answers are in test/differential/regex.json.
import { expect, it } from "vitest";
import { readTable, type Table } from "../../test/differential/table.ts";
import { compileRegex } from "./regex.ts";

interface Row {
  readonly pattern: string;
  readonly refused?: string;
  readonly groups: number;
  /** All matches in each text, with their groups. */
  readonly found?: readonly { readonly text: string; readonly all: readonly (readonly number[])[] }[];
}

/** Patterns that only Go takes, and why. */
const REFUSED_HERE: Readonly<Record<string, string>> = {
  "(?P<n>a)(?P<n>b)": "RE2 itself refuses two groups with one name",
};

const { rows } = readTable<Table<Row>>("regex.json");

it("takes the patterns that Go takes", () => {
  const differences = rows
    .filter((row) => !Object.hasOwn(REFUSED_HERE, row.pattern))
    .filter((row) => "mistake" in compileRegex(row.pattern) !== (row.refused !== undefined))
    .map((row) => `${row.pattern}: ${JSON.stringify(compileRegex(row.pattern))}, Go: ${row.refused ?? "taken"}`);
  expect(differences).toEqual([]);
});

it("finds what Go finds", () => {
  for (const { pattern, groups, found = [] } of rows) {
    const regex = compileRegex(pattern);
    if ("mistake" in regex) continue;
    expect(regex.groups).toBe(groups);
    for (const { text, all } of found) {
      expect({ pattern, text, all: regex.findAll(text) }).toEqual({ pattern, text, all });
      expect({ pattern, text, matches: regex.matches(text) }).toEqual({ pattern, text, matches: all.length > 0 });
      expect({ pattern, text, first: regex.find(text) }).toEqual({ pattern, text, first: all[0] });
    }
  }
});
