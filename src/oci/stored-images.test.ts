// Images in directories and archives: made in a temporary directory, as the tools make them.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  descriptorOf,
  imageOf,
  OCI_INDEX,
  OCI_MANIFEST,
  tarOf,
  type WrittenEntry,
  type WrittenImage,
} from "../../test/oci/tar-writer.ts";
import { openArchive } from "./archive.ts";
import type { ImageSource } from "./image-source.ts";
import { openLayout } from "./layout.ts";
import { openImage } from "./read-image.ts";
import { readLayers } from "./read-layers.ts";
import { type ImageChoice, storedPlace } from "./stored-place.ts";

const { signal } = new AbortController();
const REF = "org.opencontainers.image.ref.name";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "plimsoll-oci-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const first = imageOf([[{ path: "configs/a", content: "first" }], [{ path: "configs/b", content: "more" }]], {
  is: "first",
});
const second = imageOf([[{ path: "configs/a", content: "second" }]], { is: "second" });

interface Named {
  readonly image: WrittenImage;
  readonly member?: object;
}

/** The files of a layout, by path. */
function layoutFiles(images: readonly Named[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const put = (path: string, value: unknown): unknown =>
    files.set(path, value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)));
  put("oci-layout", { imageLayoutVersion: "1.0.0" });
  const manifests = images.map(({ image, member }) => ({ ...image.descriptor, ...member }));
  put("index.json", { schemaVersion: 2, mediaType: OCI_INDEX, manifests });
  for (const { image } of images)
    for (const [digest, bytes] of [...image.blobs, [image.manifest.digest, image.manifest.bytes] as const])
      put(`blobs/${digest.replace(":", "/")}`, bytes);
  return files;
}

function tagged(image: WrittenImage, tag: string): Named {
  return { image, member: { annotations: { [REF]: tag } } };
}

function writeAll(files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  }
}

/** What an image says about itself, and its files. */
async function read(source: ImageSource): Promise<readonly string[]> {
  const image = await openImage(source, signal);
  const { files } = await readLayers(source, image, ["configs"], { signal });
  return [image.labels.get("is") ?? "", ...files.map(({ path, bytes }) => `${path}=${Buffer.from(bytes)}`)];
}

const FIRST = ["first", "configs/a=first", "configs/b=more"];
const SECOND = ["second", "configs/a=second"];

describe("a layout", () => {
  const layout = async (images: readonly Named[], choice: ImageChoice = {}): Promise<readonly string[]> => {
    writeAll(layoutFiles(images));
    return read(await openLayout(directory, choice));
  };

  test("with one image needs no tag, and its blobs are verified", async () => {
    expect(await layout([{ image: first }])).toEqual(FIRST);
    const [digest = ""] = [...first.blobs.keys()].slice(1);
    writeFileSync(
      join(directory, "blobs", digest.replace(":", "/")),
      gzipSync(tarOf([{ path: "configs/a", content: "forged" }])),
    );
    await expect(read(await openLayout(directory, {}))).rejects.toThrow(
      `the layout "${directory}" gives other bytes for ${digest}: `,
    );
  });

  test("with several is chosen by tag or digest", async () => {
    const both = [tagged(first, "v1"), tagged(second, "quay.io/example/catalog:v2")];
    expect(await layout(both, { tag: "v1" })).toEqual(FIRST);
    expect(await layout(both, { tag: "v2" })).toEqual(SECOND);
    expect(await layout(both, { tag: "quay.io/example/catalog:v2" })).toEqual(SECOND);
    expect(await layout(both, { digest: first.manifest.digest })).toEqual(FIRST);
    await expect(layout(both)).rejects.toMatchObject({
      kind: "config",
      message: `the layout "${directory}" contains several images, and the reference does not choose one: their tags are "v1", "quay.io/example/catalog:v2"`,
      help: "add : and one of the tags",
    });
    await expect(layout(both, { tag: "v3" })).rejects.toMatchObject({
      kind: "not-found",
      message: `the layout "${directory}" has no image with the tag "v3": its tags are "v1", "quay.io/example/catalog:v2"`,
      help: "name one of these tags",
    });
  });

  test("names at most ten tags", async () => {
    const many = Array.from({ length: 30 }, (_, index) => tagged(index % 2 === 0 ? first : second, `v${index}`));
    await expect(layout(many)).rejects.toThrow(/are "v0", (?:"v\d", ){8}"v9" and 20 more$/);
  });

  test("names digests if there are no tags", async () => {
    await expect(layout([{ image: first }, { image: second }])).rejects.toMatchObject({
      message: expect.stringContaining(`they have no tags: ${first.manifest.digest}, ${second.manifest.digest}`),
      help: "add @ and one of the digests",
    });
  });

  test("of several platforms is one image", async () => {
    const platform = (architecture: string): object => ({ platform: { os: "linux", architecture } });
    const members = [
      { image: second, member: platform("arm64") },
      { image: first, member: platform("amd64") },
    ];
    expect(await layout(members)).toEqual(FIRST);
    expect(await layout(members, { digest: second.manifest.digest })).toEqual(SECOND);
  });

  test("gives a manifest by its digest that only an index names", async () => {
    const files = layoutFiles([{ image: first }]);
    files.set("index.json", Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: [] })));
    writeAll(files);
    expect(await read(await openLayout(directory, { digest: first.manifest.digest }))).toEqual(FIRST);
    await expect(read(await openLayout(directory, {}))).rejects.toThrow(`the layout "${directory}" contains no image`);
  });

  test("with a digest that is none, or a path", async () => {
    await expect(layout([{ image: first }], { digest: "sha256:../../etc/passwd" })).rejects.toMatchObject({
      kind: "config",
      message: '"sha256:../../etc/passwd" is not a digest',
    });
    const member = { digest: "sha256:../../../etc/passwd" };
    await expect(layout([{ image: first, member }])).rejects.toThrow(
      `member 1 of the file index.json of the layout "${directory}" has no digest and size`,
    );
  });

  test("whose blobs are missing", async () => {
    writeAll(layoutFiles([{ image: first }]));
    rmSync(join(directory, "blobs", first.manifest.digest.replace(":", "/")));
    await expect(read(await openLayout(directory, {}))).rejects.toMatchObject({
      kind: "not-found",
      message: `the layout "${directory}" does not contain ${first.manifest.digest}`,
      help: "the copy of the image is incomplete or damaged: copy it again",
    });
  });

  test("with a size or a type that is a lie", async () => {
    await expect(layout([{ image: first, member: { size: 10 } }])).rejects.toThrow(
      `the layout "${directory}" gives other bytes for ${first.manifest.digest}: more than the 10 bytes that it should have`,
    );
    await expect(layout([{ image: first, member: { mediaType: OCI_INDEX } }])).rejects.toThrow(
      `says that it is "${OCI_MANIFEST}", but it was given as "${OCI_INDEX}"`,
    );
  });

  test("with a link that leads out of it", async () => {
    writeAll(layoutFiles([{ image: first }]));
    const path = `blobs/${first.manifest.digest.replace(":", "/")}`;
    rmSync(join(directory, path));
    symlinkSync("/etc/passwd", join(directory, path));
    await expect(read(await openLayout(directory, {}))).rejects.toMatchObject({
      kind: "malformed",
      message: `the layout "${directory}" contains a link that leads out of it: ${JSON.stringify(path)}`,
      help: "copy the image into a directory without links",
    });
  });

  test("with links inside it", async () => {
    writeAll(layoutFiles([{ image: first }]));
    mkdirSync(join(directory, "inner"));
    for (const name of ["oci-layout", "index.json"]) {
      const files = layoutFiles([{ image: first }]);
      writeFileSync(join(directory, "inner", name), files.get(name) ?? "");
      rmSync(join(directory, name));
      symlinkSync(join("inner", name), join(directory, name));
    }
    expect(await read(await openLayout(directory, {}))).toEqual(FIRST);
  });

  test("that is none", async () => {
    await expect(read(await openLayout(directory, {}))).rejects.toMatchObject({
      kind: "malformed",
      message: `the layout "${directory}" is not an OCI layout: it has no file oci-layout`,
      help: "make one with `skopeo copy docker://IMAGE oci:DIR` or `crane pull --format=oci IMAGE DIR`",
    });
    await expect(openLayout(join(directory, "nowhere"), {})).rejects.toMatchObject({
      kind: "not-found",
      message: `the layout "${directory}/nowhere" cannot be read: no such file`,
    });
    mkdirSync(join(directory, "oci-layout"));
    await expect(read(await openLayout(directory, {}))).rejects.toThrow(
      `the layout "${directory}" contains something that is not a file: "oci-layout"`,
    );
  });

  test.each([
    ["oci-layout", "{}", "does not say version 1 of the format"],
    ["index.json", "no JSON", "does not list manifests"],
    ["index.json", `{"manifests":[${" ".repeat(4 * 1024 * 1024)}]}`, "has more than 4 MiB, which is the limit"],
  ])("whose %s is %.10s", async (file, text, sentence) => {
    writeAll(layoutFiles([{ image: first }]).set(file, Buffer.from(text)));
    await expect(read(await openLayout(directory, {}))).rejects.toThrow(
      `the file ${file} of the layout "${directory}" ${sentence}`,
    );
  });
});

describe("an archive", () => {
  const archive = async (
    entries: readonly WrittenEntry[],
    choice: ImageChoice = {},
    pack: (tar: Uint8Array) => Uint8Array = (tar) => tar,
  ): Promise<readonly string[]> => {
    const path = join(directory, "image.tar");
    writeFileSync(path, pack(tarOf(entries)));
    const before = readdirSync(directory);
    const result = await read(await openArchive(path, choice, signal));
    expect(readdirSync(directory)).toEqual(before);
    return result;
  };
  const name = (): string => `the archive "${join(directory, "image.tar")}"`;

  const ofLayout = (images: readonly Named[]): readonly WrittenEntry[] =>
    [...layoutFiles(images)].map(([path, content]) => ({ path: `./${path}`, content }));

  const layers = [[{ path: "configs/a", content: "first" }], [{ path: "configs/b", content: "more" }]];
  const tars = layers.map(tarOf);
  const listOf = (...images: object[]): WrittenEntry => ({ path: "manifest.json", content: JSON.stringify(images) });
  const docker: readonly WrittenEntry[] = [
    { path: "one/layer.tar", content: tars[0] as Buffer },
    { path: "two/layer.tar", content: tars[1] as Buffer },
    { path: "config.json", content: first.config },
    { path: "repositories", content: "{}" },
    listOf({ Config: "config.json", RepoTags: ["example/catalog:v1"], Layers: ["one/layer.tar", "two/layer.tar"] }),
  ];
  const except = (path: string): readonly WrittenEntry[] => docker.filter((entry) => entry.path !== path);

  test.each([
    ["plain", (tar: Uint8Array) => tar],
    ["gzip", (tar: Uint8Array) => gzipSync(tar)],
  ] as const)("of Docker or of a layout, %s", async (_, pack) => {
    expect(await archive(docker, {}, pack)).toEqual(FIRST);
    expect(await archive(docker, { tag: "v1" }, pack)).toEqual(FIRST);
    expect(await archive(ofLayout([{ image: first }]), {}, pack)).toEqual(FIRST);
    expect(await archive(ofLayout([tagged(first, "v1"), tagged(second, "v2")]), { tag: "v2" }, pack)).toEqual(SECOND);
  });

  test("with gzip and a layer that is not kept in memory", async () => {
    const noise = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at * 31) % 251));
    const big = imageOf([
      [{ path: "usr/noise", content: Buffer.concat([noise, noise, noise, noise, noise]) }],
      [{ path: "configs/a", content: Buffer.concat([noise, noise, noise, noise, noise]).toString("hex") }],
    ]);
    const raw = [
      tarOf([{ path: "usr/noise", content: Buffer.concat([noise, noise, noise, noise, noise]) }]),
      tarOf([{ path: "configs/a", content: Buffer.concat([noise, noise, noise, noise, noise]).toString("hex") }]),
    ];
    const entries = [
      { path: "a.tar", content: raw[0] as Buffer },
      { path: "b.tar", content: raw[1] as Buffer },
      { path: "c.json", content: big.config },
      listOf({ Config: "c.json", RepoTags: null, Layers: ["a.tar", "b.tar"] }),
    ];
    const [, file] = await archive(entries, {}, (tar) => gzipSync(tar));
    expect(file?.length).toBe(3_000_000 + "configs/a=".length);
  });

  test("of crane: compressed layers, whose tars are verified", async () => {
    const packed = tars.map((tar, index) => ({ path: `${index}.tar.gz`, content: gzipSync(tar) }));
    const list = listOf({ Config: "sha256:config", Layers: ["0.tar.gz", "1.tar.gz"] });
    const config = { path: "sha256:config", content: first.config };
    expect(await archive([config, ...packed, list])).toEqual(FIRST);
    const wrong = { path: "0.tar.gz", content: gzipSync(tarOf([{ path: "configs/a", content: "other" }])) };
    await expect(archive([config, ...packed, wrong, list])).rejects.toThrow(
      `${name()} gives other bytes for ${first.diffIds[0]}: content whose digest is sha256:`,
    );
  });

  test("of Podman and of old Docker: layers that are links", async () => {
    const links: readonly WrittenEntry[] = [
      { path: "0.tar", content: tars[0] as Buffer },
      { path: "1.tar", content: tars[1] as Buffer },
      { path: "one/layer.tar", type: "symlink", link: "../0.tar" },
      { path: "two/layer.tar", type: "link", link: "1.tar" },
      ...docker.slice(2),
    ];
    expect(await archive(links)).toEqual(FIRST);
  });

  test("has the same digest whenever it is read, and whatever else is in it", async () => {
    const path = join(directory, "image.tar");
    const digests = new Set<string>();
    for (const entries of [docker, docker.toReversed(), [...docker, { path: "VERSION", content: "1.0" }]]) {
      writeFileSync(path, tarOf(entries));
      digests.add((await openImage(await openArchive(path, {}, signal), signal)).digest);
    }
    expect(digests.size).toBe(1);
  });

  test("with several images", async () => {
    const images = [
      { Config: "config.json", RepoTags: ["a:v1"], Layers: ["one/layer.tar", "two/layer.tar"] },
      { Config: "config.json", RepoTags: ["b:v1", "b:v2"], Layers: ["one/layer.tar", "two/layer.tar"] },
    ];
    const entries = [...except("manifest.json"), listOf(...images)];
    expect(await archive(entries, { tag: "b:v1" })).toEqual(FIRST);
    expect(await archive(entries, { tag: "v2" })).toEqual(FIRST);
    for (const choice of [{}, { tag: "v1" }])
      await expect(archive(entries, choice)).rejects.toMatchObject({
        kind: "config",
        message: `${name()} contains several images, and the reference does not choose one: their tags are "a:v1", "b:v1", "b:v2"`,
        help: "add : and one of the tags",
      });
    await expect(archive(entries, { tag: "v3" })).rejects.toThrow(
      `${name()} has no image with the tag "v3": its tags are`,
    );
    await expect(archive(entries, { digest: first.manifest.digest })).rejects.toMatchObject({
      message: `${name()} has no digests of manifests, as archives of Docker do not`,
      help: "name the image by its tag",
    });
    const untagged = [...except("manifest.json"), listOf({ Config: "config.json" }, { Config: "config.json" })];
    await expect(archive(untagged)).rejects.toMatchObject({
      message: expect.stringMatching(/they have no tags$/),
      help: "save one image only",
    });
  });

  const LIST = (): string => `the file manifest.json of ${name()}`;

  test.each<[string, readonly WrittenEntry[], () => string]>([
    ["nothing", [], () => `${name()} contains no image: it has neither manifest.json nor oci-layout`],
    ["no image", [listOf()], () => `${name()} contains no image`],
    [
      "an old format",
      [{ path: "repositories", content: "{}" }],
      () => `${name()} is of Docker before 1.10, which Plimsoll does not read`,
    ],
    ["no list", [{ path: "manifest.json", content: "{}" }], () => `${LIST()} is not a list of images`],
    ["an entry that is no image", [listOf([])], () => `${LIST()} does not name the files of the image`],
    ["a missing layer", except("two/layer.tar"), () => `${LIST()} names a file that is not there: "two/layer.tar"`],
    ["a missing configuration", except("config.json"), () => `${LIST()} names a file that is not there: "config.json"`],
    [
      "a configuration that is not JSON",
      [...except("config.json"), { path: "config.json", content: "x" }],
      () => `the configuration that ${LIST()} names is not a JSON object`,
    ],
    [
      "a configuration with other layers",
      [...except("config.json"), { path: "config.json", content: second.config }],
      () => `${LIST()} names 2 layers, but the configuration of the image 1`,
    ],
    [
      "a configuration with layers by path",
      [...except("config.json"), { path: "config.json", content: '{"rootfs":{"diff_ids":["sha256:../x",1]}}' }],
      () => `the configuration that ${LIST()} names has no digest of layer 1`,
    ],
    ["a path that leaves it", [{ path: "../x", content: "x" }], () => `${name()} has a path that leaves it: "../x"`],
    [
      "a layer that is a link to itself",
      [...except("one/layer.tar"), { path: "one/layer.tar", type: "symlink", link: "layer.tar" }],
      () => `${LIST()} names a file that is not there: "one/layer.tar"`,
    ],
    [
      "a layer that is a link out of it",
      [...except("one/layer.tar"), { path: "one/layer.tar", type: "symlink", link: "../../../../etc/passwd" }],
      () => `${LIST()} names a file that is not there: "one/layer.tar"`,
    ],
    [
      "another layer",
      [...except("one/layer.tar"), { path: "one/layer.tar", content: tars[1] as Buffer }],
      () => `${name()} gives other bytes for ${first.diffIds[0]}: content whose digest is ${first.diffIds[1]}`,
    ],
  ])("with %s", async (_, entries, sentence) => {
    await expect(archive(entries)).rejects.toMatchObject({
      message: sentence(),
      help: expect.stringMatching(/^[a-z].*[^.]$/),
    });
  });

  test("that is cut, compressed otherwise, a directory, or not there", async () => {
    await expect(archive(docker, {}, (tar) => tar.subarray(0, 4000))).rejects.toThrow(
      `${name()} is not a tar that can be read: it ends in the middle of an entry`,
    );
    await expect(archive(docker, {}, (tar) => gzipSync(tar).subarray(0, 100))).rejects.toThrow(
      `the gzip of ${name()} ends too early`,
    );
    await expect(archive(docker, {}, () => Buffer.from("28b52ffd00000000", "hex"))).rejects.toMatchObject({
      message: `${name()} is compressed with zstd, which Plimsoll does not read`,
      help: "decompress the file with zstd first",
    });
    await expect(openArchive(directory, {}, signal)).rejects.toMatchObject({
      message: `the archive "${directory}" is a directory`,
      help: "name the directory of an OCI layout as oci-layout:DIR",
    });
    await expect(openArchive(join(directory, "nowhere"), {}, signal)).rejects.toMatchObject({
      kind: "not-found",
      message: `the archive "${directory}/nowhere" cannot be read: no such file`,
    });
    await expect(openArchive("/dev/null", {}, signal)).rejects.toThrow('the archive "/dev/null" is not a file');
  });

  test("whose read is cancelled", async () => {
    const path = join(directory, "image.tar");
    writeFileSync(path, tarOf(docker));
    await expect(openArchive(path, {}, AbortSignal.abort())).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("gives nothing that it does not contain", async () => {
    const path = join(directory, "image.tar");
    writeFileSync(path, tarOf(docker));
    const source = await openArchive(path, {}, signal);
    const other = descriptorOf(OCI_MANIFEST, Buffer.from("other"));
    await expect(source.manifestOf(other, signal)).rejects.toThrow(`${name()} does not contain ${other.digest}`);
    const chunks = source.blob(other, signal)[Symbol.asyncIterator]();
    await expect(chunks.next()).rejects.toThrow(`${name()} does not contain ${other.digest}`);
  });
});

describe("a place", () => {
  const DIGEST = `sha256:${"0".repeat(64)}`;
  test.each([
    ["dir", { path: "dir", choice: {} }],
    ["dir:v1", { path: "dir", choice: { tag: "v1" } }],
    [`dir@${DIGEST}`, { path: "dir", choice: { digest: DIGEST } }],
    [`dir:v1@${DIGEST}`, { path: "dir", choice: { tag: "v1", digest: DIGEST } }],
    ["dir:quay.io:443/a/b:v1", { path: "dir", choice: { tag: "quay.io:443/a/b:v1" } }],
    ["a:b", { path: "a:b", choice: {} }],
    ["a:b:v1", { path: "a:b", choice: { tag: "v1" } }],
    ["nowhere:v1", { path: "nowhere:v1", choice: {} }],
    [":v1", { path: ":v1", choice: {} }],
  ])("%s", (text, place) => {
    expect(storedPlace(text, (path) => ["dir", "a:b", "a"].includes(path))).toEqual(place);
  });

  test("with many colons is tried a few times only", () => {
    let tries = 0;
    storedPlace(":".repeat(100_000), () => {
      tries++;
      return false;
    });
    expect(tries).toBeLessThan(30);
  });
});
