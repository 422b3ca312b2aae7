// What do the threads of the resolution controller exchange? Plain data only. The reading thread asks the engine workers; it and the
// main thread exchange what those of all controllers do.

import type { CommonReadingFunctions, CommonWritingFunctions } from "../controller/controller-threads.ts";
import type { ConnectionChoice } from "../kube/connection.ts";
import type { ServedApi } from "../kube/discovery.ts";
import type { Property } from "../model/catalog.ts";
import type { RejectedObject } from "../model/cluster-objects.ts";
import type { Finding } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import type { NamedObject } from "../model/object.ts";
import type { AdvisedStatus } from "../render/advice/advised-status.ts";
import type { EngineList } from "./watched-kinds.ts";

export const CONTROLLER = "resolution";

/** What would happen with this list of runtime constraints? */
export interface RadiusQuestion {
  readonly text: string;
}

/** The same, on the terms that answers are advised on. */
export interface RadiusRequest extends RadiusQuestion {
  /** What the Resolutions demand, by namespace; "off": it is not resolved. Without an entry, nothing is demanded. */
  readonly terms: ReadonlyMap<string, AdviceTerms | "off">;
}

export type ReadingFunctions = CommonReadingFunctions & {
  /** One line; undefined if nothing is known yet, or there is no time for it now. */
  readonly radius: (question: RadiusQuestion) => Promise<string | undefined>;
};
export type WritingFunctions = CommonWritingFunctions;

/** The name of a ConfigMap, or of another object. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** What the reading thread starts with. */
export interface ReadingSetting {
  readonly connection: ConnectionChoice;
  /** Of this program. */
  readonly version: string;
  /** Where the controller runs: the namespace of the Resolution of ClusterExtensions. */
  readonly namespace: string;
  readonly configMap: ObjectName;
  readonly resolveWorkers: number;
  /** Registries that may be reached without TLS that is verified. */
  readonly insecureRegistry: readonly string[];
  /** Milliseconds between two looks at a catalog that does not report a change. */
  readonly catalogPeriod: number;
  /** How many Resolutions are written at the same time. */
  readonly writesAtOnce: number;
}

/** What an engine worker starts with. */
export type EngineSetting = Pick<ReadingSetting, "connection" | "version" | "configMap" | "insecureRegistry">;

/** What is known of one object: what it says, or why it says nothing. */
export interface ObjectPart {
  /** Undefined if the object cannot be read. */
  readonly model: NamedObject | undefined;
  readonly rejected: readonly RejectedObject[];
  /** What is wrong with it. */
  readonly findings: readonly Finding[];
  /** Of a ConfigMap, the object itself: mistakes in its texts have lines and columns. */
  readonly object?: JsonObject;
}

/** An object has come, changed or gone. */
export interface ObjectChange {
  readonly list: EngineList;
  readonly key: string;
  /** Undefined if it is gone. */
  readonly part: ObjectPart | undefined;
}

/** What the API server says about the cluster, and what it does not. */
export interface ClusterFacts {
  readonly versions: readonly Property[];
  readonly apis: readonly ServedApi[];
  /** Kinds that cannot be read: what is known of them may be outdated. */
  readonly lost: readonly EngineList[];
  /** Why the ConfigMap of the runtime constraints cannot be read. */
  readonly unreadConstraints?: Finding | undefined;
}

/** A CatalogSource; or a ClusterCatalog, which has no namespace. */
export interface CatalogKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** The content of a catalog, as `input/packed` writes it. */
export interface PackedCatalog {
  readonly digest: string;
  readonly prefix: string;
  readonly bytes: SharedArrayBuffer;
  readonly bundles: number;
}

/** What is known of a catalog. */
export interface CatalogState extends CatalogKey {
  /** The last content that could be read of this source. */
  readonly content?: PackedCatalog | undefined;
  /** Why there is none, or none that is newer. */
  readonly why?: string | undefined;
}

/** A catalog is to be read, unless its content has the known digest. */
export interface CatalogRequest extends CatalogKey {
  readonly known: string | undefined;
}

export type CatalogNews =
  | { readonly is: "changed"; readonly content: PackedCatalog; readonly way: string }
  | { readonly is: "unchanged" }
  | { readonly is: "failed"; readonly why: string }
  /** It was not asked to the end, for a reason that is not its own: nothing is known that was not known before. */
  | { readonly is: "not-asked"; readonly why: string };

/** What an administrator demands in the spec of a Resolution, as far as the answer depends on it. */
export interface AdviceTerms {
  readonly isManual: boolean;
  readonly hold: readonly string[];
  readonly allOrNothing: boolean;
}

/** A namespace needs advice, unless the inputs of its answer are the known ones. */
export interface AdviceRequest {
  /** `CLUSTER_SCOPE` for the ClusterExtensions. */
  readonly namespace: string;
  readonly terms: AdviceTerms;
  readonly known: string | undefined;
}

/** A catalog that the answer cannot rely on. */
export interface DoubtfulCatalog extends CatalogKey {
  readonly why: string;
  /** Its last content counts. */
  readonly hasContent: boolean;
}

/** The answer for a namespace, and what puts it in doubt. */
export interface AdviceContent {
  readonly status: AdvisedStatus;
  /** The errors of the runtime constraints, each with its place. */
  readonly constraintErrors: readonly string[];
  /** Undefined if they were not looked at, as the catalogs. */
  readonly constraints: number | undefined;
  readonly doubtfulCatalogs: readonly DoubtfulCatalog[];
  readonly catalogs: number | undefined;
  /** It is about the ClusterExtensions, instead of a namespace. */
  readonly isOfClusterScope?: boolean | undefined;
  /** The API groups that could matter; undefined: any could. */
  readonly apiGroups?: readonly string[] | undefined;
  /** A bug of Plimsoll. */
  readonly bug?: string | undefined;
}

export interface AdviceAnswer {
  /** The digest of everything that the answer depends on. */
  readonly inputs: string;
  /** Undefined if the inputs are the known ones. */
  readonly content?: AdviceContent | undefined;
  /** The engine has not heard of any request. */
  readonly isUnknown?: true | undefined;
  /** The time was over before everything was found: a later answer to the same inputs may be better. */
  readonly isCut?: true | undefined;
  /** Milliseconds that resolving and explaining took. */
  readonly took?: number | undefined;
}

/** What an engine worker offers. */
export type EngineFunctions = {
  readonly change: (changes: readonly ObjectChange[]) => void;
  readonly know: (facts: ClusterFacts) => void;
  /** All catalogs of the cluster. */
  readonly hold: (catalogs: readonly CatalogState[]) => void;
  readonly read: (request: CatalogRequest) => Promise<CatalogNews>;
  readonly advise: (request: AdviceRequest) => Promise<AdviceAnswer>;
  /** Undefined if the list is too long to be looked at in time. */
  readonly radius: (proposed: RadiusRequest) => string | undefined;
};
