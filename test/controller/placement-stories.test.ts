// Does the placement controller end right, and is no cluster that stays selected ever missing, whatever happens on the way? Random
// stories on an API server in memory: changes of the fleet by other clients, refused writes, lost answers, slow writes, watches that are
// late or break, lost history.

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
  readonly clock = new ManualClock();
  readonly api = new MemoryApi(this.clock);
  readonly dice: (limit: number) => number;
  #events: SliceEvent[] = [];
  #settled: readonly SeenSlice[] = [];
  #hub: HubFunctions | undefined;
  isLeading = true;

  constructor(seed: number) {
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

  /** The Placements that ask for a number of clusters. */
  limited(): readonly string[] {
    return ALL_PLACEMENTS.filter((key) => {
      const placement = this.api.object(PATHS.placement(key.slice(NAMESPACE.length + 1))) ?? {};
      return own(partOf(placement, "spec"), "numberOfClusters") !== undefined;
    });
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
      // Each once: a cluster that is tainted and untainted may be deselected in between.
      const names = new Set(Array.from({ length: 1 + dice(40) }, () => `c${String(dice(260)).padStart(3, "0")}`));
      for (const name of names) {
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
      const isAlone = dice(4) !== 0;
      if (!isAlone) for (const touched of [...change(story), ...ALL_PLACEMENTS]) exempt.add(touched);
      if (count === CHANGES - 1) api.faultOf = () => undefined;
      // The best so many may be others in between: while the fleet is seen in parts, or until other Placements have decided (Balance).
      for (const limited of story.limited()) exempt.add(limited);
      await story.settle();
      // A watch that is late brings a change of many clusters in parts, and each part may have other groups.
      expect(story.judged(exempt, isAlone && seed % 2 === 0)).toEqual([]);
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

test("a cluster that goes to and fro between two groups is never missing, while the watch is late", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const story = new Story(2 * seed + 1);
    const { api, clock, dice } = story;
    const put = (name: string, tier: string): void =>
      api.put(PATHS.cluster(name), object("ManagedCluster", "v1", name, { labels: { tier }, spec: {} }));
    const groups = ["t1", "t2"].map((tier) => ({
      groupName: `group-${tier}`,
      groupClusterSelector: { labelSelector: { matchLabels: { tier } } },
    }));
    const decisionStrategy = { groupStrategy: { decisionGroups: groups } };
    api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: { decisionStrategy } }));
    put("c1", "t1");
    put("c2", "t2");
    put("c3", "t1");
    story.start();
    await story.settle();
    expect(story.judged(new Set())).toEqual([]);
    for (let flip = 0; flip < 6; flip++) {
      put("c3", flip % 2 === 0 ? "t2" : "t1");
      await clock.pass(50 + dice(600));
    }
    await story.settle();
    await story.stop();
    expect({ seed, violations: story.judged(new Set()) }).toEqual({ seed, violations: [] });
  }
});

test("the wall clock is set forwards and backwards: as after a fresh start, within half a minute, although nothing else happens", async () => {
  const HOUR = 3600_000;
  const story = new Story(0);
  const { api, clock } = story;
  const timeAdded = new Date(clock.now() - HOUR / 2).toISOString();
  const tolerations = [{ key: "k", operator: "Exists", tolerationSeconds: 3600 }];
  api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: { tolerations } }));
  const taints = [{ key: "k", effect: "NoSelect", timeAdded }];
  api.put(PATHS.cluster("c1"), object("ManagedCluster", "v1", "c1", { spec: { taints } }));
  api.put(PATHS.cluster("c2"), object("ManagedCluster", "v1", "c2", { spec: {} }));
  const selected = async (): Promise<readonly string[] | undefined> => {
    await clock.pass(31_000);
    story.judged(new Set());
    return story.selected()[`${NAMESPACE}/p0`];
  };
  const start = clock.now();
  story.start();
  expect(await selected()).toEqual(["c1", "c2"]);
  clock.set(start + HOUR);
  expect(await selected()).toEqual(["c2"]);
  clock.set(start);
  expect(await selected()).toEqual(["c1", "c2"]);
  clock.set(start - 10 * HOUR);
  expect(await selected()).toEqual(["c1", "c2"]);
  clock.set(start + 40 * 24 * HOUR);
  expect(await selected()).toEqual(["c2"]);
  const { length } = api.writes;
  await story.stop();
  story.start();
  expect(await selected()).toEqual(["c2"]);
  expect(api.writes.slice(length)).toEqual([]);
  await story.stop();
});

describe("a write that fails", () => {
  /** The reason of the condition PlacementSatisfied. */
  const reasonOf = ({ api }: Story): unknown => {
    const conditions = (own(partOf(api.object(PATHS.placement("p0")) ?? {}, "status"), "conditions") ??
      []) as readonly JsonObject[];
    return conditions.find(({ type }) => type === "PlacementSatisfied")?.reason;
  };
  const isDecision = ({ path }: WriteRequest): boolean => path.includes("/placementdecisions");
  const started = async (): Promise<Story> => {
    const story = new Story(0);
    story.api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: {} }));
    story.api.put(PATHS.cluster("c1"), object("ManagedCluster", "v1", "c1", { spec: {} }));
    story.start();
    await story.settle();
    return story;
  };
  const addCluster = ({ api }: Story): void =>
    api.put(PATHS.cluster("c2"), object("ManagedCluster", "v1", "c2", { spec: {} }));

  test("once is not worth a condition", async () => {
    const story = await started();
    const { api, clock } = story;
    const reasons = new Set<unknown>();
    let failures = 1;
    api.faultOf = (request) =>
      isDecision(request) && failures-- > 0 ? { refuse: new NetFailure("server", "500", { status: 500 }) } : undefined;
    addCluster(story);
    for (let step = 0; step < 200; step++) {
      await clock.pass(50);
      reasons.add(reasonOf(story));
    }
    expect([...reasons]).toEqual(["AllDecisionsScheduled"]);
    await story.stop();
  });

  test.each([
    ["forbidden", 403],
    ["server", 500],
  ] as const)("for long (%s) is reported, and no longer than it lasts", async (kind, status) => {
    const story = await started();
    const { api, clock } = story;
    api.faultOf = (request) => (isDecision(request) ? { refuse: new NetFailure(kind, "no", { status }) } : undefined);
    addCluster(story);
    await clock.pass(300_000);
    expect(reasonOf(story)).toBe("DecisionsNotWritten");
    api.faultOf = () => undefined;
    await clock.pass(40_000);
    expect(reasonOf(story)).toBe("AllDecisionsScheduled");
    await story.stop();
  });

  test("with Retry-After: 0 is not sent without end", async () => {
    const story = await started();
    const { api, clock } = story;
    let attempts = 0;
    api.faultOf = (request) => {
      if (!isDecision(request)) return undefined;
      attempts++;
      return { refuse: new NetFailure("throttled", "429", { status: 429, retryAfter: 0 }) };
    };
    addCluster(story);
    await clock.pass(10_000);
    expect(attempts).toBeLessThan(15);
    await story.stop();
  });

  test("because this process did not lead for a moment is done again", async () => {
    const story = await started();
    const { clock } = story;
    story.isLeading = false; // and the reading thread does not hear of it
    addCluster(story);
    await clock.pass(5000);
    story.isLeading = true;
    await clock.pass(60_000);
    await story.settle();
    story.judged(new Set());
    expect(story.selected()).toEqual({ [`${NAMESPACE}/p0`]: ["c1", "c2"] });
    await story.stop();
  });
});
