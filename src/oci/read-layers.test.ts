import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageOf, type WrittenEntry } from "../../test/oci/tar-writer.ts";
import "../../test/property-seed.ts";
import { type KeptLayer, packLayer, unpackLayer } from "./kept-layer.ts";
import { openImage } from "./read-image.ts";
import { type ReadLayersOptions, readLayers } from "./read-layers.ts";

const { signal } = new AbortController();

interface Read {
  readonly files: Readonly<Record<string, string>>;
  readonly skipped: Readonly<Record<string, string>>;
}

async function read(
  layers: readonly (readonly WrittenEntry[])[],
  wanted: readonly string[] = ["/configs"],
  options: Partial<ReadLayersOptions> = {},
): Promise<Read> {
  const { source } = imageOf(layers);
  const { files, skipped } = await readLayers(source, await openImage(source, signal), wanted, { signal, ...options });
  return {
    files: Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])),
    skipped: Object.fromEntries(skipped.map(({ path, reason }) => [path, reason])),
  };
}

describe("the directory", () => {
  const layer = [
    { path: "configs/a/catalog.yaml", content: "a" },
    { path: "configs/b.json", content: "b" },
    { path: "configsure/no.yaml", content: "no" },
    { path: "etc/passwd", content: "root" },
  ];

  test.each(["/configs", "configs", "/configs/", "./configs", "//configs//", "/x/../configs"])("%s", async (wanted) => {
    expect(await read([layer], [wanted])).toEqual({
      files: { "configs/a/catalog.yaml": "a", "configs/b.json": "b" },
      skipped: {},
    });
  });

  test("nested, and several that overlap", async () => {
    expect((await read([layer], ["/configs/a", "/configs"])).files).toEqual({
      "configs/a/catalog.yaml": "a",
      "configs/b.json": "b",
    });
    expect((await read([layer], ["/configs/a"])).files).toEqual({ "configs/a/catalog.yaml": "a" });
  });

  test("/ is everything", async () => {
    expect(Object.keys((await read([layer], ["/"])).files)).toEqual([
      "configs/a/catalog.yaml",
      "configs/b.json",
      "configsure/no.yaml",
      "etc/passwd",
    ]);
  });

  test("one that does not exist has no files", async () => {
    expect(await read([layer], ["/nowhere"])).toEqual({ files: {}, skipped: {} });
  });

  test("one that leaves the image is refused", async () => {
    await expect(read([layer], ["/../configs"])).rejects.toMatchObject({
      kind: "malformed",
      message: '"/../configs" is not a directory of an image: it leads out of it',
      help: "correct the label of the image that names the directory of the catalog",
    });
  });

  test("that is a link leads to the files, under the name that was wanted", async () => {
    for (const link of ["catalog", "/catalog", "./x/../catalog/", "/../catalog"])
      expect(
        await read([[{ path: "catalog/a.yaml", content: "a" }], [{ path: "configs", type: "symlink", link }]]),
      ).toEqual({ files: { "configs/a.yaml": "a" }, skipped: {} });
  });

  test("below a link leads to the files", async () => {
    const layers: WrittenEntry[] = [
      { path: "a", type: "symlink", link: "opt/first" },
      { path: "opt/first", type: "symlink", link: "second" },
      { path: "opt/second/b/c.yaml", content: "c" },
    ];
    expect((await read([layers], ["/a/b"])).files).toEqual({ "a/b/c.yaml": "c" });
  });

  test("that is a link to nothing, to itself, or a file, has no files and a reason", async () => {
    const only = (entry: WrittenEntry): Promise<Read> => read([[entry]]);
    expect(await only({ path: "configs", type: "symlink", link: "/nowhere" })).toEqual({
      files: {},
      skipped: { configs: "a symbolic link to a directory that does not exist" },
    });
    expect(await only({ path: "configs", type: "symlink", link: "configs" })).toEqual({
      files: {},
      skipped: { configs: "symbolic links form a cycle" },
    });
    expect(await only({ path: "configs", content: "text" })).toEqual({
      files: {},
      skipped: { configs: "not a directory" },
    });
  });

  test("that is a link to a link to a link is not followed for ever", async () => {
    const chain = Array.from({ length: 10 }, (_, index): WrittenEntry => {
      const from = index === 0 ? "configs" : `link-${index}`;
      return { path: from, type: "symlink", link: `link-${index + 1}` };
    });
    await expect(read([chain])).rejects.toThrow('"/configs" leads through too many symbolic links');
  });
});

describe("links below the directory", () => {
  test("to files are those files", async () => {
    const { files, skipped } = await read([
      [
        { path: "configs/a.yaml", content: "a" },
        { path: "configs/b/relative.yaml", type: "symlink", link: "../a.yaml" },
        { path: "configs/absolute.yaml", type: "symlink", link: "/configs/a.yaml" },
        { path: "configs/twice.yaml", type: "symlink", link: "b/relative.yaml" },
        { path: "configs/hard.yaml", type: "link", link: "/configs/a.yaml" },
      ],
      [{ path: "configs/upper.yaml", type: "link", link: "configs/a.yaml" }],
    ]);
    expect(skipped).toEqual({});
    expect(files).toEqual({
      "configs/a.yaml": "a",
      "configs/absolute.yaml": "a",
      "configs/b/relative.yaml": "a",
      "configs/hard.yaml": "a",
      "configs/twice.yaml": "a",
      "configs/upper.yaml": "a",
    });
  });

  test("to anything else are skipped, with the reason", async () => {
    expect(
      await read([
        [
          { path: "etc/passwd", content: "root:x:0:0" },
          { path: "configs/directory/a.yaml", content: "a" },
          { path: "configs/cycle-1", type: "symlink", link: "cycle-2" },
          { path: "configs/cycle-2", type: "symlink", link: "cycle-1" },
          { path: "configs/gone", type: "symlink", link: "gone.yaml" },
          { path: "configs/hard-directory", type: "link", link: "configs/directory" },
          { path: "configs/hard-gone", type: "link", link: "configs/gone.yaml" },
          { path: "configs/hard-passwd", type: "link", link: "/etc/passwd" },
          { path: "configs/passwd", type: "symlink", link: "/etc/passwd" },
          { path: "configs/up", type: "symlink", link: "../../../../etc/passwd" },
          { path: "configs/to-directory", type: "symlink", link: "directory" },
          { path: "configs/to-pipe", type: "symlink", link: "pipe" },
          { path: "configs/pipe", type: "pipe" },
          { path: "configs/null", type: "device" },
          { path: "configs/sda", type: "block" },
        ],
      ]),
    ).toEqual({
      files: { "configs/directory/a.yaml": "a" },
      skipped: {
        "configs/cycle-1": "symbolic links form a cycle",
        "configs/cycle-2": "symbolic links form a cycle",
        "configs/gone": 'a symbolic link to "gone.yaml", which does not exist',
        "configs/hard-directory": 'a hard link to "/configs/directory", which is a directory',
        "configs/hard-gone": 'a hard link to "/configs/gone.yaml", which does not exist',
        "configs/hard-passwd": 'a hard link to "/etc/passwd", which is outside of "/configs"',
        "configs/null": "a device",
        "configs/passwd": 'a symbolic link to "/etc/passwd", which is outside of "/configs"',
        "configs/pipe": "a named pipe",
        "configs/sda": "a device",
        "configs/to-directory": 'a symbolic link to "directory", which is a directory',
        "configs/to-pipe": 'a symbolic link to "pipe", which is a named pipe',
        "configs/up": 'a symbolic link to "../../../../etc/passwd", which is outside of "/configs"',
      },
    });
  });

  test("what a later layer removes or replaces is not skipped", async () => {
    expect(
      await read([
        [
          { path: "configs/null", type: "device" },
          { path: "configs/pipe", type: "pipe" },
        ],
        [
          { path: "configs/.wh.null", content: "" },
          { path: "configs/pipe", content: "a file" },
        ],
      ]),
    ).toEqual({ files: { "configs/pipe": "a file" }, skipped: {} });
  });

  test("that make more files than can be kept are refused", async () => {
    const links = Array.from(
      { length: 50 },
      (_, index): WrittenEntry => ({ path: `configs/${index}`, type: "symlink", link: "a" }),
    );
    await expect(
      read([[{ path: "configs/a", content: "x".repeat(10_000) }, ...links]], ["configs"], { limit: 200_000 }),
    ).rejects.toThrow('the image has more than 195.3 KiB below "/configs", which is the limit');
  });
});

describe("layers", () => {
  test("whiteouts remove files, directories and everything above the wanted directory", async () => {
    const base = [
      { path: "a/configs/one.yaml", content: "1" },
      { path: "a/configs/two/two.yaml", content: "2" },
      { path: "a/configs/three.yaml", content: "3" },
    ];
    const filesAfter = async (...entries: WrittenEntry[]): Promise<readonly string[]> =>
      Object.keys((await read([base, entries], ["/a/configs"])).files);
    expect(await filesAfter({ path: "a/configs/.wh.one.yaml" })).toEqual([
      "a/configs/three.yaml",
      "a/configs/two/two.yaml",
    ]);
    expect(await filesAfter({ path: "a/configs/.wh.two" })).toEqual(["a/configs/one.yaml", "a/configs/three.yaml"]);
    expect(await filesAfter({ path: "a/.wh.configs" })).toEqual([]);
    expect(await filesAfter({ path: ".wh.a" })).toEqual([]);
    expect(await filesAfter({ path: "a/.wh..wh..opq" })).toEqual([]);
    expect(await filesAfter({ path: ".wh..wh..opq" })).toEqual([]);
    expect(await filesAfter({ path: "a/configs/two/.wh..wh..opq" })).toEqual([
      "a/configs/one.yaml",
      "a/configs/three.yaml",
    ]);
    expect(await filesAfter({ path: "a", content: "now a file" })).toEqual([]);
    expect(await filesAfter({ path: "a/configs/.wh..wh.plnk" }, { path: "b/.wh.a" })).toHaveLength(3);
  });

  test("a whiteout does not remove what its own layer adds, in either order", async () => {
    const whiteout = { path: "configs/.wh.a" };
    const file = { path: "configs/a/new.yaml", content: "new" };
    const base = [{ path: "configs/a/old.yaml", content: "old" }];
    const opaque = { path: "configs/.wh..wh..opq" };
    for (const upper of [
      [whiteout, file],
      [file, whiteout],
      [file, opaque],
    ])
      expect((await read([base, upper])).files).toEqual({ "configs/a/new.yaml": "new" });
  });

  test("a file replaces a directory, a directory a file or a link", async () => {
    expect(
      (await read([[{ path: "configs/a/b", content: "b" }], [{ path: "configs/a", content: "a" }]])).files,
    ).toEqual({ "configs/a": "a" });
    expect(
      (await read([[{ path: "configs/a", content: "a" }], [{ path: "configs/a/b", content: "b" }]])).files,
    ).toEqual({ "configs/a/b": "b" });
    expect(
      (
        await read([
          [
            { path: "configs", type: "symlink", link: "old" },
            { path: "old/a", content: "old" },
          ],
          [
            { path: "configs/", type: "directory" },
            { path: "configs/b", content: "b" },
          ],
        ])
      ).files,
    ).toEqual({ "configs/b": "b" });
  });

  test("a file below a link of a lower layer goes where the link leads", async () => {
    expect(
      (
        await read([
          [
            { path: "configs", type: "symlink", link: "catalog" },
            { path: "catalog/a", content: "a" },
          ],
          [{ path: "configs/b", content: "b" }, { path: "configs/.wh.a" }],
        ])
      ).files,
    ).toEqual({ "configs/b": "b" });
  });

  test("whiteouts of . and .. are refused", async () => {
    for (const path of ["configs/.wh..", "configs/.wh...", "configs/.wh."])
      await expect(read([[{ path }]])).rejects.toThrow(/has a whiteout of nothing: "configs\/\.wh\.+"$/);
  });

  test("equal layers are read once", async () => {
    const entries = [{ path: "configs/a", content: "a" }];
    const { source, layers } = imageOf([entries, [{ path: "configs/.wh.a" }], entries]);
    const { files } = await readLayers(source, await openImage(source, signal), ["configs"], { signal });
    expect(files.map(({ path }) => path)).toEqual(["configs/a"]);
    expect(source.read.slice(1).sort()).toEqual([...new Set(layers.map(({ digest }) => digest))].sort());
  });

  test("the bytes that arrive are counted, and a layer that fails ends the others", async () => {
    let arrived = 0;
    const { source, blobs, layers } = imageOf([[{ path: "configs/a", content: "a" }]]);
    const image = await openImage(source, signal);
    await readLayers(source, image, ["configs"], { signal, onBytes: (bytes) => (arrived += bytes) });
    expect(arrived).toBe(blobs.get(layers[0]?.digest ?? "")?.length);
    let isAborted = false;
    const failing = {
      ...source,
      blob: (descriptor: { readonly digest: string }, both: AbortSignal) =>
        (async function* () {
          yield gzipSync("").subarray(0, 1);
          if (descriptor.digest === "sha256:bad") throw new Error("the connection was closed");
          await new Promise((resolve) => both.addEventListener("abort", resolve));
          isAborted = both.aborted;
        })(),
    };
    const bad = { mediaType: layers[0]?.mediaType ?? "", digest: "sha256:bad", size: 1 };
    await expect(
      readLayers(failing, { ...image, layers: [...image.layers, bad] }, ["configs"], { signal }),
    ).rejects.toThrow("the connection was closed");
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAborted).toBe(true);
  });

  test("a read that is cancelled ends", async () => {
    const { source } = imageOf([[{ path: "configs/a", content: "a" }]]);
    const image = await openImage(source, signal);
    await expect(readLayers(source, image, ["configs"], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "cancelled",
    });
  });
});

describe("a cache of layers", () => {
  test("waits for no other process once a layer has failed", async () => {
    const { source } = imageOf([[{ path: "configs/a", content: "a" }], [{ path: "configs/b", content: "b" }]]);
    const image = await openImage(source, signal);
    let isWaiting = false;
    const cachedLayer: ReadLayersOptions["cachedLayer"] = async ({ digest }, _make, _wanted, either) => {
      if (digest === image.layers[1]?.digest) throw new Error("the connection was closed");
      isWaiting = true;
      await new Promise((resolve) => either.addEventListener("abort", resolve));
      isWaiting = false;
      throw either.reason;
    };
    const work = readLayers(source, image, ["configs"], { signal, cachedLayer });
    await expect(work).rejects.toThrow("the connection was closed");
    await new Promise((resolve) => setImmediate(resolve));
    expect(isWaiting).toBe(false);
  });

  test("is asked for each layer, and gives what was packed", async () => {
    const cache = new Map<string, Uint8Array>();
    const cachedLayer = async (
      { digest }: { readonly digest: string },
      make: () => Promise<KeptLayer>,
    ): Promise<KeptLayer> => {
      const packed = cache.get(digest);
      if (packed !== undefined) return unpackLayer(packed) as KeptLayer;
      const made = await make();
      cache.set(digest, packLayer(made));
      return made;
    };
    const { source } = imageOf([[{ path: "configs/a", content: "a" }], [{ path: "configs/b", content: "b" }]]);
    const image = await openImage(source, signal);
    const once = await readLayers(source, image, ["configs"], { signal, cachedLayer });
    const blobs = source.read.length;
    const again = await readLayers(source, image, ["configs"], { signal, cachedLayer });
    expect(again).toEqual(once);
    expect(source.read).toHaveLength(blobs);
    // What was kept for other directories is of no use.
    expect(await readLayers(source, image, ["b"], { signal, cachedLayer })).toEqual({ files: [], skipped: [] });
    expect(source.read).toHaveLength(blobs + 2);
    await expect(readLayers(source, image, ["configs"], { signal, cachedLayer, limit: 1 })).rejects.toThrow(
      'the image has more than 1 byte below "/configs"',
    );
  });
});

/** Few names, so that they meet. */
const name = fc.constantFrom("a", "b", "c");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => ["configs", ...parts].join("/"));
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("file" as const), path, content: fc.string() }) },
  fc.record({ kind: fc.constant("whiteout" as const), path }),
  fc.record({ kind: fc.constant("opaque" as const), path }),
  fc.record({ kind: fc.constant("directory" as const), path }),
);

test("merging equals a model of a map", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 4 }), async (layers) => {
      const model = new Map<string, string>();
      const within = (one: string, directory: string): boolean => `${one}/`.startsWith(`${directory}/`);
      for (const layer of layers) {
        for (const { kind, path } of layer)
          for (const known of [...model.keys()])
            if (within(known, path) && (kind === "whiteout" || (kind === "opaque" && known !== path)))
              model.delete(known);
        for (const one of layer) {
          if (one.kind !== "file" && one.kind !== "directory") continue;
          for (const known of [...model.keys()])
            if (within(one.path, known) || (one.kind === "file" && within(known, one.path))) model.delete(known);
          if (one.kind === "file") model.set(one.path, one.content);
        }
      }
      const written = layers.map((layer) =>
        layer.map((one): WrittenEntry => {
          if (one.kind === "file") return { path: one.path, content: one.content };
          if (one.kind === "directory") return { path: `${one.path}/`, type: "directory" };
          const wh = one.kind === "opaque" ? `${one.path}/.wh..wh..opq` : one.path.replace(/([^/]*)$/, ".wh.$1");
          return { path: wh };
        }),
      );
      expect((await read(written)).files).toEqual(Object.fromEntries(model));
    }),
  );
});

test("files are in the order of the bytes of their paths", async () => {
  const names = ["configs/\u{1f600}", "configs/\uffee", "configs/z", "configs/a/z", "configs/a.yaml", "configs/Z"];
  const { source } = imageOf([names.map((path) => ({ path, content: "" }))]);
  const { files } = await readLayers(source, await openImage(source, signal), ["configs"], { signal });
  expect(files.map((file) => file.path)).toEqual([
    "configs/Z",
    "configs/a.yaml",
    "configs/a/z",
    "configs/z",
    "configs/\uffee",
    "configs/\u{1f600}",
  ]);
});
