// What may come in another order without meaning anything else? Documents, the keys of objects, the entries of channels.

import { readProblem } from "../../src/input/read-problem.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Problem } from "../../src/model/problem.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import type { Dice } from "../worlds/dice.ts";

/** The same items in another order. */
export function shuffled<Item>(dice: Dice, items: readonly Item[]): readonly Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = dice.between(0, last);
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}

/** The same documents, within and among themselves in another order. */
export function shuffledDocuments(dice: Dice, documents: readonly JsonObject[]): readonly JsonObject[] {
  return shuffled(dice, documents).map((document) => {
    const { entries } = document;
    const isChannel = document.schema === "olm.channel" && isList(entries);
    return shuffledKeys(dice, isChannel ? { ...document, entries: shuffled(dice, entries) } : document) as JsonObject;
  });
}

/** The same problem, saved and read again; the documents of its catalogs are in another order. */
export function rearrangedProblem(dice: Dice, problem: Problem): Problem {
  const saved = JSON.parse(saveProblem(problem)) as JsonObject;
  const catalogs = (saved.catalogs as readonly JsonObject[]).map((catalog) => {
    const documents = catalog.documents as readonly { readonly place: JsonObject; readonly document: JsonObject }[];
    const others = shuffledDocuments(
      dice,
      documents.map(({ document }) => document),
    );
    return { ...catalog, documents: documents.map(({ place }, index) => ({ place, document: others[index] })) };
  });
  return readProblem(JSON.stringify({ ...saved, catalogs }), "world.json").problem as Problem;
}

function shuffledKeys(dice: Dice, value: Json): Json {
  if (isList(value)) return value.map((item) => shuffledKeys(dice, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    shuffled(dice, Object.entries(value)).map(([key, item]) => [key, shuffledKeys(dice, item as Json)]),
  );
}
