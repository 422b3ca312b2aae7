// Which APIs does a server serve? Aggregated discovery in two requests, or one request for each group and version if the
// server is older.

import { NetFailure } from "../net/failure.ts";
import { inParallel } from "../net/in-parallel.ts";
import { field, listField, parsedJson, textField, textsField } from "../net/json-fields.ts";
import type { ApiServer } from "./api-server.ts";
import { segment } from "./path.ts";

/** Discovery only gets documents. */
type ReadableServer = Pick<ApiServer, "get">;

export interface ServedApi {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

export interface ServedApis {
  /** Versions of a group are in the server's order: the preferred one first. */
  readonly apis: readonly ServedApi[];
  /** Groups of which some version could not be read: the server behind them does not answer. */
  readonly unreadGroups: readonly string[];
}

const AGGREGATED = ["v2", "v2beta1"].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const ACCEPT = [...AGGREGATED, "application/json"].join(",");
/** Requests at the same time, to servers without aggregated discovery. */
const AT_ONCE = 8;

export async function servedApis(server: ReadableServer): Promise<ServedApis> {
  const reads = ["/api", "/apis"].map((root) => served(server, root));
  // If both fail, the failure is that of the first, whichever came first.
  await Promise.allSettled(reads);
  const parts = await Promise.all(reads);
  return {
    apis: parts.flatMap(({ apis }) => apis),
    unreadGroups: [...new Set(parts.flatMap(({ unreadGroups }) => unreadGroups))].sort(),
  };
}

/** The `gitVersion` of the server. */
export async function serverVersion(server: ReadableServer): Promise<string> {
  const version = textField(parsedJson(await server.get("/version")), "gitVersion");
  if (version === undefined) throw new NetFailure("malformed", "the API server's /version has no gitVersion");
  return version;
}

async function served(server: ReadableServer, root: string): Promise<ServedApis> {
  const document = parsedJson(await server.get(root, ACCEPT));
  switch (textField(document, "kind")) {
    case "APIGroupDiscoveryList":
      return aggregated(document);
    case "APIVersions":
      return byDocument(
        server,
        textsField(document, "versions").map((version) => ({
          group: "",
          version,
          path: `${root}/${segment(version)}`,
        })),
      );
    case "APIGroupList":
      return byDocument(
        server,
        listField(document, "groups").flatMap((group) => versionsOf(root, group)),
      );
    default:
      throw new NetFailure("malformed", `the API server's ${root} is not a discovery document`, {
        help: "check that the address is that of an API server",
      });
  }
}

function aggregated(document: unknown): ServedApis {
  const apis: ServedApi[] = [];
  const unreadGroups: string[] = [];
  for (const item of listField(document, "items")) {
    const group = textField(field(item, "metadata"), "name") ?? "";
    for (const versioned of listField(item, "versions")) {
      const version = textField(versioned, "version");
      // A stale version is what the server knew before the one behind it stopped answering.
      if (textField(versioned, "freshness") === "Stale") unreadGroups.push(group);
      else if (version !== undefined)
        for (const resource of listField(versioned, "resources")) {
          const plural = textField(resource, "resource");
          const kind = textField(field(resource, "responseKind"), "kind");
          const namespaced = textField(resource, "scope") === "Namespaced";
          if (plural !== undefined && kind !== undefined)
            apis.push({ group, version, kind, plural, namespaced, verbs: textsField(resource, "verbs") });
        }
    }
  }
  return { apis, unreadGroups };
}

interface VersionDocument {
  readonly group: string;
  readonly version: string;
  readonly path: string;
}

/** The versions of a group, the preferred one first. */
function versionsOf(root: string, entry: unknown): readonly VersionDocument[] {
  const group = textField(entry, "name");
  if (group === undefined) return [];
  const preferred = textField(field(entry, "preferredVersion"), "version");
  const versions = listField(entry, "versions")
    .map((version) => textField(version, "version"))
    .filter((version) => version !== undefined);
  return [
    ...versions.filter((version) => version === preferred),
    ...versions.filter((version) => version !== preferred),
  ].map((version) => ({ group, version, path: `${root}/${segment(group)}/${segment(version)}` }));
}

async function byDocument(server: ReadableServer, documents: readonly VersionDocument[]): Promise<ServedApis> {
  const found = await inParallel(documents, AT_ONCE, (document) => resourcesOf(server, document));
  return {
    apis: found.flatMap((apis) => (apis === "unread" ? [] : apis)),
    unreadGroups: documents.filter((_, index) => found[index] === "unread").map(({ group }) => group),
  };
}

/** The APIs of one group and version; "unread" if the server behind them does not answer. */
async function resourcesOf(
  server: ReadableServer,
  { group, version, path }: VersionDocument,
): Promise<readonly ServedApi[] | "unread"> {
  let document: unknown;
  try {
    document = parsedJson(await server.get(path));
  } catch (error) {
    if (error instanceof NetFailure && ["server", "not-found", "malformed"].includes(error.kind)) return "unread";
    throw error;
  }
  return listField(document, "resources").flatMap((resource) => {
    const plural = textField(resource, "name");
    const kind = textField(resource, "kind");
    // `pods/log` is a part of an object.
    if (plural === undefined || kind === undefined || plural.includes("/")) return [];
    const namespaced = field(resource, "namespaced") === true;
    return [{ group, version, kind, plural, namespaced, verbs: textsField(resource, "verbs") }];
  });
}
