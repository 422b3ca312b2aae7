// Which of the objects given are distinct, and in what order? By namespace and name, independent of the order of the
// input. Equal duplicates are merged; if they differ, both are left out, because the order of files must not decide.

import { finding, type Report } from "../../model/finding.ts";
import { canonicalText, type JsonObject } from "../../model/json.ts";
import type { NamedObject } from "../../model/object.ts";
import { comparePlaces, type Place, printPath, printPlace } from "../../model/place.ts";
import { compareNamespaced } from "../../model/problem.ts";

/** A model object and the document it was read from. */
export interface Entry<Model> {
  readonly model: Model;
  readonly object: JsonObject;
}

/** The fields that every model object has. */
export interface Identified extends NamedObject {
  readonly namespace?: string | undefined;
}

/** Sorts objects and removes duplicates. `further` distinguishes objects that share namespace and name. */
export function sortedOnce<Model extends Identified>(
  entries: readonly Entry<Model>[],
  kindOf: (model: Model) => string,
  reject: (entries: readonly Entry<Model>[]) => void,
  report: Report,
  further: (a: Model, b: Model) => number = () => 0,
): readonly Model[] {
  const identity = (a: Model, b: Model): number => compareNamespaced(a, b) || further(a, b);
  const sorted = entries.toSorted((a, b) => identity(a.model, b.model));
  const models: Model[] = [];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const first = sorted[start] as Entry<Model>;
    for (end = start + 1; end < sorted.length; end++)
      if (identity(first.model, (sorted[end] as Entry<Model>).model) !== 0) break;
    if (end === start + 1) {
      models.push(first.model);
      continue;
    }
    const same = sorted.slice(start, end).sort((a, b) => comparePlaces(a.model.place, b.model.place));
    const one = same[0] as Entry<Model>;
    const content = canonicalText(one.object);
    if (same.every(({ object }) => canonicalText(object) === content)) models.push(one.model);
    else {
      report(contradiction(kindOf(one.model), same));
      reject(same);
    }
  }
  return models;
}

function contradiction(kind: string, same: readonly Entry<Identified>[]): ReturnType<typeof finding> {
  const [first, ...others] = same.map(({ model }) => model) as [Identified, ...Identified[]];
  const name = first.namespace ? `${first.namespace}/${first.name}` : first.name;
  const places = others.slice(0, 3).map((other) => printPlace(other.place) + itemOf(other.place));
  if (others.length > 3) places.push(`${others.length - 3} more places`);
  return finding("PL009", first.place, {
    message: `${kind} ${name} is given more than once, with different content: also in ${places.join(", ")}`,
    help: "none of them is used; give only one",
    dropped: "document",
  });
}

function itemOf(place: Place): string {
  return place.path === undefined || place.path.length === 0 ? "" : ` (${printPath(place.path)})`;
}
