// What if the API server restarts, a controller dies, a definition is deleted, or somebody writes something unexpected? The advice ends as a
// fresh start would write it, with few writes, one leader, and no event twice.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import type { StoryBundle } from "../controller/resolution-story.ts";
import { LAMP } from "../controller/resolution-story.ts";
import { canRunControllers } from "./cluster.ts";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { isDone, isEvent } from "./controller/fault-audit.ts";
import { inNamespace } from "./controller/kinds.ts";
import { until } from "./controller/until.ts";
import { loadObjects } from "./load-objects.ts";
import { areOpenAgain, openWatches } from "./open-watches.ts";
import {
  allSaid,
  becomesIdle,
  type Replica,
  resolutionBed,
  resolutionOf,
  type Said,
  SHORT_LEASE,
  sameAsFreshStart,
  works,
} from "./resolution/bed.ts";
import { Namespace, openNamespace } from "./resolution/namespace.ts";
import { COLLECTIONS, CONSTRAINTS, constraintsMap, operatorGroup, subscription } from "./resolution/objects.ts";

const hasNamespaceController = canRunControllers();
const bed = resolutionBed(LAMP, {
  ...(hasNamespaceController && { controllers: ["namespace-controller"] }),
});
const [OLD, NEW, OIL] = LAMP as readonly [StoryBundle, StoryBundle, StoryBundle];

const UPDATE = ["update lamp.v1.1.0", "install oil.v0.1.0"];
const INSTALL = ["install lamp.v1.1.0", "install oil.v0.1.0"];

/** Namespaces that request the lamp. */
async function requested(prefix: string, count: number): Promise<readonly Namespace[]> {
  const all: Namespace[] = [];
  for (let at = 0; at < count; at++) all.push(await openNamespace(bed, `${prefix}-${at}`));
  await Promise.all(all.map((one) => one.subscribe("lamp")));
  return all;
}

async function allReach(namespaces: readonly Namespace[], expected: readonly string[]): Promise<void> {
  for (const one of namespaces) await one.reaches(expected);
}

/** No verdict was reported twice. */
async function haveOneEventEach(namespaces: readonly Namespace[], expected: readonly string[]): Promise<void> {
  for (const one of namespaces)
    await until(
      `the events of ${one.name} are there`,
      async () => (await one.events()).length >= expected.length || undefined,
    );
  await becomesIdle(bed);
  for (const one of namespaces) expect(await one.events(), one.name).toEqual(expected);
}

/** The replicas that have written something since then. */
function writersSince(from: number): ReadonlySet<string> {
  return new Set(bed.ownWrites(from).map(({ user }) => user));
}

describe("the API server", () => {
  test("restarts, and has forgotten its history", async () => {
    const [first, second] = await requested("forgets", 2);
    await works(bed, await bed.running());
    await first?.reaches(INSTALL);
    const watches = await until("each of OLM's kinds is watched once", async () => {
      const all = [...(await openWatches(bed.cluster.admin))];
      const ours = all.filter(([collection]) => /^(?:operators\.coreos\.com|plimsoll\.dev)\//.test(collection));
      return (ours.length > 0 && ours.every(([, count]) => count === 1) && new Map(ours)) || undefined;
    });
    expect([...watches.keys()]).toContain("operators.coreos.com/subscriptions");
    await bed.cluster.restartApiServer();
    await second?.install(OLD);
    await second?.reaches(UPDATE);
    await bed.cluster.forgetHistory();
    await first?.install(OLD);
    await first?.reaches(UPDATE);
    await areOpenAgain(bed.cluster.admin, watches);
    // What is not watched is asked again after some seconds.
    const isWell = ({ conditions }: Said): boolean =>
      /^False /.test(conditions.Degraded ?? "") && /^True Ready: /.test(conditions.CatalogsReady ?? "");
    for (const one of [first, second]) await one?.reaches(isWell);
    await sameAsFreshStart(bed);
  });
});

describe("a replica", () => {
  test("is killed while advice is being written", async () => {
    await bed.stopAll();
    const namespaces = await requested("killed", 60);
    const from = bed.mark();
    const one = await bed.run("one", { flags: SHORT_LEASE });
    await until("some advice is written", () => bed.ownWrites(from).length > 10 || undefined);
    await one.kill();
    // A Resolution, its status and an event for each.
    expect(bed.ownWrites(from).length).toBeLessThan(3 * namespaces.length);
    await bed.run("one");
    await allReach(namespaces, INSTALL);
    await sameAsFreshStart(bed);
    // An event that was not sent before the end is not sent again, and none is sent twice.
    for (const namespace of namespaces) expect((await namespace.events()).length).toBeLessThanOrEqual(1);
  });

  test.each([
    ["killed", (one: ControllerProcess) => void one.kill()],
    ["frozen", (one: ControllerProcess) => one.freeze()],
  ])("that leads is %s: the other one takes over, and none of them repeats the other", async (what, fault) => {
    const [before] = await requested(`${what}-before`, 1);
    await bed.stopAll();
    const one = await bed.run("one", { flags: SHORT_LEASE });
    await works(bed, one);
    await before?.reaches(INSTALL);
    const two = await bed.run("two", { flags: SHORT_LEASE });
    await two.says("synced");
    const namespaces = await requested(`${what}-leader`, 10);
    await allReach(namespaces, INSTALL);
    await haveOneEventEach(namespaces, ["lamp InstallAdvised"]);
    const from = bed.mark();
    fault(one);
    await two.says("leading");
    await works(bed, two);
    expect([...writersSince(from)]).toEqual([]);
    for (const namespace of namespaces) await namespace.install(OLD);
    await allReach(namespaces, UPDATE);
    one.resume();
    await haveOneEventEach(namespaces, ["lamp InstallAdvised", "lamp UpdateAdvised"]);
    const writers: readonly Replica[] = ["two"];
    expect([...writersSince(from)]).toEqual(writers);
    await sameAsFreshStart(bed);
  });
});

test.runIf(hasNamespaceController)("a namespace is deleted while it is advised", async () => {
  const [stays, goes] = (await requested("deleted", 2)) as [Namespace, Namespace];
  const one = await bed.running();
  await allReach([stays, goes], INSTALL);
  const path = `/api/v1/namespaces/${goes.name}`;
  await bed.cluster.call("DELETE", path);
  await goes.install(OLD).catch(() => undefined);
  await until(
    "the namespace is gone",
    async () => (await bed.cluster.tryCall("GET", path)).status === 404 || undefined,
  );
  await until("its Resolution is gone", async () => (await resolutionOf(bed, goes.name)) === undefined || undefined);
  await stays.install(OLD);
  await stays.reaches(UPDATE);
  expect(one.log.filter(({ level }) => level === "error")).toEqual([]);
  await sameAsFreshStart(bed);
});

test("1,000 Subscriptions are created at once: each is advised", async () => {
  const names = Array.from({ length: 50 }, (_, at) => `many-${at}`);
  const packages = Array.from({ length: 18 }, (_, at) => `unknown-${at}`);
  await works(bed, await bed.running());
  await loadObjects(bed.cluster.admin, names.map(operatorGroup));
  const requests = names.flatMap((name) => ["lamp", "oil", ...packages].map((one) => subscription(name, one)));
  const from = bed.mark();
  await loadObjects(bed.cluster.admin, requests);
  expect(requests).toHaveLength(1000);
  const isComplete = (status: { readonly counts?: unknown }): boolean =>
    JSON.stringify((status.counts as { readonly unsatisfied?: number } | undefined)?.unsatisfied) === "18";
  for (const name of names) {
    const namespace = new Namespace(name, bed);
    const { advised } = await namespace.reaches(({ status }) => isComplete(status), LOAD_MS);
    expect(advised).toEqual(INSTALL);
  }
  await becomesIdle(bed);
  // While Subscriptions come, a namespace is answered at most once in each of the controller's pauses, and not for each of them.
  const writes = bed.audit.writes(from).filter(isDone);
  for (const name of names) {
    const inIt = writes.filter(({ path }) => path.includes(`/namespaces/${name}/`));
    const created = inIt.filter(({ path, verb }) => verb === "create" && path.includes("/subscriptions"));
    const statuses = inIt.filter(({ path }) => path.includes("/resolutions/plimsoll/status"));
    const span = Math.max(...created.map((one) => one.answeredAt)) - Math.min(...created.map((one) => one.receivedAt));
    expect(created, name).toHaveLength(20);
    expect(statuses.length, `${name}: ${span} ms`).toBeLessThanOrEqual(3 + span / PAUSE_MS);
  }
  await sameAsFreshStart(bed);
  for (const name of names) await bed.cluster.call("DELETE", inNamespace(COLLECTIONS.subscriptions, name));
  await until("their Resolutions are gone", async () => {
    const all = Object.keys(await allSaid(bed));
    return !all.some((key) => key.startsWith("many-")) || undefined;
  });
});

const LOAD_MS = 120_000;
/** So long changes are collected before a namespace is looked at. */
const PAUSE_MS = 50;

test("an operator is edited by hand: its version, and what it provides", async () => {
  const [edited] = (await requested("edited", 1)) as [Namespace];
  await works(bed, await bed.running());
  await edited.install(NEW);
  await edited.install(OIL);
  const keep = ["keep lamp.v1.1.0", "keep oil.v0.1.0"];
  await edited.reaches(keep);
  const versionOf = ({ status }: Said): unknown =>
    (status.operators as readonly JsonObject[] | undefined)?.[1]?.version;
  await edited.edit("operators", "oil.v0.1.0", { spec: { version: "0.2.0" } });
  await edited.reaches((said) => versionOf(said) === "0.2.0");
  await edited.edit("operators", "oil.v0.1.0", { spec: { customresourcedefinitions: { owned: [] } } });
  await edited.reaches(({ status }) => JSON.stringify(status.warnings).includes("lamp 1.1.0 requires the API Oil"));
  await sameAsFreshStart(bed);
});

describe("runtime constraints", () => {
  const path = `/api/v1/namespaces/olm/configmaps/${CONSTRAINTS}`;
  const put = async (properties: string): Promise<void> => {
    const map = constraintsMap(properties);
    const { status } = await bed.cluster.tryCall("PATCH", path, { data: { properties } });
    if (status === 404) await loadObjects(bed.cluster.admin, [map]);
  };
  const INVALID = '[\n  {"type": "olm.constraint", "value": {"cel": {"rule": "properties.exists(p, p.type == )"}}}\n]';

  test("that are invalid say where, and nothing is advised; deleted, all is as before", async () => {
    const [deck] = (await requested("invalid", 1)) as [Namespace];
    await works(bed, await bed.running());
    await deck.reaches(INSTALL);
    await put(INVALID);
    const { advised, outcome } = await deck.reaches(({ conditions }) =>
      /^False Invalid: .*olm-runtime-constraints:data\.properties:2:\d+: /.test(conditions.ConstraintsValid ?? ""),
    );
    expect([advised, outcome]).toEqual([[], "Undecided"]);
    await sameAsFreshStart(bed);
    await bed.cluster.call("DELETE", path);
    const { conditions } = await deck.reaches(INSTALL);
    expect(conditions.ConstraintsValid).toBe("True None: There are no runtime constraints.");
    await sameAsFreshStart(bed);
  });

  test("that flip every second end with the last ones, after few writes", async () => {
    const [deck] = (await requested("flips", 1)) as [Namespace];
    await works(bed, await bed.running());
    await deck.reaches(INSTALL);
    await becomesIdle(bed);
    const from = bed.mark();
    for (let flip = 0; flip < FLIPS; flip++) {
      await put(flip % 2 === 0 ? INVALID : "[]");
      await sleep(1000);
    }
    await deck.reaches(({ conditions }) => conditions.ConstraintsValid?.startsWith("False"));
    await put("[]");
    await deck.reaches(INSTALL);
    await becomesIdle(bed);
    const ofDeck = bed
      .ownWrites(from)
      .filter((write) => write.path.includes("/flips-0/") && !isEvent(write) && isDone(write));
    expect(ofDeck.length).toBeLessThanOrEqual(FLIPS + 2);
    await bed.cluster.call("DELETE", path);
    await sameAsFreshStart(bed);
  });
  const FLIPS = 15;
});

test("the definition of Resolutions is deleted and created again: the advice comes back", async () => {
  const [deck] = (await requested("definition", 1)) as [Namespace];
  await works(bed, await bed.running());
  await deck.reaches(INSTALL);
  const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/resolutions.plimsoll.dev";
  await bed.cluster.call("DELETE", definition);
  await until("it is gone", async () => (await bed.cluster.tryCall("GET", definition)).status === 404 || undefined);
  await loadObjects(bed.cluster.admin, documentsOf("deploy/resolution/crd.yaml"));
  await deck.reaches(INSTALL, LOAD_MS);
  await deck.install(OLD);
  await deck.reaches(UPDATE);
  await sameAsFreshStart(bed);
});

test("a status that would be too large is cut, says so, and is stored", async () => {
  const large = await openNamespace(bed, "large");
  await works(bed, await bed.running());
  const names = Array.from({ length: 1100 }, (_, at) => `no-such-operator-${at}`.padEnd(100, "x"));
  await loadObjects(
    bed.cluster.admin,
    names.map((name) => subscription("large", name)),
  );
  const { status } = await large.reaches(
    ({ status: now }) => (now.counts as { readonly unsatisfied: number } | undefined)?.unsatisfied === names.length,
    LOAD_MS,
  );
  expect((status.cut as readonly string[])[0]).toMatch(
    /^requests that are not satisfied: only the first \d+ of 1100 are listed$/,
  );
  expect(Buffer.byteLength(JSON.stringify(await resolutionOf(bed, "large")))).toBeLessThan(1024 * 1024);
  await bed.cluster.call("DELETE", inNamespace(COLLECTIONS.subscriptions, "large"));
  await until("its Resolution is gone", async () => (await resolutionOf(bed, "large")) === undefined || undefined);
  await sameAsFreshStart(bed);
});
