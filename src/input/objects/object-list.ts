// Is this object a list of others? `kubectl get` prints `kind: List`; the API server returns a list of one kind,
// whose items need not repeat it.

import { finding, type Report } from "../../model/finding.ts";
import { isList, isObject, type Json, type JsonObject, own, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";

/** The type of items that do not state it. */
export interface TypeOfItems {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
}

/** The type of a list's items (empty for a mixed list), or undefined if the object is not a list. */
export function typeOfItems(object: JsonObject, apiVersion: string | undefined, kind: string): TypeOfItems | undefined {
  if (kind === "List") return { apiVersion: undefined, kind: undefined };
  if (!kind.endsWith("List")) return undefined;
  const metadata = own(object, "metadata");
  const isNamed = isObject(metadata) && typeof own(metadata, "name") === "string";
  if (isNamed || !Object.hasOwn(object, "items")) return undefined;
  return { apiVersion, kind: kind.slice(0, -"List".length) };
}

/** Yields every item of a list with its place; anything else is reported and passed to `lose`. */
export function eachItem(
  list: JsonObject,
  place: Place,
  report: Report,
  take: (item: JsonObject, place: Place) => void,
  lose: (value: Json, place: Place) => void = () => {},
): void {
  const items: Json | undefined = own(list, "items") ?? [];
  if (!isList(items)) {
    const message = `items must be a list, but is ${typeName(items)}`;
    report(finding("PL009", inside(place, "items"), { message, dropped: "document" }));
    lose(items, inside(place, "items"));
    return;
  }
  for (const [index, item] of items.entries()) {
    const at = inside(place, "items", index);
    if (isObject(item)) take(item, at);
    else {
      const message = `items[${index}] must be an object, but is ${typeName(item)}`;
      report(finding("PL009", at, { message, dropped: "document" }));
      lose(item, at);
    }
  }
}
