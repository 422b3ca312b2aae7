// Does everything still move as it was locked? Package by package, up to the first generation in which one goes another way.

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

/** Which packages go another way, by package; or, if none does, from when on the steps are others. */
export function moveDifferences(moves: Moves): readonly LockDifference[] {
  const found = changeDifferences(moves);
  return found.length > 0 ? found : stepDifferences(moves);
}

/** Which packages go another way, by package: the first time that each does. */
export function changeDifferences({ namespace, first, locked, now }: Moves): readonly ChangeDifference[] {
  const found = new Map<string, ChangeDifference>();
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const before = changesOf(locked[index]);
    const after = changesOf(now[index]);
    for (const subject of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(subject), after.get(subject)];
      if (found.has(subject) || wayOf(was) === wayOf(is)) continue;
      const about = { kind: "change", subject, namespace, generation: first + index } as const;
      found.set(subject, { ...about, ...(was !== undefined && { was }), ...(is !== undefined && { is }) });
    }
  }
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, difference]) => difference);
}

function changesOf(generation: LockedGeneration | undefined): ReadonlyMap<string, LockedChange> {
  return new Map((generation?.steps.flat() ?? []).map((change) => [change.package, change]));
}

/** What tells ways apart. */
function wayOf(change: LockedChange | undefined): string {
  if (change === undefined) return "";
  const { from, to, channel, catalog } = change;
  return JSON.stringify(to === undefined ? [from] : [from, to, channel, catalog]);
}

/** The first generation whose steps are others, though what changes is the same. */
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
