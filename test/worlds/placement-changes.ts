// What might happen to a fleet? Random steps: objects come, change and go, decisions are written, clusters send their
// heartbeats, and time passes.

import type { Timestamp } from "../../src/cel/value/timestamp.ts";
import { isObject, type JsonObject, own } from "../../src/model/json.ts";
import type { FleetChange } from "../../src/placement/engine.ts";
import type { PlacementAnswer } from "../placement/answer-of.ts";
import type { Dice } from "./dice.ts";
import { momentOf, nanosOf } from "./placement-brute-force-filters.ts";
import { decision, identityOf, readFleet, setBinding } from "./placement-fleet.ts";
import {
  anyAmounts,
  anyClaims,
  anyCluster,
  anyDecision,
  anyPlacement,
  anyScore,
  anySet,
  anyTaint,
  available,
  CLUSTERS,
  type PlacementWorld,
} from "./placement-generator.ts";
import { CONDITION_EXPRESSION, LABELS, RESOURCES, SETS } from "./placement-spec-generator.ts";

/** An object that is new or changed; nothing where it is gone. */
export interface Write {
  readonly identity: string;
  readonly manifest: JsonObject | undefined;
}

/** One thing that happens. */
export interface Step {
  readonly writes: readonly Write[];
  /** Nothing where no time passes. */
  readonly now?: Timestamp | undefined;
  /** No effect: only what no rule reads has changed. */
  readonly isUnrelated: boolean;
}

/** What is known of the answers so far. */
export interface Answers {
  readonly results: readonly PlacementAnswer[];
  readonly wakeAt: Timestamp | undefined;
}

/** A random step. */
export function anyStep(dice: Dice, world: PlacementWorld, answers: Answers): Step {
  const roll = dice.throw();
  if (roll < 0.2) return { writes: [], now: later(dice, world, answers), isUnrelated: false };
  if (roll < 0.35) return heartbeat(dice, world);
  if (roll < 0.45) return { writes: obeyed(dice, world, answers), isUnrelated: false };
  const writes = dice.times(1, dice.chance(0.2) ? 4 : 1, () => anyWrite(dice, world));
  return { writes: writes.flat(), isUnrelated: false };
}

/** The world after a step. */
export function worldAfter(world: PlacementWorld, { writes, now }: Step): PlacementWorld {
  const manifests = new Map(world.manifests);
  for (const { identity, manifest } of writes) {
    if (manifest === undefined) manifests.delete(identity);
    else manifests.set(identity, manifest);
  }
  return { ...world, manifests, now: now ?? world.now };
}

/** A step as the engine takes it in. */
export function fleetChanges({ writes }: Step): readonly FleetChange[] {
  return writes.map(({ identity, manifest }) => {
    const [kind, namespace, name] = identity.split("/") as [string, string, string];
    const fleet = manifest && readFleet([manifest]);
    const object = fleet && Object.values(fleet).flat()[0];
    const isEverywhere = kind === "ManagedCluster" || kind === "ManagedClusterSet";
    return { kind, ...(!isEverywhere && { namespace }), name, object } as unknown as FleetChange;
  });
}

/** To the moment that the engine names, a nanosecond before it, or anywhere. */
function later(dice: Dice, { now }: PlacementWorld, { wakeAt }: Answers): Timestamp {
  const from = nanosOf(now);
  const wake = wakeAt && nanosOf(wakeAt);
  if (wake !== undefined && dice.chance(0.4)) return momentOf(wake);
  if (wake !== undefined && wake - 1n > from && dice.chance(0.3)) return momentOf(wake - 1n);
  return momentOf(from + BigInt(dice.pick([1, 400, 1000, 20_000, 90_000])) * 1_000_000n);
}

/**
 * A cluster reports that it is available. Labels that no rule reads are of no interest either, unless they are the first: an
 * expression can distinguish a cluster without labels from one without a certain label.
 */
function heartbeat(dice: Dice, world: PlacementWorld): Step {
  const found = manifestsOf(world, "ManagedCluster");
  if (found.length === 0) return { writes: [], isUnrelated: true };
  const manifest = dice.pick(found);
  const noise = { noise: String(dice.between(1, 1000)) };
  const conditions = [{ ...available(dice), status: "True" }];
  const isRead = manifestsOf(world, "Placement").some((one) =>
    JSON.stringify(one).includes(JSON.stringify(CONDITION_EXPRESSION)),
  );
  const metadata = at(manifest, "metadata");
  const labels = at(metadata, "labels");
  const hasLabels = Object.keys(labels).length > 0;
  const after = {
    ...manifest,
    metadata: { ...metadata, ...(hasLabels && { labels: { ...labels, ...noise } }), annotations: noise },
    status: { ...at(manifest, "status"), conditions },
  };
  return { writes: [written(after)], isUnrelated: !isRead };
}

/** The decisions of a Placement are written as the answer has them. */
function obeyed(dice: Dice, world: PlacementWorld, { results }: Answers): readonly Write[] {
  if (results.length === 0) return [];
  const { placement, slices } = dice.pick(results);
  const { namespace, name } = placement;
  const wanted = slices.map((slice) =>
    decision(namespace, slice.name, name, slice.clusters, { name: slice.groupName, index: slice.groupIndex }),
  );
  const kept = new Set(wanted.map(identityOf));
  const owned = manifestsOf(world, "PlacementDecision").filter((manifest) => {
    const labels = at(at(manifest, "metadata"), "labels");
    const isHere = own(at(manifest, "metadata"), "namespace") === namespace;
    return isHere && own(labels, "cluster.open-cluster-management.io/placement") === name;
  });
  const gone = owned.map(identityOf).filter((identity) => !kept.has(identity));
  return [...wanted.map(written), ...gone.map((identity) => ({ identity, manifest: undefined }))];
}

/** Any object comes, changes or goes. */
function anyWrite(dice: Dice, world: PlacementWorld): readonly Write[] {
  const roll = dice.throw();
  if (roll < 0.2 && world.manifests.size > 0) {
    return [{ identity: dice.pick([...world.manifests.keys()]), manifest: undefined }];
  }
  if (roll < 0.25 && world.manifests.size > 0) return [written(dice.pick([...world.manifests.values()]))];
  const make = dice.pick<() => JsonObject>([
    () => anyCluster(dice, dice.pick(CLUSTERS)),
    () => editedCluster(dice, world),
    () => editedCluster(dice, world),
    () => editedCluster(dice, world),
    () => anyScore(dice, dice.pick(CLUSTERS), dice.pick(RESOURCES)),
    () => anySet(dice, dice.pick(SETS)),
    () => setBinding(dice.pick(["ns1", "ns2"]), dice.pick(SETS)),
    () => anyPlacement(dice, dice.pick([0.9, 1, 1])),
    () => anyDecision(dice),
  ]);
  return [written(make())];
}

/** One thing about a cluster is another. */
function editedCluster(dice: Dice, world: PlacementWorld): JsonObject {
  const found = manifestsOf(world, "ManagedCluster");
  if (found.length === 0) return anyCluster(dice, "c1");
  const manifest = dice.pick(found);
  const [metadata, spec, status] = [at(manifest, "metadata"), at(manifest, "spec"), at(manifest, "status")];
  const key = dice.pick([...LABELS.keys()]);
  const labels = Object.fromEntries(Object.entries(at(metadata, "labels")).filter(([name]) => name !== key));
  return dice.pick<() => JsonObject>([
    () => ({
      ...manifest,
      metadata: {
        ...metadata,
        labels: dice.chance(0.7) ? { ...labels, [key]: dice.pick(LABELS.get(key) ?? []) } : labels,
      },
    }),
    () => ({ ...manifest, metadata: { ...metadata, deletionTimestamp: "2025-12-31T00:00:00Z" } }),
    () => ({ ...manifest, spec: { ...spec, taints: dice.times(0, 2, () => anyTaint(dice)) } }),
    () => ({ ...manifest, status: { ...status, clusterClaims: anyClaims(dice) } }),
    () => ({ ...manifest, status: { ...status, allocatable: anyAmounts(dice, 0.9) } }),
    () => ({ ...manifest, status: { ...status, version: { kubernetes: dice.pick(["v1.30.0", "v1.31.0"]) } } }),
  ])();
}

function manifestsOf({ manifests }: PlacementWorld, kind: string): readonly JsonObject[] {
  return [...manifests.values()].filter((manifest) => own(manifest, "kind") === kind);
}

function at(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** An object as it is now. */
export function written(manifest: JsonObject): Write {
  return { identity: identityOf(manifest), manifest };
}
