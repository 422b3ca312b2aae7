// Which way is the shortest? States of a namespace are visited in the order of how long a way through them must be at the
// least (A*), so that the first one at the goal is on a shortest way.

import { providedApis } from "../constraint/provided-apis.ts";
import { gvkOf, kindKey, type Property } from "../model/catalog.ts";
import type { Problem } from "../model/problem.ts";
import { goneIn } from "../resolve/carried-out.ts";
import { isAllowed, type NextSet, nextMoves } from "./next-moves.ts";
import type { PlanEnd } from "./plan.ts";
import type { PlannedChange } from "./planned.ts";
import { Queue } from "./queue.ts";
import { type RelevantPackages, relevantPackages, within } from "./relevant-packages.ts";
import type { Quest } from "./target.ts";

/** Changes that are considered, over all states. */
const MAX_CONSIDERED = 20_000;

/** Sets of changes that are made one after another, and in which nobody moves twice. */
export type GenerationSets = readonly (readonly PlannedChange[])[];

/** What a search found. */
export interface Way {
  readonly end: PlanEnd;
  /** The sets of changes of each generation, in the order in which they are safe. */
  readonly generations: readonly GenerationSets[];
  /** The same for the state that came closest, if there is no way. */
  readonly closest: readonly GenerationSets[];
  /** No state that can be reached is nearer to the goal than `closest`. */
  readonly isClosest: boolean;
  /** No shorter way exists. */
  readonly isShortest: boolean;
}

/** A state on a way. */
interface Place {
  readonly problem: Problem;
  readonly generations: readonly GenerationSets[];
  readonly changes: number;
  /** Updates to go, at the least. */
  readonly distance: number;
  /** Who came in the latest generation, which definitions changed in it, and which kinds have other owners since. */
  readonly fresh: ReadonlySet<string>;
}

/**
 * The shortest way of a quest. A dependency is installed when somebody needs it; only where that leads nowhere, earlier
 * installations are tried as well: an older version of it may have to come first.
 */
export function findWay(quest: Quest, most: number, stop?: () => boolean): Way {
  const relevant = relevantPackages(quest.problem, packagesOf(quest.problem, quest.request));
  const near = { ...quest, problem: within(quest.problem, relevant) };
  const isCompatBroken = quest.problem.options.compat && !isAllowed(quest.problem, []);
  const way = search(near, relevant, most, isCompatBroken, false, stop);
  return way.end === "no-way" ? search(near, relevant, most, isCompatBroken, true, stop) : way;
}

function search(
  quest: Quest,
  relevant: RelevantPackages,
  most: number,
  isCompatBroken: boolean,
  early: boolean,
  stop: (() => boolean) | undefined,
): Way {
  const { problem, request, distanceOf, rankOf } = quest;
  const distanceIn = (state: Problem): number | undefined => distanceOf(operatorOf(state, request));
  const distance = distanceIn(problem);
  const nowhere = { generations: [], closest: [], isClosest: true, isShortest: true };
  const cutOff = { ...nowhere, isClosest: false, isShortest: false };
  if (distance === undefined) return { ...nowhere, end: "no-way" };
  // OLM does nothing while rules are broken unless all of them are mended at once, which is not looked for.
  if (distance > 0 && isCompatBroken) return { ...cutOff, end: "search" };
  const start: Place = { problem, generations: [], changes: 0, distance, fresh: new Set() };
  const queue = new Queue<Place>();
  queue.add(start, costOf(start, request));
  const numberOf = numbering();
  const visited = new Set<string>();
  const rankIn = (place: Place): number => rankOf(operatorOf(place.problem, request));
  const isCloser = (one: Place, other: Place): boolean =>
    one.distance < other.distance || (one.distance === other.distance && rankIn(one) < rankIn(other));
  let closest = start;
  let isCut = relevant.isCut;
  let isTooLong = false;
  let considered = 0;
  for (let place = queue.take(); place !== undefined; place = queue.take()) {
    if (place.distance === 0) return { ...nowhere, end: "done", generations: place.generations, isShortest: !isCut };
    const key = keyOf(place, numberOf);
    if (visited.has(key)) continue;
    visited.add(key);
    if (isCloser(place, closest)) closest = place;
    if (considered > MAX_CONSIDERED || stop?.()) return { ...cutOff, end: "search", closest: closest.generations };
    const next = nextMoves(place.problem, relevant, request, early);
    considered += next.considered;
    isCut ||= next.isCut;
    for (const set of next.sets) {
      const after = placeAfter(place, set, distanceIn);
      if (after === undefined) continue;
      if (after.generations.length > most) isTooLong = true;
      else queue.add(after, costOf(after, request));
    }
  }
  const end = isTooLong ? "generations" : isCut ? "search" : "no-way";
  return { ...(end === "no-way" ? nowhere : cutOff), end, closest: closest.generations };
}

/** The name of the operator that a request has, if that runs. */
export function operatorOf({ requests, installed }: Problem, id: string): string | undefined {
  const request = requests.find((one) => one.id === id);
  return installed.find(({ name }) => name === request?.installed)?.name;
}

/** The package itself, and that of the operator which the request keeps up to date. */
export function packagesOf(problem: Problem, id: string): readonly string[] {
  const request = problem.requests.find((one) => one.id === id);
  const now = problem.installed.find(({ name }) => name === request?.installed);
  return [request?.package, now?.package].filter((owner) => owner !== undefined);
}

/**
 * In the same generation, as long as nobody moves twice in it and no kind is defined anew whose owners or whose definition
 * changed in it: a generation is judged by what is there at its beginning.
 */
function placeAfter(
  place: Place,
  { changes, after, changed }: NextSet,
  distanceIn: (problem: Problem) => number | undefined,
): Place | undefined {
  const { generations, fresh } = place;
  const distance = distanceIn(after);
  // Once on a dead end of its channel, the package never gets there.
  if (distance === undefined) return undefined;
  const defined = (after.definitions ?? []).map(({ definition }) => definition).filter(({ name }) => changed.has(name));
  const touched = [
    ...changes.flatMap(goneIn).map(({ name }) => name),
    ...defined.flatMap((one) => [one.name, kindKey(one)]),
  ];
  const isSame = generations.length > 0 && !touched.some((name) => fresh.has(name));
  const come = changes.flatMap(({ to }) => to?.bundle.name ?? []);
  const names = [...come, ...changed, ...changes.flatMap(kindsPassed)];
  return {
    problem: after,
    generations: isSame
      ? [...generations.slice(0, -1), [...(generations.at(-1) ?? []), changes]]
      : [...generations, [changes]],
    changes: place.changes + changes.length,
    distance,
    fresh: new Set(isSame ? [...fresh, ...names] : names),
  };
}

/** The kinds that somebody provides before a change, or after it, but not both. */
function kindsPassed(change: PlannedChange): readonly string[] {
  const kindsOf = (all: readonly { readonly properties: readonly Property[] }[]): readonly string[] =>
    all.flatMap(({ properties }) => providedApis(properties).map((api) => kindKey(gvkOf(api))));
  const before = kindsOf(goneIn(change));
  const after = kindsOf(change.to === undefined ? [] : [change.to.bundle]);
  return [...before.filter((kind) => !after.includes(kind)), ...after.filter((kind) => !before.includes(kind))];
}

/** The least number of generations and of changes of a way through a place. */
function costOf({ problem, generations, changes, distance, fresh }: Place, request: string): readonly number[] {
  const installed = operatorOf(problem, request);
  // The next update may still belong to the latest generation.
  const isOpen = generations.length > 0 && distance > 0 && (installed === undefined || !fresh.has(installed));
  return [generations.length + distance - (isOpen ? 1 : 0), changes + distance];
}

/** States are the same if the same operators run, with the same definitions and objects stored alike. */
function keyOf({ problem, fresh }: Place, numberOf: (definition: object) => number): string {
  const definitions = (problem.definitions ?? []).map(({ definition }) => [
    numberOf(definition.object),
    definition.storedVersions,
  ]);
  return JSON.stringify([problem.installed.map(({ name }) => name), definitions, [...fresh].sort()]);
}

/** Tells things apart by what they are. */
function numbering(): (thing: object) => number {
  const numbers = new Map<object, number>();
  return (thing) => {
    const number = numbers.get(thing) ?? numbers.size;
    numbers.set(thing, number);
    return number;
  };
}
