// Does the placement controller end right, and is no cluster that stays selected ever missing, whatever happens on the way? Random
// stories on an API server in memory: changes of the fleet by other clients, refused writes, lost answers, slow writes, watches that are
// late or break, lost history. Some run with --compat ocm, where the same is promised, except that a Placement with a mistake does not keep
// its decisions. Each ends with a move to the other mode.

import { describe, expect, test } from "vitest";
import type { WriteRequest } from "../../src/kube/api-server.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { DECISIONS, NAMESPACE, object, PATHS, Story } from "./hub-story.ts";
import type { MemoryApi } from "./memory-api.ts";

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

/** An expression that no mode accepts. */
const MISTAKE = "no such thing";

function anyPlacement(name: string, dice: (limit: number) => number): JsonObject {
  const predicate = { requiredClusterSelector: { labelSelector: { matchLabels: { tier: `t${dice(3)}` } } } };
  const broken = { requiredClusterSelector: { celSelector: { celExpressions: [MISTAKE] } } };
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
const NOTHING = Object.fromEntries(ALL_PLACEMENTS.map((key) => [key, []]));

function nameOf(key: string): string {
  return key.slice(NAMESPACE.length + 1);
}

/** The Placements that ask for a number of clusters. */
function limitedIn({ api }: Story): readonly string[] {
  return ALL_PLACEMENTS.filter((key) => {
    const placement = api.object(PATHS.placement(nameOf(key))) ?? {};
    return own(partOf(placement, "spec"), "numberOfClusters") !== undefined;
  });
}

type Selected = ReturnType<Story["selected"]>;

/** What the Placements with a mistake have to select: what they did before, as far as it is there; with --compat ocm, nothing. */
function keptIn({ api, compat }: Story, before: Selected): Selected {
  const mistaken = ALL_PLACEMENTS.filter((key) =>
    JSON.stringify(api.object(PATHS.placement(nameOf(key)))).includes(MISTAKE),
  );
  const isThere = (cluster: string): boolean => api.object(PATHS.cluster(cluster)) !== undefined;
  const kept = (key: string): readonly string[] => (compat === "ocm" ? [] : (before[key] ?? []).filter(isThere));
  return Object.fromEntries(mistaken.map((key) => [key, kept(key)]));
}

/** What is in statuses and decisions that OCM does not write. */
function unknownToOcm(story: Story): readonly unknown[] {
  const decisionsOf = (slice: JsonObject) => (own(partOf(slice, "status"), "decisions") ?? []) as readonly JsonObject[];
  const decisions = story.api.collection(DECISIONS).flatMap(decisionsOf);
  return [
    ...ALL_PLACEMENTS.flatMap((key) => {
      const { conditions = [], lastScoreUpdateTime = [] } = story.status(nameOf(key));
      const ours = (conditions as readonly JsonObject[]).filter(
        ({ type, observedGeneration }) => type === "PlacementEvaluated" || observedGeneration !== undefined,
      );
      return [ours, lastScoreUpdateTime].flat();
    }),
    ...decisions.filter(({ reason, score }) => reason !== "" || score !== undefined),
  ];
}

describe("random stories", () => {
  test.each(Array.from({ length: STORIES }, (_, seed) => seed))("story %i", async (seed) => {
    const story = new Story(seed, seed % 3 === 2 ? "ocm" : undefined);
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
      const before = story.selected();
      const exempt = new Set(change(story));
      if (dice(3) === 0) await story.clock.pass(dice(100));
      // Two changes at once may deselect a cluster and select it again: only where they end is judged.
      const isAlone = dice(4) !== 0;
      if (!isAlone) for (const touched of [...change(story), ...ALL_PLACEMENTS]) exempt.add(touched);
      if (count === CHANGES - 1) api.faultOf = () => undefined;
      const mistaken = Object.entries(keptIn(story, before)).filter(([key]) => !exempt.has(key));
      // The best so many may be others in between: while the fleet is seen in parts, or until other Placements have decided (Balance).
      for (const limited of limitedIn(story)) exempt.add(limited);
      await story.settle();
      // A watch that is late brings a change of many clusters in parts, and each part may have other groups.
      expect(story.judged(exempt, isAlone && seed % 2 === 0)).toEqual([]);
      expect({ ...NOTHING, ...story.selected() }).toMatchObject(Object.fromEntries(mistaken));
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
    // The other mode may select others, but those that it selects, too, are never missing, and nothing of the first mode is left.
    story.compat = story.compat === "ocm" ? undefined : "ocm";
    story.start();
    await story.settle();
    await story.stop();
    expect(story.judged(new Set())).toEqual([]);
    expect({ ...NOTHING, ...story.selected() }).toMatchObject(keptIn(story, selected));
    if (story.compat === "ocm") expect(unknownToOcm(story)).toEqual([]);
  });
});
