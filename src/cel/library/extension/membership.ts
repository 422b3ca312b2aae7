// Which values were seen before?
//
// Strings, numbers and the like are found by a key, so that a set of them costs no more than its size; only containers
// and boxed values are compared one by one.
import { equalValues, type Worker } from "../../value/equality.ts";
import { MAX_HASHED_LENGTH } from "../../value/map-access.ts";
import { Double, Uint } from "../../value/number.ts";
import { textWork } from "../../value/text.ts";
import type { Value } from "../../value/value.ts";

/** Values, each once, as CEL's equality counts. */
export interface Membership {
  has(value: Value): boolean;
  add(value: Value): void;
}

/** A set of these values. */
export function membershipOf(worker: Worker, values: readonly Value[] = []): Membership {
  const simple = new Set<Key>();
  const others: Value[] = [];
  const set: Membership = {
    has(value) {
      const key = keyOf(value);
      if (typeof key === "string") worker.work(textWork(key));
      if (key !== undefined) return !Number.isNaN(key) && simple.has(key);
      worker.work(others.length);
      return others.some((other) => equalValues(other, value, worker));
    },
    add(value) {
      const key = keyOf(value);
      if (typeof key === "string") worker.work(textWork(key));
      if (key === undefined) others.push(value);
      else simple.add(key);
    },
  };
  worker.work(values.length);
  for (const value of values) set.add(value);
  return set;
}

type Key = string | number | bigint | boolean | null;

/** What equal values have in common and others do not; numbers of all kinds share their keys. */
function keyOf(value: Value): Key | undefined {
  if (typeof value === "string") return value.length <= MAX_HASHED_LENGTH ? value : undefined;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return numberKey(value);
  if (typeof value === "bigint") return numberKey(value);
  return value instanceof Double || value instanceof Uint ? numberKey(value.value) : undefined;
}

function numberKey(value: number | bigint): number | bigint {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number + 0; // -0 is 0
  return typeof value === "bigint" || !Number.isInteger(value) ? value : BigInt(value);
}
