// Does a store follow its collection, whatever the server does?

import { expect, test } from "vitest";
import {
  FakeServer,
  failing,
  type List,
  listing,
  names,
  PATH,
  read,
  scene,
  type Thing,
  thing,
} from "../../test/controller/followed-collection.ts";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { api, json, kubeconfig, line, scripted, status, watching } from "../../test/kube/scripted-server.ts";
import { NetFailure } from "../net/failure.ts";
import { SYSTEM_CLOCK } from "./clock.ts";
import { Reflector, type ReflectorState } from "./reflector.ts";
import { Store } from "./store.ts";

test("a list, and then its changes", async () => {
  const server = new FakeServer(listing([thing("a", "1"), thing("b", "2")], "5"));
  const { store, states, changes, stop } = await scene(server);
  expect(states).toEqual(["listing", "synced"]);
  server.open.send("MODIFIED", thing("a", "6"));
  server.open.send("ADDED", thing("c", "7"));
  server.open.send("DELETED", thing("b", "8"));
  expect(names(store)).toEqual(["a=6", "c=7"]);
  expect(changes).toEqual(["a=1", "b=2", "a=6", "c=7", "b=removed"]);
  expect(server.asked).toEqual(["list", "5"]);
  await stop();
  expect(states).toEqual(["listing", "synced"]);
});

test("the first list is not complete before its last object", async () => {
  let complete = (): void => undefined;
  const server = new FakeServer(async (_, take) => {
    take(thing("a", "1"));
    await new Promise<void>((resolve) => {
      complete = resolve;
    });
    return { resourceVersion: "5" };
  });
  const { clock, store, states, stop } = await scene(server);
  expect({ states, names: names(store) }).toEqual({ states: ["listing"], names: ["a=1"] });
  complete();
  await clock.pass(0);
  expect(states).toEqual(["listing", "synced"]);
  await stop();
});

test("what is put meanwhile with the same version is silent", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"));
  const { store, changes, stop } = await scene(server);
  store.put(read(thing("a", "6")) as Thing);
  server.open.send("MODIFIED", thing("a", "6"));
  expect(changes).toEqual(["a=1", "a=6"]);
  await stop();
});

test("a watch that is ended goes on after the last change or bookmark, at once", async () => {
  const server = new FakeServer(listing([], "5"));
  const { clock, states, stop } = await scene(server);
  server.open.send("ADDED", thing("a", "6"));
  server.open.end();
  await clock.pass(0);
  server.open.send("DELETED", thing("a", "7"));
  server.open.send("BOOKMARK", thing("", "40"));
  server.open.end();
  await clock.pass(0);
  await clock.pass(2000);
  // Nothing has changed, but it was open for a while.
  server.open.send("BOOKMARK", JSON.stringify({ kind: "Thing", metadata: { resourceVersion: "50" } }));
  server.open.send("BOOKMARK", "{}");
  server.open.end();
  await clock.pass(0);
  expect(server.asked).toEqual(["list", "5", "6", "40", "50"]);
  expect(states).toEqual(["listing", "synced"]);
  await stop();
});

test("how long a watch lasts is random", async () => {
  for (const [random, seconds] of [
    [0, 300],
    [0.5, 450],
    [0.999_999, 600],
  ] as const) {
    const server = new FakeServer(listing([], "5"));
    const { stop } = await scene(server, () => random);
    expect(server.open.options.timeoutSeconds).toBe(seconds);
    await stop();
  }
});

test("a server that ends every watch at once is not asked all the time", async () => {
  const server = new FakeServer(listing([], "5"));
  server.endsAtOnce = true;
  const { clock, states, stop } = await scene(server);
  await clock.pass(60_000);
  // After 0.5, 1, 2, 4, 8, 15, 15 seconds.
  expect(server.asked).toEqual(["list", ...Array.from({ length: 8 }, () => "5")]);
  expect(states).toEqual(["listing", "synced"]);
  await stop();
});

const EXPIRED = new NetFailure("expired", "too old");

test("J8, J18, J21: history that is gone: the collection is listed again, and what is missing is removed", async () => {
  const server = new FakeServer(
    listing([thing("a", "1"), thing("b", "2"), thing("c", "3")], "5"),
    listing([thing("a", "1"), thing("c", "9"), thing("d", "10")], "20"),
  );
  const { clock, store, states, changes, stop } = await scene(server);
  changes.length = 0;
  await clock.pass(1000);
  server.open.fail(EXPIRED);
  await clock.pass(0);
  expect(server.asked).toEqual(["list", "5", "list", "20"]);
  expect(names(store)).toEqual(["a=1", "c=9", "d=10"]);
  expect(changes).toEqual(["c=9", "d=10", "b=removed"]);
  expect(states).toEqual(["listing", "synced"]);
  await stop();
});

test("history that is always gone: a list after each wait", async () => {
  const server = new FakeServer(listing([], "5"));
  server.refusal = EXPIRED;
  const { clock, stop } = await scene(server);
  expect(server.asked).toEqual(["list", "5"]);
  await clock.pass(1600);
  expect(server.asked).toEqual(["list", "5", "list", "5", "list", "5"]);
  await clock.pass(60_000);
  expect(server.asked.length).toBeLessThan(20);
  await stop();
});

test("history that is gone after an outage: a list soon, however long the server was away", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"), listing([thing("b", "8")], "9"));
  const { clock, store, stop } = await scene(server);
  server.refusal = new NetFailure("unreachable", "it is down");
  server.open.fail(server.refusal);
  await clock.pass(60_000);
  server.refusal = new NetFailure("throttled", "it is starting", { status: 429 });
  await clock.pass(1000);
  server.refusal = EXPIRED;
  await clock.pass(1500);
  server.refusal = undefined;
  await clock.pass(2000);
  expect(names(store)).toEqual(["b=8"]);
  await stop();
});

test("a first list that breaks off and begins again", async () => {
  const server = new FakeServer(async ({ onRestart }, take) => {
    take(thing("a", "1"));
    take(thing("b", "2"));
    onRestart?.();
    take(thing("b", "2"));
    return { resourceVersion: "5" };
  });
  const { store, changes, stop } = await scene(server);
  expect(names(store)).toEqual(["b=2"]);
  expect(changes).toEqual(["a=1", "b=2", "a=removed"]);
  await stop();
});

test("a list that fails keeps the objects of the beginning, and is tried again after a while", async () => {
  const breaks: List = async (_, take) => {
    take(thing("a", "1"));
    throw new NetFailure("unreachable", "it is down");
  };
  const server = new FakeServer(breaks, breaks, failing("server"), listing([thing("b", "2")], "5"));
  const { clock, store, states, stop } = await scene(server);
  expect({ states, names: names(store) }).toEqual({ states: ["listing", "it is down"], names: ["a=1"] });
  await clock.pass(499);
  expect(server.asked).toHaveLength(1);
  await clock.pass(1);
  expect(server.asked).toHaveLength(2);
  await clock.pass(3000);
  expect(states).toEqual(["listing", "it is down", "it is server", "synced"]);
  expect(names(store)).toEqual(["b=2"]);
  await stop();
});

test("a watch that breaks: again after a wait that grows, from the same version", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"));
  const { clock, store, states, stop } = await scene(server);
  server.open.send("MODIFIED", thing("a", "6"));
  server.refusal = new NetFailure("unreachable", "it is down");
  server.open.fail(server.refusal);
  await clock.pass(0);
  expect(server.asked).toEqual(["list", "5"]);
  await clock.pass(500 + 1000 + 2000);
  expect(server.asked).toEqual(["list", "5", "6", "6", "6"]);
  expect(states).toEqual(["listing", "synced", "it is down, was synced"]);
  server.refusal = undefined;
  await clock.pass(4000);
  expect(states.at(-1)).toBe("synced");
  server.open.send("ADDED", thing("b", "7"));
  // It has worked: the wait is the first one again.
  server.open.fail(new NetFailure("unreachable", "it was cut"));
  await clock.pass(500);
  expect(server.asked).toEqual(["list", "5", "6", "6", "6", "6", "7"]);
  expect(names(store)).toEqual(["a=6", "b=7"]);
  expect(states.slice(3)).toEqual(["synced", "it was cut, was synced", "synced"]);
  await stop();
});

test("a watch that is silent: the version may be ahead of a server that was restored from a backup, so it is listed again", async () => {
  const server = new FakeServer(listing([thing("a", "90")], "95"), listing([thing("a", "3")], "4"));
  const { clock, store, stop } = await scene(server);
  server.open.fail(new NetFailure("timeout", "it is silent"));
  await clock.pass(500);
  expect(server.asked).toEqual(["list", "95", "list", "4"]);
  expect(names(store)).toEqual(["a=3"]);
  await stop();
});

test("what an interrupted watch brings late is older than the list, and is not taken", async () => {
  const server = new FakeServer(
    listing([thing("a", "1")], "5"),
    failing("unreachable"),
    listing([thing("a", "9"), thing("b", "8")], "10"),
  );
  const { clock, store, reflector, stop } = await scene(server);
  const late = server.open;
  let isRefreshed = false;
  void reflector.refresh().then(() => (isRefreshed = true));
  await clock.pass(0);
  late.send("MODIFIED", thing("a", "6"));
  late.send("BOOKMARK", thing("", "7"));
  await clock.pass(500);
  late.send("DELETED", thing("b", "7"));
  expect(server.asked).toEqual(["list", "5", "list", "list", "10"]);
  expect({ isRefreshed, names: names(store) }).toEqual({ isRefreshed: true, names: ["a=9", "b=8"] });
  await stop();
});

test("what a watch brings after its end is older than what the next one brings, and is not taken", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"));
  const { clock, store, stop } = await scene(server);
  const late = server.open;
  late.fail(new NetFailure("unreachable", "the connection broke"));
  await clock.pass(1000);
  server.open.send("MODIFIED", thing("a", "6"));
  server.open.send("MODIFIED", thing("a", "7"));
  late.send("MODIFIED", thing("a", "6"));
  expect(server.asked).toEqual(["list", "5", "5"]);
  expect(names(store)).toEqual(["a=7"]);
  await stop();
});

test("a list that is wanted does not wait for the end of a backoff, nor for a version", async () => {
  const server = new FakeServer(failing("unreachable"), failing("unreachable"), listing([thing("a", "1")], ""));
  const { clock, store, reflector, stop } = await scene(server);
  await clock.pass(500);
  expect(server.asked).toEqual(["list", "list"]);
  let isRefreshed = false;
  void reflector.refresh().then(() => (isRefreshed = true));
  await clock.pass(0);
  expect({ isRefreshed, names: names(store) }).toEqual({ isRefreshed: true, names: ["a=1"] });
  await stop();
});

test("a watch that breaks as soon as it is open does not count as one that worked", async () => {
  const server = new FakeServer(listing([], "5"));
  const { clock, stop } = await scene(server);
  for (const wait of [500, 1000, 2000, 4000]) {
    server.open.fail(new NetFailure("unreachable", "it is down"));
    await clock.pass(wait - 1);
    const { length } = server.asked;
    await clock.pass(1);
    expect(server.asked).toHaveLength(length + 1);
  }
  await stop();
});

test("a server that says how long to wait", async () => {
  const server = new FakeServer(failing("throttled", "slow", 20_000), listing([], "5"));
  const { clock, stop } = await scene(server);
  await clock.pass(19_999);
  expect(server.asked).toEqual(["list"]);
  await clock.pass(1);
  expect(server.asked).toEqual(["list", "list", "5"]);
  await stop();
});

test.for(["server", "malformed"] as const)(
  "a watch that fails with %s: the collection is listed again",
  async (kind) => {
    // Such as after the data of the server was restored from a backup: the version is one of the future.
    const server = new FakeServer(listing([], "500"), listing([thing("a", "1")], "5"));
    const { clock, store, stop } = await scene(server);
    server.open.fail(new NetFailure(kind, "Too large resource version: 500, current: 5"));
    await clock.pass(500);
    expect(server.asked).toEqual(["list", "500", "list", "5"]);
    expect(names(store)).toEqual(["a=1"]);
    await stop();
  },
);

test("a collection that can be listed but not watched: the state does not change with each list", async () => {
  const server = new FakeServer(listing([], "5"));
  server.refusal = new NetFailure("server", "not allowed");
  const { clock, states, stop } = await scene(server);
  await clock.pass(60_000);
  expect(server.asked.filter((asked) => asked === "list").length).toBeGreaterThan(3);
  expect(states).toEqual(["listing", "synced", "not allowed, was synced"]);
  await stop();
});

test("a list without a version: it is listed again and again, and never watched", async () => {
  const server = new FakeServer(listing([thing("a", "1")], ""), listing([thing("b", "1")], ""));
  const { clock, store, states, stop } = await scene(server);
  const failure = `the list of ${PATH} has no resourceVersion to watch from, was synced`;
  expect({ states, names: names(store) }).toEqual({ states: ["listing", failure], names: ["a=1"] });
  await clock.pass(500);
  expect(names(store)).toEqual(["b=1"]);
  await clock.pass(60_000);
  expect(server.asked.every((asked) => asked === "list")).toBe(true);
  expect(states).toEqual(["listing", failure]);
  await stop();
});

test("J8, J18, J21: what cannot be read is skipped; the next list shows what it was about", async () => {
  const server = new FakeServer(
    async (_, take) => {
      for (const item of [thing("a", "1"), "garbage", "{}", thing("b", "2")]) take(item);
      return { resourceVersion: "5", overlong: 1 };
    },
    listing([thing("a", "7")], "8"),
  );
  const { clock, store, skipped, stop } = await scene(server);
  expect(names(store)).toEqual(["a=1", "b=2"]);
  expect(skipped).toEqual(["it has no name", "it has no name", "it is longer than an object may be"]);
  server.open.send("DELETED", "{}");
  server.open.send("MODIFIED", thing("a", "6"));
  expect(names(store)).toEqual(["a=6", "b=2"]);
  server.open.end();
  await clock.pass(0);
  expect(server.asked).toEqual(["list", "5", "list", "8"]);
  expect(names(store)).toEqual(["a=7"]);
  server.open.send("MODIFIED", thing("a", "9"));
  server.open.end();
  await clock.pass(0);
  expect(server.asked.at(-1)).toBe("9");
  await stop();
});

test("an object that a list does not have, and an own write has: a list soon", async () => {
  let isFirst = true;
  const store: { known?: Store<Thing> } = {};
  const server = new FakeServer(listing([thing("a", "1")], "5"), async () => {
    // The answer comes while the list is made, and then another client deletes the object.
    if (isFirst) store.known?.answer("a", read(thing("a", "6")) as Thing);
    isFirst = false;
    return { resourceVersion: "7" };
  });
  const { clock, store: known, reflector, stop } = await scene(server);
  store.known = known;
  void reflector.refresh();
  await clock.pass(1000);
  expect(names(known)).toEqual(["a=6"]);
  expect(server.open.options.timeoutSeconds).toBe(10);
  server.open.end();
  await clock.pass(1000);
  expect(names(known)).toEqual([]);
  expect(server.open.options.timeoutSeconds).toBeGreaterThanOrEqual(300);
  await stop();
});

test("an object without a version does not move the version to go on from", async () => {
  const server = new FakeServer(listing([], "5"));
  const { clock, store, stop } = await scene(server);
  server.open.send("ADDED", thing("a", ""));
  server.open.end();
  await clock.pass(0);
  expect(names(store)).toEqual(["a="]);
  expect(server.asked).toEqual(["list", "5", "5"]);
  await stop();
});

test("it ends when it is cancelled: before it begins, while it waits, and never with a failure", async () => {
  const server = new FakeServer(failing("server"));
  const { stop, clock } = await scene(server);
  await stop();
  expect(clock.waiting).toBe(0);
  const options = { path: PATH, server, store: new Store<Thing>(() => undefined), read, clock, random: () => 0 };
  const states: string[] = [];
  const { length } = server.asked;
  await new Reflector({ ...options, onState: ({ is }) => states.push(is) }).run(AbortSignal.abort());
  expect({ states, asked: server.asked.length }).toEqual({ states: ["listing"], asked: length });
});

test("a bug is not a failure of the server", async () => {
  const store = new Store<Thing>(() => {
    throw new TypeError("a bug");
  });
  const server = new FakeServer(listing([thing("a", "1")], "5"));
  const onState = (): void => undefined;
  const options = { path: PATH, server, store, read, onState, clock: new ManualClock(), random: () => 0 };
  await expect(new Reflector(options).run(new AbortController().signal)).rejects.toThrow("a bug");
});

test("with an API server: pages, a watch, a history that is gone, and other objects", async () => {
  const object = (name: string, resourceVersion: string): object => ({ metadata: { name, resourceVersion } });
  const page = (items: readonly object[], resourceVersion: string, next = ""): object => ({
    ...{ kind: "ThingList", apiVersion: "example.com/v1", items },
    metadata: { resourceVersion, continue: next },
  });
  const { url, requests } = await scripted([
    json(page([object("a", "1")], "5", "more")),
    json(page([object("b", "2")], "5")),
    watching([line("MODIFIED", object("a", "6")), line("BOOKMARK", object("", "9"))]),
    status(410, "too old resource version"),
    json(page([object("c", "12")], "12")),
    watching([], { isLeftOpen: true }),
  ]);
  const { server } = api(kubeconfig(url));
  const changes: string[] = [];
  const controller = new AbortController();
  const store = new Store<Thing>(({ key, item }) => {
    changes.push(`${key}=${item?.resourceVersion ?? "removed"}`);
    if (changes.length === 6) controller.abort();
  });
  const states: string[] = [];
  const onState = ({ is }: ReflectorState): void => void states.push(is);
  const options = { path: PATH, server, store, read, onState, clock: SYSTEM_CLOCK, random: () => 0 };
  await new Reflector(options).run(controller.signal);
  expect(changes).toEqual(["a=1", "b=2", "a=6", "c=12", "a=removed", "b=removed"]);
  expect(states).toEqual(["listing", "synced"]);
  const versions = requests.map(({ path }) => new URL(path, url).searchParams.get("resourceVersion"));
  expect(versions.slice(0, 5)).toEqual([null, null, "5", "9", null]);
});
