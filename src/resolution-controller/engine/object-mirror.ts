// Which objects does the cluster have? Those of the last changes, as the reader of files would return them.

import { KINDS } from "../../input/objects/kind-table.ts";
import { ObjectsReader } from "../../input/objects/read-objects.ts";
import { kindPlace } from "../../live/gap.ts";
import { servedProperties } from "../../live/server-facts.ts";
import { kindKey, type Property } from "../../model/catalog.ts";
import type { ClusterObjects, RejectedObject } from "../../model/cluster-objects.ts";
import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { compareFindings, type Finding } from "../../model/finding.ts";
import { compareText, type JsonObject } from "../../model/json.ts";
import type { NamedObject } from "../../model/object.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";
import type { ClusterFacts, ObjectChange, ObjectPart } from "../threads.ts";
import { ENGINE_LISTS, type EngineList } from "../watched-kinds.ts";

/** The objects of one kind. */
interface KindObjects {
  readonly parts: Map<string, ObjectPart>;
  /** In order; undefined after a change. */
  sorted: { readonly models: readonly NamedObject[]; readonly rejected: readonly RejectedObject[] } | undefined;
}

/** What follows from all changes. */
interface KnownCluster {
  readonly objects: ClusterObjects;
  readonly properties: readonly Property[];
}

/** What a namespace has besides requests and catalogs. */
const BESIDE_REQUESTS: readonly EngineList[] = [
  "installedOperators",
  "operatorGroups",
  "operatorConditions",
  "installPlans",
];

const NO_FACTS: ClusterFacts = { versions: [], apis: [], lost: [] };

export class ObjectMirror {
  readonly #kinds = new Map<EngineList, KindObjects>(
    ENGINE_LISTS.map((list) => [list, { parts: new Map(), sorted: undefined }]),
  );
  #facts = NO_FACTS;
  /** Kinds whose definition has gone since the server said what it serves: it does not serve them any more. */
  readonly #gone = new Set<string>();
  #known: KnownCluster | undefined;
  #version = 0;

  /** Differs after every change. */
  get version(): number {
    return this.#version;
  }

  take(changes: readonly ObjectChange[]): void {
    for (const { list, key, part } of changes) {
      const kind = this.#kind(list);
      if (list === "customResourceDefinitions" && part === undefined) this.#goes(kind.parts.get(key));
      if (part === undefined) kind.parts.delete(key);
      else kind.parts.set(key, part);
      kind.sorted = undefined;
    }
    this.#changed();
  }

  know(facts: ClusterFacts): void {
    this.#facts = facts;
    this.#gone.clear();
    this.#changed();
  }

  /** All objects, sorted. */
  get objects(): ClusterObjects {
    return this.#all().objects;
  }

  /** What the API server states about the cluster. */
  get properties(): readonly Property[] {
    return this.#all().properties;
  }

  /** ConfigMaps as they are on the server, by the source of their places. */
  texts(): ReadonlyMap<string, JsonObject> {
    const texts = new Map<string, JsonObject>();
    for (const { model, object } of this.#kind("configMaps").parts.values())
      if (model !== undefined && object !== undefined) texts.set(model.place.source, object);
    return texts;
  }

  /** What is wrong with the requests of a namespace. */
  requestFindings(namespace: string): readonly Finding[] {
    return this.#findingsIn(namespace, [namespace === CLUSTER_SCOPE ? "clusterExtensions" : "subscriptions"]);
  }

  /** What is wrong with the other objects of a namespace. */
  otherFindings(namespace: string): readonly Finding[] {
    return namespace === CLUSTER_SCOPE ? [] : this.#findingsIn(namespace, BESIDE_REQUESTS);
  }

  #findingsIn(namespace: string, lists: readonly EngineList[]): readonly Finding[] {
    const prefix = namespace === CLUSTER_SCOPE ? "" : `${namespace}/`;
    const parts = lists.flatMap((list) => [...this.#kind(list).parts]);
    return parts.flatMap(([key, { findings }]) => (key.startsWith(prefix) ? findings : [])).sort(compareFindings);
  }

  #goes(part: ObjectPart | undefined): void {
    if (part?.model !== undefined) this.#gone.add(kindKey(part.model as CustomResourceDefinition));
  }

  #kind(list: EngineList): KindObjects {
    return this.#kinds.get(list) as KindObjects;
  }

  #changed(): void {
    this.#version++;
    this.#known = undefined;
  }

  #all(): KnownCluster {
    if (this.#known !== undefined) return this.#known;
    const reader = new ObjectsReader(() => {});
    for (const list of this.#facts.lost)
      if (list !== "configMaps") {
        const { kind } = KINDS[list];
        reader.loseKind(kind, kindPlace(kind), this.#kind(list).parts.size === 0);
      }
    const { unreadConstraints } = this.#facts;
    if (unreadConstraints !== undefined)
      reader.loseObject({ place: unreadConstraints.place, kind: "ConfigMap", unread: unreadConstraints });
    const rest = reader.finish();
    const rejected = [...rest.rejected];
    const lists: Partial<Record<EngineList, never>> = {};
    for (const [list, kind] of this.#kinds) {
      kind.sorted ??= sortedParts(kind.parts);
      lists[list] = kind.sorted.models as never;
      rejected.push(...kind.sorted.rejected);
    }
    const objects: ClusterObjects = { ...rest, ...lists, rejected };
    const { versions } = this.#facts;
    const apis = this.#facts.apis.filter((api) => !this.#gone.has(kindKey(api)));
    this.#known = { objects, properties: [...versions, ...servedProperties(apis, objects)] };
    return this.#known;
  }
}

function sortedParts(parts: ReadonlyMap<string, ObjectPart>): NonNullable<KindObjects["sorted"]> {
  const models: NamedObject[] = [];
  const rejected: RejectedObject[] = [];
  const keys = [...parts.keys()].sort((a, b) => compareKeys(a, b));
  for (const key of keys) {
    const part = parts.get(key) as ObjectPart;
    if (part.model !== undefined) models.push(part.model);
    rejected.push(...part.rejected);
  }
  return { models, rejected };
}

/** By namespace, then by name: a slash would sort after a hyphen. */
function compareKeys(a: string, b: string): number {
  const [namespaceA = "", nameA] = a.split("/");
  const [namespaceB = "", nameB] = b.split("/");
  if (nameA === undefined || nameB === undefined) return compareText(a, b);
  return compareText(namespaceA, namespaceB) || compareText(nameA, nameB);
}
