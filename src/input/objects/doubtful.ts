// What can be read, but can hardly be meant? It is told and taken as it is: the rest of the object is right. Very many
// objects come by here, and nearly all are clean, so looking costs next to nothing.

import { finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { inside, type Path, printPath } from "../../model/place.ts";
import { textOf } from "./fields.ts";
import type { GivenObject } from "./object-kind.ts";

/** Of one list, so many doubts are told. */
export const MAX_REPORTED: number = 100;
/** Up to so many names, comparing each with each is faster than a set of them. */
const FEW = 16;

/** Tells that a value can hardly be meant; `wrong` goes on after the path to it. */
export function doubt(given: GivenObject, path: Path, wrong: string, help: string): void {
  given.report(finding("PL012", inside(given.place, ...path), { message: `${printPath(path)} ${wrong}`, help }));
}

/** Tells of every object of a list whose name an earlier one has. */
export function doubtRepeated(given: GivenObject, path: Path, objects: readonly JsonObject[]): void {
  if (objects.length <= FEW && !isAnyRepeated(objects)) return;
  const seen = new Set<string>();
  let told = 0;
  for (const [index, object] of objects.entries()) {
    const name = textOf(object, "name") ?? "";
    if (!seen.has(name)) seen.add(name);
    else if (told++ < MAX_REPORTED)
      doubt(given, [...path, index, "name"], `is ${JSON.stringify(name)} again`, "of one name, the last counts");
  }
}

function isAnyRepeated(objects: readonly JsonObject[]): boolean {
  for (let index = 1; index < objects.length; index++) {
    const name = (objects[index] as JsonObject).name;
    for (let before = 0; before < index; before++) if ((objects[before] as JsonObject).name === name) return true;
  }
  return false;
}

/** Tells of a text that is no time; `otherwise` says what it counts as. */
export function doubtTime(given: GivenObject, path: Path, time: string | undefined, otherwise: string): void {
  if (time === undefined || isTime(time)) return;
  doubt(
    given,
    path,
    `is ${JSON.stringify(time)}, which is no time`,
    `write it like 2026-01-31T12:00:00Z; as it is, ${otherwise}`,
  );
}

/** What Go reads as RFC 3339, up to the number of days in a month; there is no year 0. */
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):(?:[0-5]\d|60))$/;

const ZERO = 48; // the code of the digit 0

/** Whether a text is a point in time, as Kubernetes writes and reads it. */
export function isTime(text: string): boolean {
  if (!TIME.test(text) || text.startsWith("0000")) return false;
  const day = (text.charCodeAt(8) - ZERO) * 10 + text.charCodeAt(9) - ZERO;
  return day <= 28 || day <= daysOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
