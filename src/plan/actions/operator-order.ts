// In which order are the operators of a joint step replaced? An API that moves between operators is given up before
// it is taken: two operators that provide the same API do not run at the same time.

import { providedApis } from "../../constraint/provided-apis.ts";
import { addTo } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { goneIn } from "../../resolve/carried-out.ts";
import type { Arrival } from "./bundle-actions.ts";

/** The names of the bundles: those that give up an API before those that take it; otherwise by name. */
export function operatorOrder(arrivals: readonly Arrival[]): readonly string[] {
  const left = new Map(givers(arrivals));
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left.keys()].find((name) => isFree(name, left)) ?? firstInCycle(left);
    left.delete(next);
    order.push(next);
  }
  return order;
}

/** By bundle name: the bundles it has to wait for. */
type Givers = ReadonlyMap<string, readonly string[]>;

function givers(arrivals: readonly Arrival[]): Givers {
  const givingUp = new Map<string, string[]>();
  for (const { change, to } of arrivals) {
    const kept = new Set(providedApis(to.bundle.properties));
    const had = new Set(goneIn(change).flatMap(({ properties }) => providedApis(properties)));
    for (const api of had) {
      if (kept.has(api)) continue;
      addTo(givingUp, api, to.bundle.name);
    }
  }
  return new Map(
    arrivals
      .map(({ to: { bundle } }): [string, readonly string[]] => [
        bundle.name,
        [...new Set(providedApis(bundle.properties).flatMap((api) => givingUp.get(api) ?? []))].sort(compareText),
      ])
      .sort(([a], [b]) => compareText(a, b)),
  );
}

function isFree(name: string, left: Givers): boolean {
  return (left.get(name) ?? []).every((giver) => !left.has(giver));
}

/** If every bundle waits for another one, there is a cycle: the first of it by name. */
function firstInCycle(left: Givers): string {
  const waitsFor = (name: string): string => (left.get(name) ?? []).find((giver) => left.has(giver)) as string;
  const visited = new Set<string>();
  let name = [...left.keys()][0] as string;
  while (!visited.has(name)) {
    visited.add(name);
    name = waitsFor(name);
  }
  const cycle = [name];
  for (let next = waitsFor(name); next !== name; next = waitsFor(next)) cycle.push(next);
  return cycle.sort(compareText)[0] as string;
}
