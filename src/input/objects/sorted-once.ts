// Which of the objects given are distinct, and in what order? By namespace and name, independent of the order of the
// input. Equal duplicates are merged; if they differ, both are left out, because the order of files must not decide.

import { finding, type Report } from "../../model/finding.ts";
import { canonicalText, compareText, type JsonObject } from "../../model/json.ts";
import { comparePlaces, type Place, printPath, printPlace } from "../../model/place.ts";

/** A model object and the document it was read from. */
export interface Entry<Thing> {
  readonly thing: Thing;
  readonly object: JsonObject;
}

/** The fields that every model object has. */
export interface Identified {
  readonly place: Place;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Sorts objects and removes duplicates. `further` distinguishes objects that share namespace and name. */
export function sortedOnce<Thing extends Identified>(
  entries: readonly Entry<Thing>[],
  kindOf: (thing: Thing) => string,
  reject: (entries: readonly Entry<Thing>[]) => void,
  report: Report,
  further: (a: Thing, b: Thing) => number = () => 0,
): readonly Thing[] {
  const identity = (a: Thing, b: Thing): number =>
    compareText(a.namespace ?? "", b.namespace ?? "") || compareText(a.name, b.name) || further(a, b);
  const sorted = entries.toSorted((a, b) => identity(a.thing, b.thing));
  const things: Thing[] = [];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const first = sorted[start] as Entry<Thing>;
    for (end = start + 1; end < sorted.length; end++)
      if (identity(first.thing, (sorted[end] as Entry<Thing>).thing) !== 0) break;
    if (end === start + 1) {
      things.push(first.thing);
      continue;
    }
    const same = sorted.slice(start, end).sort((a, b) => comparePlaces(a.thing.place, b.thing.place));
    const one = same[0] as Entry<Thing>;
    const content = canonicalText(one.object);
    if (same.every(({ object }) => canonicalText(object) === content)) things.push(one.thing);
    else {
      report(contradiction(kindOf(one.thing), same));
      reject(same);
    }
  }
  return things;
}

function contradiction(kind: string, same: readonly Entry<Identified>[]): ReturnType<typeof finding> {
  const [first, ...others] = same.map(({ thing }) => thing) as [Identified, ...Identified[]];
  const name = first.namespace ? `${first.namespace}/${first.name}` : first.name;
  const places = others.slice(0, 3).map((other) => printPlace(other.place) + itemOf(other.place));
  if (others.length > 3) places.push(`${others.length - 3} more places`);
  return finding("PL009", first.place, {
    message: `${kind} ${name} is given more than once, and not alike: also in ${places.join(", ")}`,
    help: "none of them is used; give only the one that counts",
    dropped: "document",
  });
}

function itemOf(place: Place): string {
  return place.path === undefined || place.path.length === 0 ? "" : ` (${printPath(place.path)})`;
}
