// Which operators are installed before each locked generation, and which generation comes next?

import { compareText } from "../../model/json.ts";
import type { LockedChange, LockedPlan } from "../../model/lock.ts";

/** The names of the operators installed before a generation (from 0), or after the last. */
export function stateBefore(plan: LockedPlan, index: number): ReadonlySet<string> {
  const state = firstState(plan);
  for (const { steps } of plan.generations.slice(0, index)) for (const change of steps.flat()) carryOut(change, state);
  return state;
}

function firstState({ inputs }: LockedPlan): Set<string> {
  return new Set(inputs.filter(({ kind }) => kind === "installed").map(({ subject }) => subject));
}

function carryOut({ from, alsoFrom, to }: LockedChange, state: Pick<Set<string>, "add" | "delete">): void {
  for (const name of from === undefined ? alsoFrom : [from, ...alsoFrom]) state.delete(name);
  if (to !== undefined) state.add(to);
}

/** The ids of the Subscriptions created and removed in the generations before one (from 0). */
export function subscriptionsBefore(
  { namespace, generations }: LockedPlan,
  index: number,
): { readonly come: ReadonlySet<string>; readonly gone: ReadonlySet<string> } {
  const come = new Set<string>();
  const gone = new Set<string>();
  for (const { to, subscriptions } of generations.slice(0, index).flatMap(({ steps }) => steps.flat())) {
    const [more, fewer] = to === undefined ? [gone, come] : [come, gone];
    for (const name of subscriptions) {
      more.add(`${namespace}/${name}`);
      fewer.delete(`${namespace}/${name}`);
    }
  }
  return { come, gone };
}

/** A namespace: its installed operators, and its locked plan. */
export interface LockedNamespace {
  readonly running: ReadonlySet<string>;
  readonly locked: LockedPlan;
}

/** The generations that may come next for all of these namespaces. */
export interface Nearest {
  /** From 0, earliest first; one more than the last generation if all have been applied. */
  readonly indexes: readonly number[];
  /** The installed operators match exactly. */
  readonly isExact: boolean;
}

/** Finds the generations with the fewest missing and surplus operators. */
export function nearestGenerations(namespaces: readonly LockedNamespace[]): Nearest {
  const longest = namespaces.reduce((most, { locked }) => Math.max(most, locked.generations.length), 0);
  const sums: number[] = Array.from({ length: longest + 1 }, () => 0);
  for (const namespace of namespaces) {
    const distances = distancesOf(namespace);
    for (let index = 0; index < sums.length; index++)
      sums[index] = (sums[index] as number) + (distances[Math.min(index, distances.length - 1)] as number);
  }
  const least = sums.reduce((one, other) => Math.min(one, other));
  return { indexes: sums.flatMap((sum, index) => (sum === least ? [index] : [])), isExact: least === 0 };
}

/** The distance of the installed operators from the state before each generation, and after the last. */
function distancesOf({ running, locked }: LockedNamespace): readonly number[] {
  const state = firstState(locked);
  let distance = minus(running, state).length + minus(state, running).length;
  const counted = {
    delete(name: string): boolean {
      const isThere = state.delete(name);
      if (isThere) distance += running.has(name) ? 1 : -1;
      return isThere;
    },
    add(name: string): Set<string> {
      if (!state.has(name)) distance += running.has(name) ? -1 : 1;
      return state.add(name);
    },
  };
  const distances = [distance];
  for (const { steps } of locked.generations) {
    for (const change of steps.flat()) carryOut(change, counted);
    distances.push(distance);
  }
  return distances;
}

/** The names that only the first set has, sorted. */
export function minus(one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] {
  return [...one].filter((name) => !other.has(name)).sort(compareText);
}
