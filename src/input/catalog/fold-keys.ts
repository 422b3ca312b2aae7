// Which key did the author mean by `Schema` or `defaultchannel`? The top-level keys of a catalog document match whatever
// their case, as they do for `opm`.

import { finding, type Report } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";

/** The schema that a document says it has, under any spelling of the key. */
export function schemaOf(document: JsonObject): Json | undefined {
  if (Object.hasOwn(document, "schema")) return document.schema;
  const key = Object.keys(document).find((name) => name.toLowerCase() === "schema");
  return key === undefined ? undefined : document[key];
}

/** The document with its known keys in their proper case; nothing, with a finding, if two keys then are the same. */
export function foldKeys(
  document: JsonObject,
  known: readonly string[],
  place: Place,
  report: Report,
): JsonObject | undefined {
  let folded: Record<string, Json> | undefined;
  for (const key of Object.keys(document)) {
    if (known.includes(key)) continue;
    const proper = known.find((name) => name.toLowerCase() === key.toLowerCase());
    if (proper === undefined) continue;
    folded ??= { ...document };
    if (Object.hasOwn(folded, proper)) {
      report(
        finding("PL005", inside(place, key), {
          message: `the keys ${JSON.stringify(proper)} and ${JSON.stringify(key)} are the same`,
          help: "remove one; case does not matter here",
          dropped: "document",
        }),
      );
      return undefined;
    }
    folded[proper] = document[key] as Json;
    delete folded[key];
  }
  return folded ?? document;
}
