import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

function expected(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

test("the examples of FIPS 180-4", () => {
  const of = (text: string): string => sha256(new TextEncoder().encode(text));
  expect(of("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(of("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

test("every length up to three blocks, where padding needs another block or none", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff);
    expect(sha256(bytes), `${length} bytes`).toBe(expected(bytes));
  }
});

test("any bytes, also those of a part of a buffer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.nat(100), (bytes, from) => {
      expect(sha256(bytes)).toBe(expected(bytes));
      expect(sha256(bytes.subarray(from))).toBe(expected(bytes.subarray(from)));
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 5_000 : 200 },
  );
});

test("a text of some megabytes", () => {
  const bytes = new TextEncoder().encode("Plimsoll é 🚢 ".repeat(200_000));
  expect(sha256(bytes)).toBe(expected(bytes));
});
