// What does the resolution controller say if it cannot read a kind, or API groups? What was read last counts; if nothing was, it advises
// nothing.

import { afterEach, describe, expect, test } from "vitest";
import { NetFailure } from "../../src/net/failure.ts";
import { COLLECTIONS, harbour, lampRequested, PATHS, type ResolutionStory } from "./resolution-story.ts";

let story: ResolutionStory;

afterEach(() => story.stop());

async function begun(): Promise<void> {
  story = await lampRequested();
}

const BOTH = ["install lamp.v1.1.0", "install oil.v0.1.0"];
const FORBIDDEN = new NetFailure("forbidden", "no", { status: 403 });
const ABSENT = new NetFailure("not-found", "the server does not serve it", { status: 404 });
const BUSY = new NetFailure("server", "busy", { status: 503 });

test("operators that can be read no longer are named, and what is known of them counts", async () => {
  await begun();
  story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
  await story.settle();
  story.api.unreadable.set(COLLECTIONS.operators, FORBIDDEN);
  story.api.breakWatches(true);
  await story.clock.pass(60_000);
  await story.settle();
  expect(story.condition("deck", "Degraded")).toBe(
    "True KindsNotRead: ClusterServiceVersion objects cannot be read: no",
  );
  expect(story.advised("deck")[0]).toMatch(/lamp\.v1/);
});
describe("a kind that cannot be read when a process starts", () => {
  test.each([
    ["forbidden: operators", COLLECTIONS.operators, FORBIDDEN, "ClusterServiceVersion"],
    ["absent: operators", COLLECTIONS.operators, ABSENT, "ClusterServiceVersion"],
    ["failing: operators", COLLECTIONS.operators, BUSY, "ClusterServiceVersion"],
    ["forbidden: groups", COLLECTIONS.groups, FORBIDDEN, "OperatorGroup"],
    ["forbidden: conditions of operators", COLLECTIONS.conditions, FORBIDDEN, "OperatorCondition"],
    ["forbidden: definitions", COLLECTIONS.definitions, FORBIDDEN, "CustomResourceDefinition"],
    ["forbidden: extensions", COLLECTIONS.extensions, FORBIDDEN, "ClusterExtension"],
  ])("%s: nothing is advised until it is read", async (_, collection, failure, kind) => {
    await begun();
    story.subscribe("quay", "oil");
    story.install("deck", { package: "oil", version: "0.1.0", provides: ["Oil"] });
    story.install("deck", { package: "lamp", version: "1.1.0", provides: ["Lamp"], requires: ["Oil"] });
    await story.settle();
    const [before, events] = [story.status("deck"), story.recorded.length];
    story.api.unreadable.set(collection, failure);
    await story.restart();
    await story.clock.pass(60_000);
    await story.settle();
    expect([...story.advised("deck"), ...story.advised("quay")]).toEqual([]);
    expect(story.status("deck")).toMatchObject({
      outcome: "Undecided",
      reason: `${kind} objects cannot be read: ${failure.message}`,
    });
    expect(story.condition("deck", "Degraded")).toContain(`${kind} objects cannot be read`);
    expect(await story.radius("[]")).toBeUndefined();
    story.api.unreadable.clear();
    await story.clock.pass(60_000);
    await story.settle();
    expect(story.advised("deck")).toEqual(["keep lamp.v1.1.0", "keep oil.v0.1.0"]);
    expect(story.status("deck").observedInputs).toBe(before.observedInputs);
    expect(story.recorded.slice(events)).toEqual([]);
  });

  test("is that of the catalogs, not found beside Subscriptions: nothing is said to be impossible", async () => {
    await begun();
    story.api.unreadable.set(COLLECTIONS.sources, ABSENT);
    await story.restart();
    await story.clock.pass(60_000);
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided", unsatisfied: [{ undecided: true }] });
    expect(story.condition("deck", "Degraded")).toBe(
      "True KindsNotRead: CatalogSource objects cannot be read: the server does not serve it",
    );
  });

  test("is one of another product: not served, it has no objects", async () => {
    await begun();
    for (const collection of [COLLECTIONS.conditions, COLLECTIONS.extensions])
      story.api.unreadable.set(collection, ABSENT);
    await story.restart();
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
    expect(story.condition("deck", "Degraded")).toMatch(/^False AllRead/);
  });

  test("is that of the ClusterExtensions: their Resolution stays as it is", async () => {
    await begun();
    story.api.put(`${COLLECTIONS.extensions}/lamp`, {
      apiVersion: "olm.operatorframework.io/v1",
      kind: "ClusterExtension",
      metadata: { name: "lamp" },
      spec: { namespace: "deck", source: { sourceType: "Catalog", catalog: { packageName: "lamp" } } },
    });
    await story.settle();
    const before = story.api.object(PATHS.resolution("plimsoll-system", "cluster"));
    expect(before).toBeDefined();
    story.api.unreadable.set(COLLECTIONS.extensions, FORBIDDEN);
    await story.restart();
    await story.clock.pass(60_000);
    await story.settle();
    expect(story.api.object(PATHS.resolution("plimsoll-system", "cluster"))).toEqual(before);
    story.api.unreadable.clear();
    await story.clock.pass(60_000);
    await story.settle();
    expect(story.api.object(PATHS.resolution("plimsoll-system", "cluster"))).toEqual(before);
  });
});

test("a cluster with OLM v1 only has no Subscriptions, and its ClusterExtensions are advised", async () => {
  story = harbour();
  const { subscriptions, operators, sources, groups, conditions } = COLLECTIONS;
  for (const collection of [subscriptions, operators, sources, groups, conditions])
    story.api.unreadable.set(collection, ABSENT);
  story.api.put(PATHS.resolution("deck"), {
    ...{ apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution", spec: { mode: "Advise" } },
    metadata: { name: "plimsoll", namespace: "deck", labels: { "app.kubernetes.io/managed-by": "plimsoll" } },
  });
  story.api.put(`${COLLECTIONS.extensions}/lamp`, {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterExtension",
    metadata: { name: "lamp" },
    spec: { namespace: "deck", source: { sourceType: "Catalog", catalog: { packageName: "lamp" } } },
  });
  story.start();
  await story.settle();
  expect(story.status("plimsoll-system", "cluster")).toMatchObject({ counts: { unsatisfied: 1 } });
  expect(story.condition("plimsoll-system", "Degraded", "cluster")).toMatch(/^False AllRead/);
  // Whether Subscriptions were there before, and will be again, is not known.
  expect(story.api.object(PATHS.resolution("deck"))).toBeDefined();
});

test("OLM v0 is uninstalled while the controller runs: the ClusterExtensions are still advised", async () => {
  await begun();
  const { subscriptions, operators, sources, groups, conditions } = COLLECTIONS;
  story.api.remove(PATHS.subscription("deck", "lamp"));
  await story.settle();
  for (const collection of [subscriptions, operators, sources, groups, conditions])
    story.api.unreadable.set(collection, ABSENT);
  story.api.breakWatches(true);
  await story.clock.pass(60_000);
  story.api.put(`${COLLECTIONS.extensions}/lamp`, {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterExtension",
    metadata: { name: "lamp" },
    spec: { namespace: "deck", source: { sourceType: "Catalog", catalog: { packageName: "lamp" } } },
  });
  await story.clock.pass(60_000);
  await story.settle();
  expect(story.status("plimsoll-system", "cluster")).toMatchObject({ counts: { unsatisfied: 1 } });
});

test("APIs whose server has not answered yet are named where they could matter", async () => {
  story = harbour();
  story.subscribe("deck", "lamp");
  story.silentGroups = ["story.example.com", "metrics.k8s.io"];
  story.start();
  await story.settle();
  expect(story.condition("deck", "Degraded")).toBe(
    "True KindsNotRead: APIs of the group story.example.com are not known: its server does not answer",
  );
  story.silentGroups = [];
  await story.clock.pass(60_000);
  await story.settle();
  expect(story.condition("deck", "Degraded")).toMatch(/^False AllRead/);
});
