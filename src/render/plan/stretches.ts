// Which generations can be shown as one? Consecutive ones that have only ordinary updates.

import { addTo, inRuns } from "../../model/grouped.ts";
import { versionText } from "../resolve/shown.ts";
import type { Lane, Move } from "./lanes.ts";
import { packageBefore } from "./shown.ts";

/** Generations from one to another, both included. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** The generations of these lanes: each that has more than ordinary updates by itself, the others as long as they last. */
export function stretchesOf(
  lanes: readonly Lane[],
  isPlain: (move: Move) => boolean = ({ isOrdinary }) => isOrdinary,
): readonly Stretch[] {
  const isQuiet = new Map<number, boolean>();
  for (const { moves } of lanes)
    for (const move of moves) isQuiet.set(move.generation, isPlain(move) && isQuiet.get(move.generation) !== false);
  const stretches: Stretch[] = [];
  let goesOn = false;
  for (const [generation, quiet] of [...isQuiet].sort(([a], [b]) => a - b)) {
    const before = stretches.at(-1);
    if (quiet && goesOn && before !== undefined)
      stretches[stretches.length - 1] = { first: before.first, last: generation };
    else stretches.push({ first: generation, last: generation });
    goesOn = quiet;
  }
  return stretches;
}

/** The same, split wherever an operator starts or stops moving: an operator that moves in a stretch moves in all of it. */
export function steadyStretches(lanes: readonly Lane[]): readonly Stretch[] {
  const movers = new Map<number, number[]>();
  for (const [index, { moves }] of lanes.entries())
    for (const { generation } of moves) addTo(movers, generation, index);
  const generations = [...movers.keys()].sort((a, b) => a - b);
  return stretchesOf(lanes).flatMap(({ first, last }) => {
    const parts: Stretch[] = [];
    let before = "";
    for (const generation of generations) {
      if (generation < first || generation > last) continue;
      const now = (movers.get(generation) ?? []).join();
      const part = parts.at(-1);
      if (part !== undefined && now === before) parts[parts.length - 1] = { first: part.first, last: generation };
      else parts.push({ first: generation, last: generation });
      before = now;
    }
    return parts;
  });
}

/** The moves of a lane in some generations. */
export function movesIn({ moves }: Lane, { first, last }: Stretch): readonly Move[] {
  return moves.filter(({ generation }) => generation >= first && generation <= last);
}

/** The moves of a lane, ordinary ones in a row together. */
export function runsOf(moves: readonly Move[]): readonly (readonly Move[])[] {
  return inRuns(moves, (before, move) => before.isOrdinary && move.isOrdinary);
}

/**
 * Ordinary updates of an operator whose order does not matter, and that never moves with others: all where it has no other
 * moves, otherwise those of long runs.
 */
export function runsAlone({ moves }: Lane): readonly (readonly Move[])[] {
  if (moves.some(({ change, step }) => change.isOrdered || step.changes.length > 1)) return [];
  const runs = runsOf(moves).filter(([first]) => first?.isOrdinary);
  return runs.filter(({ length }) => length === moves.length || length > LONG_RUN);
}

/** More steps in a row are taken out of their generations. */
const LONG_RUN = 3;

/** Up to this many consecutive steps are listed one by one: a new major version among them is worth knowing. */
const MAX_STEPS = 8;

/** Are intermediate versions left out? */
export function isShortened({ length }: readonly unknown[]): boolean {
  return length > MAX_STEPS;
}

/** "1.2.0 → 1.3.0 → 1.4.0", "0.1.0 → … → 2.3.0, 236 steps"; a version of another package with its name. */
export function runText(moves: readonly Pick<Move, "change">[]): string {
  const versions = versionsOf(moves);
  if (!isShortened(moves)) return versions.join(" → ");
  return `${versions[0]} → … → ${versions.at(-1)}, ${moves.length} steps`;
}

/** The versions that an operator goes through; after a change of package, with its name. */
export function versionsOf(moves: readonly Pick<Move, "change">[]): readonly string[] {
  const [first] = moves;
  let name = first === undefined ? "" : packageBefore(first.change);
  const before = first?.change.from;
  const after = moves.flatMap(({ change }) => {
    if (change.to === undefined) return [];
    const isOther = change.package !== name;
    name = change.package;
    return [isOther ? `${name} ${versionText(change.to)}` : versionText(change.to)];
  });
  return before === undefined ? after : [versionText(before), ...after];
}
