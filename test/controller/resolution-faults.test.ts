// What does the resolution controller say of catalogs, constraints and objects that fail? Each costs its own part only.

import { afterEach, describe, expect, test } from "vitest";
import { NetFailure } from "../../src/net/failure.ts";
import { COLLECTIONS, harbour, LAMP, lampRequested, PATHS, type ResolutionStory } from "./resolution-story.ts";

let story: ResolutionStory;

afterEach(() => story.stop());

async function begun(): Promise<void> {
  story = await lampRequested();
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
      /^False Outdated: olm\/harbour: .* \(its last known content is used\)$/,
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
    expect(story.condition("deck", "CatalogsReady")).toBe("True None: No catalog is available to this namespace.");
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
    expect(story.condition("deck", "ConstraintsValid")).toBe(
      "True Valid: 1 runtime constraint in ConfigMap olm/olm-runtime-constraints.",
    );
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

  test("that are only proposed: what they would do is said on the terms of the Resolutions", async () => {
    await begun();
    story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
    story.subscribe("quay", "lamp");
    await story.settle();
    const proposed = REQUIRES("properties.exists(p, p.type == 'certified')");
    expect(await story.radius(proposed)).toContain("holds back 1 operator (deck/lamp), refuses 1 Subscription (quay/");
    story.api.patch(PATHS.resolution("quay"), { spec: { mode: "Off" } });
    story.api.patch(PATHS.resolution("deck"), { spec: { hold: ["lamp"] } });
    await story.settle();
    expect(story.advised("deck")).toEqual(["keep lamp.v1.0.0"]);
    expect(await story.radius(proposed)).toBe(
      "hides 3 of 3 bundles, 2 packages entirely, 1 installed operator breaks them (deck/lamp 1.0.0)",
    );
    story.api.patch(PATHS.resolution("deck"), { spec: { hold: null, approval: "Manual" } });
    await story.settle();
    expect(await story.radius("[]")).toBe("hides no bundle and changes no answer");
    expect(await story.radius(proposed)).not.toContain("quay");
  });

  test("that are only proposed: a bundle counts once, although two catalogs have it", async () => {
    await begun();
    story.serve("mirror", LAMP);
    story.putSource("mirror");
    await story.settle();
    expect(await story.radius(REQUIRES("properties.exists(p, p.type == 'certified')"))).toMatch(
      /^hides 3 of 3 bundles/,
    );
  });

  test("that are only proposed, in a list that is too long to be looked at in time", async () => {
    await begun();
    expect(await story.radius(`[]${" ".repeat(70_000)}`)).toBeUndefined();
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

test("an operator that cannot be read is named in its namespace, and elsewhere nothing is resolved for it", async () => {
  await begun();
  story.subscribe("quay", "oil");
  await story.settle();
  const before = story.status("deck");
  const [path, resolves] = [PATHS.operator("quay", "rubbish"), story.resolves];
  story.api.put(path, {
    ...{ apiVersion: "operators.coreos.com/v1alpha1", kind: "ClusterServiceVersion", spec: [] },
    metadata: { name: "rubbish", namespace: "quay" },
  });
  await story.settle();
  const warning = "cluster/quay/ClusterServiceVersion/rubbish:spec: spec must be an object, but is a list";
  expect(story.status("quay").warnings).toContainEqual({ code: "PL009", message: warning });
  expect(story.advised("quay")).toEqual(["install oil.v0.1.0"]);
  expect(story.status("deck")).toEqual(before);
  expect(story.resolves).toBe(resolves + 1);
  story.api.remove(path);
  await story.settle();
  expect(JSON.stringify(story.status("quay"))).not.toContain("rubbish");
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
