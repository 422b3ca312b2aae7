// In which order do the operators of a joint step take their places? An API that passes from one to another is given up
// before it is taken: two operators that provide the same API do not run side by side.

import { providedApis } from "../../constraint/provided-apis.ts";
import { addTo } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { goneIn } from "../../resolve/carried-out.ts";
import type { Arrival } from "./bundle-actions.ts";

/** The names of the bundles, those first that give up what others take; beyond that, by name. */
export function operatorOrder(arrivals: readonly Arrival[]): readonly string[] {
  const left = new Map(givers(arrivals));
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left.keys()].find((name) => isFree(name, left)) ?? firstInCircle(left);
    left.delete(next);
    order.push(next);
  }
  return order;
}

/** Whom each bundle has to wait for; by name. */
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

/** Where everybody waits for somebody, some wait for each other in a circle: of those, the first by name. */
function firstInCircle(left: Givers): string {
  const waitsFor = (name: string): string => (left.get(name) ?? []).find((giver) => left.has(giver)) as string;
  const visited = new Set<string>();
  let name = [...left.keys()][0] as string;
  while (!visited.has(name)) {
    visited.add(name);
    name = waitsFor(name);
  }
  const circle = [name];
  for (let next = waitsFor(name); next !== name; next = waitsFor(next)) circle.push(next);
  return circle.sort(compareText)[0] as string;
}
