// What does every Placement of a hub get? The pipeline for one Placement after the other, without any cache.

import { countsOf } from "../../src/model/grouped.ts";
import { compareText } from "../../src/model/json.ts";
import type { FleetObjects, PlacingOptions } from "../../src/placement/engine.ts";
import { Hub } from "../../src/placement/hub.ts";
import { answer, evaluate, writes } from "../../src/placement/pipeline.ts";
import type { SliceWrites } from "../../src/placement/write/writes.ts";
import type { PlacementAnswer } from "./answer-of.ts";

/** The answer to a Placement, and what is written for it. */
export interface Scheduled {
  readonly answer: PlacementAnswer;
  readonly writes: SliceWrites;
}

/** The answer to each Placement and what is written for it, by key. */
export function scheduleFromScratch(objects: FleetObjects, options: PlacingOptions): ReadonlyMap<string, Scheduled> {
  const named = new Map<string, number>();
  const count = (cluster: string, step: number): void => void named.set(cluster, (named.get(cluster) ?? 0) + step);
  const hub = new Hub(objects, options, count);
  const placements = objects.placements.map((placement) => ({
    placement,
    key: `${placement.namespace}/${placement.name}`,
  }));
  placements.sort((a, b) => compareText(a.key, b.key));
  const scheduled = new Map<string, Scheduled>();
  for (const { placement, key } of placements) {
    const own = countsOf(hub.decisions.of(key).flatMap((one) => one.decisions.map(({ clusterName }) => clusterName)));
    const others = new Map([...named].map(([cluster, times]) => [cluster, times - (own.get(cluster) ?? 0)]));
    const evaluation = evaluate({
      placement,
      hub,
      decided: hub.decidedBy(placement),
      others: { most: Math.max(0, ...others.values()), of: (cluster) => others.get(cluster) ?? 0 },
    });
    const answered = answer(evaluation);
    const { selected, groups, slices } = answered.decisions;
    scheduled.set(key, {
      answer: { ...answered.result, selected: selected(), groups: groups(), slices: slices() },
      writes: writes(evaluation, answered),
    });
    // The Placements after it count its new decisions, not those on the hub.
    if (answered.result.state === "ignored") continue;
    for (const [cluster, times] of own) count(cluster, -times);
    for (const { clusters } of slices()) for (const cluster of clusters) count(cluster, 1);
  }
  return scheduled;
}
