// How does an image get into a registry? By fetch alone, layer by layer, so that it does not depend on the code under test.
//
// A later layer removes a file of an earlier one with a file `.wh.NAME` beside it, and everything in a directory with a file
// `.wh..wh..opq` in it.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { partOf } from "../../src/model/json.ts";
import { caseDocuments } from "../case-documents.ts";
import { type Files, packTar } from "./tar.ts";

/** The label of a catalog image, which names the folder of its catalog. */
const CATALOG_LABEL = "operators.operatorframework.io.index.configs.v1";
const CATALOG_FOLDER = "configs";

/** How an image is written. */
export interface ImageForm {
  /** Which media types it has: those of OCI, or those of Docker. OCI's if it is not given. */
  readonly format?: "oci" | "docker";
  /** How its layers are compressed: with gzip if it is not given. */
  readonly compression?: "gzip" | "none";
  readonly architecture?: string;
}

/** What an image is made of. */
export interface ImageContent extends ImageForm {
  /** The files of each layer, by their path in the image; the lowest layer first. */
  readonly layers: readonly Files[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a catalog or a bundle has besides its files. */
export interface ImageAdditions extends ImageForm {
  /** Labels besides those that the image needs; the same name replaces one of those. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Further layers, with paths in the image. */
  readonly layers?: readonly Files[];
}

/** A reference to bytes in a registry. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** An image or an index in a registry. */
export interface PushedImage extends Descriptor {
  /** ADDRESS/NAME:TAG */
  readonly reference: string;
}

const MEDIA_TYPES = {
  oci: {
    manifest: "application/vnd.oci.image.manifest.v1+json",
    config: "application/vnd.oci.image.config.v1+json",
    gzip: "application/vnd.oci.image.layer.v1.tar+gzip",
    none: "application/vnd.oci.image.layer.v1.tar",
    index: "application/vnd.oci.image.index.v1+json",
  },
  docker: {
    manifest: "application/vnd.docker.distribution.manifest.v2+json",
    config: "application/vnd.docker.container.image.v1+json",
    gzip: "application/vnd.docker.image.rootfs.diff.tar.gzip",
    none: "application/vnd.docker.image.rootfs.diff.tar",
    index: "application/vnd.docker.distribution.manifest.list.v2+json",
  },
} as const;

/** Pushes an image to a registry that speaks plain HTTP at HOST:PORT, as NAME:TAG. */
export async function pushImage(address: string, name: string, content: ImageContent): Promise<PushedImage> {
  const { layers, labels = {}, format = "oci", compression = "gzip", architecture = "amd64" } = content;
  const types = MEDIA_TYPES[format];
  const { repository } = nameAndTag(name);
  const tars = layers.map(packTar);
  const blobs = tars.map((tar) => (compression === "gzip" ? gzipSync(tar) : tar));
  const config = json({
    architecture,
    os: "linux",
    config: { Labels: labels },
    rootfs: { type: "layers", diff_ids: tars.map(digestOf) },
  });
  for (const blob of [config, ...blobs]) await pushBlob(`http://${address}/v2/${repository}`, blob);
  return pushManifest(address, name, types.manifest, {
    config: descriptor(types.config, config),
    layers: blobs.map((blob) => descriptor(types[compression], blob)),
  });
}

/** Pushes an index with an image of the same repository for each architecture. */
export function pushIndex(
  address: string,
  name: string,
  images: Readonly<Record<string, Descriptor>>,
  { format = "oci" }: Pick<ImageForm, "format"> = {},
): Promise<PushedImage> {
  const manifests = Object.entries(images).map(([architecture, { mediaType, digest, size }]) => ({
    ...{ mediaType, digest, size },
    platform: { architecture, os: "linux" },
  }));
  return pushManifest(address, name, MEDIA_TYPES[format].index, { manifests });
}

/** Pushes a catalog; `files` are below its folder. */
export function pushCatalogImage(
  address: string,
  name: string,
  files: Files,
  { labels = {}, layers = [], ...form }: ImageAdditions = {},
): Promise<PushedImage> {
  const lowest = new Map([...files].map(([path, content]) => [`${CATALOG_FOLDER}/${path}`, content]));
  return pushImage(address, name, {
    ...form,
    layers: [lowest, ...layers],
    labels: { [CATALOG_LABEL]: `/${CATALOG_FOLDER}`, ...labels },
  });
}

const ANNOTATIONS = "metadata/annotations.yaml";

/** Pushes a bundle: its manifests and its metadata in a layer each. Its labels are the annotations of its metadata. */
export function pushBundleImage(
  address: string,
  name: string,
  files: Files,
  { labels = {}, layers = [], ...form }: ImageAdditions = {},
): Promise<PushedImage> {
  const below = (folder: string): Files => new Map([...files].filter(([path]) => path.startsWith(`${folder}/`)));
  const [metadata] = caseDocuments(ANNOTATIONS, Buffer.from(files.get(ANNOTATIONS) ?? ""), (value) => value);
  const annotations = partOf(metadata ?? {}, "annotations") as Readonly<Record<string, string>>;
  return pushImage(address, name, {
    ...form,
    layers: [below("manifests"), below("metadata"), ...layers],
    labels: { ...annotations, ...labels },
  });
}

/** The files below a directory, by their path there. */
export function filesBelow(directory: string): Files {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.sort().map((path) => [relative(directory, path), readFileSync(path)]));
}

/** The digest of bytes, as a registry names them. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

async function pushManifest(address: string, name: string, mediaType: string, content: object): Promise<PushedImage> {
  const { repository, tag } = nameAndTag(name);
  const manifest = json({ schemaVersion: 2, mediaType, ...content });
  const url = `http://${address}/v2/${repository}/manifests/${tag}`;
  await done(
    await fetch(url, { method: "PUT", headers: { "content-type": mediaType }, body: new Uint8Array(manifest) }),
  );
  return { ...descriptor(mediaType, manifest), reference: `${address}/${name}` };
}

async function pushBlob(repository: string, blob: Buffer): Promise<void> {
  const begun = await done(await fetch(`${repository}/blobs/uploads/`, { method: "POST" }));
  const place = new URL(begun.headers.get("location") ?? "", repository);
  place.searchParams.set("digest", digestOf(blob));
  const headers = { "content-type": "application/octet-stream" };
  await done(await fetch(place, { method: "PUT", headers, body: new Uint8Array(blob) }));
}

async function done(answer: Response): Promise<Response> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the registry answers ${answer.status} to ${answer.url}: ${text}`);
  return answer;
}

function nameAndTag(name: string): { readonly repository: string; readonly tag: string } {
  const [, repository, tag] = /^([^:@]+):([^:@]+)$/.exec(name) ?? [];
  if (repository === undefined || tag === undefined) throw new Error(`${name} is not NAME:TAG`);
  return { repository, tag };
}

function descriptor(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
