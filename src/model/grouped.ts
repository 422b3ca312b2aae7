// How are items grouped, and values kept? A map from each key to its items, in insertion order, or to what was made for it.

/** Adds an item to the group of a key. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Removes an item from the group of a key, and the group when it is empty. Returns whether the item was there. */
export function removeFrom<Key, Item>(
  groups: Map<Key, { delete(item: Item): boolean; readonly size: number }>,
  key: Key,
  item: Item,
): boolean {
  const group = groups.get(key);
  const wasThere = group?.delete(item) === true;
  if (group?.size === 0) groups.delete(key);
  return wasThere;
}

/** Items by key. */
export function groupedBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** How often each item occurs. */
export function countsOf<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Items by each of their keys; a key that an item has twice counts once. */
export function groupedByAll<Key, Item>(
  items: Iterable<Item>,
  keysOf: (item: Item) => Iterable<Key>,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else if (group.at(-1) !== item) group.push(item);
    }
  return groups;
}

/** The value of a key, made when it is first asked for. */
export function getOrAdd<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** Items in runs: each item of a run continues the one before it. */
export function inRuns<Item>(items: Iterable<Item>, continues: (before: Item, item: Item) => boolean): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run !== undefined && continues(run.at(-1) as Item, item)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** Do two lists have the same items? */
export function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}
