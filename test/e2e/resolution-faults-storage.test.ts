// What if the API server ends in the middle of a list, etcd is full, another client writes to the same objects, or objects are garbage? What
// can be advised is advised, nothing is lost, and all ends as a fresh start would write it.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import type { StoryBundle } from "../controller/resolution-story.ts";
import { LAMP } from "../controller/resolution-story.ts";
import { isDone, isEvent, isLease, writeText } from "./controller/fault-audit.ts";
import { inNamespace } from "./controller/kinds.ts";
import { until } from "./controller/until.ts";
import { quotaFlag } from "./etcd.ts";
import { loadObjects } from "./load-objects.ts";
import { type SeenRequest, startProxy } from "./proxy.ts";
import { becomesIdle, resolutionBed, type Said, sameAsFreshStart, works } from "./resolution/bed.ts";
import { type Namespace, openNamespace } from "./resolution/namespace.ts";
import { COLLECTIONS, operator, subscription } from "./resolution/objects.ts";

const bed = resolutionBed(LAMP, { etcdFlags: [quotaFlag(16 * 1024 * 1024)] });
const [OLD, NEW, OIL] = LAMP as readonly [StoryBundle, StoryBundle, StoryBundle];
const INSTALL = ["install lamp.v1.1.0", "install oil.v0.1.0"];
const UPDATE = ["update lamp.v1.1.0", "install oil.v0.1.0"];
const KEEP = ["keep lamp.v1.1.0", "keep oil.v0.1.0"];

/** Namespaces in which the newest lamp is to be installed. */
async function requested(prefix: string, count: number): Promise<readonly Namespace[]> {
  const all: Namespace[] = [];
  for (let at = 0; at < count; at++) all.push(await openNamespace(bed, `${prefix}-${at}`));
  for (const one of all) await one.subscribe("lamp");
  return all;
}

test("the API server ends in the middle of the first list of operators, and etcd forgets the version of the list", async () => {
  const [deck] = (await requested("crash", 1)) as [Namespace];
  await works(bed, await bed.run("one"));
  await deck.install(NEW);
  await deck.install(OIL);
  await deck.reaches(KEEP);
  // Two pages, of which one is about operators that no Subscription asks for.
  const others = Array.from({ length: 600 }, (_, at) => ({ package: `other-${at}`, version: "1.0.0" }));
  await openNamespace(bed, "others");
  await loadObjects(
    bed.cluster.admin,
    others.map((one) => operator("others", one)),
  );
  await becomesIdle(bed);
  await bed.stopAll();
  const proxy = await startProxy({ server: bed.cluster.server });
  let pass: () => void = () => {};
  const held = new Promise<void>((done) => {
    pass = done;
  });
  const isList = ({ path }: SeenRequest): boolean => path === COLLECTIONS.operators;
  const isNextPage = (request: SeenRequest): boolean => isList(request) && request.query.has("continue");
  proxy.inject({ when: isNextPage, fault: { is: "held", until: held }, times: 1 });
  const from = bed.mark();
  const one = await bed.run("one", { server: proxy.server });
  await Promise.all([proxy.sees(isNextPage), one.says("leading")]);
  await bed.cluster.killApiServer();
  await bed.cluster.compact();
  const seen = proxy.seen.length;
  pass();
  await until("it tries again", () => proxy.seen.slice(seen).some(isList));
  await bed.cluster.startApiServer();
  await works(bed, one);
  await becomesIdle(bed);
  expect((await deck.reaches(KEEP)).outcome).toBe("Resolved");
  // It was known before that the operators are there: nothing else was advised in between.
  expect(bed.ownWrites(from).map(writeText)).toEqual([]);
  await sameAsFreshStart(bed);
  // What is installed here would meet requirements in the namespaces of other tests.
  for (const namespace of [deck.name, "others"])
    await bed.cluster.call("DELETE", inNamespace(COLLECTIONS.operators, namespace));
  await bed.stopAll();
  await proxy.stop();
});

/** How often another client writes. */
const FOREIGN_WRITES = 1000;

test("another client writes to Resolutions and their statuses a thousand times while operators are installed", async () => {
  const namespaces = await requested("storm", 5);
  await works(bed, await bed.running());
  for (const one of namespaces) await one.reaches(INSTALL);
  await becomesIdle(bed);
  const from = bed.mark();
  const foreign = async (worker: number): Promise<void> => {
    for (let at = worker; at < FOREIGN_WRITES; at += 4) {
      const path = namespaces[at % namespaces.length]?.path("resolutions", "plimsoll");
      const theirs = { message: `${at}`, lastTransitionTime: "2026-01-01T00:00:00Z" };
      const condition = { type: "Theirs", status: "True", reason: "Theirs", ...theirs };
      if (at % 3 === 0) await bed.cluster.tryCall("PATCH", `${path}/status`, { status: { summary: `theirs ${at}` } });
      else if (at % 3 === 1)
        await bed.cluster.tryCall("PATCH", `${path}/status`, { status: { conditions: [condition] } });
      else await bed.cluster.tryCall("PATCH", `${path}`, { metadata: { labels: { theirs: `${at}` } } });
    }
  };
  const installs = (async () => {
    for (const one of namespaces) {
      await one.install(OLD);
      await sleep(200);
    }
  })();
  await Promise.all([foreign(0), foreign(1), foreign(2), foreign(3), installs]);
  for (const one of namespaces) await one.reaches(UPDATE);
  await becomesIdle(bed);
  const writes = bed.audit.writes(from).filter(isDone);
  expect(writes.filter(({ user, verb }) => user === "admin" && verb === "patch").length).toBeGreaterThan(
    FOREIGN_WRITES,
  );
  // A foreign write costs at most one of ours.
  const ours = bed.ownWrites(from).filter((write) => !isEvent(write) && isDone(write));
  expect(ours.length).toBeLessThan(FOREIGN_WRITES);
  for (const one of namespaces)
    expect(await one.events(), one.name).toEqual(["lamp InstallAdvised", "lamp UpdateAdvised"]);
  await sameAsFreshStart(bed);
});

/** Objects that no schema of OLM would let through, by their names. */
const GARBAGE: Readonly<Record<string, (namespace: string, name: string) => JsonObject>> = {
  "text-for-a-spec": (namespace, name) => ({ ...subscription(namespace, name), spec: "lamp" }),
  "no-package": (namespace, name) => ({ ...subscription(namespace, name), spec: { channel: 7 } }),
  "list-for-a-spec": (namespace, name) => ({ ...operator(namespace, { package: name, version: "1.0.0" }), spec: [] }),
  "numbers-for-apis": (namespace, name) => ({
    ...operator(namespace, { package: name, version: "1.0.0" }),
    spec: { version: "1.0.0", customresourcedefinitions: { owned: [1, 2] } },
  }),
};

test("garbage costs its own part only, and is over when it is gone", async () => {
  const [deck, other] = (await requested("garbage", 2)) as [Namespace, Namespace];
  await other.install(OLD);
  const one = await bed.running();
  await works(bed, one);
  await deck.reaches(INSTALL);
  const made: string[] = [];
  for (const [name, make] of Object.entries(GARBAGE)) {
    const object = make(deck.name, name);
    await loadObjects(bed.cluster.admin, [object]);
    made.push(
      deck.path(object.kind === "Subscription" ? "subscriptions" : "operators", `${partOf(object, "metadata").name}`),
    );
    const { advised } = await deck.reaches(({ status }) => JSON.stringify(status.warnings).includes(name));
    expect(advised, name).toEqual(INSTALL);
    // Others get what they ask for meanwhile.
    await other.subscribe(`unknown-${made.length}`);
    const isAnswered = ({ status }: Said): boolean => partOf(status, "counts").unsatisfied === made.length;
    expect((await other.reaches(isAnswered)).advised, name).toEqual(UPDATE);
  }
  await sameAsFreshStart(bed);
  for (const path of made) await bed.cluster.call("DELETE", path);
  const names = Object.keys(GARBAGE);
  await deck.reaches(({ status }) => !names.some((name) => JSON.stringify(status).includes(name)));
  expect(one.log.filter(({ level }) => level === "error")).toEqual([]);
  await sameAsFreshStart(bed);
});

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const FULL = "database space exceeded";

/** Fills etcd; returns how many objects that took. */
async function fill(): Promise<number> {
  const data = { filler: "x".repeat(900_000) };
  for (let count = 0; ; count++) {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map-${count}` }, data };
    const { status, body } = await bed.cluster.tryCall("POST", CONFIG_MAPS, object);
    if (status === 201) continue;
    expect(body.message).toContain(FULL);
    return count;
  }
}

test("etcd is full when many statuses have to be written: it is said, and they are written when there is room", async () => {
  const namespaces = await requested("full", 20);
  const one = await bed.running();
  await works(bed, one);
  for (const namespace of namespaces) await namespace.reaches(INSTALL);
  await becomesIdle(bed);
  one.freeze();
  for (const namespace of namespaces) await namespace.install(OLD);
  const count = await fill();
  const from = bed.mark();
  one.resume();
  await one.says(({ message, why }) => message === "failed to write" && `${why}`.includes(FULL));
  await one.says(({ message, why }) => message === "cannot read or renew the Lease" && `${why}`.includes(FULL));
  expect((await one.ask("health", "/livez")).status).toBe(200);
  const refused = bed.ownWrites(from).filter((write) => !isLease(write));
  expect(refused.filter(isDone).map(writeText)).toEqual([]);

  await bed.cluster.makeRoom();
  for (let at = 0; at < count; at++) await bed.cluster.call("DELETE", `${CONFIG_MAPS}/map-${at}`);
  await bed.cluster.makeRoom();
  for (const namespace of namespaces) await namespace.reaches(UPDATE);
  await sameAsFreshStart(bed);
});
