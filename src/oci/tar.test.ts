import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, paxRecords, special, tarEntry, tarOf, type WrittenEntry } from "../../test/oci/tar-writer.ts";
import "../../test/property-seed.ts";
import { type TarEntry, tarEntries } from "./tar.ts";

const { signal } = new AbortController();
const LIMITS = { entries: 1000, bytes: 64 * 1024 * 1024 };

type Read = Pick<TarEntry, "path" | "type" | "size" | "link"> & { content?: string };

async function read(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  limits = LIMITS,
  isWanted = true,
  chunk = 700,
): Promise<readonly Read[]> {
  const entries: Read[] = [];
  const chunks = bytes instanceof Uint8Array ? chunksOf(bytes, chunk) : bytes;
  for await (const entry of tarEntries(chunks, "the layer L", limits, signal)) {
    const { path, type, size, link } = entry;
    const parts: Uint8Array[] = [];
    if (isWanted) for await (const piece of entry.content()) parts.push(piece.slice());
    const content = Buffer.concat(parts).toString();
    entries.push({ path, type, size, ...(link === undefined ? {} : { link }), ...(content === "" ? {} : { content }) });
  }
  return entries;
}

const one = async (entry: WrittenEntry): Promise<Read | undefined> => (await read(tarOf([entry])))[0];

describe("entries", () => {
  test("of every type", async () => {
    expect(
      await read(
        tarOf([
          { path: "file", content: "text" },
          { path: "directory/", type: "directory" },
          { path: "old-directory/", type: "old" },
          { path: "old-file", type: "old", content: "old" },
          { path: "file-with-slash/", content: "text" },
          { path: "hard", type: "link", link: "file", size: 4 },
          { path: "soft", type: "symlink", link: "../file" },
          { path: "null", type: "device" },
          { path: "sda", type: "block" },
          { path: "pipe", type: "pipe" },
          { path: "last", content: "end" },
        ]),
      ),
    ).toEqual([
      { path: "file", type: "file", size: 4, content: "text" },
      { path: "directory/", type: "directory", size: 0 },
      { path: "old-directory/", type: "directory", size: 0 },
      { path: "old-file", type: "file", size: 3, content: "old" },
      { path: "file-with-slash/", type: "file", size: 4, content: "text" },
      { path: "hard", type: "link", size: 0, link: "file" },
      { path: "soft", type: "symlink", size: 0, link: "../file" },
      { path: "null", type: "device", size: 0 },
      { path: "sda", type: "device", size: 0 },
      { path: "pipe", type: "pipe", size: 0 },
      { path: "last", type: "file", size: 3, content: "end" },
    ]);
  });

  test.each(["gnu", "pax", "prefix"] as const)("with a long name (%s)", async (long) => {
    const path = `${"d".repeat(120)}/${"f".repeat(90)}`;
    expect(await one({ path, content: "x", long })).toMatchObject({ path, content: "x" });
    if (long === "prefix") return;
    const link = `${"l".repeat(200)}/x`;
    expect(await one({ path: "a", type: "symlink", link, long })).toMatchObject({ path: "a", link });
  });

  test("with names that are UTF-8 or not", async () => {
    expect(await one({ path: "größe-😀.yaml" })).toMatchObject({ path: "größe-😀.yaml" });
    const tar = tarEntry({ path: "gr__e" });
    tar.set([0xf6, 0xdf], 2);
    tar.write(
      `${tar
        .subarray(0, 512)
        .reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
        .toString(8)}\0`.padStart(7, "0"),
      148,
    );
    expect((await read(tar))[0]?.path).toBe("größe");
  });

  test("with sizes in binary, and in pax", async () => {
    expect(await one({ path: "a", content: "12345", isBinarySize: true })).toMatchObject({ size: 5, content: "12345" });
    expect(await one({ path: "a", content: "12345", size: 0, pax: { size: "5" } })).toMatchObject({ content: "12345" });
  });

  test("a pax value that is empty means that of the header", async () => {
    expect(await one({ path: "a", content: "1", pax: { path: "", comment: "a=b\n" } })).toMatchObject({ path: "a" });
  });

  test("content that is not read is skipped", async () => {
    const entries = await read(
      tarOf([
        { path: "a", content: "x".repeat(5000) },
        { path: "b", content: "y" },
      ]),
      LIMITS,
      false,
    );
    expect(entries.map(({ path }) => path)).toEqual(["a", "b"]);
  });

  test("content that is read in part is skipped", async () => {
    const tar = tarOf([
      { path: "a", content: "x".repeat(5000) },
      { path: "b", content: "y" },
    ]);
    const paths: string[] = [];
    for await (const entry of tarEntries(chunksOf(tar), "the layer L", LIMITS, signal)) {
      paths.push(entry.path);
      for await (const _ of entry.content()) break;
    }
    expect(paths).toEqual(["a", "b"]);
  });

  test("offsets are where the content is", async () => {
    const tar = tarOf([
      { path: "a".repeat(150), content: "first" },
      { path: "b", content: "second" },
    ]);
    const contents: string[] = [];
    for await (const { offset, size } of tarEntries(chunksOf(tar), "the layer L", LIMITS, signal))
      contents.push(tar.toString("utf8", offset, offset + size));
    expect(contents).toEqual(["first", "second"]);
  });

  test("random ones are read back, in chunks of any size", async () => {
    const segment = fc.stringMatching(/^[a-zA-Z0-9é😀 .-]{1,60}$/u).filter((text) => !/^\.+$/.test(text));
    const entry = fc.record({
      path: fc.array(segment, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("/")),
      content: fc.string({ maxLength: 2000 }),
      long: fc.constantFrom("gnu" as const, "pax" as const),
      isBinarySize: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), fc.integer({ min: 1, max: 3000 }), async (entries, chunk) => {
        expect(await read(tarOf(entries), LIMITS, true, chunk)).toEqual(
          entries.map(({ path, content }) => ({
            path,
            type: "file",
            size: Buffer.byteLength(content),
            ...(content === "" ? {} : { content }),
          })),
        );
      }),
    );
  });
});

describe("the end", () => {
  const entry = tarEntry({ path: "a", content: "text" });

  test("is two blocks of zeros, or one, or none", async () => {
    for (const zeros of [0, 512, 1024, 10_240])
      expect(await read(Buffer.concat([entry, Buffer.alloc(zeros)]))).toHaveLength(1);
    expect(await read(Buffer.alloc(0))).toEqual([]);
  });

  test("what follows it is read but not used", async () => {
    let given = 0;
    const chunks = (async function* () {
      for await (const chunk of chunksOf(Buffer.concat([tarOf([{ path: "a" }]), tarOf([{ path: "b" }])]))) {
        given += chunk.length;
        yield chunk;
      }
    })();
    expect((await read(chunks)).map(({ path }) => path)).toEqual(["a"]);
    expect(given).toBe(3072);
  });

  test("a reader that stops closes the stream", async () => {
    let isClosed = false;
    const chunks = (async function* () {
      try {
        for (;;) yield entry;
      } finally {
        isClosed = true;
      }
    })();
    for await (const _ of tarEntries(chunks, "the layer L", LIMITS, signal)) break;
    expect(isClosed).toBe(true);
  });
});

describe("refused", () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    [
      "a wrong checksum",
      tarOf([{ path: "a", isDamaged: true }]),
      "the checksum of a header is wrong: this is not a tar, or it is damaged",
    ],
    ["no tar", Buffer.alloc(1024, "text"), 'the checksum of a header is "texttext", which is not octal'],
    ["cut in a header", tarEntry({ path: "a" }).subarray(0, 300), "it ends in the middle of an entry"],
    [
      "cut in content",
      tarEntry({ path: "a", content: "x".repeat(2000) }).subarray(0, 1500),
      "it ends in the middle of an entry",
    ],
    ["cut in padding", tarEntry({ path: "a", content: "x" }).subarray(0, 700), "it ends in the middle of an entry"],
    ["cut after a long name", special("L", Buffer.from("x")), "it ends after a header that describes the next one"],
    [
      "a single block of zeros",
      Buffer.concat([Buffer.alloc(512), tarOf([{ path: "a" }])]),
      "a single block of zeros is followed by other content",
    ],
    [
      "a sparse file",
      tarOf([{ path: "a", type: "sparse" }]),
      "it contains a sparse file, which Plimsoll does not read",
    ],
    [
      "a sparse file of pax",
      tarOf([{ path: "a", pax: { "GNU.sparse.major": "1" } }]),
      "it contains a sparse file, which Plimsoll does not read",
    ],
    ["no name", tarOf([{ path: "" }]), "an entry has no name"],
    ["a NUL in a name", tarOf([{ path: "a", pax: { path: "a\0b" } }]), "a name contains a NUL byte"],
    [
      "a long path",
      tarOf([{ path: "a/".repeat(3000), long: "gnu" }]),
      "a path has 6001 bytes; the limit is 4096 bytes",
    ],
    ["a long path of pax", tarOf([{ path: "a/".repeat(3000) }]), "a path has 6000 bytes; the limit is 4096 bytes"],
    [
      "a large pax header",
      tarOf([{ path: "a", pax: { comment: "x".repeat(2 ** 20) } }]),
      "a pax header has 1 MiB; the limit is 1 MiB",
    ],
    ["a negative size", tarOf([{ path: "a", size: -1 }]), "an entry has a negative size"],
    [
      "a size of pax that is no number",
      tarOf([{ path: "a", pax: { size: "-5" } }]),
      "the size in a pax header is not a number",
    ],
    [
      "a size beyond numbers",
      tarOf([{ path: "a", pax: { size: "9999999999999999999" } }]),
      "the size of an entry is too large",
    ],
    [
      "a global path",
      Buffer.concat([special("g", paxRecords({ path: "b" })), tarOf([{ path: "a" }])]),
      "a global pax header names a path or a size, which container engines do not apply",
    ],
    [
      "a malformed pax record",
      Buffer.concat([special("x", Buffer.from("99 path=b\n")), tarOf([{ path: "a" }])]),
      "a record of a pax header is malformed",
    ],
    [
      "a pax record without length",
      Buffer.concat([special("x", Buffer.from("path=b\n")), tarOf([{ path: "a" }])]),
      "a record of a pax header is malformed",
    ],
    [
      "a pax record of nothing",
      Buffer.concat([special("x", Buffer.from("0 a=b\n")), tarOf([{ path: "a" }])]),
      "a record of a pax header is malformed",
    ],
    [
      "endless descriptions",
      Buffer.concat([...Array.from({ length: 9 }, () => special("L", Buffer.from("x"))), tarOf([{ path: "a" }])]),
      "more than 8 headers describe one entry",
    ],
  ];

  test.each(cases)("%s", async (_, bytes, reason) => {
    await expect(read(bytes)).rejects.toMatchObject({
      kind: "malformed",
      message: `the layer L is not a tar that can be read: ${reason}`,
      help: "build the image again, and push or save it again",
    });
  });

  test("what is said before a global header is not about the entry behind it", async () => {
    for (const preface of [special("x", paxRecords({ path: "b" })), special("L", Buffer.from("b\0"))]) {
      const global = special("g", paxRecords({ comment: "0123abc" }));
      expect(await read(Buffer.concat([preface, global, tarOf([{ path: "a" }])]))).toMatchObject([{ path: "a" }]);
    }
  });

  test("an empty long name is none", async () => {
    const tar = Buffer.concat([special("L", Buffer.from("\0")), tarOf([{ path: "a" }])]);
    expect(await read(tar)).toMatchObject([{ path: "a" }]);
  });

  test("global comments, as git writes them, are allowed", async () => {
    const tar = Buffer.concat([special("g", paxRecords({ comment: "0123abc" })), tarOf([{ path: "a" }])]);
    expect(await read(tar)).toEqual([{ path: "a", type: "file", size: 0 }]);
  });

  test("more entries than the limit", async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ path: `${index}` }));
    await expect(read(tarOf(many), { ...LIMITS, entries: 10 })).rejects.toMatchObject({
      kind: "malformed",
      message: "the layer L has more than 10 files, which is the limit",
      help: "build an image that contains only the catalog",
    });
    expect(await read(tarOf(many), { ...LIMITS, entries: 11 })).toHaveLength(11);
  });

  test("more bytes than the limit, also behind the end", async () => {
    const large = tarOf([{ path: "a", content: Buffer.alloc(1024 * 1024) }]);
    const limits = { ...LIMITS, bytes: 1024 * 1024 };
    const message = "the layer L unpacks to more than 1 MiB, which is the limit";
    await expect(read(large, limits, false)).rejects.toThrow(message);
    await expect(read(Buffer.alloc(2 * 1024 * 1024), limits)).rejects.toThrow(message);
  });

  test("a read that is cancelled", async () => {
    const entries = tarEntries(chunksOf(tarOf([{ path: "a" }])), "the layer L", LIMITS, AbortSignal.abort());
    await expect(entries.next()).rejects.toMatchObject({ kind: "cancelled" });
  });
});
