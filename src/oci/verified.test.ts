import { expect, test } from "vitest";
import { digestOf } from "./digest.ts";
import { collected, verified } from "./verified.ts";

const BYTES = Buffer.from("a catalog");

async function* chunksOf(bytes: Uint8Array, size = 4): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function read(bytes: Uint8Array, digest: string, size: number): Promise<Uint8Array> {
  return collected(verified(chunksOf(bytes), { digest, size }, "the archive a.tar"), 100, () => {
    throw new Error("the limit");
  });
}

test.each(["sha256:", "sha512:"])("the bytes that a %s digest names pass unchanged", async (algorithm) => {
  expect(Buffer.from(await read(BYTES, digestOf(BYTES, algorithm), BYTES.length))).toEqual(BYTES);
});

test("too many bytes fail at once, without the rest", async () => {
  let given = 0;
  const endless = (async function* () {
    for (;;) {
      given++;
      yield BYTES;
    }
  })();
  const reading = (async () => {
    for await (const _ of verified(endless, { digest: digestOf(BYTES), size: 20 }, "the registry r"));
  })();
  await expect(reading).rejects.toMatchObject({
    kind: "malformed",
    message: `the registry r gives other bytes for ${digestOf(BYTES)}: more than the 20 bytes that it should have`,
    help: expect.stringContaining("try again"),
  });
  expect(given).toBe(3);
});

test("too few bytes fail at the end", async () => {
  await expect(read(BYTES, digestOf(BYTES), 12)).rejects.toThrow(
    `the archive a.tar gives other bytes for ${digestOf(BYTES)}: 9 bytes instead of the 12 that it should have`,
  );
});

test("bytes with another digest fail at the end", async () => {
  const other = digestOf(Buffer.from("another"));
  await expect(read(BYTES, other, BYTES.length)).rejects.toThrow(
    `the archive a.tar gives other bytes for ${other}: content whose digest is ${digestOf(BYTES)}`,
  );
});

test.each([
  "md5:d41d8cd98f00b204e9800998ecf8427e",
  "sha256:../../etc/passwd",
  "sha256:ABCDEF",
  "",
  `sha256:${"0".repeat(63)}`,
])("%s is not a digest", async (digest) => {
  await expect(read(BYTES, digest, BYTES.length)).rejects.toThrow(/which is not a sha256 or sha512 digest$/);
});

test("a small thing that is not small is refused", async () => {
  await expect(collected(chunksOf(BYTES), 8, () => new Error("too large") as never)).rejects.toThrow("too large");
});
