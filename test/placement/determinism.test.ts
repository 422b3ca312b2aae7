// Does the order in which things are given mean anything? It must not (OCM case G22).

import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { type FleetObjects, PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import { shuffled } from "../oracles/shuffle.ts";
import { Dice } from "../worlds/dice.ts";
import { type Fleet, readFleet } from "../worlds/placement-fleet.ts";
import { CLUSTERS, generatePlacementWorld, START } from "../worlds/placement-generator.ts";
import { answerOf, type PlacementAnswer } from "./answer-of.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 1_000 : 12;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 750_000;

/** The answers to all Placements with their clusters. */
function placeAll(objects: FleetObjects): readonly PlacementAnswer[] {
  const engine = new PlacementEngine(objects, { now: START });
  return engine.keys().map((key) => answerOf(engine, key) as PlacementAnswer);
}

test("shuffled objects give the same text, in both modes and with both ways to break ties", () => {
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const dice = new Dice(seed);
    const objects = readFleet([...generatePlacementWorld(seed).manifests.values()]);
    for (const mode of [DEFAULT_MODE, OCM_MODE]) {
      for (const tieBreak of ["name", "hash"] as const) {
        const text = everything(objects, mode, tieBreak);
        expect({ seed, text: everything(shuffledFleet(dice, objects), mode, tieBreak) }).toEqual({ seed, text });
      }
    }
  }
}, 3_600_000);

test("G22: a thousand orders of one fleet", () => {
  const dice = new Dice(FIRST);
  const objects = plainFleet();
  const text = JSON.stringify(placeAll(objects));
  for (let order = 0; order < 1000; order++) {
    expect(JSON.stringify(placeAll(shuffledFleet(dice, objects)))).toBe(text);
  }
}, 3_600_000);

/** The first fleet that has no expressions, which would have to be compiled each time, and much to choose from. */
function plainFleet(): Fleet {
  for (let seed = FIRST; ; seed++) {
    const objects = readFleet([...generatePlacementWorld(seed).manifests.values()]);
    const selected = placeAll(objects).flatMap((result) => result.selected);
    const isPlain = objects.placements.every(({ predicates }) =>
      predicates.every(({ requiredClusterSelector }) => requiredClusterSelector.celExpressions.length === 0),
    );
    if (isPlain && objects.placements.length === 1 && selected.length > 4) return objects;
  }
}

function shuffledFleet(dice: Dice, objects: Fleet): Fleet {
  return {
    managedClusters: shuffled(dice, objects.managedClusters),
    managedClusterSets: shuffled(dice, objects.managedClusterSets),
    managedClusterSetBindings: shuffled(dice, objects.managedClusterSetBindings),
    placements: shuffled(dice, objects.placements),
    placementDecisions: shuffled(dice, objects.placementDecisions),
    addOnPlacementScores: shuffled(dice, objects.addOnPlacementScores),
  };
}

/** The answers, reports and writes, as text. */
function everything(objects: Fleet, mode: PlacementMode, tieBreak: "name" | "hash"): string {
  const engine = new PlacementEngine(objects, { now: START, mode, tieBreak });
  const answers = engine.keys().map((key) => {
    const reports = CLUSTERS.map((cluster) => engine.report(key, cluster));
    return [key, answerOf(engine, key), engine.reports(key), reports, engine.writes(key)];
  });
  return JSON.stringify([answers, engine.wakeAt], (_, value: Json) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
