// Which key is meant by `Schema` or `defaultchannel`? The top-level keys of a catalog document are case-insensitive,
// as in `opm`.

import { finding, type Report } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { keyOf, type Place } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

/** The schema of a document, under any spelling of the key. */
export function schemaOf(document: JsonObject): Json | undefined {
  if (Object.hasOwn(document, "schema")) return document.schema;
  const key = Object.keys(document).find((name) => name.toLowerCase() === "schema");
  return key === undefined ? undefined : document[key];
}

/** The document with its known keys in canonical case; undefined, with a finding, if two keys become equal. */
export function foldKeys(
  document: JsonObject,
  known: readonly string[],
  place: Place,
  report: Report,
  warnOfMisspelt = true,
): JsonObject | undefined {
  let folded: Record<string, Json> | undefined;
  for (const key of Object.keys(document)) {
    if (known.includes(key)) continue;
    const proper = known.find((name) => name.toLowerCase() === key.toLowerCase());
    if (proper === undefined) {
      if (warnOfMisspelt) misspeltKey(document, key, known, place, report);
      continue;
    }
    folded ??= { ...document };
    if (Object.hasOwn(folded, proper)) {
      report(
        finding("PL005", keyOf(place, key), {
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

/** An unknown key that looks like a missing one. */
function misspeltKey(document: JsonObject, key: string, known: readonly string[], place: Place, report: Report): void {
  const meant = didYouMean(
    key,
    known.filter((name) => !Object.hasOwn(document, name)),
  );
  if (meant === undefined) return;
  const help = `did you mean ${JSON.stringify(meant)}? As it is, the field is ignored`;
  report(finding("PL010", keyOf(place, key), { message: `unknown field ${JSON.stringify(key)}`, help }));
}
