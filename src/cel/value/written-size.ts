// How large is a value when it is written out?
import { CelMap, Optional } from "./boxes.ts";
import { isMap, mapEntries, UNCOUNTED } from "./map-access.ts";
import { isList, type Value } from "./value.ts";

/**
 * The parts of a value, counted up to a limit. A value may share its parts, so that a few lists of two elements each would
 * fill a disk when written out.
 */
export function writtenSize(value: Value, most: number): number {
  const open: Value[] = [value];
  let count = 0;
  for (let part = open.pop(); part !== undefined && count < most; part = open.pop()) {
    count++;
    if (isList(part)) for (const element of part) open.push(element);
    else if (part instanceof Optional) open.push(part.content ?? null);
    else if (part instanceof CelMap || isMap(part))
      for (const [, entry] of mapEntries(part, UNCOUNTED)) open.push(entry);
  }
  return count;
}
