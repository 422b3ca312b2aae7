import { describe, expect, test } from "vitest";
import {
  descriptorOf,
  imageOf,
  manifestOf,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_LAYER,
  OCI_MANIFEST,
  sourceOf,
} from "../../test/oci/tar-writer.ts";
import { NetFailure } from "../net/failure.ts";
import { digestOf } from "./digest.ts";
import type { Manifest } from "./image-source.ts";
import { type Image, openImage } from "./read-image.ts";

const { signal } = new AbortController();
const MIB = 1024 * 1024;
const DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
const DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json";

const written = imageOf([[{ path: "configs/a", content: "a" }]], { "a.label": "/configs", empty: "" });
const config = descriptorOf(OCI_CONFIG, written.config);
const image = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: written.layers };

function opened(content: unknown, mediaType = OCI_MANIFEST, members: readonly Manifest[] = []): Promise<Image> {
  return openImage(sourceOf(manifestOf(mediaType, content), written.blobs, members), signal);
}

describe("an image", () => {
  test("has a digest, labels and layers", async () => {
    expect(await openImage(written.source, signal)).toEqual({
      digest: written.manifest.digest,
      labels: new Map([
        ["a.label", "/configs"],
        ["empty", ""],
      ]),
      layers: written.layers,
    });
  });

  test("of Docker, and without media types", async () => {
    const { mediaType: _, ...silent } = image;
    const docker = {
      schemaVersion: 2,
      mediaType: DOCKER_MANIFEST,
      config: { ...config, mediaType: "application/vnd.docker.container.image.v1+json" },
      layers: written.layers.map((layer) => ({
        ...layer,
        mediaType: "application/vnd.docker.image.rootfs.diff.tar.gzip",
      })),
    };
    expect((await opened(docker, DOCKER_MANIFEST)).layers).toHaveLength(1);
    for (const mediaType of [OCI_MANIFEST, ""]) expect((await opened(silent, mediaType)).layers).toHaveLength(1);
  });

  test.each([
    [{}, 0],
    [{ config: null }, 0],
    [{ config: { Labels: null } }, 0],
    [{ config: { Labels: ["a"] } }, 1],
    [{ config: { Labels: { a: "b", c: 1, d: null, e: {} } } }, 1],
  ])("with the configuration %j has %i labels", async (value, count) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const manifest = manifestOf(OCI_MANIFEST, { ...image, config: descriptorOf(OCI_CONFIG, bytes) });
    const { labels } = await openImage(sourceOf(manifest, new Map([[digestOf(bytes), bytes]])), signal);
    expect(labels.size).toBe(count);
  });
});

describe("an index", () => {
  const member = (manifest: Manifest, more: object = {}): object => ({
    ...descriptorOf(manifest.mediaType, manifest.bytes),
    ...more,
  });
  const platform = (os: string, architecture: string): object => ({ platform: { os, architecture } });
  const other = manifestOf(OCI_MANIFEST, { ...image, annotations: { is: "another" } });
  const both = [written.manifest, other];

  test.each([OCI_INDEX, DOCKER_LIST])("%s gives linux/amd64, wherever it is", async (mediaType) => {
    const manifests = [member(other, platform("linux", "arm64")), member(written.manifest, platform("linux", "amd64"))];
    const index = { schemaVersion: 2, mediaType, manifests };
    expect((await opened(index, mediaType, both)).digest).toBe(written.manifest.digest);
  });

  test("without linux/amd64 gives the first of a platform; attestations are none", async () => {
    const attestation = { annotations: { "vnd.docker.reference.type": "attestation-manifest" } };
    const manifests = [
      member(written.manifest, platform("unknown", "unknown")),
      member(written.manifest, attestation),
      member(manifestOf("application/vnd.example+json", {})),
      member(other, platform("linux", "arm64")),
      member(written.manifest, platform("linux", "s390x")),
    ];
    expect((await opened({ schemaVersion: 2, manifests }, OCI_INDEX, both)).digest).toBe(other.digest);
  });

  test("of an index, and one without platforms", async () => {
    const inner = manifestOf(OCI_INDEX, { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [member(other)] });
    const outer = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [member(inner)] };
    expect((await opened(outer, OCI_INDEX, [inner, other])).digest).toBe(other.digest);
  });

  test("of which a copy lacks manifests gives one that is there", async () => {
    const manifests = [member(written.manifest, platform("linux", "amd64")), member(other, platform("linux", "arm64"))];
    const source = sourceOf(manifestOf(OCI_INDEX, { schemaVersion: 2, manifests }), written.blobs);
    const lacking = (has: readonly Manifest[]): Promise<Image> =>
      openImage(
        {
          ...source,
          manifestOf: async ({ digest }) => {
            const found = has.find((one) => one.digest === digest);
            if (found === undefined) throw new NetFailure("not-found", `there is no ${digest}`);
            return found;
          },
        },
        signal,
      );
    expect((await lacking([other])).digest).toBe(other.digest);
    await expect(lacking([])).rejects.toThrow(`there is no ${written.manifest.digest}`);
  });

  test("without an image", async () => {
    const index = manifestOf(OCI_INDEX, { schemaVersion: 2, manifests: [] });
    await expect(openImage(sourceOf(index, new Map()), signal)).rejects.toMatchObject({
      kind: "malformed",
      message: `the index ${index.digest} of the registry in memory names no image of a platform`,
      help: "build the image again, and push or save it again",
    });
  });

  test("that refers to itself", async () => {
    const digest = `sha256:${"2".repeat(64)}`;
    const bytes = Buffer.from(
      JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: OCI_INDEX, digest, size: 100 }] }),
    );
    const itself = { mediaType: OCI_INDEX, digest, bytes };
    await expect(openImage(sourceOf(itself, new Map(), [itself]), signal)).rejects.toMatchObject({
      kind: "malformed",
      message: "the registry in memory has indexes in more than 4 levels",
      help: "name the image of one platform by its digest",
    });
  });

  test("with a member that cannot be verified", async () => {
    const manifests = [{ mediaType: OCI_MANIFEST, digest: "md5:0", size: 1 }];
    await expect(opened({ schemaVersion: 2, manifests }, OCI_INDEX)).rejects.toThrow(
      /^member 1 of the manifest sha256:\w{64} of the registry in memory has no digest and size$/,
    );
  });
});

describe("refused", () => {
  const layer = written.layers[0];
  const withLayer = (change: object): object => ({ ...image, layers: [layer, { ...layer, ...change }] });
  const FOREIGN = "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip";
  const HELM = "application/vnd.cncf.helm.config.v1+json";
  const ENCRYPTED = "application/vnd.oci.image.layer.v1.tar+gzip+encrypted";
  const NOT_AN_INDEX = `MANIFEST has the fields of an image, but is "${OCI_INDEX}"`;
  const cases: readonly (readonly [string, unknown, string, string])[] = [
    ["no JSON", Buffer.from("<html>"), OCI_MANIFEST, "MANIFEST is not a JSON object"],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), OCI_MANIFEST, "MANIFEST is not a JSON object"],
    ["a list", [], OCI_MANIFEST, "MANIFEST is not a JSON object"],
    [
      "a huge manifest",
      Buffer.alloc(4 * MIB + 1, " "),
      OCI_MANIFEST,
      "MANIFEST has more than 4 MiB, which is the limit",
    ],
    ["deep JSON", Buffer.alloc(MIB, "["), OCI_MANIFEST, "MANIFEST is not a JSON object"],
    [
      "schema 1",
      { schemaVersion: 1, fsLayers: [] },
      "application/vnd.docker.distribution.manifest.v1+prettyjws",
      "MANIFEST has the format of Docker before 2016 (schema 1), which Plimsoll does not read",
    ],
    [
      "schema 1 without a type",
      { schemaVersion: 1, fsLayers: [] },
      "",
      "MANIFEST has the format of Docker before 2016 (schema 1), which Plimsoll does not read",
    ],
    [
      "a manifest that says that it is another",
      { ...image, mediaType: OCI_INDEX },
      OCI_MANIFEST,
      `MANIFEST says that it is "${OCI_INDEX}", but it was given as "${OCI_MANIFEST}"`,
    ],
    ["an image under the type of an index", { ...image, mediaType: undefined }, OCI_INDEX, NOT_AN_INDEX],
    ["an image that says that it is an index", { ...image, mediaType: OCI_INDEX }, OCI_INDEX, NOT_AN_INDEX],
    [
      "an index that says that it is an image",
      { schemaVersion: 2, mediaType: OCI_MANIFEST, manifests: [] },
      OCI_MANIFEST,
      `MANIFEST has the fields of an index, but is "${OCI_MANIFEST}"`,
    ],
    ["something else", { a: 1 }, OCI_MANIFEST, "MANIFEST is neither an index nor an image"],
    ["both at once", { ...image, manifests: [] }, OCI_MANIFEST, "MANIFEST is both an index and an image"],
    [
      "an artifact",
      { schemaVersion: 2, mediaType: "application/vnd.oci.artifact.manifest.v1+json" },
      "application/vnd.oci.artifact.manifest.v1+json",
      'MANIFEST is not a container image: it is of type "application/vnd.oci.artifact.manifest.v1+json"',
    ],
    [
      "a Helm chart",
      { ...image, config: { ...config, mediaType: HELM } },
      OCI_MANIFEST,
      `MANIFEST is not a container image: its configuration is of type "${HELM}"`,
    ],
    [
      "no configuration",
      { schemaVersion: 2, layers: [] },
      OCI_MANIFEST,
      "MANIFEST does not name a configuration with digest and size",
    ],
    ["a layer without size", withLayer({ size: -1 }), OCI_MANIFEST, "layer 2 of MANIFEST has no digest and size"],
    [
      "a layer with a path for a digest",
      withLayer({ digest: "sha256:../../x" }),
      OCI_MANIFEST,
      "layer 2 of MANIFEST has no digest and size",
    ],
    [
      "a layer that is no object",
      { ...image, layers: [null] },
      OCI_MANIFEST,
      "layer 1 of MANIFEST has no digest and size",
    ],
    [
      "a foreign layer",
      withLayer({ mediaType: FOREIGN }),
      OCI_MANIFEST,
      `layer 2 of MANIFEST is not stored with the image: it is of type "${FOREIGN}"`,
    ],
    [
      "an unknown layer",
      withLayer({ mediaType: ENCRYPTED }),
      OCI_MANIFEST,
      `layer 2 of MANIFEST is of type "${ENCRYPTED}", which is no layer of files`,
    ],
    [
      "many layers",
      { ...image, layers: Array.from({ length: 1001 }, () => layer) },
      OCI_MANIFEST,
      "MANIFEST has 1001 layers; the limit is 1000",
    ],
  ];

  test.each(cases)("%s", async (_, content, mediaType, sentence) => {
    const manifest = manifestOf(mediaType, content);
    const name = `the manifest ${manifest.digest} of the registry in memory`;
    await expect(openImage(sourceOf(manifest, written.blobs), signal)).rejects.toMatchObject({
      kind: "malformed",
      message: sentence.replace("MANIFEST", name),
      help: expect.stringMatching(/^[a-z].*[^.]$/),
    });
  });

  const withConfig = (bytes: Uint8Array, change: object = {}): Promise<Image> => {
    const manifest = manifestOf(OCI_MANIFEST, { ...image, config: { ...descriptorOf(OCI_CONFIG, bytes), ...change } });
    return openImage(sourceOf(manifest, new Map([[digestOf(bytes), bytes]])), signal);
  };

  test("a configuration that is not JSON", async () => {
    const bytes = Buffer.from("no JSON");
    await expect(withConfig(bytes)).rejects.toMatchObject({
      kind: "malformed",
      message: `the configuration ${digestOf(bytes)} of the registry in memory is not a JSON object`,
    });
  });

  test("a configuration that is too large, before it is read", async () => {
    await expect(withConfig(Buffer.from("{}"), { size: 9 * MIB })).rejects.toThrow(
      /^the configuration sha256:\w+ of the registry in memory has more than 8 MiB, which is the limit$/,
    );
  });

  test("a configuration whose size is a lie", async () => {
    const bytes = Buffer.from("{}");
    await expect(withConfig(bytes, { size: 1 })).rejects.toThrow(
      `the registry in memory gives other bytes for ${digestOf(bytes)}: more than the 1 byte that it should have`,
    );
    await expect(withConfig(bytes, { size: 3 })).rejects.toThrow("2 bytes instead of the 3 that it should have");
  });

  test("layers of every type that engines make are accepted", async () => {
    for (const mediaType of [
      OCI_LAYER,
      "application/vnd.oci.image.layer.v1.tar",
      "application/vnd.docker.image.rootfs.diff.tar",
    ])
      expect((await opened(withLayer({ mediaType }))).layers).toHaveLength(2);
  });
});
