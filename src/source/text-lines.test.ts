import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { UnreadableError } from "../input/read-documents.ts";
import { textLines } from "./text-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "plimsoll-lines-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function linesOf(content: string | Uint8Array, longest = 1000): Promise<(string | undefined)[]> {
  const path = join(directory, "lines");
  writeFileSync(path, content);
  const lines: (string | undefined)[] = [];
  for await (const line of textLines(path, longest)) lines.push(line);
  return lines;
}

test.each<[string, string, (string | undefined)[]]>([
  ["nothing", "", []],
  ["a last line with and without an end", "a\n\nb", ["a", "", "b"]],
  ["line ends of Windows", "a\r\nb\r\n", ["a", "b"]],
  ["lines that are too long", `${"x".repeat(11)}\nok\n${"y".repeat(50)}`, [undefined, "ok", undefined]],
])("%s", async (_, content, lines) => {
  expect(await linesOf(content, 10)).toEqual(lines);
});

test("lines across chunks, and one longer than all chunks", async () => {
  const long = "é".repeat(3_000_000);
  expect(await linesOf(`${long}\n${long}\nz`, 10_000_000)).toEqual([long, long, "z"]);
  expect(await linesOf(`${long}${long}${long}${long}\nz`, 1_000_000)).toEqual([undefined, "z"]);
});

test("bytes that are not UTF-8 are marked", async () => {
  expect(await linesOf(new Uint8Array([0x61, 0xff, 0x0a, 0x62]))).toEqual(["a\ufffd", "b"]);
});

test("a file that is not there", async () => {
  await expect(textLines(join(directory, "none"), 10).next()).rejects.toThrow(UnreadableError);
});
