// Do all bytes of a file come, packed or not, and those before the damage if it is damaged?
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { UnreadableError } from "../input/read-documents.ts";
import { fileChunks } from "./file-chunks.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-chunks-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Many slices of gzip and many pieces of text: numbers do not pack well. */
const TEXT = Array.from({ length: 40_000 }, (_, index) => `${(index * 7919) % 100_003}\n`).join("");

/** What comes of a file, and why no more. */
async function read(content: Uint8Array): Promise<{ readonly text: string; readonly reason?: string }> {
  const path = join(folder, "file");
  writeFileSync(path, content);
  let text = "";
  try {
    for await (const chunk of fileChunks(path)) text += Buffer.from(chunk).toString();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { text, reason: error.message };
  }
  return { text };
}

test("a plain file", async () => {
  expect(await read(Buffer.from(TEXT))).toEqual({ text: TEXT });
});

test("a packed file, and one that becomes a thousand times as large", async () => {
  expect(await read(gzipSync(TEXT))).toEqual({ text: TEXT });
  const zeros = "0".repeat(8_000_000);
  const { text } = await read(gzipSync(zeros));
  expect(text === zeros).toBe(true);
});

test("a packed file that ends too early", async () => {
  const packed = gzipSync(TEXT);
  const { text, reason } = await read(packed.subarray(0, packed.length - 20));
  expect(reason).toMatch(/ends too early/);
  expect(TEXT.startsWith(text)).toBe(true);
  expect(text.length).toBeGreaterThan(TEXT.length - 1000);
});

test("a packed file with damage in the middle", async () => {
  const packed = gzipSync(TEXT, { level: 1 });
  const middle = Math.floor(packed.length / 2);
  packed.fill(0xff, middle, middle + 64);
  const { text, reason } = await read(packed);
  expect(reason).toMatch(/damaged/);
  expect(text.length).toBeGreaterThan(TEXT.length / 4);
});

test("stopping early leaves nothing open", async () => {
  const path = join(folder, "file");
  writeFileSync(path, gzipSync(TEXT));
  for await (const chunk of fileChunks(path)) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect((await read(gzipSync(TEXT))).text === TEXT).toBe(true);
});

test("a pipe is left closed in a worker thread, which would close its descriptor twice", async () => {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  await expect(fileChunks(path).next()).rejects.toThrow("a pipe cannot be read in a worker thread");
});
