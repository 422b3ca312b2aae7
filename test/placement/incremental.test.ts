// Does the engine, after any changes, give the answers of a pipeline from scratch? Random stories of small fleets.

import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { RejectedObject } from "../../src/model/cluster-objects.ts";
import { compareText, type JsonObject } from "../../src/model/json.ts";
import { type FleetObjects, PlacementEngine, type PlacingOptions } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../src/placement/placement-mode.ts";
import { Dice } from "../worlds/dice.ts";
import { momentOf, nanosOf } from "../worlds/placement-brute-force-filters.ts";
import { anyStep, fleetChanges, type Step, type Write, worldAfter, written } from "../worlds/placement-changes.ts";
import { clusterSet, decision, managedCluster, placement, readFleet, setBinding } from "../worlds/placement-fleet.ts";
import {
  anyCluster,
  anyScore,
  CLUSTERS,
  generatePlacementWorld,
  type PlacementWorld,
} from "../worlds/placement-generator.ts";
import { RESOURCES } from "../worlds/placement-spec-generator.ts";
import { expectSame } from "../worlds/same-value.ts";
import { answerOf, type PlacementAnswer } from "./answer-of.ts";
import { type Scheduled, scheduleFromScratch } from "./from-scratch.ts";

const STORIES = process.env.PLIMSOLL_LONG ? 10_000 : 50;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000;

test("after every step the answers are those of the pipeline, from scratch", () => {
  let unrelated = 0;
  let changed = 0;
  for (let seed = FIRST; seed < FIRST + STORIES; seed++) {
    const dice = new Dice(seed);
    const options = anyOptions(dice);
    let world = generatePlacementWorld(seed + 500_000);
    const engine = engineOf(world, options);
    for (let number = dice.between(5, 20); number > 0; number--) {
      const before = resultsOf(engine);
      const step = anyStep(dice, world, { results: [...before.values()], wakeAt: engine.wakeAt });
      world = worldAfter(world, step);
      const where = () => `${seed} ${options.mode?.name} ${number} ${JSON.stringify(step)}`;
      const evaluations = engine.evaluations;
      const keys = taken(engine, step);
      if (step.isUnrelated) {
        unrelated++;
        expectSame(where, { keys, evaluations: engine.evaluations }, { keys: [], evaluations });
      }
      expectSame(where, keys, [...new Set(keys)].sort(compareText));
      const fresh = engineOf(world, options);
      expectSame(where, everything(engine, number), everything(fresh, number));
      expectSame(where, scheduledBy(engine), scheduleFromScratch(fleetOf(world), { now: world.now, ...options }));
      const others = changedKeys(before, resultsOf(engine));
      changed += others.length;
      expectSame(
        where,
        others.filter((key) => !keys.includes(key)),
        [],
      );
    }
  }
  expect(unrelated).toBeGreaterThan(STORIES / 2);
  expect(changed).toBeGreaterThan(STORIES);
}, 3_600_000);

test("nor does it matter how many things happen at once", () => {
  const names = Array.from({ length: 130 }, (_, index) => `n${index}`);
  for (let seed = FIRST; seed < FIRST + STORIES / 20; seed++) {
    const dice = new Dice(seed);
    const options = anyOptions(dice);
    let world = generatePlacementWorld(seed + 600_000);
    world = worldAfter(world, { writes: names.map((name) => written(anyCluster(dice, name))), isUnrelated: false });
    const engine = engineOf(world, options);
    for (let number = 3; number > 0; number--) {
      engine.keys().map((key) => engine.result(key));
      const writes = dice.some(names, dice.pick([0.1, 0.6, 0.9])).map((name) => written(anyCluster(dice, name)));
      world = worldAfter(world, { writes, isUnrelated: false });
      engine.apply(fleetChanges({ writes, isUnrelated: false }));
      expectSame(() => `${seed} ${number}`, everything(engine, number), everything(engineOf(world, options), number));
    }
  }
}, 3_600_000);

test("nor whether answers are read in between", () => {
  for (let seed = FIRST; seed < FIRST + STORIES; seed++) {
    const dice = new Dice(seed);
    const options = anyOptions(dice);
    let world = generatePlacementWorld(seed + 700_000);
    const engine = engineOf(world, options);
    for (let number = dice.between(3, 8); number > 0; number--) {
      const before = resultsOf(engine);
      const keys = new Set<string>();
      const steps: Step[] = [];
      for (let more = dice.between(2, 8); more > 0; more--) {
        const step = anyStep(dice, world, { results: [...before.values()], wakeAt: undefined });
        steps.push(step);
        world = worldAfter(world, step);
        for (const key of taken(engine, step)) keys.add(key);
        if (dice.chance(0.2)) engine.result(dice.pick(engine.keys()));
      }
      const where = () => `${seed} ${options.mode?.name} ${number} ${JSON.stringify(steps)}`;
      expectSame(where, everything(engine, number), everything(engineOf(world, options), number));
      const changed = changedKeys(before, resultsOf(engine));
      expectSame(
        where,
        changed.filter((key) => !keys.has(key)),
        [],
      );
    }
  }
}, 3_600_000);

test("a Placement and its decisions that come together, for the first time, count for those after it", () => {
  const balance = { scoreCoordinate: { type: "BuiltIn", builtIn: "Balance" } };
  const onlyC1 = { requiredClusterSelector: { labelSelector: { matchLabels: { on: "yes" } } } };
  const before = [
    clusterSet("all", { selectorType: "LabelSelector", labelSelector: {} }),
    setBinding("ns1", "all"),
    managedCluster("c1", { on: "yes" }),
    managedCluster("c2", {}),
    placement("ns1", "m", {}),
    placement("ns1", "z", { predicates: [onlyC1], prioritizerPolicy: { configurations: [balance] } }),
  ];
  // One that is being deleted keeps its decisions.
  const added = [
    placement("ns1", "a", {}, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    decision("ns1", "a-decision-1", "a", ["c2"]),
  ];
  const now = momentOf(0n);
  const engine = new PlacementEngine(readFleet(before), { now });
  expect(scoresOf(engine.writes("ns1/z"))).toEqual([-100]);
  const affected = engine.apply(fleetChanges({ writes: added.map(written), isUnrelated: false }));
  expect(affected).toEqual(["ns1/a", "ns1/m", "ns1/z"]);
  expect(scoresOf(engine.writes("ns1/z"))).toEqual([0]);
  const fresh = new PlacementEngine(readFleet([...before, ...added]), { now });
  expect(scoresOf(fresh.writes("ns1/z"))).toEqual([0]);
});

function scoresOf({ writes }: ReturnType<PlacementEngine["writes"]>): readonly (number | undefined)[] {
  return writes.flatMap((write) => (write.call === "update" ? write.decisions.map(({ score }) => score) : []));
}

test("until the moment that it names, time alone changes nothing", () => {
  let named = 0;
  // Few worlds have such a moment: with some first seeds, more worlds are needed.
  const isEnough = (tried: number) => tried >= STORIES && (named > STORIES / 10 || tried >= 10 * STORIES);
  for (let seed = FIRST; !isEnough(seed - FIRST); seed++) {
    const world = generatePlacementWorld(seed);
    const engine = engineOf(world, {});
    const before = resultsOf(engine);
    const last = engine.wakeAt === undefined ? nanosOf(world.now) + 10n ** 18n : nanosOf(engine.wakeAt) - 1n;
    if (engine.wakeAt !== undefined) named++;
    engine.advance(momentOf(last));
    const fresh = engineOf({ ...world, now: momentOf(last) }, {});
    expectSame(() => `${seed}`, [resultsOf(engine), engine.wakeAt], [resultsOf(fresh), fresh.wakeAt]);
    expectSame(() => `${seed}`, changedKeys(before, resultsOf(fresh)), []);
  }
  expect(named).toBeGreaterThan(STORIES / 10);
}, 3_600_000);

test("nor does it matter when an object could no longer be read, and when it could again", () => {
  let kept = 0;
  for (let seed = FIRST; seed < FIRST + STORIES; seed++) {
    const dice = new Dice(seed);
    const options = anyOptions(dice);
    let world = generatePlacementWorld(seed + 800_000);
    world = worldAfter(world, { writes: READING.map(written), isUnrelated: false });
    const lost = new Set<string>();
    const engine = engineOf(world, options);
    for (let number = dice.between(5, 20); number > 0; number--) {
      const before = resultsOf(engine);
      const identity = dice.chance(0.4) ? anyLosable(dice, world) : undefined;
      const step = dice.chance(0.4)
        ? { writes: [writeAboutScores(dice, lost)], isUnrelated: false }
        : anyStep(dice, world, { results: [...before.values()], wakeAt: engine.wakeAt });
      const keys = identity === undefined ? taken(engine, step) : engine.lose(rejectedOf(identity));
      if (identity !== undefined) lost.add(identity);
      else {
        for (const write of step.writes) lost.delete(write.identity);
        world = worldAfter(world, step);
      }
      const where = () => `${seed} ${options.mode?.name} ${number} ${identity ?? JSON.stringify(step)}`;
      const read = [...world.manifests].filter(([key]) => !lost.has(key)).map(([, manifest]) => manifest);
      const objects = { ...readFleet(read), rejected: [...lost].map(rejectedOf).reverse() };
      const fresh = new PlacementEngine(objects, { now: world.now, ...options });
      expectSame(where, everything(engine, number), everything(fresh, number));
      const after = resultsOf(engine);
      const silent = changedKeys(before, after).filter((key) => !keys.includes(key));
      expectSame(where, silent, []);
      for (const { warnings } of after.values()) kept += warnings.filter(({ isUnread }) => isUnread).length;
    }
  }
  expect(kept).toBeGreaterThan(10 * STORIES);
}, 3_600_000);

/** A cluster or one of its scores. */
function anyLosable(dice: Dice, { manifests }: PlacementWorld): string {
  const [cluster = "c1"] = dice.some(CLUSTERS, 0.5).filter((name) => manifests.has(`ManagedCluster//${name}`));
  const isScore = dice.chance(0.8);
  return isScore ? `AddOnPlacementScore/${cluster}/${dice.pick(RESOURCES)}` : `ManagedCluster//${cluster}`;
}

/** A score that was lost can be read again or is gone; or somebody changes the decisions of a Placement that reads scores. */
function writeAboutScores(dice: Dice, lost: ReadonlySet<string>): Write {
  const scores = [...lost].filter((identity) => identity.startsWith("AddOnPlacementScore/"));
  if (scores.length === 0 || dice.chance(0.5)) {
    const name = dice.pick(["asks", "best", "others"]);
    return written(decision("ns1", `${name}-decision-1`, name, dice.some(CLUSTERS, 0.3)));
  }
  const identity = dice.pick(scores);
  const [, cluster = "", resource = ""] = identity.split("/");
  return dice.chance(0.3) ? { identity, manifest: undefined } : written(anyScore(dice, cluster, resource));
}

/** Placements that read scores: to rank clusters, and in expressions. */
const READING = [
  reading("best", {
    numberOfClusters: 3,
    prioritizerPolicy: {
      configurations: RESOURCES.map((resourceName) => ({
        scoreCoordinate: { type: "AddOn", addOn: { resourceName, scoreName: "cpu" } },
      })),
    },
  }),
  reading("asks", {}, 'managedCluster.hasScore("usage", "cpu") || managedCluster.metadata.name == "c1"'),
  reading("others", {}, 'score({"metadata": {"name": "c1"}}, "default", "cpu") > 0'),
];

function reading(name: string, spec: JsonObject, ...celExpressions: readonly string[]): JsonObject {
  const predicates = [{ requiredClusterSelector: { celSelector: { celExpressions } } }];
  return placement("ns1", name, { ...spec, ...(celExpressions.length > 0 && { predicates }) });
}

function rejectedOf(identity: string): RejectedObject {
  const [kind, namespace, name] = identity.split("/") as [string, string, string];
  return { kind, namespace, name, place: { source: `${identity}.yaml`, line: 1, column: 1 } };
}

type Options = Omit<PlacingOptions, "now">;

/** A way to place; now and then one in which expressions exceed their cost limit. */
function anyOptions(dice: Dice): Options {
  return {
    mode: dice.chance(0.7) ? DEFAULT_MODE : OCM_MODE,
    tieBreak: dice.chance(0.2) ? "hash" : "name",
    costLimit: dice.chance(0.1) ? dice.between(3, 20) : undefined,
    placementCostLimit: dice.chance(0.2) ? dice.between(10, 150) : undefined,
  };
}

function engineOf(world: PlacementWorld, options: Options): PlacementEngine {
  return new PlacementEngine(fleetOf(world), { now: world.now, ...options });
}

function fleetOf({ manifests }: PlacementWorld): FleetObjects {
  return readFleet([...manifests.values()]);
}

function scheduledBy(engine: PlacementEngine): ReadonlyMap<string, Scheduled> {
  return new Map([...resultsOf(engine)].map(([key, answer]) => [key, { answer, writes: engine.writes(key) }]));
}

function taken(engine: PlacementEngine, step: Step): readonly string[] {
  return step.now === undefined ? engine.apply(fleetChanges(step)) : engine.advance(step.now);
}

function resultsOf(engine: PlacementEngine): ReadonlyMap<string, PlacementAnswer> {
  return new Map(engine.keys().map((key) => [key, answerOf(engine, key) as PlacementAnswer]));
}

/** All answers, all writes, and the reports of a few clusters. */
function everything(engine: PlacementEngine, turn: number): readonly unknown[] {
  const clusters = [turn, turn + 5, turn + 10].map((index) => CLUSTERS[index % CLUSTERS.length] as string);
  const details = engine
    .keys()
    .map((key) => [
      engine.writes(key),
      clusters.map((cluster) => engine.report(key, cluster, { allChecks: turn % 2 === 0 })),
    ]);
  return [resultsOf(engine), engine.wakeAt, details];
}

/** The Placements that are still there and have another answer. */
function changedKeys(
  before: ReadonlyMap<string, PlacementAnswer>,
  after: ReadonlyMap<string, PlacementAnswer>,
): readonly string[] {
  return [...after.keys()].filter((key) => !isDeepStrictEqual(before.get(key), after.get(key)));
}
