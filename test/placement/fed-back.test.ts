// Do Placements come to rest? Their decisions are written and given back to them, until nothing changes any more.

import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import { Dice } from "../worlds/dice.ts";
import {
  clusterSet,
  decision,
  managedCluster,
  placement,
  readFleet,
  SET_LABEL,
  setBinding,
} from "../worlds/placement-fleet.ts";
import { generatePlacementWorld, START } from "../worlds/placement-generator.ts";

const HUBS = process.env.PLIMSOLL_LONG ? 2_000 : 60;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 750_000;
/** So often decisions are given back before it counts as for ever. */
const MAX_ROUNDS = 12;

/** What all Placements select, by key. */
function selections(manifests: readonly JsonObject[], mode: PlacementMode): ReadonlyMap<string, readonly string[]> {
  const engine = new PlacementEngine(readFleet(manifests), { now: START, mode });
  return new Map(engine.keys().map((key) => [key, engine.decisions(key)?.selected ?? []]));
}

/** The decisions as a controller would have written them. */
function written(selected: ReadonlyMap<string, readonly string[]>): readonly JsonObject[] {
  return [...selected].map(([key, clusters]) => {
    const [namespace, name] = key.split("/") as [string, string];
    return decision(namespace, `${name}-decision-1`, name, clusters);
  });
}

const BOUND = [clusterSet("set1"), setBinding("ns1", "set1")];

function clusters(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => managedCluster(`c${index + 1}`, { [SET_LABEL]: "set1" }));
}

test.each([DEFAULT_MODE, OCM_MODE])(
  "$name: two new Placements of one cluster each take one each, and keep it",
  (mode) => {
    const asked = ["p1", "p2"].map((name) => placement("ns1", name, { numberOfClusters: 1 }));
    const hub = [...BOUND, ...clusters(2), ...asked];
    const first = selections(hub, mode);
    expect(Object.fromEntries(first)).toEqual({ "ns1/p1": ["c1"], "ns1/p2": ["c2"] });
    expect(selections([...hub, ...written(first)], mode)).toEqual(first);
  },
);

test("Placements that may use the same clusters keep what they took at first", () => {
  for (let seed = FIRST; seed < FIRST + HUBS; seed++) {
    const dice = new Dice(seed);
    const mode = dice.chance(0.5) ? DEFAULT_MODE : OCM_MODE;
    const fleet = clusters(dice.between(1, 8));
    const asked = Array.from({ length: dice.between(2, 9) }, (_, index) =>
      placement("ns1", `p${index}`, { numberOfClusters: dice.between(1, fleet.length) }),
    );
    const hub = [...BOUND, ...fleet, ...asked];
    const first = selections(hub, mode);
    expect({ seed, again: selections([...hub, ...written(first)], mode) }).toEqual({ seed, again: first });
  }
});

test("Placements with Steady at weight 2 converge", () => {
  const restless: number[] = [];
  for (let seed = FIRST; seed < FIRST + HUBS; seed++) {
    const mode = seed % 2 === 0 ? DEFAULT_MODE : OCM_MODE;
    const hub = [...generatePlacementWorld(seed).manifests.values()].map(steady);
    const others = hub.filter(({ kind }) => kind !== "PlacementDecision");
    let last = selections(hub, mode);
    let rounds = 0;
    for (; rounds < MAX_ROUNDS; rounds++) {
      const next = selections([...others, ...written(last)], mode);
      if (JSON.stringify([...next]) === JSON.stringify([...last])) break;
      last = next;
    }
    if (rounds === MAX_ROUNDS) restless.push(seed);
  }
  expect(restless).toEqual([]);
});

/** The same Placement; Balance spans twice as many points as Steady, and one that weighs it more may move while others move. */
function steady(manifest: JsonObject): JsonObject {
  if (manifest.kind !== "Placement") return manifest;
  const configurations = [{ scoreCoordinate: { type: "BuiltIn", builtIn: "Steady" }, weight: 2 }];
  return { ...manifest, spec: { ...(manifest.spec as JsonObject), prioritizerPolicy: { configurations } } };
}
