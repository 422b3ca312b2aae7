// What does Kubernetes charge for going through all of a value?
import { Bytes } from "../../value/boxes.ts";
import type { Worker } from "../../value/equality.ts";
import { isMap, mapEntries } from "../../value/map-access.ts";
import type { Result } from "../../value/value.ts";

/** Beyond this the cost is not counted on: one value may be inside another very many times. */
const MAX_COUNTED = 10_000_000;

/** A tenth of each string's and bytes' length in bytes, rounded down, and 1 for everything else that is no container. */
export function treeCost(value: Result, worker: Worker): number {
  return count(value, { left: MAX_COUNTED }, worker);
}

function count(value: Result, budget: { left: number }, worker: Worker): number {
  if (budget.left-- < 0) return Number.POSITIVE_INFINITY;
  if (typeof value === "string") return Math.trunc(utf8Length(value) * 0.1);
  if (value instanceof Bytes) return Math.trunc(value.value.length * 0.1);
  if (Array.isArray(value)) {
    worker.work(value.length);
    return value.reduce<number>((sum, element) => sum + count(element, budget, worker), 0);
  }
  if (!isMap(value)) return 1;
  return mapEntries(value, worker).reduce(
    (sum, [key, content]) => sum + count(key, budget, worker) + count(content, budget, worker),
    0,
  );
}

/** How many bytes the text has in UTF-8. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Two surrogates, counted as two units here, are four bytes together.
    if (code >= 0x80) length += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return length;
}
