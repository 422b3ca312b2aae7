// Which kinds does the resolution controller watch, and what does it keep of an object?

import type { Versioned } from "../controller/store.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import type { Selectors } from "../kube/api-server.ts";
import type { ServedApi } from "../kube/discovery.ts";
import { clusterItem } from "../live/cluster-item.ts";
import { LABEL_SELECTORS, OPERATOR_KINDS, type OperatorList } from "../live/wanted-kinds.ts";
import { FindingList } from "../model/finding.ts";
import { canonicalText, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import type { NamedObject } from "../model/object.ts";
import { RESOLUTION_GROUP, RESOLUTION_VERSION } from "../model/resolution-object.ts";
import type { ObjectName, ObjectPart } from "./threads.ts";

/** What an answer depends on: what `resolve` reads, and the ConfigMap of the runtime constraints. */
export type EngineList = OperatorList | "configMaps";
export const ENGINE_LISTS: readonly EngineList[] = [...OPERATOR_KINDS, "configMaps"];
export type WatchedList = EngineList | "resolutions";
export const WATCHED_LISTS: readonly WatchedList[] = [...ENGINE_LISTS, "resolutions"];

/** The name of each kind in paths. */
const PLURALS: Readonly<Record<EngineList, string>> = {
  subscriptions: "subscriptions",
  catalogSources: "catalogsources",
  installedOperators: "clusterserviceversions",
  operatorGroups: "operatorgroups",
  operatorConditions: "operatorconditions",
  installPlans: "installplans",
  clusterExtensions: "clusterextensions",
  clusterCatalogs: "clustercatalogs",
  customResourceDefinitions: "customresourcedefinitions",
  configMaps: "configmaps",
};

export const RESOLUTIONS: ServedApi = {
  group: RESOLUTION_GROUP,
  version: RESOLUTION_VERSION,
  kind: "Resolution",
  plural: "resolutions",
  namespaced: true,
  verbs: [],
};

/** The API of a watched kind. */
export function apiOf(list: WatchedList): ServedApi {
  if (list === "resolutions") return RESOLUTIONS;
  const { group, kind, versions, namespaced } = KINDS[list];
  return { group, version: versions[0] as string, kind, plural: PLURALS[list], namespaced, verbs: [] };
}

/** The objects of a kind that are watched; of ConfigMaps, only one. */
export function selectorsOf(list: WatchedList, configMap: ObjectName): Selectors {
  if (list === "configMaps") return { fieldSelector: `metadata.name=${configMap.name}` };
  const labelSelector = list === "resolutions" ? undefined : LABEL_SELECTORS[list];
  return labelSelector === undefined ? {} : { labelSelector };
}

/** An object on the server. */
export interface WatchedObject extends Versioned {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object that answers depend on. */
export interface WatchedInput extends WatchedObject {
  readonly part: ObjectPart;
  /** Of a catalog, what shows that its content may have changed: its spec, and what is known of its connection. */
  readonly refresh: string | undefined;
  /** Of a catalog, what it is read from. */
  readonly source: string | undefined;
}

/** A Resolution, as it is on the server. */
export interface WatchedResolution extends WatchedObject {
  readonly object: JsonObject;
}

/** Reads an object from its JSON text; a string says why it is none. */
export function watchedInput(list: EngineList, text: string): WatchedInput | string {
  const read = clusterItem(text, apiOf(list));
  if (typeof read === "string") return read;
  const { object, place } = read;
  const findings = new FindingList();
  const reader = new ObjectsReader(findings.report);
  reader.add(object, place);
  const objects = reader.finish();
  const [model] = objects[list] as readonly NamedObject[];
  const isCatalog = list === "catalogSources" || list === "clusterCatalogs";
  return {
    ...identityOf(object),
    part: {
      model,
      rejected: objects.rejected,
      findings: findings.kept.filter(({ severity }) => severity === "error"),
      ...(list === "configMaps" && { object }),
    },
    refresh: isCatalog ? refreshText(object) : undefined,
    source: isCatalog ? sourceText(object) : undefined,
  };
}

/** Reads a Resolution from its JSON text. */
export function watchedResolution(text: string): WatchedResolution | string {
  const read = clusterItem(text, RESOLUTIONS);
  return typeof read === "string" ? read : { ...identityOf(read.object), object: read.object };
}

function identityOf(object: JsonObject): WatchedObject {
  const metadata = partOf(object, "metadata");
  const [name, namespace, uid, resourceVersion] = ["name", "namespace", "uid", "resourceVersion"].map((field) =>
    textOf(own(metadata, field)),
  ) as [string, string, string, string];
  return { key: namespace === "" ? name : `${namespace}/${name}`, name, namespace, uid, resourceVersion };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What says where the content of a catalog comes from. */
const SOURCE = ["sourceType", "address", "image", "configMap", "source"];

function sourceText(object: JsonObject): string {
  const spec = partOf(object, "spec");
  const uid = textOf(own(partOf(object, "metadata"), "uid"));
  return canonicalText([uid, SOURCE.map((field) => own(spec, field) ?? null)]);
}

/** OLM reports when it has connected to a new registry pod, and catalogd when it has unpacked a new image. */
const CONNECTION = ["connectionState", "registryService", "resolvedSource", "lastUnpacked", "urls"];

function refreshText(object: JsonObject): string {
  const status = partOf(object, "status");
  const connection = CONNECTION.map((field) => own(status, field) ?? null);
  return canonicalText([textOf(own(partOf(object, "metadata"), "uid")), own(object, "spec") ?? null, connection]);
}
