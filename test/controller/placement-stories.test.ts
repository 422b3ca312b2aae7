// Does the placement controller end right, and is no cluster that stays selected ever missing, whatever happens on the way? Random
// stories on an API server in memory: changes of the fleet by other clients, refused writes, lost answers, broken watches, lost history,
// kinds that cannot be read for a while.

import { describe, expect, test } from "vitest";
import { carryOut, type PlannedWrite } from "../../src/controller/ordered-writes.ts";
import type { WriteRequest } from "../../src/kube/api-server.ts";
import type { WatchEvent } from "../../src/kube/watch-events.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { startHubSide } from "../../src/placement-controller/hub-side.ts";
import type { HubFunctions } from "../../src/placement-controller/threads.ts";
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

const OCM = "cluster.open-cluster-management.io";
const ROOT = `/apis/${OCM}`;
const NAMESPACE = "apps";
const DECISIONS = `${ROOT}/v1beta1/placementdecisions`;
const PATHS = {
  cluster: (name: string) => `${ROOT}/v1/managedclusters/${name}`,
  set: (name: string) => `${ROOT}/v1beta2/managedclustersets/${name}`,
  binding: (name: string) => `${ROOT}/v1beta2/namespaces/${NAMESPACE}/managedclustersetbindings/${name}`,
  placement: (name: string) => `${ROOT}/v1beta1/namespaces/${NAMESPACE}/placements/${name}`,
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

function object(kind: string, version: string, name: string, rest: JsonObject): JsonObject {
  const { labels, ...fields } = rest;
  const isNamespaced = kind !== "ManagedCluster" && kind !== "ManagedClusterSet";
  const metadata = { name, ...(isNamespaced && { namespace: NAMESPACE }), ...(labels !== undefined && { labels }) };
  return { apiVersion: `${OCM}/${version}`, kind, metadata, ...fields };
}

class Story {
  readonly api = new MemoryApi();
  readonly clock = new ManualClock();
  readonly dice: (limit: number) => number;
  #events: SliceEvent[] = [];
  #settled: readonly SeenSlice[] = [];
  #hub: HubFunctions | undefined;
  isLeading = true;

  constructor(seed: number) {
    this.dice = diceOf(seed);
    this.api.put(PATHS.set("all"), object("ManagedClusterSet", "v1beta2", "all", ALL));
    this.api.put(
      PATHS.binding("all"),
      object("ManagedClusterSetBinding", "v1beta2", "all", { spec: { clusterSet: "all" } }),
    );
    this.api.onChange = (event, collection) => {
      if (collection === DECISIONS) this.#events.push(sliceEvent(event));
    };
  }

  start(): void {
    const hub: HubFunctions = startHubSide({
      server: this.api as never,
      setting: { compat: undefined, tieBreak: undefined, onExpiredScore: undefined, writesAtOnce: 4 },
      clock: this.clock,
      random: () => 0.5,
      writing: () => ({ call: (name: string, argument: unknown) => this.#answer(name, argument) }) as never,
    });
    this.#hub = hub;
    hub.lead(true);
  }

  async stop(): Promise<void> {
    await this.#hub?.stop();
  }

  /** Lets time pass until nothing is written for as long as a Placement may wait that follows the decisions of others. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      const before = this.api.writes.length;
      await this.clock.pass(200_000);
      quiet = this.api.writes.length === before ? quiet + 1 : 0;
    }
  }

  /** What was wrong since the last call; the state is settled now. */
  judged(exempt: ReadonlySet<string>): readonly string[] {
    const step = { before: this.#settled, events: this.#events, exempt, judgesGroups: false };
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
    if (name !== "carryOut") return undefined;
    const elector = { mayWrite: () => this.isLeading, writeTimeout: 4000 };
    const { written, failure } = await carryOut(argument as readonly PlannedWrite[], { server: this.api, elector });
    if (failure === undefined) return { written };
    const { kind, message } = failure.failure;
    return { written, failure: { kind, message } };
  }
}

const ALL: JsonObject = { spec: { clusterSelector: { selectorType: "LabelSelector", labelSelector: {} } } };

function sliceEvent({ type, object: text }: WatchEvent): SliceEvent {
  const found = JSON.parse(text) as JsonObject;
  const metadata = partOf(found, "metadata");
  const key = `${metadata.namespace}/${metadata.name}`;
  if (type === "DELETED") return { is: "deleted", key };
  const labels = partOf(metadata, "labels");
  const decisions = (own(partOf(found, "status"), "decisions") ?? []) as readonly JsonObject[];
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

/** A random change by another client; returns the Placements whose decisions it touches itself. */
function change({ api, dice }: Story): readonly string[] {
  const cluster = `c${String(dice(260)).padStart(3, "0")}`;
  const placement = `p${dice(3)}`;
  switch (dice(12)) {
    case 0:
      api.remove(PATHS.cluster(cluster));
      return [];
    case 1:
      api.put(PATHS.placement(placement), anyPlacement(placement, dice));
      return [];
    case 2: {
      const slices = api.collection(DECISIONS);
      const name = String(partOf(slices[dice(slices.length)] ?? {}, "metadata").name ?? "");
      if (dice(2) === 0) api.remove(PATHS.decision(name));
      else api.patch(PATHS.decision(name), { metadata: { labels: { foreign: "label" } }, status: { decisions: [] } });
      return name === "" ? [] : [`${NAMESPACE}/${name.replace(/-decision-.*/, "")}`];
    }
    case 3:
      api.patch(PATHS.placement(placement), { status: { numberOfSelectedClusters: 7, conditions: [] } });
      return [];
    case 4:
      api.breakWatches(dice(2) === 0);
      return [];
    default: {
      const labels = { tier: `t${dice(3)}`, region: `r${dice(3)}` };
      for (let count = 1 + dice(40); count > 0; count--) {
        const name = `c${String(dice(260)).padStart(3, "0")}`;
        const taints = dice(5) === 0 ? [{ key: "k", effect: "NoSelect" }] : [];
        api.put(PATHS.cluster(name), object("ManagedCluster", "v1", name, { labels, spec: { taints } }));
      }
      return [];
    }
  }
}

function anyPlacement(name: string, dice: (limit: number) => number): JsonObject {
  const predicate = { requiredClusterSelector: { labelSelector: { matchLabels: { tier: `t${dice(3)}` } } } };
  const broken = { requiredClusterSelector: { celSelector: { celExpressions: ["no such thing"] } } };
  const predicates = [[], [predicate], [broken]][dice(3)] as readonly JsonObject[];
  const selector = { labelSelector: { matchLabels: { region: "r1" } } };
  return object("Placement", "v1beta1", name, {
    spec: {
      ...(dice(2) === 0 && { numberOfClusters: dice(200) }),
      predicates,
      ...(dice(2) === 0 && {
        decisionStrategy: {
          groupStrategy: {
            decisionGroups: [{ groupName: "canary", groupClusterSelector: selector }],
            clustersPerDecisionGroup: `${30 + dice(70)}%`,
          },
        },
      }),
    },
  });
}

/** Refuses some requests, and loses the answers of others. */
function faults(dice: (limit: number) => number): (request: WriteRequest) => ReturnType<MemoryApi["faultOf"]> {
  return () => {
    const failure = [
      new NetFailure("server", "internal error", { status: 500 }),
      new NetFailure("timeout", "no answer in time"),
      new NetFailure("conflict", "conflict", { status: 409 }),
      new NetFailure("forbidden", "forbidden", { status: 403 }),
    ][dice(4)] as NetFailure;
    if (dice(12) !== 0) return undefined;
    return dice(2) === 0 ? { refuse: failure } : { lose: new NetFailure("timeout", "no answer in time") };
  };
}

const STORIES = process.env.PLIMSOLL_LONG === "1" ? 400 : 25;
const CHANGES = 12;
const ALL_PLACEMENTS = ["p0", "p1", "p2"].map((name) => `${NAMESPACE}/${name}`);

describe("random stories", () => {
  test.each(Array.from({ length: STORIES }, (_, seed) => seed))("story %i", async (seed) => {
    const story = new Story(seed);
    const { api, dice } = story;
    for (const name of ["p0", "p1", "p2"]) api.put(PATHS.placement(name), anyPlacement(name, dice));
    for (let index = 0; index < 220; index++) {
      const name = `c${String(index).padStart(3, "0")}`;
      const labels = { tier: `t${index % 3}`, region: `r${index % 2}` };
      api.put(PATHS.cluster(name), object("ManagedCluster", "v1", name, { labels, spec: {} }));
    }
    story.start();
    await story.settle();
    expect(story.judged(new Set())).toEqual([]);
    api.faultOf = faults(dice);
    for (let count = 0; count < CHANGES; count++) {
      const exempt = new Set(change(story));
      if (dice(3) === 0) await story.clock.pass(dice(100));
      // Two changes at once may deselect a cluster and select it again: only where they end is judged.
      if (dice(4) === 0) for (const touched of [...change(story), ...ALL_PLACEMENTS]) exempt.add(touched);
      if (count === CHANGES - 1) api.faultOf = () => undefined;
      await story.settle();
      expect(story.judged(exempt)).toEqual([]);
    }
    await story.stop();
    const selected = story.selected();
    const { length } = api.writes;
    // A fresh start on what was written has nothing to do.
    story.start();
    await story.settle();
    await story.stop();
    expect(api.writes.slice(length)).toEqual([]);
    expect(story.judged(new Set())).toEqual([]);
    expect(story.selected()).toEqual(selected);
  });
});
