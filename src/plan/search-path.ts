// Which path is the shortest? States of a namespace are visited in order of a lower bound on the length of a path
// through them (A*), so that the first one at the goal is on a shortest path.

import { providedApis } from "../constraint/provided-apis.ts";
import { gvkOf, kindKey, type Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { Problem } from "../model/problem.ts";
import { goneIn } from "../resolve/state-after.ts";
import { isAllowed, type NextSet, nextMoves } from "./next-moves.ts";
import type { PlanEnd } from "./plan.ts";
import type { PlannedChange } from "./plan-draft.ts";
import { Queue } from "./queue.ts";
import { type RelevantPackages, relevantPackages, within } from "./relevant-packages.ts";
import type { TargetSearch } from "./target.ts";

/** Number of changes considered, over all states. */
const MAX_CONSIDERED = 20_000;

/** Sets of changes that are applied one after another, in which no operator changes twice. */
export type GenerationSets = readonly (readonly PlannedChange[])[];

/** The result of a search. */
export interface Path {
  readonly end: PlanEnd;
  /** The sets of changes of each generation, in a safe order. */
  readonly generations: readonly GenerationSets[];
  /** The same for the closest state, if there is no path. */
  readonly closest: readonly GenerationSets[];
  /** No reachable state is nearer to the goal than `closest`. */
  readonly isClosest: boolean;
  /** No shorter path exists. */
  readonly isShortest: boolean;
}

/** A state on a path. */
interface Place {
  readonly problem: Problem;
  readonly generations: readonly GenerationSets[];
  readonly changes: number;
  /** A lower bound on the remaining updates. */
  readonly distance: number;
  /**
   * Operators that are new in the latest generation, definitions that changed in it, and kinds with new owners since.
   */
  readonly fresh: ReadonlySet<string>;
}

/**
 * The shortest path to a goal. A dependency is installed when it is required; earlier installations are tried only if
 * that fails: an older version of it may have to come first.
 */
export function findPath(search: TargetSearch, most: number, stop?: () => boolean): Path {
  const relevant = relevantPackages(search.problem, packagesOf(search.problem, search.request));
  const near = { ...search, problem: within(search.problem, relevant) };
  const isCompatBroken = search.problem.options.compat && !isAllowed(search.problem, []);
  const path = searchFrom(near, relevant, most, isCompatBroken, false, stop);
  return path.end === "no-way" ? searchFrom(near, relevant, most, isCompatBroken, true, stop) : path;
}

function searchFrom(
  search: TargetSearch,
  relevant: RelevantPackages,
  most: number,
  isCompatBroken: boolean,
  early: boolean,
  stop: (() => boolean) | undefined,
): Path {
  const { problem, request, distanceOf, rankOf } = search;
  const distanceIn = (state: Problem): number | undefined => distanceOf(operatorOf(state, request));
  const distance = distanceIn(problem);
  const nowhere = { generations: [], closest: [], isClosest: true, isShortest: true };
  const cutOff = { ...nowhere, isClosest: false, isShortest: false };
  if (distance === undefined) return { ...nowhere, end: "no-way" };
  // OLM does nothing while rules are broken unless all of them are repaired at once, which is not searched for.
  if (distance > 0 && isCompatBroken) return { ...cutOff, end: "search" };
  const start: Place = { problem, generations: [], changes: 0, distance, fresh: new Set() };
  const queue = new Queue<Place>();
  queue.add(start, costOf(start, request));
  const numbers = new Map<object, number>();
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
    const key = keyOf(place, numbers);
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

/** The name of the installed operator that a request claims. */
export function operatorOf({ requests, installed }: Problem, id: string): string | undefined {
  const request = requests.find((one) => one.id === id);
  return installed.find(({ name }) => name === request?.installed)?.name;
}

/** The package itself, and that of the operator which the request claims. */
export function packagesOf(problem: Problem, id: string): readonly string[] {
  const request = problem.requests.find((one) => one.id === id);
  const now = problem.installed.find(({ name }) => name === request?.installed);
  return [request?.package, now?.package].filter((owner) => owner !== undefined);
}

/**
 * In the same generation, unless an operator would change twice in it, or a kind would be redefined whose owners or
 * definition changed in it: a generation is checked against the state at its start.
 */
function placeAfter(
  place: Place,
  { changes, after, changed }: NextSet,
  distanceIn: (problem: Problem) => number | undefined,
): Place | undefined {
  const { generations, fresh } = place;
  const distance = distanceIn(after);
  // Once on a dead end of its channel, the package cannot reach the goal.
  if (distance === undefined) return undefined;
  const defined = (after.definitions ?? []).map(({ definition }) => definition).filter(({ name }) => changed.has(name));
  const touched = [
    ...changes.flatMap(goneIn).map(({ name }) => name),
    ...defined.flatMap((one) => [one.name, kindKey(one)]),
  ];
  const isSame = generations.length > 0 && !touched.some((name) => fresh.has(name));
  const come = changes.flatMap(({ to }) => to?.bundle.name ?? []);
  const names = [...come, ...changed, ...changes.flatMap(transferredKinds)];
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

/** The kinds that are provided either before or after a change, but not both. */
function transferredKinds(change: PlannedChange): readonly string[] {
  const kindsOf = (all: readonly { readonly properties: readonly Property[] }[]): readonly string[] =>
    all.flatMap(({ properties }) => providedApis(properties).map((api) => kindKey(gvkOf(api))));
  const before = kindsOf(goneIn(change));
  const after = kindsOf(change.to === undefined ? [] : [change.to.bundle]);
  return [...before.filter((kind) => !after.includes(kind)), ...after.filter((kind) => !before.includes(kind))];
}

/** Lower bounds on the generations and changes of a path through a state. */
function costOf({ problem, generations, changes, distance, fresh }: Place, request: string): readonly number[] {
  const installed = operatorOf(problem, request);
  // The next update may still be part of the latest generation.
  const isOpen = generations.length > 0 && distance > 0 && (installed === undefined || !fresh.has(installed));
  return [generations.length + distance - (isOpen ? 1 : 0), changes + distance];
}

/** States are equal if the same operators are installed, with the same definitions (by number) and stored versions. */
function keyOf({ problem, fresh }: Place, numbers: Map<object, number>): string {
  const definitions = (problem.definitions ?? []).map(({ definition: { object, storedVersions } }) => [
    getOrAdd(numbers, object, () => numbers.size),
    storedVersions,
  ]);
  return JSON.stringify([problem.installed.map(({ name }) => name), definitions, [...fresh].sort()]);
}
