/** Are the same files ignored as by git? */
import { expect, test } from "vitest";
import { isIgnored, parseIgnoreFile } from "../../src/input/ignore-file.ts";
import { readTable, type Table } from "./table.ts";

interface IgnoreRow {
  /** Ignore files by the directory they stand in; `.` is the top. */
  readonly ignore: Readonly<Record<string, string>>;
  readonly path: string;
  readonly isDirectory: boolean;
  readonly ignored: boolean;
}

const table = readTable<Table<IgnoreRow>>("gitignore.json");

test("every row", () => {
  expect(table.rows.length).toBeGreaterThan(150);
  const differences = table.rows.filter(({ ignore, path, isDirectory, ignored }) => {
    const names = path.split("/");
    const levels = names.map((_, depth) => parseIgnoreFile(ignore[names.slice(0, depth).join("/") || "."] ?? ""));
    return isIgnored(levels, names, isDirectory) !== ignored;
  });
  expect(differences).toEqual([]);
});
