// How does a place look in a file that has to be read again?
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import type { Place } from "../model/place.ts";
import { InputFiles } from "./input-files.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Enough lines for several chunks, with any reader. */
const LINES = 60_000;

function written(name: string, lines: (line: number) => string): string {
  const path = join(folder, name);
  const text = Array.from({ length: LINES }, (_, index) => `${lines(index + 1)}\n`).join("");
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

async function spotsOf(source: string, places: readonly Omit<Place, "source">[]): Promise<readonly string[]> {
  const given = places.map((place) => ({ ...place, source }));
  const spots = await new InputFiles(DEFAULT_LIMITS).locate(given);
  return given.map((place) => {
    const spot = spots.get(place);
    return `${spot?.line}:${spot?.column} ${spot?.excerpt}`;
  });
}

test.for(["lines.jsonl", "lines.jsonl.gz"])(
  "lines at the beginning, in the middle and at the end: %s",
  async (name) => {
    const path = written(name, (line) => `{"line": ${line}}`);
    expect(await spotsOf(path, [{ line: 2, column: 1 }])).toEqual([`2:1 {"line": 2}`]);
    expect(
      await spotsOf(path, [
        { line: LINES, column: 1, path: ["line"] },
        { line: 30_000, column: 1 },
        { line: 3, column: 1, path: ["line"] },
      ]),
    ).toEqual([`${LINES}:10 {"line": ${LINES}}`, `30000:1 {"line": 30000}`, `3:10 {"line": 3}`]);
  },
);

test("a document whose last lines are in another chunk than its first", async () => {
  const path = written("long.yaml", (line) => (line === 1 ? "a:" : line === LINES ? "last: here" : `- item ${line}`));
  expect(await spotsOf(path, [{ line: 1, column: 1, path: ["last"] }])).toEqual([`${LINES}:7 last: here`]);
});

test("a line that is not there has no spot", async () => {
  const path = written("short.jsonl", (line) => `{"line": ${line}}`);
  expect(await spotsOf(path, [{ line: LINES + 5, column: 1 }])).toEqual(["undefined:undefined undefined"]);
});

test("of a line that is longer than all that is kept, a place beyond that is not shown", async () => {
  const path = join(folder, "one-line.jsonl");
  writeFileSync(path, `${"x".repeat(6_000_000)}\n`);
  const limits = { ...DEFAULT_LIMITS, maxDocumentBytes: 1000 };
  const near = { source: path, line: 1, column: 3 };
  const far = { source: path, line: 1, column: 5_900_000 };
  const spots = await new InputFiles(limits).locate([near, far]);
  expect(spots.get(near)?.column).toBe(3);
  expect(spots.get(far)).toBeUndefined();
});

test("of two mounted names, one the beginning of the other, each has its own bytes", async () => {
  const files = new InputFiles(DEFAULT_LIMITS);
  for (const name of ["grpc://host:5005", "grpc://host:50051"])
    files.mount(name, async function* () {
      yield Buffer.from(`{"from": "${name}"}\n`);
    });
  const read: unknown[] = [];
  for (const name of ["grpc://host:50051", "grpc://host:5005"])
    await files.read(
      name,
      ({ from }) => void read.push(from),
      () => {},
    );
  expect(read).toEqual(["grpc://host:50051", "grpc://host:5005"]);
});
