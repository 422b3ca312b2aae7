// What does the cluster contain that the flags name? Connects, reads with progress, and says which cluster that was.

import type { ObjectsReader } from "../../input/objects/read-objects.ts";
import type { Connection } from "../../kube/connection.ts";
import type { ServedApi } from "../../kube/discovery.ts";
import { unreachableCluster } from "../../live/gap.ts";
import type { CatalogsOf } from "../../live/questions.ts";
import { type ClusterQuestion, readCluster, unseenCluster } from "../../live/read-cluster.ts";
import { servedProperties } from "../../live/server-facts.ts";
import type { Catalog, Property } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { NetFailure } from "../../net/failure.ts";
import { counted } from "../../text/words.ts";
import { type LoadedCatalogs, noCatalogs, type Reading } from "../catalogs/load-catalogs.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { ReadingOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { connected, openServer } from "./connect.ts";
import type { LiveFlags } from "./options.ts";
import { loadOwnCatalogs, type OwnCatalogs } from "./own-catalogs.ts";

/** A cluster that can be read. */
export interface OpenedCluster {
  /** The namespace of the context. */
  readonly namespace: string | undefined;
  /** Reads what a question needs. The client is closed afterwards. */
  read(
    asked: (catalogsOf: CatalogsOf) => ClusterQuestion,
    beside: Beside,
    flags: LiveFlags & ReadingOptions,
    terminal: Terminal,
  ): Promise<LoadedCluster>;
}

/** What the cluster is read beside. */
export interface Beside {
  /** The objects of files: they replace those of the cluster. */
  readonly above: ObjectsReader | undefined;
  /** The catalogs that were given; those of the cluster are added. */
  readonly loaded: LoadedCatalogs;
  /** How the catalogs of the cluster are read; undefined if they are not. */
  readonly own: Reading | undefined;
  /** The namespace that the flags name. */
  readonly namespace: string | undefined;
  /** The flags ask about ClusterExtensions only. */
  readonly isOfClusterScope: boolean;
}

/** What was read from a cluster. */
export interface LoadedCluster {
  readonly parts: readonly ObjectsReader[];
  readonly findings: readonly Finding[];
  readonly codes: readonly ExitCode[];
  /** The namespace of the context. */
  readonly namespace: string | undefined;
  /** What the server states about itself; `objects` are all that were given. */
  readonly properties: (objects: ClusterObjects) => readonly Property[];
  readonly texts: ReadonlyMap<string, JsonObject>;
  /** The catalogs of the cluster that were to be read, and how its images are read. */
  readonly own: OwnCatalogs;
}

const NONE: OwnCatalogs = { references: [], setting: undefined };

/** What the cluster that the flags name contains. */
export async function loadCluster(
  question: ClusterQuestion,
  flags: LiveFlags & ReadingOptions,
  terminal: Terminal,
): Promise<LoadedCluster> {
  const alone = {
    above: undefined,
    loaded: noCatalogs(),
    own: undefined,
    namespace: undefined,
    isOfClusterScope: false,
  };
  return opened(connected(flags)).read(() => question, alone, flags, terminal);
}

/** The cluster that the flags name; if it is only the default and none is configured, why there is none. */
export function openCluster(flags: LiveFlags, isDefault: boolean): OpenedCluster | { readonly missing: string } {
  const connection = connected(flags);
  const isMissing = isDefault && connection instanceof NetFailure && connection.kind === "not-configured";
  return isMissing ? { missing: connection.message } : opened(connection);
}

function opened(connection: Connection | NetFailure): OpenedCluster {
  return connection instanceof NetFailure
    ? {
        namespace: undefined,
        read: async (asked, { loaded }) =>
          unread(
            connection,
            asked(async () => loaded.catalogs),
          ),
      }
    : { namespace: connection.namespace, read: (asked, ...rest) => readFrom(connection, asked, ...rest) };
}

/** Nothing can be read. */
function unread(failure: NetFailure, question: ClusterQuestion): LoadedCluster {
  const finding = unreachableCluster(failure);
  return {
    parts: [unseenCluster(question, finding)],
    findings: [finding],
    codes: [EXIT.unreachable],
    namespace: undefined,
    properties: () => [],
    texts: new Map(),
    own: NONE,
  };
}

async function readFrom(
  connection: Connection,
  asked: (catalogsOf: CatalogsOf) => ClusterQuestion,
  beside: Beside,
  flags: LiveFlags & ReadingOptions,
  terminal: Terminal,
): Promise<LoadedCluster> {
  const { name, server, progress } = openServer(connection, flags, terminal);
  let own: Promise<OwnCatalogs> | undefined;
  const ownCatalogs = (objects: ClusterObjects): Promise<OwnCatalogs> | OwnCatalogs => {
    if (beside.own === undefined) return NONE;
    progress.end();
    own ??= loadOwnCatalogs(objects, { ...beside, connection, server, reading: beside.own });
    return own;
  };
  const catalogsOf = async (objects: ClusterObjects): Promise<readonly Catalog[]> => {
    await ownCatalogs(objects);
    return beside.loaded.catalogs;
  };
  try {
    const question = asked(catalogsOf);
    const namespace = question.namespace ?? beside.namespace ?? connection.namespace;
    const read = await readCluster(server, { ...question, namespace, above: beside.above }, (count) =>
      progress.count(count, "object"),
    );
    progress.end();
    terminal.endPhase(() => `read ${name}: ${counted(read.count, "object")}`);
    return {
      parts: read.parts,
      findings: read.findings,
      codes: read.isIncomplete ? [EXIT.unreachable] : [],
      texts: read.texts,
      namespace: connection.namespace,
      properties: (objects) => [...read.versions, ...stated(read.apis, question, objects)],
      own: await ownCatalogs(read.together()),
    };
  } finally {
    server.close();
  }
}

function stated(
  apis: readonly ServedApi[],
  { wantsFacts }: ClusterQuestion,
  objects: ClusterObjects,
): readonly Property[] {
  return wantsFacts ? servedProperties(apis, objects) : [];
}
