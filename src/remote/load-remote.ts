// Which catalog does a reference name that is not a path? Each way to it is tried in order; the first that answers counts. A
// catalog that was assembled before from the same content comes from the cache.

import { CatalogBuilder } from "../input/catalog/catalog-builder.ts";
import { packCatalog } from "../input/packed/pack-catalog.ts";
import { unpackCatalog } from "../input/packed/unpack-catalog.ts";
import type { Catalog } from "../model/catalog.ts";
import { finding } from "../model/finding.ts";
import { type Place, wholeSource } from "../model/place.ts";
import { failureOfOne, type NetFailure } from "../net/failure.ts";
import type { CatalogReference } from "../source/catalog-reference.ts";
import type { InputFiles } from "../source/input-files.ts";
import { identityOf, type LoadedCatalog, readInto } from "../source/load-catalog.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import type { RemoteContent } from "./content.ts";
import { directServer } from "./direct-catalogd.ts";
import { openCatalogd } from "./open-catalogd.ts";
import { openImageContent } from "./open-image.ts";
import { openRegistry } from "./open-registry.ts";
import { type RemoteSetting, waitedFor } from "./setting.ts";
import { type Way, wayText } from "./way.ts";

/** A catalog, and how it was read; or why it was not. */
export type RemoteCatalog = LoadedCatalog & {
  /** What was used, as people read it. */
  readonly way?: string;
  /** Why it was not read, without its name. */
  readonly why?: string;
  /** It was not read because a registry wants credentials. */
  readonly wantsCredentials?: boolean;
};

/** A catalog with what its content is known by; or its content is what was known. */
export type RemoteNews =
  | (RemoteCatalog & Partial<Pick<RemoteContent, "digest" | "prefix">>)
  | { readonly kind: "unchanged" };

const KIND = "catalog";

/** Loads a catalog in one of several ways. */
export async function loadRemote(
  reference: CatalogReference,
  ways: readonly Way[],
  files: InputFiles,
  setting: RemoteSetting,
): Promise<RemoteCatalog> {
  return firstOf(ways, reference, setting, (content) => loadedFrom(reference, content, files, setting));
}

/** Loads a catalog in one of several ways, unless its content has the digest that is known. */
export async function loadNews(
  known: string | undefined,
  reference: CatalogReference,
  ways: readonly Way[],
  files: InputFiles,
  setting: RemoteSetting,
): Promise<RemoteNews> {
  return firstOf<RemoteNews>(ways, reference, setting, async (content) => {
    const { digest, prefix } = content;
    if (digest === known) return { kind: "unchanged" };
    return { ...(await loadedFrom(reference, content, files, setting)), digest, prefix };
  });
}

async function loadedFrom(
  reference: CatalogReference,
  content: RemoteContent,
  files: InputFiles,
  setting: RemoteSetting,
): Promise<RemoteCatalog> {
  const catalog = await assembled(reference, content, files, setting);
  const mirror = content.mirror?.();
  return {
    kind: "loaded",
    catalog,
    way: mirror === undefined ? content.about : `${content.about}, mirror ${mirror}`,
  };
}

/** What comes of the first way that leads to the catalog. */
async function firstOf<News>(
  ways: readonly Way[],
  reference: CatalogReference,
  setting: RemoteSetting,
  use: (content: RemoteContent) => Promise<News>,
): Promise<News | Extract<RemoteCatalog, { kind: "unreachable" }>> {
  const failures: (readonly [Way, NetFailure])[] = [];
  for (const way of ways) {
    try {
      return await use(await opened(way, setting));
    } catch (error) {
      failures.push([way, failureOfOne(error)]);
    }
  }
  const wantsCredentials = failures.some(([, { kind }]) => kind === "unauthorized");
  const why = reasonsOf(failures);
  return { kind: "unreachable", reference, finding: unreadable(reference, why, failures), wantsCredentials, why };
}

function opened(way: Way, setting: RemoteSetting): Promise<RemoteContent> {
  switch (way.kind) {
    case "grpc":
      return openRegistry(way, setting);
    case "catalogd":
      return openCatalogd(directServer(way.url, setting, way.statedBy), setting);
    case "proxied-catalogd":
      return waitedFor(way.server.name, setting, () => openCatalogd(way.server, setting));
    default:
      return openImageContent(way, setting);
  }
}

async function assembled(
  reference: CatalogReference,
  content: RemoteContent,
  files: InputFiles,
  { cache, assembledBy, onProgress }: RemoteSetting,
): Promise<Catalog> {
  const { prefix, digest, about } = content;
  const identity = identityOf(reference);
  files.mount(prefix, (name) => partOf(content, name));
  const key = `${assembledBy} ${digest}`;
  const hit = await cache.get(KIND, key);
  const known = hit && unpackCatalog(hit.payload, identity, prefix);
  if (known !== undefined) return known;
  const { names, documents, findings } = await content.parts();
  const builder = new CatalogBuilder(identity);
  for (const item of findings) builder.report(item);
  if (documents === undefined) await readInto(builder, prefix, names, files, directoriesOf(names));
  else for (const [index, document] of documents.entries()) builder.add(document, lineOf(prefix, index));
  onProgress({ bundles: builder.drafts.bundles.length });
  const catalog = builder.finishFrom(prefix);
  await cache.put({ kind: KIND, key, about }, packCatalog(catalog, prefix));
  return catalog;
}

/** Only messages need the text of a catalog that came from the cache; they do without it if it cannot be had any more. */
async function* partOf(content: RemoteContent, name: string): AsyncGenerator<Uint8Array> {
  try {
    const bytes = (await content.parts()).bytesOf(name);
    if (bytes !== undefined) yield bytes;
  } catch (error) {
    failureOfOne(error);
  }
}

function lineOf(source: string, index: number): Place {
  return { source, line: index + 1, column: 1 };
}

function directoriesOf(names: Iterable<string>): (path: string) => boolean {
  const directories = new Set<string>();
  for (const name of names) directories.add(name.slice(0, name.lastIndexOf("/")));
  return (path) => directories.has(path);
}

type Failures = readonly (readonly [Way, NetFailure])[];

function reasonsOf(failures: Failures): string {
  const [first] = failures;
  if (first === undefined) return "there is no way to read it";
  if (failures.length === 1) return first[1].message;
  return failures.map(([way, { message }]) => `${wayText(way)}: ${message}`).join("; ");
}

function unreadable(reference: CatalogReference, why: string, failures: Failures) {
  const { name, namespace, path } = reference;
  const shown = namespace === undefined ? name : `${namespace}/${name}`;
  const helps = [...new Set(failures.flatMap(([, { help }]) => help ?? []))];
  return finding("PL001", wholeSource(withoutUrlSecrets(path)), {
    message: `catalog ${shown} cannot be read: ${why}`,
    catalog: name,
    ...(helps.length > 0 && { help: helps.join("; ") }),
  });
}
