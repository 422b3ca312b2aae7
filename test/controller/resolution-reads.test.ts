// What if a catalog cannot be read, and others can? Only its own content is late, and only its own Subscriptions hear of it.

import { afterEach, expect, test } from "vitest";
import { harbour, LAMP, ResolutionStory } from "./resolution-story.ts";

let story: ResolutionStory;

afterEach(() => story.stop());

const FOREVER = new Promise<void>(() => undefined);
const NEWER = [...LAMP, { package: "lamp", version: "1.2.0", replaces: "1.1.0", provides: ["Lamp"] }];

/** OLM reports that it connects to a catalog, or has failed to. */
function flip(name: string, time: number): void {
  const connectionState = { lastConnect: `2026-03-01T12:00:${10 + time}Z`, lastObservedState: "CONNECTING" };
  story.putSource(name, { sourceType: "grpc", address: `${name}:50051` }, { connectionState });
}

async function begun(): Promise<void> {
  story = harbour();
  story.subscribe("deck", "lamp");
  story.subscribe("quay", "oil");
  story.start();
  await story.settle();
}

test("a catalog that hangs holds up no other, however often OLM connects to it", async () => {
  await begun();
  story.onRead = (name) => (name === "quarry" ? FOREVER : undefined);
  story.serve("harbour", NEWER);
  for (let time = 0; time < 5; time++) {
    flip("quarry", time);
    await story.clock.pass(1000);
  }
  flip("harbour", 9);
  await story.clock.pass(2000);
  expect(story.advised("deck")).toEqual(["install lamp.v1.2.0"]);
});

test("many catalogs that hang hold up the others for seconds, also at the start", async () => {
  story = new ResolutionStory();
  const names = Array.from({ length: 8 }, (_, index) => `hole-${index}`);
  story.onRead = (name) => (names.includes(name) ? FOREVER : undefined);
  for (const name of [...names, "harbour"]) story.putSource(name);
  story.serve("harbour", LAMP);
  story.subscribe("deck", "lamp");
  story.start();
  await story.clock.pass(25_000);
  expect(story.advised("deck")).toEqual(["install lamp.v1.1.0", "install oil.v0.1.0"]);
});

test("a catalog that fails after a long time says why, although OLM has connected to it meanwhile", async () => {
  story = harbour();
  story.serve("quarry", "the connection timed out");
  story.onRead = (name) => (name === "quarry" ? new Promise((go) => void story.clock.after(90_000, go)) : undefined);
  story.subscribe("deck", "lamp");
  story.start();
  for (let time = 0; time < 30; time++) {
    flip("quarry", time);
    await story.clock.pass(5000);
  }
  expect(story.condition("deck", "CatalogsReady")).toBe("False NotRead: olm/quarry: the connection timed out");
  expect(story.metric('plimsoll_catalog_reads_total{result="failed"}')).toBe(1);
});
test("an engine that ends while it reads a catalog is no news of the catalog for any namespace", async () => {
  await begun();
  const writes = story.api.writes.length;
  let failures = 2;
  story.onRead = () => {
    if (failures-- > 0) throw new Error("out of memory");
  };
  flip("harbour", 0);
  await story.clock.pass(10_000);
  expect(story.enginesStarted).toBe(4);
  expect(story.api.writes.slice(writes)).toEqual([]);
  // It is read again as soon as an engine is there.
  story.serve("harbour", NEWER);
  failures = 1;
  flip("harbour", 1);
  await story.clock.pass(10_000);
  expect(story.advised("deck")).toEqual(["install lamp.v1.2.0"]);
});

test("a catalog that ends every engine is outdated in the end, and says so", async () => {
  await begun();
  story.onRead = () => {
    throw new Error("out of memory");
  };
  await story.clock.pass(1_200_000);
  expect(story.condition("deck", "CatalogsReady")).toBe(
    "False Outdated: olm/harbour: the engine ended: out of memory (its last known content is used)",
  );
});
