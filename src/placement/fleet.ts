// Which clusters are there, and in which order? Every cluster has a slot, a small number that stays the same while it exists, so
// that evaluations can keep typed arrays by slot.
import type { Bindings } from "../cel/plan/frame.ts";
import { compareText } from "../model/json.ts";
import type { ManagedCluster } from "../model/managed-cluster.ts";
import type { WantedFields } from "./cel/managed-cluster-value.ts";
import { clusterBindings } from "./cel/placement-environment.ts";
import type { UnreadCluster } from "./eligible/unread.ts";
import type { AddOnScores } from "./score/add-on-scores.ts";
import { type Amount, amountOf } from "./score/allocatable-score.ts";

/** What expressions read besides the cluster, and what they read of it. */
export interface BindingSource {
  readonly addOnScores: AddOnScores;
  /** All fields that any expression reads; undefined: everything. */
  readonly wanted: WantedFields | undefined;
}

/** A cluster, and what is computed from it once for all Placements. */
export class FleetCluster {
  readonly cluster: ManagedCluster;
  readonly slot: number;
  /** Set if it could not be read: only its name is known. */
  readonly unread: UnreadCluster | undefined;
  #bindings: Bindings | undefined;
  #wanted: WantedFields | undefined;
  #addOnScores: AddOnScores | undefined;
  #cpu: Amount | null | undefined;
  #memory: Amount | null | undefined;

  constructor(cluster: ManagedCluster, slot: number, unread?: UnreadCluster) {
    this.cluster = cluster;
    this.slot = slot;
    this.unread = unread;
  }

  get isUnread(): boolean {
    return this.unread !== undefined;
  }

  /** What expressions are evaluated with. */
  bindings({ addOnScores, wanted }: BindingSource): Bindings {
    if (this.#bindings === undefined || this.#wanted !== wanted || this.#addOnScores !== addOnScores) {
      this.#bindings = clusterBindings(this.cluster.object, addOnScores, wanted);
      this.#wanted = wanted;
      this.#addOnScores = addOnScores;
    }
    return this.#bindings;
  }

  /** The allocatable amount of a resource; undefined unless the cluster also reports its capacity. */
  allocatable(resource: "cpu" | "memory"): Amount | undefined {
    if (resource === "cpu") this.#cpu ??= this.#amount("cpu") ?? null;
    else this.#memory ??= this.#amount("memory") ?? null;
    return (resource === "cpu" ? this.#cpu : this.#memory) ?? undefined;
  }

  #amount(resource: "cpu" | "memory"): Amount | undefined {
    const { allocatable, capacity } = this.cluster;
    if (!Object.hasOwn(allocatable, resource) || !Object.hasOwn(capacity, resource)) return undefined;
    return amountOf(capacity[resource]) === undefined ? undefined : amountOf(allocatable[resource]);
  }
}

/** A cluster of which only the name is known. */
function nameless({ name, place }: UnreadCluster): ManagedCluster {
  const nothing = { labels: {}, claims: [], taints: [], allocatable: {}, capacity: {}, conditions: [] };
  return { place, name, ...nothing, terminating: false, object: { metadata: { name } } };
}

/** A fleet with fewer slots is never sparse. */
const FEW_SLOTS = 1000;

/** Clusters by name; of two with one name the later counts. Those read from files are usually sorted already. */
function inOrder(clusters: readonly ManagedCluster[]): readonly ManagedCluster[] {
  const isSorted = clusters.every(
    ({ name }, index) => index === 0 || (clusters[index - 1] as ManagedCluster).name < name,
  );
  if (isSorted) return clusters;
  const byName = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name));
}

/**
 * All clusters. Invariant: `order` has the slots of all clusters by name but for `#moved`, and `rank` is its inverse. A cluster that is
 * gone keeps its slot for the time when it comes back.
 */
export class Fleet {
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #clusters: (FleetCluster | undefined)[] = [];
  #order: number[] = [];
  /** Slots that were added or removed since `#order` was last updated. */
  readonly #moved = new Set<number>();
  #rank: Int32Array = new Int32Array(0);
  /** How many clusters there are. */
  #count = 0;
  /** Incremented when a cluster is added or removed. */
  version = 0;

  /** `unread` are clusters of which only the name is known. */
  constructor(clusters: readonly ManagedCluster[], unread: readonly UnreadCluster[] = []) {
    const known = new Set(unread.length === 0 ? [] : clusters.map(({ name }) => name));
    const strangers = new Map(unread.filter(({ name }) => !known.has(name)).map((one) => [one.name, one]));
    const all = strangers.size === 0 ? clusters : [...clusters, ...Array.from(strangers.values(), nameless)];
    for (const cluster of inOrder(all)) {
      const slot = this.#clusters.length;
      this.#slots.set(cluster.name, slot);
      this.#names.push(cluster.name);
      this.#clusters.push(new FleetCluster(cluster, slot, strangers.get(cluster.name)));
      this.#order.push(slot);
    }
    this.#rank = Int32Array.from(this.#order);
    this.#count = this.#order.length;
  }

  /** The number of slots, including those of removed clusters. */
  get size(): number {
    return this.#clusters.length;
  }

  /** The slots of all clusters, by name. */
  get order(): readonly number[] {
    this.#settle();
    return this.#order;
  }

  /** The position of each slot in `order`. */
  get rank(): Int32Array {
    this.#settle();
    return this.#rank;
  }

  /** Do most slots belong to removed clusters? Then a new fleet is due. */
  get isSparse(): boolean {
    return this.#clusters.length > 2 * this.#count + FEW_SLOTS;
  }

  /** The cluster of a slot; undefined if it was removed. */
  at(slot: number): FleetCluster | undefined {
    return this.#clusters[slot];
  }

  /** All clusters, by name. */
  *clusters(): Generator<FleetCluster> {
    for (const slot of this.order) yield this.#clusters[slot] as FleetCluster;
  }

  /** The name of a slot, even if its cluster was removed. */
  nameOf(slot: number): string {
    return this.#names[slot] as string;
  }

  /** The slot of a name, even if its cluster was removed. */
  slotOf(name: string): number | undefined {
    return this.#slots.get(name);
  }

  get(name: string): FleetCluster | undefined {
    const slot = this.#slots.get(name);
    return slot === undefined ? undefined : this.#clusters[slot];
  }

  /** Adds or replaces a cluster, or one of which only the name is known; returns the one before. */
  put(cluster: ManagedCluster | UnreadCluster): FleetCluster | undefined {
    const slot = this.#slots.get(cluster.name) ?? this.#clusters.length;
    const before = this.#clusters[slot];
    this.#slots.set(cluster.name, slot);
    this.#names[slot] = cluster.name;
    this.#clusters[slot] =
      "isSupposed" in cluster ? new FleetCluster(nameless(cluster), slot, cluster) : new FleetCluster(cluster, slot);
    if (before !== undefined) return before;
    this.#moved.add(slot);
    this.#count++;
    this.version++;
    return undefined;
  }

  /** Removes a cluster; returns it. */
  remove(name: string): FleetCluster | undefined {
    const slot = this.#slots.get(name);
    if (slot === undefined) return undefined;
    const before = this.#clusters[slot];
    if (before === undefined) return undefined;
    this.#clusters[slot] = undefined;
    this.#moved.add(slot);
    this.#count--;
    this.version++;
    return before;
  }

  /** Brings `#order` and `#rank` up to date. */
  #settle(): void {
    if (this.#moved.size === 0) return;
    const came = [...this.#moved].filter((slot) => this.#clusters[slot] !== undefined);
    came.sort((a, b) => compareText(this.nameOf(a), this.nameOf(b)));
    const order: number[] = [];
    let next = 0;
    for (const slot of this.#order) {
      if (this.#moved.has(slot)) continue;
      const name = this.nameOf(slot);
      while (next < came.length && compareText(this.nameOf(came[next] as number), name) < 0)
        order.push(came[next++] as number);
      order.push(slot);
    }
    while (next < came.length) order.push(came[next++] as number);
    this.#order = order;
    this.#moved.clear();
    const { length } = this.#clusters;
    if (this.#rank.length < length) this.#rank = new Int32Array(length + (length >> 2) + 8);
    for (let index = 0; index < order.length; index++) this.#rank[order[index] as number] = index;
  }
}
