// Which objects does one test have on a hub that it shares with others? A namespace, and clusters and sets whose names begin with
// the name of the scope. Tests use short names.

import type { JsonObject } from "../../../src/model/json.ts";
import { asWritten, loadObjects } from "../load-objects.ts";
import type { DecisionWatcher, StepOptions } from "./decision-watcher.ts";
import type { Hub } from "./hub.ts";
import {
  API_VERSIONS,
  BINDINGS,
  CLUSTERS,
  DECISIONS,
  EVENTS,
  inNamespace,
  PLACEMENTS,
  SCORES,
  SET_LABEL,
  SETS,
} from "./kinds.ts";
import { type Expectation, isAsExpected, isSettled, objectsOf, type PlacementView, viewOf } from "./placement-view.ts";
import { until } from "./until.ts";

/** What a test says of a cluster. */
export interface ClusterDetails {
  /** The set whose label it has: a short name, by default `main`; null for none. */
  readonly set?: string | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly claims?: Readonly<Record<string, string>>;
  readonly taints?: readonly JsonObject[];
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** The kinds that a test edits and deletes, by short names. */
export type ScopedKind = "cluster" | "set" | "binding" | "placement" | "decision";

/** All clusters of a scope have this label, so that they are found again. */
const SCOPE_LABEL = "plimsoll.dev/test";

/** The objects of one test. */
export class Scope {
  readonly namespace: string;
  readonly #hub: Hub;
  readonly #watcher: DecisionWatcher;
  readonly #sets = new Set<string>();

  constructor(name: string, hub: Hub, watcher: DecisionWatcher) {
    this.namespace = name;
    this.#hub = hub;
    this.#watcher = watcher;
  }

  /** The name of a cluster or set on the hub. */
  longName(short: string): string {
    return `${this.namespace}-${short}`;
  }

  /** Creates the namespace, the set `main` and its binding. */
  async open(): Promise<void> {
    await this.set("main");
    await this.bind("main");
  }

  /** Creates clusters with the same details. */
  clusters(names: readonly string[], details: ClusterDetails = {}): Promise<void> {
    return loadObjects(
      this.#hub.admin,
      names.map((name) => this.#cluster(name, details)),
    );
  }

  #cluster(name: string, details: ClusterDetails): JsonObject {
    const { set = "main", labels, claims, taints, allocatable, capacity = allocatable, finalizers } = details;
    const status = {
      ...(claims && { clusterClaims: Object.entries(claims).map(([key, value]) => ({ name: key, value })) }),
      ...(allocatable && { allocatable }),
      ...(capacity && { capacity }),
    };
    return {
      apiVersion: API_VERSIONS.ManagedCluster,
      kind: "ManagedCluster",
      metadata: {
        name: this.longName(name),
        labels: { [SCOPE_LABEL]: this.namespace, ...(set !== null && { [SET_LABEL]: this.longName(set) }), ...labels },
        ...(finalizers && { finalizers }),
      },
      spec: { hubAcceptsClient: true, ...(taints && { taints }) },
      // Every condition of a ManagedCluster is required to be a list by the definition.
      ...(Object.keys(status).length > 0 && { status: { conditions: [], ...status } }),
    };
  }

  /** Creates a set: of the clusters with its label, or with a label selector. */
  async set(name: string, labelSelector?: JsonObject): Promise<void> {
    this.#sets.add(name);
    const selector =
      labelSelector === undefined
        ? { selectorType: "ExclusiveClusterSetLabel" }
        : { selectorType: "LabelSelector", labelSelector };
    await this.#create("ManagedClusterSet", { name: this.longName(name) }, { clusterSelector: selector });
  }

  /** Binds a set to the namespace, one of this scope or of another. */
  async bind(set: string, of: Scope = this): Promise<void> {
    const name = of.longName(set);
    await this.#create("ManagedClusterSetBinding", { name, namespace: this.namespace }, { clusterSet: name });
  }

  async placement(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Promise<void> {
    await this.#create("Placement", { name, namespace: this.namespace, ...metadata }, spec);
  }

  /** Creates an AddOnPlacementScore of a cluster, or changes its scores. */
  async score(
    cluster: string,
    resource: string,
    scores: Readonly<Record<string, number>>,
    validUntil?: string,
  ): Promise<void> {
    const namespace = this.longName(cluster);
    const list = Object.entries(scores).map(([name, value]) => ({ name, value }));
    const status = { scores: list, ...(validUntil !== undefined && { validUntil }) };
    const path = `${inNamespace(SCORES, namespace)}/${resource}`;
    const { status: code } = await this.#hub.tryCall("PATCH", `${path}/status`, { status });
    if (code === 200) return;
    const metadata = { name: resource, namespace };
    const kind = "AddOnPlacementScore";
    await loadObjects(this.#hub.admin, [{ apiVersion: API_VERSIONS[kind], kind, metadata, status }]);
  }

  async removeScore(cluster: string, resource: string): Promise<void> {
    await this.#hub.call("DELETE", `${inNamespace(SCORES, this.longName(cluster))}/${resource}`);
  }

  async #create(kind: keyof typeof API_VERSIONS, metadata: JsonObject, spec: JsonObject): Promise<void> {
    await loadObjects(this.#hub.admin, [{ apiVersion: API_VERSIONS[kind], kind, metadata, spec }]);
  }

  /** The path of an object of this scope. */
  path(kind: ScopedKind, name: string): string {
    switch (kind) {
      case "cluster":
        return `${CLUSTERS}/${this.longName(name)}`;
      case "set":
        return `${SETS}/${this.longName(name)}`;
      case "binding":
        return `${inNamespace(BINDINGS, this.namespace)}/${this.longName(name)}`;
      case "placement":
        return `${inNamespace(PLACEMENTS, this.namespace)}/${name}`;
      case "decision":
        return `${inNamespace(DECISIONS, this.namespace)}/${name}`;
    }
  }

  /** Changes an object by a merge patch; returns it as it is then. */
  edit(kind: ScopedKind, name: string, patch: JsonObject): Promise<JsonObject> {
    return this.#hub.call("PATCH", this.path(kind, name), patch);
  }

  /** The same for its status. */
  editStatus(kind: ScopedKind, name: string, status: JsonObject): Promise<JsonObject> {
    return this.#hub.call("PATCH", `${this.path(kind, name)}/status`, { status });
  }

  get(kind: ScopedKind, name: string): Promise<JsonObject> {
    return this.#hub.call("GET", this.path(kind, name));
  }

  async remove(kind: ScopedKind, name: string): Promise<void> {
    await this.#hub.call("DELETE", this.path(kind, name));
  }

  /** What the hub says of a Placement now. */
  view(placement: string): Promise<PlacementView> {
    const shortName = (cluster: string): string =>
      cluster.startsWith(`${this.namespace}-`) ? cluster.slice(this.namespace.length + 1) : cluster;
    return viewOf({ get: (path) => this.#hub.call("GET", path), namespace: this.namespace, shortName }, placement);
  }

  /** The events of the namespace about a Placement, as far as tests compare them. */
  async events(placement: string): Promise<readonly JsonObject[]> {
    const { items } = await this.#hub.call("GET", inNamespace(EVENTS, this.namespace));
    return objectsOf(items).filter(({ regarding }) => (regarding as JsonObject).name === placement);
  }

  /**
   * Waits until a Placement is as expected and nothing is left to write; everything until then is judged. The mark is for all Placements:
   * `allSettle` if others change at the same time.
   */
  async settles(placement: string, expected: Expectation, options: StepOptions = {}): Promise<PlacementView> {
    const view = await this.reaches(placement, expected);
    await this.mark(options);
    return view;
  }

  /** Waits until all are as expected, and marks only then: none of them is in the middle of its writes. */
  async allSettle(expected: Readonly<Record<string, Expectation>>, options: StepOptions = {}): Promise<void> {
    for (const [placement, one] of Object.entries(expected)) await this.reaches(placement, one);
    await this.mark(options);
  }

  /** The same for one, without a mark. */
  async reaches(placement: string, expected: Expectation): Promise<PlacementView> {
    let view: PlacementView | undefined;
    return until(
      `${this.namespace}/${placement} is ${JSON.stringify(expected)}`,
      async () => {
        view = await this.view(placement);
        return isSettled(view) && isAsExpected(view, expected) ? view : undefined;
      },
      () => view,
    );
  }

  /** The present state is settled. */
  async mark({ byHand = [], away = {} }: StepOptions = {}): Promise<void> {
    const keyOf = (placement: string): string => `${this.namespace}/${placement}`;
    const longNames = Object.entries(away).map(([placement, clusters]) => [
      keyOf(placement),
      clusters.map((name) => this.longName(name)),
    ]);
    await this.#watcher.settled({ byHand: byHand.map(keyOf), away: Object.fromEntries(longNames) });
  }

  /** Deletes what the test made, but for namespaces. */
  async close(): Promise<void> {
    const { call } = this.#hub;
    await call("DELETE", inNamespace(PLACEMENTS, this.namespace));
    await call("DELETE", inNamespace(DECISIONS, this.namespace));
    await call("DELETE", inNamespace(BINDINGS, this.namespace));
    const selector = encodeURIComponent(`${SCOPE_LABEL}=${this.namespace}`);
    const { items } = await call("GET", `${CLUSTERS}?labelSelector=${selector}`);
    for (const cluster of objectsOf(items)) {
      const { name, finalizers } = asWritten(cluster).metadata as JsonObject;
      if (finalizers !== undefined) await call("PATCH", `${CLUSTERS}/${name}`, { metadata: { finalizers: null } });
    }
    await call("DELETE", `${CLUSTERS}?labelSelector=${selector}`);
    for (const set of this.#sets) await this.#hub.tryCall("DELETE", this.path("set", set));
  }
}
