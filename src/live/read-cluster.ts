// What does a cluster contain that a question needs? Reads its version, the APIs that it serves, and the objects of the wanted
// kinds; what cannot be read is a finding, and the rest is still used.

import { KINDS } from "../input/objects/kind-table.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import { SharedTexts } from "../input/shared-texts.ts";
import type { ApiServer, ListResult } from "../kube/api-server.ts";
import { type ServedApi, servedApis, serverVersion } from "../kube/discovery.ts";
import { listPath, objectPath } from "../kube/path.ts";
import { kindKey, type Property } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { type Finding, FindingList } from "../model/finding.ts";
import { groupedBy } from "../model/grouped.ts";
import type { JsonObject } from "../model/json.ts";
import { clusterPlace } from "../model/place.ts";
import { NetFailure } from "../net/failure.ts";
import { inParallel } from "../net/in-parallel.ts";
import { quoted } from "../text/words.ts";
import { type ClusterItem, clusterItem } from "./cluster-item.ts";
import {
  cutOffInstances,
  forbiddenInstances,
  kindPlace,
  notServed,
  tooManyObjects,
  unreachableCluster,
  unreadConfigMap,
  unreadFact,
  unreadInstances,
  unreadItems,
  unreadKind,
} from "./gap.ts";
import { openshiftVersion, versionProperty } from "./server-facts.ts";
import { LABEL_SELECTORS, UNKNOWN_WITHOUT, type Unknown, type WantedList } from "./wanted-kinds.ts";

/** What is wanted from a cluster. */
export interface ClusterQuestion {
  readonly kinds: readonly WantedList[];
  /** The ConfigMap of the runtime constraints, which is read by name. */
  readonly configMap?: { readonly namespace: string; readonly name: string } | undefined;
  /** The versions of the cluster matter. */
  readonly wantsFacts: boolean;
  /** The custom kinds, by `kindKey`, whose objects are wanted; from what was read before. */
  readonly instancesOf?: ((objects: ClusterObjects) => ReadonlySet<string> | Promise<ReadonlySet<string>>) | undefined;
  /** What is unknown without something, if that is not what a question about operators or a fleet does not know. */
  readonly unknown?: Partial<Unknown>;
  /** The namespace whose objects are read if those of all namespaces are forbidden. */
  readonly namespace?: string | undefined;
  /** Objects that replace those of the cluster. */
  readonly above?: ObjectsReader | undefined;
}

/** What a cluster contains. */
export interface ReadCluster {
  /** One reader for each kind. */
  readonly parts: readonly ObjectsReader[];
  readonly findings: readonly Finding[];
  /** Something that the answer depends on could not be read. */
  readonly isIncomplete: boolean;
  /** The versions of the cluster. */
  readonly versions: readonly Property[];
  readonly apis: readonly ServedApi[];
  /** Objects with expressions and lists as text, by the source of their places: positions in them can be shown. */
  readonly texts: ReadonlyMap<string, JsonObject>;
  /** The objects of all parts, and those above them. */
  readonly together: () => ClusterObjects;
  readonly count: number;
}

/** The requests that this module sends. */
export type Server = Pick<ApiServer, "get" | "list">;

/** How much is read at a time: kinds, and single objects. */
const READS_AT_ONCE = 4;
/** No real cluster has this many objects of a known kind. */
const MAX_OBJECTS = 1_000_000;
/** How many custom resources are read: of one kind, and in all. */
export const MAX_INSTANCES = 10_000;
const MAX_ALL_INSTANCES = 50_000;

/** Failures of one read that every other read would have, too. */
const FATAL: ReadonlySet<NetFailure["kind"]> = new Set([
  "not-configured",
  "config",
  "credentials",
  "certificate",
  "unauthorized",
  "cancelled",
]);

/** Kinds with texts in which a mistake has a line and a column. */
const KINDS_WITH_TEXTS: ReadonlySet<string> = new Set(["ConfigMap", "Placement"]);

/** Reads a cluster; `onObjects` is called with the number of objects that have arrived. */
export async function readCluster(
  server: Server,
  question: ClusterQuestion,
  onObjects: (count: number) => void = () => {},
): Promise<ReadCluster> {
  const reading = new ClusterReading(server, question, onObjects);
  try {
    await reading.run();
  } catch (failure) {
    if (!(failure instanceof NetFailure)) throw failure;
    reading.loseAll(failure);
  }
  return reading.result();
}

/** Stands for a cluster that was not read, for a reason: anything may be in it, also runtime constraints. */
export function unseenCluster({ configMap }: ClusterQuestion, unread: Finding): ObjectsReader {
  const part = new ObjectsReader(() => {});
  const { place } = unread;
  part.lose("", place, false);
  if (configMap !== undefined) part.loseObject({ place, kind: "ConfigMap", ...configMap, unread });
  return part;
}

class ClusterReading {
  readonly #server: Server;
  readonly #question: ClusterQuestion;
  readonly #onObjects: (count: number) => void;
  readonly #parts: ObjectsReader[] = [];
  readonly #findings = new FindingList();
  readonly #versions: Property[] = [];
  readonly #texts = new Map<string, JsonObject>();
  readonly #shared = new SharedTexts();
  #apis: readonly ServedApi[] = [];
  #isIncomplete = false;
  #count = 0;

  constructor(server: Server, question: ClusterQuestion, onObjects: (count: number) => void) {
    this.#server = server;
    this.#question = question;
    this.#onObjects = onObjects;
  }

  result(): ReadCluster {
    return {
      parts: this.#parts,
      findings: this.#findings.kept,
      isIncomplete: this.#isIncomplete,
      versions: this.#versions,
      apis: this.#apis,
      texts: this.#texts,
      together: () => this.#objects(),
      count: this.#count,
    };
  }

  async run(): Promise<void> {
    const { configMap, wantsFacts, instancesOf } = this.#question;
    const version = await serverVersion(this.#server);
    const { apis, unreadGroups } = await servedApis(this.#server);
    this.#apis = apis;
    if (wantsFacts) this.#versions.push(...versionProperty("kubernetes.version", version));
    const found = this.#wantedApis(unreadGroups);
    const tasks = [
      ...found.map(
        ([list, api]) =>
          () =>
            this.#readKind(list, api),
      ),
      ...(configMap === undefined ? [] : [() => this.#readConfigMap(configMap)]),
      ...(wantsFacts ? [() => this.#readOpenshiftVersion()] : []),
    ];
    await inParallel(tasks, READS_AT_ONCE, (task) => task());
    if (instancesOf === undefined) return;
    const objects = this.#objects();
    const wanted = await instancesOf(objects);
    await this.#readInstances(wanted);
    const served = new Set(apis.map(kindKey));
    for (const definition of objects.customResourceDefinitions) {
      const key = kindKey(definition);
      if (wanted.has(key) && !served.has(key) && unreadGroups.includes(definition.group))
        this.#missInstances(definition, notAvailable(definition.group));
    }
  }

  /** Nothing more of the cluster can be read. */
  loseAll(failure: NetFailure): void {
    const unread = unreachableCluster(failure);
    this.#lack(unread);
    this.#parts.push(unseenCluster(this.#question, unread));
  }

  /** The served APIs of the wanted kinds; what is not served is reported. */
  #wantedApis(unreadGroups: readonly string[]): readonly (readonly [WantedList, ServedApi])[] {
    const found: (readonly [WantedList, ServedApi])[] = [];
    const missing: WantedList[] = [];
    for (const list of this.#question.kinds) {
      const { group, kind, versions } = KINDS[list];
      const served = this.#apis.filter((api) => api.group === group && api.kind === kind);
      const known = versions.flatMap((version) => served.find((api) => api.version === version) ?? []);
      const [api] = [...known, ...served];
      if (api !== undefined) found.push([list, api]);
      else if (unreadGroups.includes(group)) this.#loseKind(list, notAvailable(group));
      else missing.push(list);
    }
    for (const [group, lists] of groupedBy(missing, (list) => KINDS[list].group))
      this.#findings.report(notServed(group, lists));
    return found;
  }

  /** Reads all objects of a known kind; if that is forbidden, those of the namespace in question. */
  async #readKind(list: WantedList, api: ServedApi): Promise<void> {
    const { namespace } = this.#question;
    try {
      await this.#list(list, api);
    } catch (error) {
      const failure = await this.#tolerable(error);
      const isOneAllowed = failure.kind === "forbidden" && api.namespaced && namespace !== undefined;
      const part = isOneAllowed ? await this.#listNamespace(list, api, namespace) : undefined;
      this.#loseKind(list, failure, part, part && namespace);
    }
  }

  async #listNamespace(list: WantedList, api: ServedApi, namespace: string): Promise<ObjectsReader | undefined> {
    try {
      return await this.#list(list, api, namespace);
    } catch (error) {
      await this.#tolerable(error);
      return undefined;
    }
  }

  async #list(list: WantedList, api: ServedApi, namespace?: string): Promise<ObjectsReader> {
    const labelSelector = LABEL_SELECTORS[list];
    const options = { maxItems: MAX_OBJECTS, ...(labelSelector !== undefined && { labelSelector }) };
    const items = await this.#items(api, options, namespace);
    const { part, result, findings } = items;
    for (const found of findings.kept) this.#findings.report(found);
    const { kind } = api;
    const lost = lostItems(kind, items);
    const unread = result.isCutOff ? [...lost, tooManyObjects(kind, result.items)] : lost;
    if (unread.length > 0) part.loseKind(kind, kindPlace(kind), false);
    for (const found of unread) this.#lack(found);
    this.#parts.push(part);
    return part;
  }

  /** The items of a list, in a reader of their own: if the list has to be read again or fails, it is thrown away. */
  async #items(
    api: ServedApi,
    options: { readonly maxItems: number; readonly labelSelector?: string },
    namespace?: string,
  ): Promise<Items & { readonly result: ListResult }> {
    let items = noItems();
    const onRestart = (): void => {
      this.#count -= items.count;
      items = noItems();
    };
    try {
      const result = await this.#server.list(listPath(api, namespace), { ...options, onRestart }, (text) => {
        const item = clusterItem(text, api);
        if (typeof item !== "string") this.#take(item, items.part);
        else if (items.faults++ === 0) items.fault = item;
        items.count++;
        this.#onObjects(++this.#count);
      });
      return { ...items, result };
    } catch (error) {
      onRestart();
      throw error;
    }
  }

  #take({ object, place }: ClusterItem, part: ObjectsReader): void {
    this.#shared.share(object);
    part.add(object, place);
    if (KINDS_WITH_TEXTS.has(object.kind as string)) this.#texts.set(place.source, object);
  }

  /** The one ConfigMap that is read; if it cannot be read, it may exist. */
  async #readConfigMap({ namespace, name }: { readonly namespace: string; readonly name: string }): Promise<void> {
    const api = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true, verbs: [] };
    const part = this.#newPart();
    try {
      const item = clusterItem(await this.#server.get(objectPath(api, namespace, name)), api);
      if (typeof item === "string") throw new NetFailure("malformed", item);
      if (item.place.source !== clusterPlace(api.kind, namespace, name).source)
        throw new NetFailure("malformed", `the API server answers with ${quoted(item.place.source)}`);
      this.#take(item, part);
      this.#onObjects(++this.#count);
    } catch (error) {
      const failure = await this.#tolerable(error);
      if (failure.kind === "not-found") return;
      const unread = unreadConfigMap({ namespace, name }, this.#unknownWithout("runtimeConstraints"), failure);
      part.loseObject({ place: unread.place, kind: "ConfigMap", namespace, name, unread });
      this.#lack(unread);
    }
    this.#parts.push(part);
  }

  async #readOpenshiftVersion(): Promise<void> {
    const api = this.#apis.find(({ group, kind }) => group === "config.openshift.io" && kind === "ClusterVersion");
    if (api === undefined) return;
    try {
      const item = clusterItem(await this.#server.get(objectPath(api, undefined, "version")), api);
      if (typeof item === "string") throw new NetFailure("malformed", item);
      this.#versions.push(...versionProperty("openshift.version", openshiftVersion(item.object)));
    } catch (error) {
      const failure = await this.#tolerable(error);
      if (failure.kind !== "not-found") this.#lack(unreadFact("the OpenShift version", failure));
    }
  }

  /** Reads the objects of custom kinds, up to a limit; in the order of their names, so that the limit cuts off the same ones. */
  async #readInstances(wanted: ReadonlySet<string>): Promise<void> {
    const seen = new Set<string>();
    const served = this.#apis.filter((api) => {
      const key = kindKey(api);
      const isFirst = wanted.has(key) && api.verbs.includes("list") && !seen.has(key);
      if (isFirst) seen.add(key);
      return isFirst;
    });
    const ordered = served.sort((a, b) => (kindKey(a) < kindKey(b) ? -1 : 1));
    const forbidden: ServedApi[] = [];
    let left = MAX_ALL_INSTANCES;
    for (const api of ordered) {
      try {
        const items = await this.#items(api, { maxItems: Math.min(MAX_INSTANCES, left) });
        const { part, result, findings } = items;
        left -= result.items;
        for (const found of findings.kept) this.#findings.report(found);
        const lost = lostItems(api.kind, items);
        const unread = result.isCutOff ? [...lost, cutOffInstances(api, result.items)] : lost;
        if (unread.length > 0) part.loseObject({ place: kindPlace(api.kind), kind: api.kind });
        else part.completeKind(api);
        for (const one of unread) this.#findings.report(one);
        this.#parts.push(part);
      } catch (error) {
        const failure = await this.#tolerable(error);
        if (failure.kind === "forbidden") forbidden.push(api);
        this.#missInstances(api, failure);
      }
    }
    if (forbidden.length > 0) this.#findings.report(forbiddenInstances(forbidden));
  }

  /** Whether custom resources of a kind exist is not known. What is forbidden is reported once, for all kinds. */
  #missInstances(kind: Pick<ServedApi, "group" | "kind">, failure: NetFailure): void {
    if (failure.kind !== "forbidden") this.#findings.report(unreadInstances(kind, failure));
    const part = this.#newPart();
    part.missKind(kind);
    this.#parts.push(part);
  }

  /** The failure, if other reads can go on; otherwise one is thrown. A list that always breaks off: is the server still there? */
  async #tolerable(error: unknown): Promise<NetFailure> {
    if (!(error instanceof NetFailure) || FATAL.has(error.kind)) throw error;
    if (error.kind === "unreachable") await serverVersion(this.#server);
    return error;
  }

  #loseKind(list: WantedList, failure: NetFailure, read?: ObjectsReader, onlyNamespace?: string): void {
    const part = read ?? this.#newPart();
    part.loseKind(KINDS[list].kind, kindPlace(KINDS[list].kind), read === undefined);
    if (read === undefined) this.#parts.push(part);
    this.#lack(unreadKind(list, this.#unknownWithout(list), failure, onlyNamespace));
  }

  #unknownWithout(what: keyof Unknown): string {
    return this.#question.unknown?.[what] ?? UNKNOWN_WITHOUT[what];
  }

  #lack(finding: Finding): void {
    this.#isIncomplete = true;
    this.#findings.report(finding);
  }

  #newPart(): ObjectsReader {
    return new ObjectsReader(this.#findings.report);
  }

  /** Everything that was read so far. */
  #objects(): ClusterObjects {
    const all = new ObjectsReader(() => {});
    if (this.#question.above !== undefined) all.addBelow([this.#question.above]);
    all.addBelow(this.#parts);
    return all.finish();
  }
}

/** The server behind an API group does not answer. */
function notAvailable(group: string): NetFailure {
  return new NetFailure("server", `its API group ${group} is not available`);
}

/** What a list has brought so far. */
interface Items {
  readonly findings: FindingList;
  readonly part: ObjectsReader;
  count: number;
  /** How many of them are no objects, and why the first one is none. */
  faults: number;
  fault: string;
}

function noItems(): Items {
  const findings = new FindingList();
  return { findings, part: new ObjectsReader(findings.report), count: 0, faults: 0, fault: "" };
}

/** Findings about items that are no objects, or too long to be read. */
function lostItems(
  kind: string,
  { faults, fault, result: { overlong } }: Items & { readonly result: ListResult },
): readonly Finding[] {
  return [
    ...(faults === 0 ? [] : [unreadItems(kind, faults, fault)]),
    ...(overlong === 0 ? [] : [unreadItems(kind, overlong, "longer than an object may be")]),
  ];
}
