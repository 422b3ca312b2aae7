// How is the reading thread of the placement controller tested without servers? With an API server in memory, a clock that a test
// moves, and every event of PlacementDecisions judged as the watcher of the e2e tests does it.

import type { LogEntry, PlanOfTerm, ReadingReport } from "../../src/controller/controller-threads.ts";
import type { RecordedEvent } from "../../src/controller/event-object.ts";
import { carryOut } from "../../src/controller/ordered-writes.ts";
import type { WatchEvent } from "../../src/kube/watch-events.ts";
import { type Json, type JsonObject, own, partOf } from "../../src/model/json.ts";
import { startReadingThread } from "../../src/placement-controller/reading-thread.ts";
import type { ReadingFunctions } from "../../src/placement-controller/threads.ts";
import {
  groupText,
  judgeSettled,
  judgeStep,
  type SeenSlice,
  type SliceEvent,
  stateAfter,
} from "../e2e/controller/judge.ts";
import { ManualClock } from "./manual-clock.ts";
import { MemoryApi } from "./memory-api.ts";

export const OCM = "cluster.open-cluster-management.io";
const ROOT = `/apis/${OCM}`;
export const NAMESPACE = "apps";
export const DECISIONS: string = `${ROOT}/v1beta1/placementdecisions`;
export const PATHS = {
  cluster: (name: string) => `${ROOT}/v1/managedclusters/${name}`,
  set: (name: string) => `${ROOT}/v1beta2/managedclustersets/${name}`,
  binding: (name: string) => `${ROOT}/v1beta2/namespaces/${NAMESPACE}/managedclustersetbindings/${name}`,
  placement: (name: string) => `${ROOT}/v1beta1/namespaces/${NAMESPACE}/placements/${name}`,
  score: (cluster: string, name: string) => `${ROOT}/v1alpha1/namespaces/${cluster}/addonplacementscores/${name}`,
  decision: (name: string) => `${ROOT}/v1beta1/namespaces/${NAMESPACE}/placementdecisions/${name}`,
};

/** Numbers from 0 up to a limit, the same for the same seed (a linear congruential generator). */
function diceOf(seed: number): (limit: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export function object(kind: string, version: string, name: string, rest: JsonObject): JsonObject {
  const { labels, ...fields } = rest;
  const isNamespaced = kind !== "ManagedCluster" && kind !== "ManagedClusterSet";
  const metadata = { name, ...(isNamespaced && { namespace: NAMESPACE }), ...(labels !== undefined && { labels }) };
  return { apiVersion: `${OCM}/${version}`, kind, metadata, ...fields };
}

export class Story {
  readonly clock: ManualClock = new ManualClock();
  readonly api: MemoryApi = new MemoryApi(this.clock);
  readonly dice: (limit: number) => number;
  #events: SliceEvent[] = [];
  #settled: readonly SeenSlice[] = [];
  #hub: ReadingFunctions | undefined;
  /** The mode of the processes that are started from now on. */
  compat: "ocm" | undefined;
  decisionScores: "sorted" | "all" = "all";
  isLeading = true;

  constructor(seed: number, compat?: "ocm") {
    this.compat = compat;
    this.dice = diceOf(seed);
    // In every second story the watch is late, and writes take long.
    if (seed % 2 === 1) {
      this.api.lagOf = () => this.dice(1500);
      this.api.delayOf = () => this.dice(150);
    }
    this.api.put(PATHS.set("all"), object("ManagedClusterSet", "v1beta2", "all", ALL));
    this.api.put(
      PATHS.binding("all"),
      object("ManagedClusterSetBinding", "v1beta2", "all", { spec: { clusterSet: "all" } }),
    );
    this.api.onChange = (event, collection) => {
      if (collection === DECISIONS) this.#events.push(sliceEvent(event));
    };
  }

  /** The reasons of the events, in their order; and for how many milliseconds others are dropped after one. */
  readonly recorded: string[] = [];
  mutedFor = 0;
  /** What was logged. */
  readonly logged: LogEntry[] = [];
  /** What the reading thread has reported of its work. */
  readonly reports: ReadingReport[] = [];

  /** A process that leads; it reads from a server, by default from the one in memory. */
  start(server: unknown = this.api): void {
    this.#hub = this.replica(server);
    this.#hub.lead(1);
  }

  /** A process that stands by, and reads from a server. */
  replica(server: unknown): ReadingFunctions {
    return startReadingThread({
      server: server as never,
      setting: {
        compat: this.compat,
        tieBreak: undefined,
        onExpiredScore: undefined,
        decisionScores: this.decisionScores,
        writesAtOnce: 4,
      },
      clock: this.clock,
      random: () => 0.5,
      writing: () => ({ call: (name: string, argument: unknown) => this.#answer(name, argument) }) as never,
    });
  }

  /** Makes a cluster, or changes it, as another client. */
  putCluster(name: string, labels: JsonObject = {}, taints: readonly JsonObject[] = []): void {
    this.api.put(PATHS.cluster(name), object("ManagedCluster", "v1", name, { labels, spec: { taints } }));
  }

  putPlacement(name: string, spec: JsonObject = {}): void {
    this.api.put(PATHS.placement(name), object("Placement", "v1beta1", name, { spec }));
  }

  /** Makes the AddOnPlacementScore of a cluster, or changes it. */
  putScore(cluster: string, name: string, scores: Json): void {
    const { metadata, ...rest } = object("AddOnPlacementScore", "v1alpha1", name, { status: { scores } });
    this.api.put(PATHS.score(cluster, name), {
      ...rest,
      metadata: { ...(metadata as JsonObject), namespace: cluster },
    });
  }

  /** The clusters of a PlacementDecision on the server; undefined if there is none. */
  decided(name: string): readonly unknown[] | undefined {
    const decision = this.api.object(PATHS.decision(name));
    const decisions = decision && ((own(partOf(decision, "status"), "decisions") ?? []) as readonly JsonObject[]);
    return decisions?.map(({ clusterName }) => clusterName);
  }

  /** The status of a Placement on the server. */
  status(name: string): JsonObject {
    return partOf(this.api.object(PATHS.placement(name)) ?? {}, "status");
  }

  /** The process that was started last. */
  get hub(): ReadingFunctions {
    return this.#hub as ReadingFunctions;
  }

  async stop(): Promise<void> {
    await this.#hub?.stop();
    if (this.api.mistakes.length > 0) throw new Error(this.api.mistakes[0]);
  }

  /** Lets time pass until nothing is written for as long as a Placement may wait that follows the decisions of others. */
  async settle(): Promise<void> {
    for (let quiet = 0, rounds = 0; quiet < 4; rounds++) {
      const before = this.api.writes.length;
      if (rounds === 100) throw new Error(`writing does not end, the last write is ${this.api.writes.at(-1)}`);
      await this.clock.pass(200_000);
      quiet = this.api.writes.length === before ? quiet + 1 : 0;
    }
  }

  /** What was wrong since the last call; the state is settled now. */
  judged(exempt: ReadonlySet<string>, judgesGroups = false): readonly string[] {
    const step = { before: this.#settled, events: this.#events, exempt, judgesGroups };
    this.#settled = stateAfter(this.#settled, this.#events);
    this.#events = [];
    return [...judgeStep(step), ...judgeSettled(this.#settled)];
  }

  /** The clusters of each Placement. */
  selected(): Readonly<Record<string, readonly string[]>> {
    const found: Record<string, string[]> = {};
    for (const { placement = "", clusters } of this.#settled)
      found[placement] = [...(found[placement] ?? []), ...clusters].sort();
    return found;
  }

  async #answer(name: string, argument: unknown): Promise<unknown> {
    if (name === "review") return true;
    if (name === "log") this.logged.push(argument as LogEntry);
    if (name === "report") this.reports.push(argument as ReadingReport);
    if (name === "record") {
      for (const { reason } of argument as readonly RecordedEvent[]) this.recorded.push(reason);
      return this.mutedFor;
    }
    if (name !== "carryOut") return undefined;
    const fence = { mayWrite: () => this.isLeading, writeTimeout: 4000 };
    return carryOut((argument as PlanOfTerm).writes, { server: this.api, fence });
  }
}

/** A story with one cluster, c1, and one Placement, p0, that selects it. */
export function oneOfEach(): Story {
  const story = new Story(0);
  story.putCluster("c1");
  story.putPlacement("p0");
  return story;
}

const ALL: JsonObject = { spec: { clusterSelector: { selectorType: "LabelSelector", labelSelector: {} } } };

function sliceEvent({ type, object: text }: WatchEvent): SliceEvent {
  const found = JSON.parse(text) as JsonObject;
  const metadata = partOf(found, "metadata");
  const key = `${metadata.namespace}/${metadata.name}`;
  if (type === "DELETED") return { is: "deleted", key };
  const labels = partOf(metadata, "labels");
  const given = own(partOf(found, "status"), "decisions");
  const decisions = (Array.isArray(given) ? given : []) as readonly JsonObject[];
  const slice = {
    key,
    uid: String(metadata.uid),
    placement: `${metadata.namespace}/${own(labels, `${OCM}/placement`)}`,
    group: groupText(
      String(own(labels, `${OCM}/decision-group-index`)),
      String(own(labels, `${OCM}/decision-group-name`)),
    ),
    clusters: decisions.map(({ clusterName }) => String(clusterName)),
  };
  return { is: type === "ADDED" ? "added" : "modified", slice };
}
