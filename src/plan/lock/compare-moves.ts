// Does everything still move as it was locked? Package by package, up to the first generation in which one goes another way.

import { compareText } from "../../model/json.ts";
import type { LockDifference, LockedChange, LockedGeneration } from "../../model/lock.ts";

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
export function changeDifferences({ namespace, first, locked, now }: Moves): readonly LockDifference[] {
  const told = new Map<string, LockDifference>();
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const before = changesOf(locked[index]);
    const after = changesOf(now[index]);
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [one, other] = [before.get(name), after.get(name)];
      if (told.has(name) || isSame(one, other)) continue;
      const withSource = one !== undefined && other !== undefined && wayText(one, false) === wayText(other, false);
      const where = `in generation ${first + index} of namespace ${namespace}`;
      const text = `${name === "" ? "an operator of no known package" : name} goes another way ${where}: locked ${wayText(one, withSource)}; now ${wayText(other, withSource)}`;
      told.set(name, { kind: "change", subject: name, text });
    }
  }
  return [...told].sort(([a], [b]) => compareText(a, b)).map(([, difference]) => difference);
}

function changesOf(generation: LockedGeneration | undefined): ReadonlyMap<string, LockedChange> {
  return new Map((generation?.steps.flat() ?? []).map((change) => [change.package, change]));
}

function isSame(one: LockedChange | undefined, other: LockedChange | undefined): boolean {
  return wayText(one, true) === wayText(other, true);
}

function wayText(change: LockedChange | undefined, withSource: boolean): string {
  if (change === undefined) return "it stays";
  const { from, to, channel, catalog } = change;
  if (to === undefined) return `${from ?? "nothing"} is removed`;
  const way = from === undefined ? `${to} is installed` : `${from} → ${to}`;
  return withSource ? `${way} (channel ${channel ?? "unknown"} of catalog ${catalog ?? "unknown"})` : way;
}

/** The first generation whose steps are others, though what changes is the same. */
function stepDifferences({ namespace, first, locked, now }: Moves): readonly LockDifference[] {
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const [before, after] = [stepsText(locked[index]), stepsText(now[index])];
    if (before === after) continue;
    const text = `the steps of generation ${first + index} of namespace ${namespace} are others: locked ${before}; now ${after}`;
    return [{ kind: "steps", subject: namespace, text }];
  }
  return [];
}

/** `a, then b with c`. */
function stepsText(generation: LockedGeneration | undefined): string {
  const steps = generation?.steps ?? [];
  if (steps.length === 0) return "none";
  return steps.map((changes) => changes.map((change) => change.package).join(" with ")).join(", then ");
}
