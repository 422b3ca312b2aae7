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
  const source = "list-or-watch";
  expect(changes).toEqual([
    { key: "a", item: first, before: undefined, source },
    { key: "a", item: second, before: first, source },
    { key: "a", item: undefined, before: second, source },
  ]);
});

test("a change says whether it was brought or is the answer to an own write", () => {
  const { store, changes } = storeWith();
  store.put(thing("a", "1"));
  store.answer("a", thing("a", "2"));
  store.answer("a", undefined);
  store.beginList();
  store.put(thing("b", "3"));
  store.keepOnly(new Set());
  expect(changes.map(({ key, item, source }) => [key, item?.resourceVersion, source])).toEqual([
    ["a", "1", "list-or-watch"],
    ["a", "2", "own-write"],
    ["a", undefined, "own-write"],
    ["b", "3", "list-or-watch"],
    ["b", undefined, "list-or-watch"],
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

/** The versions that a store reported, after some steps. */
function reported(steps: (store: Store<Versioned>) => void): readonly (string | undefined)[] {
  const versions: (string | undefined)[] = [];
  steps(new Store<Versioned>(({ item }) => versions.push(item?.resourceVersion)));
  return versions;
}

test("what the watch brings later than the answer that replaced it is old", () => {
  const versions = reported((store) => {
    store.put(thing("a", "1"));
    store.answer("a", thing("a", "2"));
    store.answer("a", thing("a", "3"));
    for (const old of ["1", "2"]) store.put(thing("a", old));
    store.answer("a", thing("a", "4")); // another plan, before the watch has brought 3
    for (const old of ["3", "4"]) store.put(thing("a", old));
    store.put(thing("a", "5"));
    store.put(thing("a", "2")); // nothing is expected any more
  });
  expect(versions).toEqual(["1", "2", "3", "4", "5", "2"]);
});

test("an object that was deleted and created again is not deleted by the old event", () => {
  const versions = reported((store) => {
    store.put(thing("a", "1"));
    store.answer("a", undefined);
    store.answer("a", thing("a", "2"));
    store.put(thing("a", "1"));
    store.remove("a");
    store.put(thing("a", "2"));
    store.remove("a");
  });
  expect(versions).toEqual(["1", undefined, "2", undefined]);
});

test("a version that is not known is newer than all answers", () => {
  const versions = reported((store) => {
    store.answer("a", thing("a", "1"));
    store.put(thing("a", "other"));
    store.put(thing("a", "1"));
  });
  expect(versions).toEqual(["1", "other", "1"]);
});

test("a list that began before an answer removes nothing that was answered since", () => {
  const versions = reported((store) => {
    store.put(thing("a", "1"));
    store.beginList();
    store.answer("b", thing("b", "2"));
    store.keepOnly(new Set());
    store.beginList();
    store.keepOnly(new Set());
  });
  expect(versions).toEqual(["1", "2", undefined, undefined]);
});

test("a list that begins after an answer overrules it: the event of the answer never came", () => {
  const versions = reported((store) => {
    store.put(thing("a", "1"));
    store.answer("a", thing("a", "2"));
    store.put(thing("b", "1"));
    store.answer("b", undefined);
    store.beginList(); // of data that was restored from a backup
    store.put(thing("a", "1"));
    store.put(thing("b", "1"));
    store.keepOnly(new Set(["a", "b"]));
  });
  expect(versions).toEqual(["1", "2", "1", undefined, "1", "1"]);
});

test("an answered object that the list does not have is kept, and may be a ghost", () => {
  const { store } = storeWith(thing("a", "1"));
  store.beginList();
  expect(store.keepOnly(new Set())).toBe(false);
  store.beginList();
  store.answer("b", thing("b", "2"));
  expect(store.keepOnly(new Set())).toBe(true);
  expect(store.get("b")).toBeDefined();
  store.beginList();
  expect(store.keepOnly(new Set())).toBe(false);
  expect(store.get("b")).toBeUndefined();
});
