// Does the engine place as it should? Random small fleets are placed in both modes, and every answer must be that of the brute
// force.

import { expect, test } from "vitest";
import { parseTimestamp, type Timestamp } from "../../src/cel/value/timestamp.ts";
import type { Placement } from "../../src/model/placement.ts";
import { PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../src/placement/placement-mode.ts";
import type { PlacementResult } from "../../src/placement/placement-result.ts";
import { engineAnswer } from "../worlds/placement-answer.ts";
import { bruteForce, type Expected, endsAfter, nextChange } from "../worlds/placement-brute-force.ts";
import { nanosOf, requeueAt } from "../worlds/placement-brute-force-filters.ts";
import { readFleet } from "../worlds/placement-fleet.ts";
import { generatePlacementWorld } from "../worlds/placement-generator.ts";
import { expectSame } from "../worlds/same-value.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 20_000 : 200;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000;

/** What every three hundred worlds have at the least: what never happens is not tested. */
const LEAST: Readonly<Record<string, number>> = {
  "default placed": 200,
  "default kept": 30,
  "ocm emptied": 30,
  ignored: 15,
  terminating: 100,
  unmatched: 80,
  failed: 15,
  tainted: 150,
  left: 200,
  "last resort": 20,
  spread: 12,
  unscheduled: 80,
  "several groups": 25,
};

test("every answer is that of the brute force, in both modes", () => {
  const seen = new Map<string, number>();
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const { manifests, now } = generatePlacementWorld(seed);
    const objects = readFleet([...manifests.values()]);
    for (const mode of [DEFAULT_MODE, OCM_MODE]) {
      const engine = new PlacementEngine(objects, { now, mode });
      for (const placement of objects.placements) {
        const key = `${placement.namespace}/${placement.name}`;
        const expected = bruteForce({ objects, now, mode }, placement);
        const world = `${seed} ${mode.name} ${key}`;
        expectSame(() => world, engineAnswer(engine, key, expected), expected);
        for (const feature of featuresOf(expected, mode.name)) seen.set(feature, (seen.get(feature) ?? 0) + 1);
      }
    }
  }
  const rare = Object.entries(LEAST).filter(([feature, least]) => (seen.get(feature) ?? 0) < (least * WORLDS) / 300);
  expect({ rare, seen: rare.length > 0 ? seen : undefined }).toEqual({ rare: [], seen: undefined });
}, 3_600_000);

test("no answer changes before the moment that the engine names", () => {
  let changes = 0;
  for (let seed = FIRST; seed < FIRST + WORLDS / 2; seed++) {
    const { manifests, now } = generatePlacementWorld(seed);
    const objects = readFleet([...manifests.values()]);
    const mode = DEFAULT_MODE;
    const engine = new PlacementEngine(objects, { now, mode });
    for (const placement of objects.placements) {
      const key = `${placement.namespace}/${placement.name}`;
      const world = `${seed} ${key}`;
      const { wakeAt: text } = engine.result(key) as PlacementResult;
      const wakeAt = text === undefined ? undefined : (parseTimestamp(text) as Timestamp);
      const change = nextChange({ objects, now, mode }, placement);
      if (change !== undefined) changes++;
      if (wakeAt !== undefined) {
        const ends = endsAfter({ objects, now, mode }, placement);
        expectSame(() => `${world}: ${wakeAt}`, ends.includes(nanosOf(wakeAt)), true);
        // To the nanosecond: what ends at that moment has ended.
        const then = new PlacementEngine(objects, { now: wakeAt, mode });
        const expected = bruteForce({ objects, now: wakeAt, mode }, placement);
        expectSame(() => `${world}: ${wakeAt}`, engineAnswer(then, key, expected), expected);
      }
      const isInTime = change === undefined || (wakeAt !== undefined && nanosOf(wakeAt) <= nanosOf(change));
      expectSame(() => `${world}: ${change} ${wakeAt}`, isInTime, true);
    }
  }
  expect(changes).toBeGreaterThan(WORLDS / 30);
}, 3_600_000);

test("with OCM it is the end of a toleration by which a decided cluster stays (E21, E22)", () => {
  let named = 0;
  for (let seed = FIRST; seed < FIRST + WORLDS / 2; seed++) {
    const { manifests, now } = generatePlacementWorld(seed);
    const fleet = readFleet([...manifests.values()]);
    const objects = { ...fleet, placements: fleet.placements.map(patient) };
    const engine = new PlacementEngine(objects, { now, mode: OCM_MODE });
    for (const placement of objects.placements) {
      const key = `${placement.namespace}/${placement.name}`;
      const world = `${seed} ${key}`;
      const { wakeAt, state } = engine.result(key) as PlacementResult;
      if (state !== "placed") continue;
      const expected = requeueAt({ objects, now, mode: OCM_MODE }, placement);
      if (expected !== undefined) named++;
      expectSame(() => world, wakeAt, expected?.toString());
    }
  }
  expect(named).toBeGreaterThan(WORLDS / 100);
}, 3_600_000);

/** The same Placement, which puts up with everything for two minutes. */
function patient(placement: Placement): Placement {
  const { place, tolerations } = placement;
  const wait = { place, key: "", operator: "Exists", value: "", effect: "", tolerationSeconds: 120 };
  return { ...placement, tolerations: [...tolerations, wait] };
}

function featuresOf({ state, clusters = [], groups = [], unscheduled = 0 }: Expected, mode: string): readonly string[] {
  return [
    state === "ignored" ? state : `${mode} ${state}`,
    ...clusters.map(({ verdict }) => verdict),
    ...clusters.filter(({ isSoftTainted }) => isSoftTainted).map(() => "last resort"),
    ...(clusters.some(({ spread }) => spread !== undefined) ? ["spread"] : []),
    ...(unscheduled > 0 ? ["unscheduled"] : []),
    ...(groups.length > 1 ? ["several groups"] : []),
  ];
}
