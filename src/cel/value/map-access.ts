// What is under this key of a map, whichever of the two kinds the map is of?
import { CelMap, type MapKey } from "./boxes.ts";
import { Double, Uint } from "./number.ts";
import { compareStrings } from "./text.ts";
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

/** The value under the key, or undefined. Inherited keys do not exist. */
export function mapGet(map: MapValue, key: Value): Value | undefined {
  if (map instanceof CelMap) {
    const wanted = mapKey(key);
    return wanted === undefined ? undefined : map.entries.get(wanted)?.[1];
  }
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** How many entries it has. */
export function mapSize(map: MapValue): number {
  return map instanceof CelMap ? map.entries.size : Object.keys(map).length;
}

/** How much work it is to put the keys of a map in order, for each of them. */
export const SORTING = 16;

/** The keys: of input sorted, so that the order in which somebody wrote them changes nothing; else as they were inserted. */
export function mapKeys(map: MapValue): readonly Value[] {
  if (map instanceof CelMap) return [...map.entries.values()].map(([key]) => key);
  return Object.keys(map).sort(compareStrings);
}

/** Keys and values, in the order of `mapKeys`. */
export function mapEntries(map: MapValue): readonly (readonly [Value, Value])[] {
  if (map instanceof CelMap) return [...map.entries.values()];
  return Object.keys(map)
    .sort(compareStrings)
    .map((key) => [key, map[key] as Value]);
}

/** Does this hold for every entry? They are gone through in any order. */
export function everyEntry(map: MapValue, holds: (key: Value, value: Value) => boolean): boolean {
  if (map instanceof CelMap) {
    for (const [key, value] of map.entries.values()) if (!holds(key, value)) return false;
    return true;
  }
  return Object.keys(map).every((key) => holds(key, map[key] as Value));
}

/** Some entry, if there is one. */
export function firstEntry(map: MapValue): readonly [Value, Value] | undefined {
  if (map instanceof CelMap) return map.entries.values().next().value;
  for (const key in map) if (Object.hasOwn(map, key)) return [key, map[key] as Value];
  return undefined;
}
