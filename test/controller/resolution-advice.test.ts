// Does every namespace get its advice, and only when something that it depends on has changed?

import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import type { StoryBundle } from "./resolution-story.ts";
import { COLLECTIONS, harbour, LAMP, lampRequested, PATHS, type ResolutionStory } from "./resolution-story.ts";

let story: ResolutionStory;

afterEach(() => story.stop());

async function begun(bundles?: readonly StoryBundle[]): Promise<ResolutionStory> {
  story = await lampRequested(bundles);
  return story;
}

test("a namespace with Subscriptions gets a Resolution with the answer", async () => {
  await begun();
  expect(story.api.object(PATHS.resolution("deck"))).toMatchObject({
    metadata: { labels: { "app.kubernetes.io/managed-by": "plimsoll" } },
    spec: { mode: "Advise" },
  });
  expect(story.advised("deck")).toEqual(["install lamp.v1.1.0", "install oil.v0.1.0"]);
  expect(story.status("deck")).toMatchObject({
    outcome: "Resolved",
    summary: "2 to install",
    observedGeneration: 1,
    counts: { operators: 2, updates: 2, heldBack: 0, unsatisfied: 0, pendingApproval: 0 },
    plan: { generations: 1 },
  });
  expect(story.condition("deck", "Resolved")).toBe("True Resolved: 2 to install.");
  expect(story.condition("deck", "UpToDate")).toBe("False ChangesAdvised: 2 changes advised.");
  expect(story.condition("deck", "CatalogsReady")).toBe("True Ready: 1 catalog read.");
  expect(story.condition("deck", "ConstraintsValid")).toBe("True None: There are no runtime constraints.");
});

test("nothing is written when nothing has changed, also after a restart", async () => {
  await begun();
  const writes = story.api.writes.length;
  await story.clock.pass(3_600_000);
  await story.restart();
  await story.settle();
  expect(story.api.writes.slice(writes)).toEqual([]);
});

test("a change that the answer does not depend on costs no resolving", async () => {
  await begun();
  story.subscribe("quay", "oil");
  await story.settle();
  const before = story.resolves;
  const writes = story.api.writes.length;
  // The status of a Subscription, and of an operator; other objects of other namespaces.
  story.api.patch(PATHS.subscription("deck", "lamp"), { status: { lastUpdated: "2026-03-01T12:00:00Z" } });
  story.install("elsewhere", { package: "crane", version: "1.0.0", provides: ["Crane"] });
  await story.settle();
  const afterInstall = story.resolves;
  story.api.patch(PATHS.operator("elsewhere", "crane.v1.0.0"), { status: { lastUpdateTime: "2026-03-01T12:00:00Z" } });
  story.putSource("harbour", { sourceType: "grpc", address: "harbour:50051" }, { message: "all is well" });
  await story.settle();
  // CRDs of kinds that are nobody's here: without an owner, with one elsewhere, changed, and gone.
  story.define("Hoist");
  await story.settle();
  story.install("elsewhere", { package: "hoist", version: "1.0.0", provides: ["Hoist"] });
  story.define("Winch");
  story.install("elsewhere", { package: "winch", version: "1.0.0", provides: ["Winch"] });
  await story.settle();
  story.define("Winch", ["v1beta1", "v1"]);
  await story.settle();
  story.api.remove(PATHS.definition("Hoist"));
  await story.settle();
  expect(story.resolves).toBe(afterInstall);
  expect(story.api.writes.slice(writes)).toEqual([]);
  // Those of a kind that could be installed do matter.
  story.define("Oil");
  await story.settle();
  expect(story.resolves).toBe(afterInstall + 2);
  // What is requested in one namespace is not resolved in another.
  story.subscribe("quay", "lamp");
  await story.settle();
  expect(story.resolves).toBe(afterInstall + 3);
  expect(before).toBe(2);
});

test("unknown CRDs of an operator are a warning in its own namespace only", async () => {
  const crane = { package: "crane", version: "1.0.0", provides: ["Crane"] };
  await begun([...LAMP, crane, { ...crane, version: "1.1.0", replaces: "1.0.0" }]);
  story.subscribe("quay", "crane");
  await story.settle();
  const before = story.resolves;
  const writes = story.api.writes.length;
  // The catalog has another version of it, and nothing says what its CRDs are.
  story.install("quay", crane);
  await story.settle();
  expect(story.status("quay")).toMatchObject({ warnings: [{ code: "crds-not-given" }] });
  expect(story.status("deck")).not.toHaveProperty("warnings");
  expect(story.api.writes.slice(writes).filter((write) => write.includes("deck"))).toEqual([]);
  expect(story.resolves).toBe(before + 1);
});

test("a namespace that is resolved from now on, or no longer, is another one for all others", async () => {
  await begun();
  const unreadable = (): unknown =>
    (story.status("deck").warnings as readonly { code: string }[] | undefined)?.map(({ code }) => code) ?? [];
  const request = PATHS.subscription("quay", "oil");
  story.subscribe("quay", "oil");
  const subscription = story.api.object(request) as JsonObject;
  story.api.remove(request);
  story.install("quay", { package: "crane", version: "1.0.0" });
  story.api.patch(PATHS.operator("quay", "crane.v1.0.0"), {
    metadata: { annotations: { "operatorframework.io/properties": "{" } },
  });
  await story.settle();
  expect(unreadable()).toEqual(["unreadable-properties"]);
  story.api.put(request, subscription);
  await story.settle();
  expect(unreadable()).toEqual([]);
  story.api.put(request, { ...subscription, spec: { name: 7 } });
  await story.settle();
  expect(unreadable()).toEqual(["unreadable-properties"]);
});

test("a registry that is connected again is read, and nothing is asked of an engine before its content is known", async () => {
  await begun();
  const connect = (lastConnect: string): void =>
    story.putSource("harbour", undefined, { connectionState: { lastObservedState: "READY", lastConnect } });
  connect("2026-03-01T12:00:00Z");
  await story.settle();
  const asked = (): number => story.resolves + story.metric('plimsoll_resolves_total{result="unchanged"}');
  const [reads, before] = [story.reads, asked()];
  connect("2026-03-01T12:10:00Z");
  await story.settle();
  expect([story.reads - reads, asked() - before]).toEqual([1, 0]);
  story.serve("harbour", [{ package: "lamp", version: "7.0.0" }]);
  connect("2026-03-01T12:20:00Z");
  await story.settle();
  expect([story.reads - reads, asked() - before]).toEqual([2, 1]);
  expect(story.advised("deck")).toEqual(["install lamp.v7.0.0"]);
});

test("what OLM installs is seen, and the verdicts change once each", async () => {
  await begun();
  const reasons = (): readonly string[] => story.recorded.map(({ reason, regarding }) => `${regarding.name} ${reason}`);
  expect(reasons()).toEqual(["lamp InstallAdvised"]);
  story.install("deck", { package: "oil", version: "0.1.0", provides: ["Oil"] });
  story.install("deck", { package: "lamp", version: "1.1.0", provides: ["Lamp"], requires: ["Oil"] });
  await story.settle();
  expect(story.advised("deck")).toEqual(["keep lamp.v1.1.0", "keep oil.v0.1.0"]);
  expect(story.condition("deck", "UpToDate")).toBe(
    "True UpToDate: Nothing better is possible with the catalogs that were read.",
  );
  await story.restart();
  await story.settle();
  expect(reasons()).toEqual(["lamp InstallAdvised", "lamp UpToDate"]);
});

test("a request that cannot be met says why, beside others that can", async () => {
  await begun([...LAMP, { package: "crane", version: "1.0.0", requires: ["Hook"] }]);
  story.subscribe("deck", "crane");
  await story.settle();
  const { unsatisfied, outcome, reason } = story.status("deck") as { unsatisfied: readonly object[] } & Record<
    string,
    string
  >;
  expect(outcome).toBe("Partial");
  expect(unsatisfied).toMatchObject([{ subscription: "deck/crane", package: "crane", undecided: false }]);
  expect(reason).toMatch(/^crane cannot be installed: .*Hook/);
  expect(story.advised("deck")).toContain("install lamp.v1.1.0");
  expect(story.recorded.at(-1)).toMatchObject({ type: "Warning", reason: "NotPossible" });
});

test("what is requested no longer leaves no Resolution of the controller behind", async () => {
  await begun();
  story.api.remove(PATHS.subscription("deck", "lamp"));
  await story.settle();
  expect(story.api.object(PATHS.resolution("deck"))).toBeUndefined();
});

test("a Resolution that a finalizer holds is deleted once", async () => {
  await begun();
  const path = PATHS.resolution("deck");
  story.api.patch(path, { metadata: { finalizers: ["example.com/backup"] } });
  await story.settle();
  const writes = story.api.writes.length;
  story.api.remove(PATHS.subscription("deck", "lamp"));
  await story.settle();
  // Every namespace is looked at again.
  story.putSource("quarry");
  await story.settle();
  expect(story.api.writes.slice(writes)).toEqual([`DELETE ${path}`]);
  story.subscribe("deck", "lamp");
  await story.settle();
  story.api.remove(path);
  await story.settle();
  expect(story.advised("deck")).toEqual(["install lamp.v1.1.0", "install oil.v0.1.0"]);
});

test("the Resolution of an administrator stays, and says that nothing is requested", async () => {
  await begun();
  story.api.patch(PATHS.resolution("deck"), { spec: { hold: ["crane"] } });
  story.api.remove(PATHS.subscription("deck", "lamp"));
  await story.settle();
  expect(story.status("deck")).toMatchObject({ outcome: "Resolved", summary: "nothing is requested" });
  expect(story.status("deck")).not.toHaveProperty("operators");
  story.subscribe("deck", "lamp");
  await story.settle();
  expect(story.recorded.map(({ reason }) => reason)).toEqual(["InstallAdvised", "InstallAdvised"]);
});

test("a Resolution that is deleted comes back, with a new status", async () => {
  await begun();
  story.api.remove(PATHS.resolution("deck"));
  await story.settle();
  expect(story.advised("deck")).toEqual(["install lamp.v1.1.0", "install oil.v0.1.0"]);
});

test("a status that another client has changed is corrected, without resolving again", async () => {
  await begun();
  const before = story.resolves;
  story.api.patch(PATHS.resolution("deck"), { status: { outcome: "Unsatisfiable", operators: [] } });
  await story.settle();
  expect(story.advised("deck")).toEqual(["install lamp.v1.1.0", "install oil.v0.1.0"]);
  expect(story.resolves).toBe(before);
});

test("the spec: Off, hold, Manual, all or nothing", async () => {
  await begun([...LAMP, { package: "crane", version: "1.0.0", requires: ["Hook"] }]);
  const say = async (spec: Record<string, unknown>): Promise<void> => {
    story.api.patch(PATHS.resolution("deck"), { spec: spec as never });
    await story.settle();
  };
  await say({ mode: "Off" });
  expect(story.status("deck")).toMatchObject({ summary: "not resolved: spec.mode is Off" });
  expect(story.status("deck")).not.toHaveProperty("operators");
  expect(story.condition("deck", "Resolved")).toBe("Unknown Off: spec.mode is Off.");
  expect(story.metric('plimsoll_resolutions{outcome="Off"}')).toBe(1);
  await say({ mode: "Advise", approval: "Manual" });
  expect(story.metric('plimsoll_resolutions{outcome="Off"}')).toBe(0);
  expect(story.advised("deck")).toEqual([]);
  expect(story.status("deck")).toMatchObject({ pendingApproval: [{ subscriptions: ["deck/lamp"] }] });
  expect(story.recorded.at(-1)).toMatchObject({ type: "Normal", reason: "ApprovalRequired" });
  await say({ approval: "FromSubscriptions" });
  story.install("deck", { package: "lamp", version: "1.0.0", provides: ["Lamp"] });
  await say({ hold: ["lamp"] });
  expect(story.advised("deck")).toEqual(["keep lamp.v1.0.0"]);
  // What holds it is no flag; the command that would help knows of it.
  const [held] = story.status("deck").heldBack as readonly Readonly<Record<string, readonly string[]>>[];
  expect(held?.why?.at(-1)).toMatch(/\(spec\.hold of the Resolution\)\.$/);
  expect(held?.whatWouldHelp?.slice(0, 2)).toEqual(["no longer hold lamp", "  resolve --hold lamp"]);
  await say({ hold: null });
  expect(story.advised("deck")).toEqual(["update lamp.v1.1.0", "install oil.v0.1.0"]);
  story.subscribe("deck", "crane");
  await say({ allOrNothing: true });
  expect(story.advised("deck")).toEqual(["keep lamp.v1.0.0"]);
});

test("an operator that begins to need something is another one than before", async () => {
  await begun();
  const crane = { package: "crane", version: "1.0.0" };
  story.install("quay", { package: "hook", version: "1.0.0", provides: ["Hook"] });
  story.install("deck", crane);
  await story.settle();
  const broken = (): unknown =>
    (story.status("deck").warnings as readonly { code: string }[] | undefined)?.map(({ code }) => code);
  expect(broken() ?? []).not.toContain("already-broken");
  // It is in no catalog: what it needs is known from the cluster alone.
  story.install("deck", { ...crane, requires: ["Hook"] });
  await story.settle();
  expect(broken() ?? []).not.toContain("already-broken");
  story.api.remove(PATHS.operator("quay", "hook.v1.0.0"));
  await story.settle();
  expect(broken()).toContain("already-broken");
});

test("ClusterExtensions have a Resolution in the namespace of the controller", async () => {
  await begun();
  expect(story.api.object(PATHS.resolution("plimsoll-system", "cluster"))).toBeUndefined();
  story.api.put("/apis/olm.operatorframework.io/v1/clustercatalogs/harbour", {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterCatalog",
    metadata: { name: "harbour" },
    spec: { source: { type: "Image", image: { ref: "example.com/harbour:1" } } },
  });
  story.api.put("/apis/olm.operatorframework.io/v1/clusterextensions/lamp", {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterExtension",
    metadata: { name: "lamp" },
    spec: { namespace: "deck", source: { sourceType: "Catalog", catalog: { packageName: "lamp" } } },
  });
  await story.settle();
  expect(story.status("plimsoll-system", "cluster")).toMatchObject({ summary: expect.stringContaining("to install") });
  story.api.remove("/apis/olm.operatorframework.io/v1/clusterextensions/lamp");
  await story.settle();
  expect(story.api.object(PATHS.resolution("plimsoll-system", "cluster"))).toBeUndefined();
});

test("without Subscriptions that can be read nothing is written or deleted", async () => {
  await begun();
  const writes = story.api.writes.length;
  story.api.unreadable.set(COLLECTIONS.subscriptions, new NetFailure("forbidden", "no", { status: 403 }));
  story.api.breakWatches(true);
  story.api.remove(PATHS.subscription("deck", "lamp"));
  await story.clock.pass(120_000);
  expect(story.api.writes.slice(writes)).toEqual([]);
  expect(story.reports.at(-1)?.failing).toMatchObject([{ kind: "Subscription", isLost: true }]);
  story.api.unreadable.clear();
  await story.clock.pass(120_000);
  expect(story.api.object(PATHS.resolution("deck"))).toBeUndefined();
});

test("what other runtime constraints would change is unknown until everything is read", async () => {
  story = harbour();
  story.subscribe("deck", "lamp");
  story.start();
  expect(await story.radius("[]")).toBeUndefined();
  await story.settle();
  expect(await story.radius("[]")).toBe("hides no bundle and changes no answer");
});
