// In which order are PlacementDecisions written, so that no cluster that stays selected is missing at any time, and none is ever in a
// decision group that it neither was in nor comes to? A cluster leaves its slice only after the slice that it moves to has it. Where
// slices wait for each other in a cycle, some clusters move early if there is room, or else through a temporary slice. A slice that
// changes its group is first left, then relabelled, then filled.

import { type TextMap, textUnder } from "../../model/labels.ts";
import type { ClusterDecision } from "../../model/placement-decision.ts";
import {
  type DecidedSlice,
  type DecidedSlices,
  freeNames,
  GROUP_NAME_LABEL,
  SLICE_SIZE,
  sliceLabels,
} from "../decide/decided-slices.ts";
import type { Slice } from "../placement-result.ts";

/** One API call on a PlacementDecision in the namespace of the Placement. */
export type SliceWrite =
  /** Creates it with labels. The API ignores status here: it has no clusters yet. */
  | { readonly call: "create"; readonly name: string; readonly labels: TextMap }
  /** Replaces its clusters. */
  | { readonly call: "update"; readonly name: string; readonly decisions: readonly ClusterDecision[] }
  /** Replaces all its labels. */
  | { readonly call: "label"; readonly name: string; readonly labels: TextMap }
  | { readonly call: "delete"; readonly name: string };

/** What changes in a slice. */
export interface SliceChange {
  readonly slice: Slice;
  /** Undefined if it is new. */
  readonly was: DecidedSlice | undefined;
  readonly labels: TextMap;
  /** Are its labels to be written? */
  readonly relabels: boolean;
  /** Are its decisions to be written? */
  readonly updates: boolean;
}

/** All changes to write. */
export interface SliceChanges {
  /** The name of the Placement. */
  readonly placement: string;
  readonly changes: readonly SliceChange[];
  /** The slices to delete; those that are being deleted are emptied. */
  readonly gone: readonly DecidedSlice[];
  readonly decided: DecidedSlices;
  readonly entry: (cluster: string) => ClusterDecision;
}

/** A temporary slice takes three calls; other ways may take as many. */
const CALLS_OF_TEMPORARY = 3;

/** The calls that make all changes: after each of them, every cluster that is in a slice before and after all calls is in one. */
export function safeOrder(changes: SliceChanges): readonly SliceWrite[] {
  return new SafeOrder(changes).writes;
}

/** The last write of one slice, and what has to come before it. */
interface Step {
  readonly change: SliceChange;
  /** The clusters that are in it before and after. */
  readonly stay: readonly string[];
  /** The clusters that are in it and cannot leave yet, by the step that they wait for. */
  readonly waits: Map<Step, string[]>;
  /** The steps that wait for this one. */
  readonly holds: Step[];
  /** The clusters that moved in before the last write. */
  readonly early: string[];
  isDone: boolean;
}

class SafeOrder {
  readonly writes: SliceWrite[] = [];
  readonly #entry: (cluster: string) => ClusterDecision;
  readonly #placement: string;
  readonly #names: ReturnType<typeof freeNames>;
  readonly #temporary: string[] = [];

  constructor({ placement, changes, gone, decided, entry }: SliceChanges) {
    this.#placement = placement;
    this.#entry = entry;
    this.#names = freeNames(placement, decided, new Set(changes.map(({ slice }) => slice.name)));
    const steps = stepsOf(changes);
    for (const step of steps) if (step.waits.size === 0) this.#finish(step);
    for (const step of steps) this.#finishCycles(step);
    for (const { name, terminating } of gone)
      if (terminating) this.#update(name, []);
      else this.writes.push({ call: "delete", name });
    for (const name of this.#temporary) this.writes.push({ call: "delete", name });
  }

  /** Writes a step that waits for nothing, and all that waited only for it. */
  #finish(first: Step): void {
    const ready = [first];
    for (let step = ready.pop(); step !== undefined; step = ready.pop()) {
      if (step.isDone) continue;
      step.isDone = true;
      this.#write(step);
      for (const held of step.holds) {
        held.waits.delete(step);
        if (held.waits.size === 0) ready.push(held);
      }
    }
  }

  #write({ change, stay }: Step): void {
    const { slice, was, labels, relabels, updates } = change;
    const { name, clusters } = slice;
    if (was === undefined) this.writes.push({ call: "create", name, labels });
    const isLeft = relabels && updates && (was?.clusters.length ?? 0) > stay.length;
    if (isLeft) this.#update(name, stay);
    if (relabels) this.writes.push({ call: "label", name, labels });
    if (updates && !(isLeft && stay.length === clusters.length)) this.#update(name, clusters);
  }

  #update(name: string, clusters: readonly string[]): void {
    this.writes.push({ call: "update", name, decisions: clusters.map((cluster) => this.#entry(cluster)) });
  }

  /** Follows what a step waits for; at a cycle, the last step of the path is freed. */
  #finishCycles(start: Step): void {
    const path = [start];
    const onPath = new Set(path);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const [next] = last.waits.keys();
      if (next === undefined) {
        this.#finish(last);
        path.pop();
      } else if (onPath.has(next)) {
        this.#free(last);
      } else {
        onPath.add(next);
        path.push(next);
      }
    }
  }

  /** Moves the clusters that a step waits for elsewhere, so that it waits no more. */
  #free({ change, waits }: Step): void {
    const hasRoom = (clusters: readonly string[], step: Step) =>
      !step.change.relabels && contentOf(step, clusters).length <= SLICE_SIZE;
    if (waits.size <= CALLS_OF_TEMPORARY && [...waits].every(([step, clusters]) => hasRoom(clusters, step))) {
      for (const [step, clusters] of waits) {
        step.early.push(...clusters);
        this.#update(step.change.slice.name, contentOf(step, []));
      }
    } else {
      const clusters = [...waits.values()].flat().sort();
      const { labels = {}, groupIndex = 0 } = change.was ?? {};
      const groupName = textUnder(labels, GROUP_NAME_LABEL) ?? "";
      for (let start = 0; start < clusters.length; start += SLICE_SIZE) {
        const { name } = this.#names.next().value;
        this.writes.push({ call: "create", name, labels: sliceLabels(this.#placement, groupName, groupIndex) });
        this.#update(name, clusters.slice(start, start + SLICE_SIZE));
        this.#temporary.push(name);
      }
    }
    waits.clear();
  }
}

/** What a slice that is not done has to hold, by name, together with others. */
function contentOf({ stay, waits, early }: Step, others: readonly string[]): readonly string[] {
  return [...new Set([...stay, ...early, ...others, ...[...waits.values()].flat()])].sort();
}

/** A step for each change, with what it waits for. A slice whose decisions are not written keeps its clusters. */
function stepsOf(changes: readonly SliceChange[]): readonly Step[] {
  const arrivals = new Map<string, Step>();
  const steps = changes.map((change): Step => {
    const there = new Set(change.updates ? change.was?.clusters : []);
    const [stay, come]: [string[], string[]] = [[], []];
    if (change.updates) for (const cluster of change.slice.clusters) (there.has(cluster) ? stay : come).push(cluster);
    const step: Step = { change, stay, waits: new Map(), holds: [], early: [], isDone: false };
    for (const cluster of come) arrivals.set(cluster, step);
    return step;
  });
  for (const step of steps) {
    for (const cluster of new Set(step.change.updates ? step.change.was?.clusters : [])) {
      const target = arrivals.get(cluster);
      if (target === undefined) continue;
      const others = step.waits.get(target);
      if (others !== undefined) others.push(cluster);
      else {
        step.waits.set(target, [cluster]);
        target.holds.push(step);
      }
    }
  }
  return steps;
}
