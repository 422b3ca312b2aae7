// What is under this key of a map of either kind?
import { CelMap, type MapKey } from "./boxes.ts";
import type { Worker } from "./equality.ts";
import { Double, Uint } from "./number.ts";
import { compareStrings, textWork } from "./text.ts";
import { isJsonMap, type JsonMap, type Result, type Value } from "./value.ts";

/** A map of either kind. */
export type MapValue = JsonMap | CelMap;

/** Is it a map? */
export function isMap(value: Result): value is MapValue {
  return value instanceof CelMap || isJsonMap(value);
}

/** The key under which a map made by an expression keeps this value, or undefined when the value cannot be a key. */
export function mapKey(key: Value): MapKey | undefined {
  switch (typeof key) {
    case "string":
    case "boolean":
      return key;
    case "number":
      return Number.isInteger(key) ? normalKey(BigInt(key)) : undefined;
    case "bigint":
      return normalKey(key);
    default:
      if (key instanceof Uint) return normalKey(key.value);
      return key instanceof Double ? key.value : undefined;
  }
}

function normalKey(key: bigint): MapKey {
  const number = Number(key);
  return Number.isSafeInteger(number) ? number : key;
}

/** Longer texts are hashed by their length alone, so that those of one length are all compared with each other. */
export const MAX_HASHED_LENGTH = 16_383;

/** The value under the key, or undefined. Inherited keys do not exist. */
export function mapGet(map: MapValue, key: Value, worker: Worker): Value | undefined {
  if (map instanceof CelMap) {
    const wanted = mapKey(key);
    if (wanted === undefined) return undefined;
    if (typeof wanted === "string") worker.work(lookupWork(wanted, map.entries));
    return map.entries.get(wanted)?.[1];
  }
  if (typeof key !== "string") return undefined;
  if (key.length > MAX_HASHED_LENGTH) return longKeyGet(map, key, worker);
  worker.work(textWork(key));
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The value under a key that the engine would compare with every text of its length that is a key anywhere. */
function longKeyGet(map: JsonMap, key: string, worker: Worker): Value | undefined {
  worker.work(worker.mapSize(map));
  const own = Object.keys(map).find((other) => {
    if (other.length !== key.length) return false;
    worker.work(textWork(key));
    return other === key;
  });
  return own === undefined ? undefined : map[own];
}

/** What it takes to find a text among the keys of a map that an expression makes or made. */
export function lookupWork(key: string, entries: ReadonlyMap<MapKey, unknown>): number {
  if (key.length <= MAX_HASHED_LENGTH) return textWork(key);
  let compared = 1;
  for (const other of entries.keys()) if (typeof other === "string" && other.length === key.length) compared++;
  return entries.size + compared * textWork(key);
}

/** The number of entries. An undefined property does not count. */
export function mapSize(map: MapValue): number {
  return map instanceof CelMap ? map.entries.size : ownKeys(map).length;
}

function ownKeys(map: JsonMap): string[] {
  const keys = Object.keys(map);
  for (const key of keys) if (map[key] === undefined) return keys.filter((other) => map[other] !== undefined);
  return keys;
}

/** How much work it is to put the keys of a map in order, for each of them. */
const SORTING = 16;

/** The keys: those of input sorted, so that their order in the file has no effect; else in the order of insertion. */
export function mapKeys(map: MapValue, worker: Worker): readonly Value[] {
  return map instanceof CelMap ? insertedEntries(map, worker).map(([key]) => key) : sortedKeys(map, worker);
}

/** Keys and values, in the order of `mapKeys`. */
export function mapEntries(map: MapValue, worker: Worker): readonly (readonly [Value, Value])[] {
  if (map instanceof CelMap) return insertedEntries(map, worker);
  return sortedKeys(map, worker).map((key) => [key, map[key] as Value]);
}

function insertedEntries({ entries }: CelMap, worker: Worker): readonly (readonly [Value, Value])[] {
  worker.work(SORTING * entries.size);
  return [...entries.values()];
}

function sortedKeys(map: JsonMap, worker: Worker): readonly string[] {
  const keys = ownKeys(map);
  worker.work(SORTING * keys.length);
  return keys.sort((a, b) => compareStrings(a, b, worker));
}

/** Counts nothing: for maps that are read while no expression runs. */
export const UNCOUNTED: Worker = { work: () => undefined, mapSize };

/** Does this hold for every entry? They are visited in any order. */
export function everyEntry(map: MapValue, holds: (key: Value, value: Value) => boolean): boolean {
  if (map instanceof CelMap) {
    for (const [key, value] of map.entries.values()) if (!holds(key, value)) return false;
    return true;
  }
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value !== undefined && !holds(key, value)) return false;
  }
  return true;
}

/** Some entry, if there is one. */
export function firstEntry(map: MapValue): readonly [Value, Value] | undefined {
  if (map instanceof CelMap) return map.entries.values().next().value;
  for (const key in map) if (Object.hasOwn(map, key) && map[key] !== undefined) return [key, map[key] as Value];
  return undefined;
}
