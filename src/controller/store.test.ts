// Does a store report what has changed, and nothing else?

import { expect, test } from "vitest";
import { Store, type StoreChange, type Versioned } from "./store.ts";

function thing(key: string, resourceVersion: string): Versioned {
  return { key, resourceVersion };
}

function storeWith(...items: readonly Versioned[]): { store: Store<Versioned>; changes: StoreChange<Versioned>[] } {
  const changes: StoreChange<Versioned>[] = [];
  const store = new Store<Versioned>((change) => changes.push(change));
  for (const item of items) store.put(item);
  changes.length = 0;
  return { store, changes };
}

test("new, changed, removed", () => {
  const { store, changes } = storeWith();
  const [first, second] = [thing("a", "1"), thing("a", "2")];
  store.put(first);
  store.put(second);
  expect(store.get("a")).toBe(second);
  expect([...store.values()]).toEqual([second]);
  expect(store.size).toBe(1);
  store.remove("a");
  expect(store.get("a")).toBeUndefined();
  expect(store.size).toBe(0);
  expect(changes).toEqual([
    { key: "a", item: first, before: undefined },
    { key: "a", item: second, before: first },
    { key: "a", item: undefined, before: second },
  ]);
});

test("the same version is no change, and what is not there cannot be removed", () => {
  const item = thing("a", "1");
  const { store, changes } = storeWith(item);
  store.put(thing("a", "1"));
  store.remove("b");
  expect(changes).toEqual([]);
  expect(store.get("a")).toBe(item);
});

test("a version that looks older is a change", () => {
  const { store, changes } = storeWith(thing("a", "10"));
  store.put(thing("a", "9"));
  expect(changes).toHaveLength(1);
});

test("an object without a version may have changed", () => {
  const { store, changes } = storeWith(thing("a", ""));
  store.put(thing("a", ""));
  expect(changes).toHaveLength(1);
});

test("after a list, all others are removed", () => {
  const { store, changes } = storeWith(thing("a", "1"), thing("b", "1"), thing("c", "1"));
  store.keepOnly(new Set(["b", "d"]));
  expect([...store.values()].map(({ key }) => key)).toEqual(["b"]);
  expect(changes.map(({ key, item }) => [key, item])).toEqual([
    ["a", undefined],
    ["c", undefined],
  ]);
});

test("the store has changed when the change is reported", () => {
  const seen: unknown[] = [];
  const store: Store<Versioned> = new Store(({ key, item }) => seen.push(store.get(key) === item));
  store.put(thing("a", "1"));
  store.put(thing("__proto__", "1"));
  store.remove("a");
  expect(seen).toEqual([true, true, true]);
});

test("a version that this process has overwritten is ignored when the watch brings it", () => {
  const changes: (string | undefined)[] = [];
  const store = new Store<Versioned>(({ item }) => changes.push(item?.resourceVersion));
  store.put({ key: "a", resourceVersion: "1" });
  store.supersede("a", "2");
  store.put({ key: "a", resourceVersion: "3" });
  store.put({ key: "a", resourceVersion: "2" });
  store.put({ key: "a", resourceVersion: "3" });
  expect([changes, store.get("a")?.resourceVersion]).toEqual([["1", "3"], "3"]);
  store.put({ key: "a", resourceVersion: "2" }); // only once
  expect(store.get("a")?.resourceVersion).toBe("2");
  store.supersede("a", "4");
  store.keepOnly(new Set(["a"])); // a list is complete
  store.put({ key: "a", resourceVersion: "4" });
  expect(store.get("a")?.resourceVersion).toBe("4");
});
