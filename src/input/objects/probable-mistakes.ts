// Which valid values are probably mistakes? They are reported and kept: the rest of the object is right. Very many
// objects are checked, and nearly all are clean, so a check must cost next to nothing.

import { finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { inside, type Path, printPath } from "../../model/place.ts";
import { textOf } from "./fields.ts";
import type { GivenObject } from "./object-kind.ts";

/** Number of findings reported per list. */
export const MAX_REPORTED: number = 100;
/** Up to this number of names, comparing all pairs is faster than a set. */
const FEW = 16;

/** Reports that a value is probably a mistake; `wrong` follows its path in the message. */
export function warn(given: GivenObject, path: Path, wrong: string, help: string): void {
  given.report(finding("PL012", inside(given.place, ...path), { message: `${printPath(path)} ${wrong}`, help }));
}

/** Reports every object of a list with the name of an earlier one. */
export function warnDuplicates(given: GivenObject, path: Path, objects: readonly JsonObject[]): void {
  if (objects.length <= FEW && !isAnyRepeated(objects)) return;
  const seen = new Set<string>();
  let reported = 0;
  for (const [index, object] of objects.entries()) {
    const name = textOf(object, "name") ?? "";
    if (!seen.has(name)) seen.add(name);
    else if (reported++ < MAX_REPORTED)
      warn(given, [...path, index, "name"], `is ${JSON.stringify(name)} again`, "of one name, the last counts");
  }
}

function isAnyRepeated(objects: readonly JsonObject[]): boolean {
  for (let index = 1; index < objects.length; index++) {
    const name = (objects[index] as JsonObject).name;
    for (let before = 0; before < index; before++) if ((objects[before] as JsonObject).name === name) return true;
  }
  return false;
}

/** Reports a text that is not a time; `otherwise` states how it is treated. */
export function warnTime(given: GivenObject, path: Path, time: string | undefined, otherwise: string): void {
  if (time === undefined || isTime(time)) return;
  warn(
    given,
    path,
    `is ${JSON.stringify(time)}, which is not a time`,
    `write it like 2026-01-31T12:00:00Z; as it is, ${otherwise}`,
  );
}

/** What Go parses as RFC 3339, except for the number of days in a month; there is no year 0. */
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):(?:[0-5]\d|60))$/;

const ZERO = 48; // the code of the digit 0

/** Is a text a time in the format of Kubernetes? */
export function isTime(text: string): boolean {
  if (!TIME.test(text) || text.startsWith("0000")) return false;
  const day = (text.charCodeAt(8) - ZERO) * 10 + text.charCodeAt(9) - ZERO;
  return day <= 28 || day <= daysOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
