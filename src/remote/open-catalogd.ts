// What does a catalogd serve now? The copy in the cache, if it has not been modified since.

import { NetFailure } from "../net/failure.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { type CatalogdServer, packCopy, readCatalogd, unpackCopy } from "./catalogd.ts";
import type { RemoteContent } from "./content.ts";
import type { RemoteSetting } from "./setting.ts";

const KIND = "catalogd";

/** The catalog of a server. */
export async function openCatalogd(server: CatalogdServer, setting: RemoteSetting): Promise<RemoteContent> {
  const { cache, onProgress } = setting;
  const hit = await cache.get(KIND, server.key);
  const known = hit && unpackCopy(hit.payload);
  const onBytes = (bytes: number): void => onProgress({ bytes });
  const copy = await readCatalogd(server, known, { onBytes });
  if (copy !== known) await cache.put({ kind: KIND, key: server.key, about: server.url }, packCopy(copy));
  const parts = { names: [server.url], bytesOf: () => copy.lines, findings: [] };
  return { prefix: server.url, digest: `catalogd ${copy.digest}`, about: server.about, parts: async () => parts };
}

/** The URL of all documents of a catalog: people also give that of the catalog. */
export function allDocuments(url: string): string {
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, "");
  if (path === "")
    throw new NetFailure("config", `${withoutUrlSecrets(url)} names no catalog`, {
      help: "write https://HOST/catalogs/NAME",
    });
  parsed.hash = "";
  parsed.pathname = path.endsWith("/api/v1/all") ? path : `${path}/api/v1/all`;
  return parsed.href;
}
