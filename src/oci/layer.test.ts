import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, OCI_LAYER, tarEntry, tarOf, type WrittenEntry } from "../../test/oci/tar-writer.ts";
import "../../test/property-seed.ts";
import { NetFailure } from "../net/failure.ts";
import { type KeptLayer, packLayer, unpackLayer } from "./kept-layer.ts";
import { LAYER_LIMITS, layerFiles, roomOf } from "./layer.ts";

const { signal } = new AbortController();
const MIB = 1024 * 1024;
const DIGEST = `sha256:${"1".repeat(64)}`;

function kept(
  blob: Uint8Array | AsyncIterable<Uint8Array>,
  { wanted = ["configs"], mediaType = OCI_LAYER, limits = LAYER_LIMITS, room = 64 * MIB } = {},
): Promise<KeptLayer> {
  const chunks = blob instanceof Uint8Array ? chunksOf(blob) : blob;
  return layerFiles(chunks, { digest: DIGEST, mediaType }, { wanted, room: roomOf(room), signal, limits });
}

const pathsOf = ({ entries }: KeptLayer): readonly string[] => entries.map(({ path }) => path);
const only = (...entries: WrittenEntry[]): Buffer => gzipSync(tarOf(entries));

describe("compression", () => {
  const tar = tarOf([{ path: "configs/a", content: "a" }]);

  test("gzip, in several members, and none are recognised by content", async () => {
    const members = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
    for (const mediaType of [OCI_LAYER, "application/vnd.oci.image.layer.v1.tar"])
      for (const blob of [tar, gzipSync(tar), members])
        expect(pathsOf(await kept(blob, { mediaType }))).toEqual(["configs/a"]);
    for (const size of [1, 3, 100_000])
      expect(pathsOf(await kept(chunksOf(gzipSync(tar), size)))).toEqual(["configs/a"]);
  });

  test.each([1, 100, 700, gzipSync(tar).length, 50_000])(
    "zeros after gzip are padding, which is read to its end; anything else is damage (chunks of %i)",
    async (size) => {
      const blob = Buffer.concat([gzipSync(tar), Buffer.alloc(3000)]);
      let given = 0;
      const counted = async function* (fails: boolean): AsyncGenerator<Uint8Array> {
        for await (const chunk of chunksOf(blob, size)) {
          given += chunk.length;
          yield chunk;
        }
        if (fails) throw new Error("the digest is another");
      };
      expect(pathsOf(await kept(counted(false)))).toEqual(["configs/a"]);
      expect(given).toBe(blob.length);
      await expect(kept(counted(true))).rejects.toThrow("the digest is another");
      await expect(kept(chunksOf(Buffer.concat([gzipSync(tar), Buffer.alloc(3000, "x")]), size))).rejects.toThrow(
        `the gzip of the layer ${DIGEST} is damaged`,
      );
    },
  );

  test("an empty layer has nothing", async () => {
    expect(pathsOf(await kept(gzipSync(Buffer.alloc(1024))))).toEqual([]);
    expect(pathsOf(await kept(Buffer.alloc(0)))).toEqual([]);
  });

  test.each([
    ["zstd", Buffer.from("28b52ffd0000", "hex"), OCI_LAYER],
    ["zstd", Buffer.alloc(10), "application/vnd.oci.image.layer.v1.tar+zstd"],
    ["zstd", Buffer.alloc(10), "application/vnd.docker.image.rootfs.diff.tar.zstd"],
    ["xz", Buffer.from("fd377a585a00", "hex"), OCI_LAYER],
    ["bzip2", Buffer.from("BZh91AY"), OCI_LAYER],
  ])("%s is refused", async (name, blob, mediaType) => {
    await expect(kept(blob, { mediaType })).rejects.toMatchObject({
      kind: "malformed",
      message: `the layer ${DIGEST} is compressed with ${name}, which Plimsoll does not read`,
      help: "build or copy the image with gzip layers, such as with `skopeo copy --dest-compress-format gzip --dest-force-compress-format`",
    });
  });

  test("gzip that ends too early, or is damaged", async () => {
    const large = gzipSync(
      tarOf([{ path: "a", content: Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * at) % 251)) }]),
    );
    await expect(kept(large.subarray(0, large.length - 100))).rejects.toMatchObject({
      kind: "malformed",
      message: `the gzip of the layer ${DIGEST} ends too early`,
    });
    await expect(kept(Buffer.from(large).fill(0xff, 30, 60))).rejects.toThrow(
      `the gzip of the layer ${DIGEST} is damaged`,
    );
  });

  test("a failure of the source is passed on", async () => {
    const failing = (async function* () {
      yield gzipSync(tar).subarray(0, 30);
      throw new Error("the connection was closed");
    })();
    await expect(kept(failing)).rejects.toThrow("the connection was closed");
  });

  test("a gzip bomb ends early", async () => {
    let given = 0;
    const zeros = gzipSync(Buffer.alloc(16 * MIB), { level: 9 });
    const bomb = (async function* () {
      yield gzipSync(tarEntry({ path: "usr/bomb", size: 2 ** 40, isBinarySize: true }));
      for (;;) {
        given += zeros.length;
        yield zeros;
      }
    })();
    await expect(kept(bomb)).rejects.toMatchObject({
      kind: "malformed",
      message: expect.stringMatching(
        new RegExp(
          `^the layer ${DIGEST} unpacks to more than 1 GiB, and to more than 200 times its size: [\\d.]+ [KM]iB of it were read$`,
        ),
      ),
    });
    expect(given).toBeLessThan(2 * MIB);
  });
});

describe("hostile layers", () => {
  test.each(["../configs/a", "configs/../../a", "/../a", "configs/a/../../../etc/passwd"])(
    "the path %s",
    async (path) => {
      await expect(kept(only({ path, content: "x" }))).rejects.toMatchObject({
        kind: "malformed",
        message: `the layer ${DIGEST} has a path that leaves the image: ${JSON.stringify(path)}`,
        help: "build the image again; no container engine makes such a layer; do not use an image from an unknown origin",
      });
    },
  );

  test("a hard link that leaves the image", async () => {
    await expect(kept(only({ path: "configs/a", type: "link", link: "../../etc/passwd" }))).rejects.toThrow(
      `the layer ${DIGEST} has a path that leaves the image: "../../etc/passwd"`,
    );
  });

  test("absolute paths begin at the root, others are normalised", async () => {
    const layer = only(
      { path: "/configs/a" },
      { path: "./configs/b" },
      { path: "x/../configs//c" },
      { path: "//configs/d" },
      { path: "./", type: "directory" },
    );
    expect(pathsOf(await kept(layer))).toEqual(["configs/a", "configs/b", "configs/c", "configs/d"]);
  });

  test("names that JavaScript objects know", async () => {
    const layer = only({ path: "configs/__proto__", content: "x" }, { path: "configs/constructor", content: "y" });
    expect(pathsOf(await kept(layer))).toEqual(["configs/__proto__", "configs/constructor"]);
  });

  test("a million files", async () => {
    let given = 0;
    const files = (async function* () {
      const entry = tarEntry({ path: "usr/file" });
      const thousand = Buffer.concat(Array.from({ length: 1000 }, () => entry));
      for (; given < 1_000_000; given += 1000) yield thousand;
    })();
    await expect(kept(files)).rejects.toMatchObject({
      kind: "malformed",
      message: `the layer ${DIGEST} has more than 200000 files, which is the limit`,
      help: "build an image that contains only the catalog",
    });
    expect(given).toBe(200_000);
  });

  test("more bytes below the directory than are kept, before they are read", async () => {
    await expect(
      kept(tarEntry({ path: "configs/a", size: 2 ** 40, isBinarySize: true }), { wanted: ["configs", "b"] }),
    ).rejects.toMatchObject({
      kind: "malformed",
      message: 'the image has more than 64 MiB below "/configs" and "/b", which is the limit',
      help: "split the catalog into several images",
    });
  });

  test("many entries without content", async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ path: `configs/${index}` }));
    await expect(kept(only(...many), { room: 50_000 })).rejects.toThrow("which is the limit");
  });

  test("a size that lies", async () => {
    await expect(kept(tarEntry({ path: "configs/a", content: "x", size: 10 * MIB }))).rejects.toThrow(
      `the layer ${DIGEST} is not a tar that can be read: it ends in the middle of an entry`,
    );
  });

  test("directories inside each other", async () => {
    await expect(kept(only({ path: `configs/${"a/".repeat(100)}b` }))).rejects.toThrow(
      `the layer ${DIGEST} has a path of more than 100 directories: "configs/a/a/`,
    );
    expect(pathsOf(await kept(only({ path: `usr/${"a/".repeat(100)}b` })))).toEqual([]);
  });
});

test("bytes that were changed at random give a layer or a failure, and nothing else", async () => {
  const tar = tarOf([
    { path: "configs/a", content: "x".repeat(600) },
    { path: `configs/${"long/".repeat(30)}`, type: "directory" },
    { path: "configs/b", type: "symlink", link: "a".repeat(150), long: "gnu" },
    { path: "configs/.wh.c" },
  ]);
  const change = fc.tuple(fc.nat(tar.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), async (changes, isGzip) => {
      const bytes = isGzip ? gzipSync(tar) : Buffer.from(tar);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      const failure: unknown = await kept(bytes).catch((error: unknown) => error);
      if (failure instanceof Error) expect(failure).toBeInstanceOf(NetFailure);
    }),
    { numRuns: 500 },
  );
});

describe("a packed layer", () => {
  const layer: KeptLayer = {
    wanted: ["configs", ""],
    removed: ["configs/gone"],
    emptied: ["configs/empty"],
    entries: [
      { kind: "file", path: "configs/a", bytes: new Uint8Array([1, 2, 3]) },
      { kind: "file", path: "configs/empty.yaml", bytes: new Uint8Array(0) },
      { kind: "symlink", path: "configs/b", target: "../x" },
      { kind: "link", path: "configs/c", target: "configs/a" },
      { kind: "directory", path: "configs/d" },
      { kind: "other", path: "configs/e", what: "a device" },
      { kind: "file", path: "configs/ü😀", bytes: new Uint8Array([4]) },
    ],
  };

  test("is the layer", () => {
    expect(unpackLayer(packLayer(layer))).toEqual(layer);
    const inside = Buffer.concat([Buffer.alloc(3), packLayer(layer), Buffer.alloc(3)]);
    expect(unpackLayer(inside.subarray(3, -3))).toEqual(layer);
  });

  test("that is cut or longer is damaged", () => {
    const packed = packLayer(layer);
    for (let length = 0; length < packed.length; length++)
      expect(unpackLayer(packed.subarray(0, length))).toBeUndefined();
    expect(unpackLayer(Buffer.concat([packed, Buffer.alloc(1)]))).toBeUndefined();
  });

  test("with any other bytes is damaged, or another layer with paths inside the image", () => {
    const packed = packLayer(layer);
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, byte) => {
        const other = Uint8Array.from(packed);
        other[at] = byte;
        const unpacked = unpackLayer(other);
        for (const { path } of unpacked?.entries ?? []) expect(path).not.toMatch(/^\/|(?:^|\/)\.\.?(?:\/|$)|^$/);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    { entries: [{ kind: "file", path: "../x", size: 0 }] },
    { entries: [{ kind: "file", path: "/etc/passwd", size: 0 }] },
    { entries: [{ kind: "file", path: "a", size: -1 }] },
    { entries: [{ kind: "file", path: "a", size: 1 }] },
    { entries: [{ kind: "file", path: "a", size: 0.5 }] },
    { entries: [{ kind: "file", path: "a" }] },
    { entries: [{ kind: "link", path: "a", target: "../b" }] },
    { entries: [{ kind: "unknown", path: "a" }] },
    { entries: [null] },
    { entries: {} },
    { wanted: ["../x"] },
    { removed: [1] },
    { emptied: null },
  ])("of %j is damaged", (fields) => {
    const header = Buffer.from(JSON.stringify({ wanted: [], removed: [], emptied: [], entries: [], ...fields }));
    const start = Buffer.from(packLayer({ wanted: [], removed: [], emptied: [], entries: [] }));
    const magic = start.subarray(0, start.indexOf("\n") + 1);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    expect(unpackLayer(Buffer.concat([magic, length, header]))).toBeUndefined();
  });
});
