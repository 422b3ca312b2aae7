// What does the resolution controller say of catalogs, constraints and engines that fail? Each costs its own part only.

import { afterEach, describe, expect, test } from "vitest";
import { NetFailure } from "../../src/net/failure.ts";
import { COLLECTIONS, harbour, LAMP, PATHS, type ResolutionStory } from "./resolution-story.ts";

let story: ResolutionStory;

afterEach(() => story.stop());

async function begun(): Promise<ResolutionStory> {
  story = harbour();
  story.subscribe("deck", "lamp");
  story.start();
  await story.settle();
  return story;
}

const BOTH = ["install lamp.v1.1.0", "install oil.v0.1.0"];
const PERIOD = 400_000;

describe("a catalog", () => {
  test("with new content is read again when its CatalogSource says so, and after some time", async () => {
    await begun();
    story.serve("harbour", [...LAMP, { package: "lamp", version: "1.2.0", replaces: "1.1.0", provides: ["Lamp"] }]);
    story.putSource(
      "harbour",
      { sourceType: "grpc", address: "harbour:50051" },
      { connectionState: { lastConnect: "2026-03-01T12:01:00Z", lastObservedState: "READY" } },
    );
    await story.settle();
    expect(story.advised("deck")).toEqual(["install lamp.v1.2.0"]);
    story.serve("harbour", LAMP);
    await story.clock.pass(PERIOD);
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
  });

  test("with the same content changes nothing", async () => {
    await begun();
    const [reads, writes] = [story.reads, story.api.writes.length];
    await story.clock.pass(3 * PERIOD);
    expect(story.reads).toBeGreaterThan(reads + 1);
    expect(story.api.writes.length).toBe(writes);
    expect(story.resolves).toBe(1);
  });

  test.each([
    ["does not answer", "the connection timed out"],
    ["is empty", []],
  ])("that %s keeps its last content", async (_, served) => {
    await begun();
    story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
    story.serve("harbour", served);
    await story.clock.pass(PERIOD);
    await story.settle();
    expect(story.advised("deck")).toEqual(["update lamp.v1.1.0", "install oil.v0.1.0"]);
    expect(story.condition("deck", "CatalogsReady")).toMatch(
      /^False Outdated: olm\/harbour: .* \(its last content counts\)$/,
    );
    story.serve("harbour", LAMP);
    await story.clock.pass(PERIOD);
    await story.settle();
    expect(story.condition("deck", "CatalogsReady")).toBe("True Ready: 1 catalog read.");
  });

  test("that fails in another way each time is no news each time", async () => {
    await begun();
    story.serve("harbour", "it ends the connection");
    await story.clock.pass(PERIOD);
    await story.settle();
    const [reads, writes, resolves] = [story.reads, story.api.writes.length, story.resolves];
    for (const why of ["it answers nothing", "it ends the connection", "it answers nothing"]) {
      story.serve("harbour", why);
      await story.clock.pass(100_000);
    }
    expect(story.reads).toBeGreaterThan(reads + 3);
    expect([story.api.writes.length, story.resolves]).toEqual([writes, resolves]);
    // It is not outdated for ever, either.
    await story.clock.pass(700_000);
    await story.settle();
    expect(story.condition("deck", "CatalogsReady")).toContain("it answers nothing");
  });

  test("that was never read leaves its Subscriptions undecided, and what runs runs", async () => {
    story = harbour();
    story.serve("harbour", "it does not answer");
    story.subscribe("deck", "lamp");
    story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
    story.start();
    await story.clock.pass(30_000);
    await story.settle();
    expect(story.advised("deck")).toEqual(["keep lamp.v1.0.0"]);
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
    expect(story.condition("deck", "CatalogsReady")).toBe("False NotRead: olm/harbour: it does not answer");
  });

  test("is not taken for another one: two that swap their addresses swap their content", async () => {
    story = harbour([{ package: "lamp", version: "1.0.0" }]);
    story.serve("quarry", [{ package: "stone", version: "1.0.0" }]);
    story.putSource("quarry");
    story.subscribe("deck", "lamp");
    story.start();
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Resolved" });
    // The new content of harbour cannot be read yet: the old one is that of another source.
    story.serve("harbour", "it does not answer");
    story.serve("quarry", [{ package: "lamp", version: "1.0.0" }]);
    story.putSource("harbour", { sourceType: "grpc", address: "quarry:50051" });
    story.putSource("quarry", { sourceType: "grpc", address: "harbour:50051" });
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
    story.serve("harbour", [{ package: "stone", version: "1.0.0" }]);
    await story.clock.pass(PERIOD);
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Unsatisfiable" });
    story.subscribe("deck", "lamp", { source: "quarry" });
    await story.settle();
    expect(story.advised("deck")).toEqual(["install lamp.v1.0.0"]);
  });

  test("whose CatalogSource changes in name only keeps its content, also while it cannot be read", async () => {
    await begun();
    story.serve("harbour", "it does not answer");
    story.putSource("harbour", { sourceType: "grpc", address: "harbour:50051", displayName: "The harbour" });
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
    expect(story.recorded.map(({ reason }) => reason)).toEqual(["InstallAdvised"]);
  });

  test("that is made and removed at once is not followed", async () => {
    await begun();
    story.putSource("quarry");
    story.api.remove(PATHS.source("quarry"));
    await story.clock.pass(5000);
    const reads = story.reads;
    await story.clock.pass(200_000);
    expect(story.reads).toBe(reads);
  });

  test("that is removed is gone", async () => {
    await begun();
    story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
    story.api.remove(PATHS.source("harbour"));
    await story.settle();
    expect(story.advised("deck")).toEqual(["keep lamp.v1.0.0"]);
    expect(story.condition("deck", "CatalogsReady")).toBe("True None: The cluster has no catalogs for it.");
  });
});

describe("runtime constraints", () => {
  const REQUIRES = (rule: string): string =>
    JSON.stringify([
      { type: "olm.constraint", value: { evaluator: { id: "cel" }, source: rule, action: { id: "require" } } },
    ]);

  test("are obeyed from the moment they are there until they are deleted", async () => {
    await begun();
    story.putConstraints(REQUIRES("properties.exists(p, p.type == 'certified')"));
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Unsatisfiable" });
    expect(story.condition("deck", "ConstraintsValid")).toBe("True Valid: 1 runtime constraint.");
    story.api.remove(PATHS.constraints);
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
  });

  test("that are invalid fail closed, and say where; repaired, all is as before", async () => {
    await begun();
    story.putConstraints(
      `[\n  {"type": "olm.constraint", "value": {"cel": {"rule": "properties.exists(p, p.type == )"}}}\n]`,
    );
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
    expect(story.advised("deck")).toEqual([]);
    expect(story.condition("deck", "ConstraintsValid")).toMatch(
      /^False Invalid: Nothing is newly installed or updated until this is repaired: ConfigMap olm\/olm-runtime-constraints:data\.properties:2:\d+: /,
    );
    expect(story.status("deck").reason).toMatch(/^the runtime constraints cannot be read: ConfigMap olm\/olm-runtime/);
    story.putConstraints("[]");
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
  });

  test("that flip every second end with what holds in the end", async () => {
    await begun();
    for (let second = 0; second < 20; second++) {
      story.putConstraints(second % 2 === 0 ? "[" : "[]");
      await story.clock.pass(1000);
    }
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
    expect(story.resolves).toBeLessThanOrEqual(22);
  });

  test("that are only proposed: what they would do is known in advance, and nothing is done", async () => {
    await begun();
    const resolves = story.resolves;
    expect(await story.radius(REQUIRES("properties.exists(p, p.type == 'certified')"))).toBe(
      "hides 3 of 3 bundles, 2 packages entirely, refuses 1 Subscription (deck/lamp), changes 1 other package (deck/oil)",
    );
    expect(await story.radius("[]")).toBe("hides no bundle and changes no answer");
    expect(story.advised("deck")).toEqual(BOTH);
    expect(story.resolves).toBe(resolves);
  });

  test("that must not be read fail closed", async () => {
    story = harbour();
    story.subscribe("deck", "lamp");
    story.api.unreadable.set(COLLECTIONS.configMaps, new NetFailure("forbidden", "no", { status: 403 }));
    story.start();
    await story.clock.pass(60_000);
    await story.settle();
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
    expect(story.condition("deck", "ConstraintsValid")).toMatch(/^False Invalid: /);
    expect(story.condition("deck", "Degraded")).toBe("True KindsNotRead: ConfigMap objects cannot be read: no");
  });
});

test("operators that can be read no longer are named, and what is known of them counts", async () => {
  await begun();
  story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
  await story.settle();
  story.api.unreadable.set(COLLECTIONS.operators, new NetFailure("forbidden", "no", { status: 403 }));
  story.api.breakWatches(true);
  await story.clock.pass(60_000);
  await story.settle();
  expect(story.condition("deck", "Degraded")).toBe(
    "True KindsNotRead: ClusterServiceVersion objects cannot be read: no",
  );
  expect(story.advised("deck")[0]).toMatch(/lamp\.v1/);
});

describe("an engine", () => {
  test("that ends is replaced; its namespace is undecided and is tried again, the others are answered", async () => {
    story = harbour();
    story.subscribe("deck", "lamp");
    story.subscribe("quay", "oil");
    let failures = 0;
    story.onAdvise = (namespace) => {
      if (namespace === "deck" && failures++ < 1) throw new Error("out of memory");
    };
    story.start();
    await story.clock.pass(10_000);
    expect(story.advised("quay")).toEqual(["install oil.v0.1.0"]);
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
    expect(story.condition("deck", "Degraded")).toBe("True NoAnswer: Plimsoll has no answer: out of memory");
    expect(story.enginesStarted).toBe(3);
    await story.clock.pass(90_000);
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
    expect(story.condition("deck", "Degraded")).toMatch(/^False AllRead/);
    expect(story.metric("plimsoll_engine_restarts_total")).toBe(1);
  });

  test("that ends says nothing of constraints and catalogs, and its namespace counts as undecided", async () => {
    story = harbour();
    story.subscribe("deck", "lamp");
    story.putConstraints("[");
    story.onAdvise = () => {
      throw new Error("out of memory");
    };
    story.start();
    await story.clock.pass(10_000);
    const unknown = "Unknown NoAnswer: It is not known, because no answer was computed.";
    expect(story.condition("deck", "ConstraintsValid")).toBe(unknown);
    expect(story.condition("deck", "CatalogsReady")).toBe(unknown);
    expect(story.metric('plimsoll_resolutions{outcome="Undecided"}')).toBe(1);
  });
});

test("an answer that was cut off is asked for again later, although nothing has changed", async () => {
  story = harbour();
  story.limit = -1;
  story.subscribe("deck", "lamp");
  story.start();
  await story.settle();
  expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
  story.limit = 10_000;
  await story.clock.pass(700_000);
  await story.settle();
  expect(story.advised("deck")).toEqual(BOTH);
});

/** Changes that every answer could depend on, and that of deck does not. */
async function changeElsewhere(): Promise<void> {
  for (let count = 0; count < 10; count++) {
    story.install("elsewhere", { package: "crane", version: `1.0.${count}`, provides: ["Crane"] });
    await story.clock.pass(3000);
  }
}

test("an answer that was cut off is not asked for again at changes that it does not depend on", async () => {
  story = harbour();
  story.limit = -1;
  story.subscribe("deck", "lamp");
  story.start();
  await story.settle();
  const before = story.resolves;
  await changeElsewhere();
  expect(story.resolves).toBe(before);
  await story.clock.pass(700_000);
  expect(story.resolves).toBe(before + 1);
});

test("an engine that fails is not asked again before its time, unless something of the namespace changes", async () => {
  story = harbour();
  story.subscribe("deck", "lamp");
  let asked = 0;
  story.onAdvise = (namespace) => {
    if (namespace !== "deck") return;
    asked++;
    throw new Error("out of memory");
  };
  story.start();
  await story.settle();
  expect(asked).toBe(1);
  await changeElsewhere();
  expect(asked).toBe(1);
  story.subscribe("deck", "oil");
  await story.settle();
  expect(asked).toBe(2);
  await story.clock.pass(90_000);
  expect(asked).toBe(3);
});

test.for([false, true])(
  "a failure of the engine does not repeat events (after a restart: %s)",
  async (isAfterRestart) => {
    await begun();
    if (isAfterRestart) {
      await story.restart();
      await story.settle();
    }
    let failures = 1;
    story.onAdvise = () => {
      if (failures-- > 0) throw new Error("out of memory");
    };
    story.subscribe("deck", "oil");
    await story.clock.pass(5000);
    expect(story.condition("deck", "Degraded")).toMatch(/^True NoAnswer/);
    await story.clock.pass(90_000);
    await story.settle();
    expect(story.recorded.map(({ reason, regarding }) => `${regarding.name} ${reason}`)).toEqual([
      "lamp InstallAdvised",
      "oil InstallAdvised",
    ]);
  },
);

/** A Subscription that is none. */
function breakRequest(namespace: string): void {
  story.api.put(PATHS.subscription(namespace, "broken"), {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name: "broken", namespace },
    spec: { name: 7 },
  });
}

test("a verdict whose write got no answer is reported once", async () => {
  await begun();
  let lost = 0;
  story.api.faultOf = ({ path }) =>
    path.endsWith("/status") && lost++ === 0 ? { lose: new NetFailure("timeout", "no answer") } : undefined;
  story.install("deck", { package: "oil", version: "0.1.0", provides: ["Oil"] });
  story.install("deck", { package: "lamp", version: "1.1.0", provides: ["Lamp"], requires: ["Oil"] });
  await story.settle();
  await story.clock.pass(60_000);
  expect(story.advised("deck")).toEqual(["keep lamp.v1.1.0", "keep oil.v0.1.0"]);
  expect(story.recorded.map(({ reason }) => reason)).toEqual(["InstallAdvised", "UpToDate"]);
});

test("a namespace with no request that can be read says what is wrong with constraints and catalogs, too", async () => {
  await begun();
  breakRequest("mole");
  await story.settle();
  expect(story.condition("mole", "ConstraintsValid")).toBe("True None: There are no runtime constraints.");
  expect(story.condition("mole", "CatalogsReady")).toBe("True Ready: 1 catalog read.");
  story.putConstraints("[");
  story.serve("harbour", "it does not answer");
  await story.clock.pass(PERIOD);
  await story.settle();
  expect(story.condition("mole", "ConstraintsValid")).toMatch(
    /^False Invalid: .* ConfigMap olm\/olm-runtime-constraints:/,
  );
  expect(story.condition("mole", "CatalogsReady")).toMatch(/^False Outdated: olm\/harbour: it does not answer/);
});

test("a namespace with no request that can be read is undecided, and says why", async () => {
  await begun();
  breakRequest("mole");
  await story.settle();
  expect(story.status("mole")).toMatchObject({ outcome: "Undecided", summary: "no request can be read" });
  const writes = story.api.writes.length;
  await story.clock.pass(600_000);
  expect(story.api.writes.length).toBe(writes);
});

test("APIs whose server has not answered yet are named", async () => {
  story = harbour();
  story.subscribe("deck", "lamp");
  story.silentGroups = ["metrics.k8s.io"];
  story.start();
  await story.settle();
  expect(story.condition("deck", "Degraded")).toBe(
    "True KindsNotRead: APIs of the group metrics.k8s.io are not known: its server does not answer",
  );
  story.silentGroups = [];
  await story.clock.pass(60_000);
  await story.settle();
  expect(story.condition("deck", "Degraded")).toMatch(/^False AllRead/);
});

test("a namespace that is deleted in between does not disturb the others", async () => {
  await begun();
  story.subscribe("quay", "oil");
  story.api.faultOf = ({ path }) =>
    path.includes("/quay/")
      ? { refuse: new NetFailure("forbidden", "the namespace is being terminated", { status: 403 }) }
      : undefined;
  await story.clock.pass(5000);
  story.api.remove(PATHS.subscription("quay", "oil"));
  story.api.faultOf = () => undefined;
  await story.settle();
  expect(story.api.object(PATHS.resolution("quay"))).toBeUndefined();
  expect(story.advised("deck")).toEqual(BOTH);
});

const FORBIDDEN = new NetFailure("forbidden", "no", { status: 403 });
const ABSENT = new NetFailure("not-found", "the server does not serve it", { status: 404 });
const BUSY = new NetFailure("server", "busy", { status: 503 });

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
