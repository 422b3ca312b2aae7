// Do all bytes of a file come, packed or not, and those before the damage if it is damaged?
import { execFileSync } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

test("who stops early leaves nothing open", async () => {
  const path = join(folder, "file");
  writeFileSync(path, gzipSync(TEXT));
  for await (const chunk of fileChunks(path)) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect((await read(gzipSync(TEXT))).text === TEXT).toBe(true);
});

test("a pipe is read to its end, packed or not, however little comes at a time", async () => {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  for (const content of [Buffer.from(TEXT), gzipSync(TEXT)]) {
    const chunks = fileChunks(path);
    const first = chunks.next();
    const writer = createWriteStream(path);
    writer.write(content.subarray(0, 1));
    writer.end(content.subarray(1));
    let text = Buffer.from((await first).value as Uint8Array).toString();
    for await (const chunk of chunks) text += Buffer.from(chunk).toString();
    expect(text === TEXT).toBe(true);
  }
});
