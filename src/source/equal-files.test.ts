// Are files of equal content read once, and all others by themselves?

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import { readOnlyDocument } from "../input/read-documents.ts";
import type { Finding } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import { EqualFiles } from "./equal-files.ts";
import { InputFiles, type ReadFile } from "./input-files.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-equal-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Reads files one after another. */
async function readAll(paths: readonly string[]) {
  const files = new InputFiles(DEFAULT_LIMITS);
  const passed: ReadFile[] = [];
  files.watch((file) => passed.push(file));
  const equal = new EqualFiles(files);
  const values: JsonObject[] = [];
  const sources: string[] = [];
  const findings: Finding[] = [];
  const repeatable: boolean[] = [];
  for (const path of paths)
    await equal.read(
      path,
      ({ value, place, file }) => {
        values.push(value);
        sources.push(`${place.source}:${place.line}`);
        if (file !== undefined) expect(readOnlyDocument(file)).toEqual(value);
        repeatable.push(file !== undefined);
      },
      (item) => findings.push(item),
    );
  return { values, sources, findings, passed, repeatable };
}

test("the documents of an equal file are the same values, with their own places", async () => {
  const text = "a: 1\n---\na: 2\n";
  const paths = [write("1/x.yaml", text), write("2/x.yaml", text), write("3/x.yaml", "a: 1\n---\na: 3\n")];
  const { values, sources, passed } = await readAll(paths);
  expect(values).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }, { a: 1 }, { a: 3 }]);
  expect(values[2]).toBe(values[0]);
  expect(values[3]).toBe(values[1]);
  expect(sources).toEqual(paths.flatMap((path) => [`${path}:1`, `${path}:3`]));
  expect(passed).toEqual(paths.map((name) => ({ name, documents: 2, bytes: text.length })));
});

test("what is wrong with a file is reported for every copy of it", async () => {
  const text = "a: 1\na: 2\n";
  const paths = [write("1/y.yaml", text), write("2/y.yaml", text)];
  const { findings } = await readAll(paths);
  expect(findings.map(({ place }) => place.source)).toEqual(paths);
});

test("a file that is not there is reported", async () => {
  const { findings } = await readAll([join(folder, "nothing.yaml")]);
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual(["PL001 no such file or directory"]);
});

test("a file is longer than what is read at once", async () => {
  const text = `a: ${"b".repeat(1024 * 1024)}\n`;
  const { values } = await readAll([write("1/long.yaml", text), write("2/long.yaml", text)]);
  expect(values).toHaveLength(2);
  expect(values[1]).toEqual(values[0]);
});

test("the only document of a file can be read again, and is the same", async () => {
  const paths = [
    write("1/z.yaml", "# one\na: [1, {b: c}]\n"),
    write("1/z.json", '{"a": 1}'),
    write("1/two", "a: 1\n---\nb: 1\n"),
  ];
  const packed = join(folder, "packed.yaml");
  writeFileSync(packed, gzipSync("a: 1\n"));
  expect((await readAll([...paths, packed])).repeatable).toEqual([true, true, false, false, false]);
});
