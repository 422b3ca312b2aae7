// How do tests make tars, layers and images? In memory; also such as no tool would write.

import { gzipSync } from "node:zlib";
import { digestOf } from "../../src/oci/digest.ts";
import type { Descriptor, ImageSource, Manifest } from "../../src/oci/image-source.ts";
import { verified } from "../../src/oci/verified.ts";

export interface WrittenEntry {
  readonly path: string;
  /** A file by default. */
  readonly type?: "file" | "link" | "symlink" | "directory" | "device" | "block" | "pipe" | "sparse" | "old";
  readonly content?: string | Uint8Array;
  readonly link?: string;
  /** How a path is written that is longer than 100 bytes; pax by default. */
  readonly long?: "gnu" | "pax" | "prefix";
  /** What the header says the size is, if not the truth. */
  readonly size?: number;
  /** The size in binary, as GNU writes those of more than 8 GiB. */
  readonly isBinarySize?: boolean;
  /** A wrong checksum. */
  readonly isDamaged?: boolean;
  /** More records of a pax header. */
  readonly pax?: Readonly<Record<string, string>>;
}

const FLAGS = {
  file: "0",
  link: "1",
  symlink: "2",
  device: "3",
  block: "4",
  directory: "5",
  pipe: "6",
  sparse: "S",
  old: "\0",
};

/** A tar with its end. */
export function tarOf(entries: Iterable<WrittenEntry>): Buffer {
  return Buffer.concat([...[...entries].map(tarEntry), Buffer.alloc(1024)]);
}

/** The blocks of one entry. */
export function tarEntry(entry: WrittenEntry): Buffer {
  const { path, type = "file", link = "", long = "pax" } = entry;
  const content = Buffer.from(entry.content ?? "");
  const parts: Buffer[] = [];
  const pax: Record<string, string> = { ...entry.pax };
  let name = path;
  let prefix = "";
  if (Buffer.byteLength(path) > 100) {
    if (long === "gnu") parts.push(special("L", Buffer.from(`${path}\0`)));
    else if (long === "pax") pax.path = path;
    else {
      const slash = path.indexOf("/", Math.max(0, path.length - 101));
      prefix = path.slice(0, slash);
      name = path.slice(slash + 1);
    }
    if (long !== "prefix") name = path.slice(0, 90).replace(/\/$/, "_");
  }
  if (Buffer.byteLength(link) > 100) {
    if (long === "gnu") parts.push(special("K", Buffer.from(`${link}\0`)));
    else pax.linkpath = link;
  }
  if (Object.keys(pax).length > 0) parts.push(special("x", paxRecords(pax)));
  parts.push(header({ ...entry, name, prefix, flag: FLAGS[type], link, size: entry.size ?? content.length }));
  parts.push(content, Buffer.alloc((512 - (content.length % 512)) % 512));
  return Buffer.concat(parts);
}

/** A header with content that describes the next entry. */
export function special(flag: string, content: Uint8Array): Buffer {
  const head = header({ name: "././@LongLink", prefix: "", flag, link: "", size: content.length });
  return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

export function paxRecords(records: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    let length = rest + 1;
    while (`${length}`.length + rest !== length) length = `${length}`.length + rest;
    return `${length} ${key}=${value}\n`;
  });
  return Buffer.from(lines.join(""));
}

interface HeaderFields {
  readonly name: string;
  readonly prefix: string;
  readonly flag: string;
  readonly link: string;
  readonly size: number;
  readonly isBinarySize?: boolean;
  readonly isDamaged?: boolean;
}

function header({ name, prefix, flag, link, size, isBinarySize, isDamaged }: HeaderFields): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write("0000644\0", 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  if (size < 0) block.fill(0xff, 124, 136);
  else if (isBinarySize) {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  } else block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148);
  block.write(flag, 156);
  block.write(link.slice(0, 100), 157, 100);
  block.write("ustar\x0000", 257, "latin1");
  block.write(prefix, 345, 155);
  const sum = block.reduce((all, byte) => all + byte, isDamaged ? 1 : 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** The chunks of bytes, of a size that no header has. */
export async function* chunksOf(bytes: Uint8Array, size = 700): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
export const OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
export const OCI_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

export interface WrittenImage {
  readonly manifest: Manifest;
  /** The descriptor of the manifest. */
  readonly descriptor: Descriptor;
  readonly config: Buffer;
  /** The configuration and the layers, compressed; by digest. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly layers: readonly Descriptor[];
  readonly diffIds: readonly string[];
  /** The image as a source that counts the blobs that were read. */
  readonly source: ImageSource & { readonly read: string[] };
}

/** An image of layers, each the entries of its tar. */
export function imageOf(
  layers: readonly (readonly WrittenEntry[])[],
  labels: Readonly<Record<string, string>> = {},
): WrittenImage {
  const tars = layers.map(tarOf);
  const diffIds = tars.map((tar) => digestOf(tar));
  const config = Buffer.from(
    JSON.stringify({
      architecture: "amd64",
      os: "linux",
      config: { Labels: labels },
      rootfs: { type: "layers", diff_ids: diffIds },
    }),
  );
  const packed = tars.map((tar) => gzipSync(tar));
  const descriptors = packed.map((bytes) => descriptorOf(OCI_LAYER, bytes));
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: descriptorOf(OCI_CONFIG, config),
      layers: descriptors,
    }),
  );
  const blobs = new Map([config, ...packed].map((blob) => [digestOf(blob), blob]));
  const manifest = manifestOf(OCI_MANIFEST, bytes);
  return {
    manifest,
    descriptor: descriptorOf(OCI_MANIFEST, bytes),
    config,
    blobs,
    layers: descriptors,
    diffIds,
    source: sourceOf(manifest, blobs),
  };
}

export function descriptorOf(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

export function manifestOf(mediaType: string, content: unknown): Manifest {
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
  return { mediaType, digest: digestOf(bytes), bytes };
}

/** A source in memory: blobs are verified, manifests are given as they are. */
export function sourceOf(
  manifest: Manifest,
  blobs: ReadonlyMap<string, Uint8Array>,
  members: readonly Manifest[] = [],
): ImageSource & { readonly read: string[] } {
  const read: string[] = [];
  return {
    name: "the registry in memory",
    read,
    manifest: async () => manifest,
    manifestOf: async ({ digest }) => {
      const member = members.find((one) => one.digest === digest);
      if (member === undefined) throw new Error(`no manifest ${digest}`);
      return member;
    },
    blob: (descriptor) => {
      read.push(descriptor.digest);
      const bytes = blobs.get(descriptor.digest);
      if (bytes === undefined) throw new Error(`no blob ${descriptor.digest}`);
      return verified(chunksOf(bytes), descriptor, "the registry in memory");
    },
  };
}
