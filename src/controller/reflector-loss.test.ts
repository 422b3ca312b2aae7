// When does a collection count as lost, and when no longer?

import { expect, test } from "vitest";
import {
  FakeServer,
  failing,
  type List,
  listing,
  names,
  scene,
  thing,
} from "../../test/controller/followed-collection.ts";
import { NetFailure } from "../net/failure.ts";
import { sleep } from "./clock.ts";

test("forbidden, and then allowed", async () => {
  const server = new FakeServer(failing("forbidden"), failing("forbidden"), listing([thing("a", "1")], "5"));
  const { clock, store, states, stop } = await scene(server);
  expect(states).toEqual(["listing", "it is forbidden"]);
  await clock.pass(1500);
  expect(states).toEqual(["listing", "it is forbidden", "synced"]);
  // The same for a watch: the store stays as it is.
  server.refusal = new NetFailure("forbidden", "not any more");
  server.open.end();
  await clock.pass(600_000);
  expect(states.slice(-2)).toEqual(["not any more, was synced", "not any more, was synced, lost"]);
  expect(names(store)).toEqual(["a=1"]);
  const { length } = server.asked;
  server.refusal = undefined;
  await clock.pass(15_000);
  expect(server.asked.slice(length)).toEqual(["5"]);
  expect(states.at(-1)).toBe("synced");
  await stop();
});

test("an API server that has just started forbids everything: a refusal is what has lasted for five seconds", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"));
  const { clock, states, stop } = await scene(server);
  const forbidden = new NetFailure("forbidden", "not yet");
  states.length = 0;
  for (const [until, seen] of [
    [4999, ["not yet, was synced", "synced"]],
    [5000, ["not yet, was synced", "not yet, was synced, lost", "synced"]],
  ] as const) {
    server.refusal = forbidden;
    server.open.end();
    await clock.pass(until);
    server.refusal = undefined;
    await clock.pass(15_000);
    expect(states.splice(0)).toEqual(seen);
  }
  // The time counts anew after anything else.
  server.refusal = forbidden;
  server.open.end();
  await clock.pass(4000);
  server.refusal = new NetFailure("unreachable", "away");
  await clock.pass(4000);
  server.refusal = forbidden;
  await clock.pass(4000);
  expect(states.filter((state) => state.includes("lost"))).toEqual([]);
  await clock.pass(10_000);
  expect(states.at(-1)).toBe("not yet, was synced, lost");
  await stop();
});

test("a list that is wanted and forbidden is waited for until the refusal lasts", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"), failing("forbidden"));
  const { clock, reflector, stop } = await scene(server);
  let isRefreshed = false;
  void reflector.refresh().then(() => (isRefreshed = true));
  await clock.pass(4999);
  expect(isRefreshed).toBe(false);
  await clock.pass(1);
  expect(isRefreshed).toBe(true);
  await stop();
});

test("a list that is wanted and fails is waited for as long as the options say; the next list ends the loss", async () => {
  const server = new FakeServer(listing([], "5"), failing("server"));
  const { clock, reflector, states, stop } = await scene(server, undefined, { lostAfter: 30_000 });
  let isRefreshed = false;
  void reflector.refresh().then(() => (isRefreshed = true));
  await clock.pass(29_999);
  expect([isRefreshed, states.at(-1)]).toEqual([false, "it is server, was synced"]);
  await clock.pass(1);
  expect([isRefreshed, states.at(-1)]).toEqual([true, "it is server, was synced, lost"]);
  // Nobody waits any more, but it is tried again.
  await clock.pass(60_000);
  server.refusal = new NetFailure("server", "no watch");
  server.lists[0] = listing([], "6");
  const { length } = states;
  await clock.pass(15_000);
  expect(states.slice(length, length + 2)).toEqual(["synced", "no watch, was synced"]);
  await stop();
});

test("a later list that fails is not lost if it was not requested", async () => {
  const server = new FakeServer(listing([], "5"), failing("unauthorized"));
  const { clock, states, stop } = await scene(server, undefined, { lostAfter: 30_000 });
  server.refusal = new NetFailure("expired", "410");
  server.open.end();
  await clock.pass(600_000);
  expect(states.slice(1)).toEqual(["synced", "it is unauthorized, was synced"]);
  await stop();
});

test("the first list is waited for, too; without a limit, for ever", async () => {
  for (const [options, last] of [
    [{ lostAfter: 30_000 }, "it is unauthorized, lost"],
    [{}, "it is unauthorized"],
  ] as const) {
    const { clock, states, stop } = await scene(new FakeServer(failing("unauthorized")), undefined, options);
    await clock.pass(600_000);
    expect(states.at(-1)).toBe(last);
    await stop();
  }
});

test("the time of a list that hangs counts", async () => {
  const hanging: List = async ({ signal }) => {
    await sleep(clock, 60_000, signal as AbortSignal);
    throw new NetFailure("timeout", "it is timeout");
  };
  const server = new FakeServer(listing([], "5"), hanging);
  const { clock, reflector, states, stop } = await scene(server, undefined, { lostAfter: 30_000 });
  let isRefreshed = false;
  void reflector.refresh().then(() => (isRefreshed = true));
  await clock.pass(60_000);
  expect([isRefreshed, states.at(-1)]).toEqual([true, "it is timeout, was synced, lost"]);
  // Still lost while it goes on failing, although there is no request any more.
  await clock.pass(200_000);
  expect(states.at(-1)).toBe("it is timeout, was synced, lost");
  await stop();
});

test("an API that is removed and installed again: its objects are those of the new list", async () => {
  const server = new FakeServer(listing([thing("a", "1")], "5"), failing("not-found"));
  const { clock, store, states, stop } = await scene(server);
  server.refusal = new NetFailure("not-found", "it is not-found");
  server.open.end();
  await clock.pass(60_000);
  expect(states).toEqual(["listing", "synced", "it is not-found, was synced, lost"]);
  expect(names(store)).toEqual(["a=1"]);
  server.refusal = undefined;
  server.lists.splice(0, 1, listing([thing("b", "100")], "101"));
  await clock.pass(15_000);
  expect(states.at(-1)).toBe("synced");
  expect(names(store)).toEqual(["b=100"]);
  expect(server.asked.slice(-2)).toEqual(["list", "101"]);
  await stop();
});
