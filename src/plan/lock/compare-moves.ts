// Are the changes still the locked ones? Package by package, up to the first generation in which one differs.

import { compareText } from "../../model/json.ts";
import type { ChangeDifference, LockDifference, LockedChange, LockedGeneration } from "../../model/lock.ts";

/** Generations of a namespace, the first of which has a number. */
export interface Moves {
  readonly namespace: string;
  /** The number of the first generation, from 1. */
  readonly first: number;
  readonly locked: readonly LockedGeneration[];
  readonly now: readonly LockedGeneration[];
}

/** The packages that change differently; or, if none does, the first generation with different steps. */
export function moveDifferences(moves: Moves): readonly LockDifference[] {
  const found = changeDifferences(moves);
  return found.length > 0 ? found : stepDifferences(moves);
}

/** For each package that changes differently, the first difference. */
export function changeDifferences({ namespace, first, locked, now }: Moves): readonly ChangeDifference[] {
  const found = new Map<string, ChangeDifference>();
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const before = changesOf(locked[index]);
    const after = changesOf(now[index]);
    for (const subject of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(subject), after.get(subject)];
      if (found.has(subject) || keyOf(was) === keyOf(is)) continue;
      const about = { kind: "change", subject, namespace, generation: first + index } as const;
      found.set(subject, { ...about, ...(was !== undefined && { was }), ...(is !== undefined && { is }) });
    }
  }
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, difference]) => difference);
}

function changesOf(generation: LockedGeneration | undefined): ReadonlyMap<string, LockedChange> {
  return new Map((generation?.steps.flat() ?? []).map((change) => [change.package, change]));
}

/** The key of a change. */
function keyOf(change: LockedChange | undefined): string {
  if (change === undefined) return "";
  const { from, to, channel, catalog } = change;
  return JSON.stringify(to === undefined ? [from] : [from, to, channel, catalog]);
}

/** The first generation with the same changes in different steps. */
function stepDifferences({ namespace, first, locked, now }: Moves): readonly LockDifference[] {
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const [was, is] = [packagesOf(locked[index]), packagesOf(now[index])];
    if (JSON.stringify(was) !== JSON.stringify(is))
      return [{ kind: "steps", subject: namespace, generation: first + index, was, is }];
  }
  return [];
}

/** The packages of each step. */
function packagesOf(generation: LockedGeneration | undefined): readonly (readonly string[])[] {
  return (generation?.steps ?? []).map((changes) => changes.map((change) => change.package));
}
