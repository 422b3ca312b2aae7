// Which replica writes, and what if it dies, freezes or is cut off in the middle? At most one writes at a time, the other one finishes
// what was begun, and what is late changes nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import type { ControllerOptions, ControllerProcess } from "./controller/controller-process.ts";
import { type AuditedWrite, isDone, isEvent, isLease } from "./controller/fault-audit.ts";
import {
  becomesIdle,
  done,
  faultBed,
  LEASE_MS,
  leads,
  type Replica,
  sameAsFreshStart,
} from "./controller/fault-bed.ts";
import { changeFleet, type Fleet, fleetSettles, groupsOf, makeFleet } from "./controller/fault-fleet.ts";
import { startLine } from "./controller/fault-line.ts";
import { atChange, changesHub } from "./controller/fault-moment.ts";
import type { Scope } from "./controller/scope.ts";
import { claimed, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { type Fault, startProxy } from "./proxy.ts";

const faults = faultBed();
const { bed, run, changes, mark, audit } = faults;
const IS_LONG = process.env.PLIMSOLL_LONG === "1";
/** For a machine that does something else meanwhile. */
const SLACK_MS = 6000;
/** A lease that is long: a leader that is late can send all its requests, and there is time between its end and the next leader. */
const LATE_RENEW_MS = 5000;
const LATE_LEASE = ["--lease-duration", "12s", "--renew-deadline", `${LATE_RENEW_MS}ms`];
/** More than a replica with one Placement uses at the same time. */
const SPARE_CONNECTIONS = 8;

/** Starts a replica, and waits until it has read everything; it leads if no other one does. */
async function started(replica: Replica, options: Partial<ControllerOptions> = {}): Promise<ControllerProcess> {
  const controller = await run(replica, options);
  await controller.says("synced");
  return controller;
}

/** The changes of the Lease by a replica that were accepted, since the log had so many requests. */
function leaseWrites(replica: Replica, from: number): readonly AuditedWrite[] {
  return audit.writes(from).filter((write) => write.user === replica && isLease(write) && isDone(write));
}

/** When a replica has become the leader, since the log had so many requests; by the clock of the API server. */
function acquiredAt(replica: Replica, from: number): number {
  return leaseWrites(replica, from)[0]?.answeredAt ?? Number.NaN;
}

/** The changes that were carried out, without events. */
function carriedOut(from: number): readonly AuditedWrite[] {
  return done(changes(from)).filter((write) => !isEvent(write));
}

describe("two replicas", () => {
  test("one writes, and hands over when it is stopped, without waiting for the end of its Lease", async () => {
    const scope = await bed.scope("handover");
    const fleet = await makeFleet(scope, 4);
    const from = mark();
    const one = await started("one", { flags: LATE_LEASE });
    await leads(one);
    const two = await started("two", { flags: LATE_LEASE });
    await fleetSettles(scope, fleet, "before");
    expect(new Set(changes(from).map(({ user }) => user))).toEqual(new Set(["one"]));
    await leads(one);
    await leads(two, false);
    for (const { status } of [await one.ask("health", "/readyz"), await two.ask("health", "/readyz")])
      expect(status).toBe(200);

    const stopping = mark();
    expect(await one.stop()).toMatchObject({ code: 0 });
    await leads(two);
    const released = leaseWrites("one", stopping).at(-1) as AuditedWrite;
    expect(partOf(released.body, "spec").holderIdentity ?? "").toBe("");
    expect(acquiredAt("two", stopping)).toBeGreaterThan(released.receivedAt);
    expect(acquiredAt("two", stopping) - released.answeredAt).toBeLessThan(SLACK_MS);
    await changeFleet(scope, fleet);
    await fleetSettles(scope, fleet, "after");
    expect(new Set(carriedOut(stopping).map(({ user }) => user))).toEqual(new Set(["two"]));
    await sameAsFreshStart(faults);
  });

  test("a rolling restart while clusters come and go", async () => {
    const scope = await bed.scope("rolling");
    const all = names(60);
    await scope.clusters(all, { labels: { on: "yes" } });
    const placements = ["a", "b", "c"];
    for (const name of placements) await scope.placement(name, labelled({ on: "yes" }));
    let [old, other] = [await started("one"), await started("two")];
    await scope.allSettle({ a: { selected: 60 }, b: { selected: 60 }, c: { selected: 60 } });
    // Each cluster leaves once: whether one that stays is missing can be judged.
    const leaving = all.slice(23);
    const last = all.slice(20, 23);
    const from = mark();
    const load = (async () => {
      for (const name of leaving) {
        await scope.edit("cluster", name, { metadata: { labels: { on: "no" } } });
        await sleep(150);
      }
    })();
    for (const [at, replica] of (["three", "one", "two"] as const).entries()) {
      const next = await started(replica);
      expect(await old.stop()).toMatchObject({ code: 0 });
      const stopped = mark();
      await scope.edit("cluster", last[at] as string, { metadata: { labels: { on: "no" } } });
      await until("a replica that is left writes", () => carriedOut(stopped).length > 0 || undefined);
      [old, other] = [other, next];
    }
    await load;
    for (const name of placements) await scope.reaches(name, { selected: all.slice(0, 20) });
    await scope.mark();
    expect(new Set(carriedOut(from).map(({ user }) => user)).size).toBeGreaterThan(1);
    await sameAsFreshStart(faults);
  });
});

describe("the leader is killed between two writes of a plan", () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((count) => [
    { what: "before the API server sees the next one", count, isCarriedOut: false },
    { what: "before the answer to the next one", count, isCarriedOut: true },
  ]);
  const some = [all[0], all[5], all[8]] as typeof all;

  test("another one takes over in time, and finishes it", async () => {
    const scope = await bed.scope("killed");
    const clusters = names(320);
    const ofPart = (part: string) => clusters.filter((_, index) => PARTS[index % PARTS.length] === part);
    for (const part of PARTS) await scope.clusters(ofPart(part), { claims: { part } });
    await scope.placement("p", withCanary(canaryParts(0)));
    let leader = await started("one");
    let standby = await started("two");
    await scope.settles("p", { selected: 320 });
    let [replica, other]: [Replica, Replica] = ["one", "two"];
    for (const [at, { what, count, isCarriedOut }] of (IS_LONG ? all : some).entries()) {
      let killed: Promise<unknown> = Promise.resolve();
      let isKilled = false;
      const dying = leader;
      const kill = (): void => {
        isKilled = true;
        killed = dying.kill();
      };
      // If it were killed earlier, its connection would close, and the proxy would cancel the request.
      if (isCarriedOut) atChange(bed.proxy, count, () => {}, { is: "stalled", bytes: 0, onAnswer: kill });
      else atChange(bed.proxy, count, kill, { is: "silent" });
      const from = mark();
      // Half of the clusters change their group: every slice of both groups has to be written.
      const canary = canaryParts(at + 1);
      await scope.edit("placement", "p", { spec: withCanary(canary) });
      await until("the leader is killed", () => isKilled || undefined);
      await killed;
      await leads(standby);
      const lastRenewal = leaseWrites(replica, 0).at(-1)?.answeredAt ?? Number.NaN;
      expect(acquiredAt(other, from) - lastRenewal, what).toBeLessThan(LEASE_MS + SLACK_MS);
      await scope.reaches("p", { groups: groupsOf(clusters, new Set(canary.flatMap(ofPart))) });
      await scope.mark();
      const byUser = (user: Replica) => carriedOut(from).filter((write) => write.user === user).length;
      expect(byUser(replica), what).toBe(isCarriedOut ? count + 1 : count);
      expect(byUser(other), what).toBeGreaterThan(0);
      leader = standby;
      [replica, other] = [other, replica];
      standby = await started(other);
    }
    await sameAsFreshStart(faults);
  });
});

/** The clusters are divided into so many parts. */
const PARTS = Array.from({ length: 32 }, (_, part) => `${part}`);

/** Half of the parts: any two of these halves have a quarter of the parts in common, so that no PlacementDecision is of use as it is. */
function canaryParts(half: number): readonly string[] {
  return PARTS.filter((part) => {
    const ones = (Number(part) & (half + 1)).toString(2).replaceAll("0", "");
    return ones.length % 2 === 0;
  });
}

/** A Placement of all clusters, those of some parts in a group of their own. */
function withCanary(parts: readonly string[]): JsonObject {
  const claimSelector = { matchExpressions: [{ key: "part", operator: "In", values: parts }] };
  const canary = { groupName: "canary", groupClusterSelector: { claimSelector } };
  return { decisionStrategy: { groupStrategy: { decisionGroups: [canary] } } };
}

describe("the leader is late", () => {
  /** A fleet that the leader `one` has written, and the standby `two`. */
  async function prepared(
    name: string,
    server: string,
  ): Promise<readonly [Scope, Fleet, ControllerProcess, ControllerProcess]> {
    const scope = await bed.scope(name);
    // One Placement, so that its writes come one after the other, over one connection.
    const fleet = await makeFleet(scope, 1);
    const one = await started("one", { server, flags: LATE_LEASE });
    await leads(one);
    const two = await started("two", { server: bed.hub.server, flags: LATE_LEASE });
    await fleetSettles(scope, fleet, "before");
    await becomesIdle(faults);
    return [scope, fleet, one, two];
  }

  /** What `one` has changed after `two` became the leader. */
  function late(from: number) {
    const acquired = acquiredAt("two", from);
    expect(acquired).toBeGreaterThan(0);
    return changes(from).filter((write) => write.user === "one" && write.answeredAt > acquired);
  }

  /**
   * Placements that need all kinds of writes when they are edited: two PlacementDecisions are updated, one is deleted, and two are
   * created. An edit is seen as a whole; labels of many clusters may be seen in parts.
   */
  async function makeEdited(scope: Scope): Promise<void> {
    const parts = {
      ...{ returning: names(50), leaving: names(50, 51), staying: names(105, 101) },
      ...{ first: names(100, 301), second: names(50, 401) },
      ...{ some: [...names(10, 501), ...names(10, 601)], others: [...names(90, 511), ...names(40, 611)] },
    };
    for (const [part, clusters] of Object.entries(parts)) await scope.clusters(clusters, { claims: { part } });
    await scope.placement("shrinks", claimed("part", "returning", "leaving", "staying"));
    for (const name of ["grows", "returns"]) await scope.placement(name, claimed("part", "first"));
    await scope.placement("loses", claimed("part", "some", "others"));
  }

  test("it is frozen in the middle of several plans, another one leads and changes everything", async () => {
    const line = await startLine(bed.hub.server);
    const proxy = await startProxy({ server: line.server });
    const scope = await bed.scope("frozen");
    await makeEdited(scope);
    const one = await run("one", { server: proxy.server, flags: LATE_LEASE });
    await leads(one);
    const hundred = { selected: 100, slices: 1 };
    await scope.allSettle({
      shrinks: { selected: 205 },
      grows: hundred,
      returns: hundred,
      loses: { selected: 150, slices: 2 },
    });
    const [shrunk] = (await scope.view("shrinks")).slices;
    expect(shrunk?.clusters).toEqual(names(100));
    await becomesIdle(faults);
    const from = mark();
    let pass: () => void = () => {};
    const fault: Fault = {
      is: "held",
      until: new Promise<void>((done) => {
        pass = done;
      }),
    };
    const held: string[] = [];
    const hold = (method: string, about: string, count = 0): void =>
      atChange(
        proxy,
        count,
        () => held.push(about),
        fault,
        (request) => request.method === method && request.path.includes(about),
      );
    // One of its two PlacementDecisions has lost clusters.
    hold("PUT", "/placementdecisions/loses-", 1);
    hold("DELETE", "/placementdecisions/shrinks-");
    for (const _ of ["grows", "returns"]) hold("POST", "/placementdecisions");
    for (const name of ["grows", "returns"])
      await scope.edit("placement", name, { spec: claimed("part", "first", "second") });
    await scope.edit("placement", "shrinks", { spec: claimed("part", "staying") });
    await scope.edit("placement", "loses", { spec: claimed("part", "others") });
    await until(
      "all are held",
      () => held.length === 4 || undefined,
      () => held,
    );
    one.freeze();
    // What it has decided is over before the other one looks.
    await scope.edit("placement", "shrinks", { spec: claimed("part", "returning", "staying") });
    await scope.edit("placement", "returns", { spec: claimed("part", "first") });
    const two = await run("two", { flags: LATE_LEASE });
    await leads(two);
    const settled = {
      shrinks: { selected: [...names(50), ...names(105, 101)] },
      grows: { selected: 150, slices: 2 },
      returns: hundred,
      loses: { selected: 130 },
    };
    await scope.allSettle(settled, { away: { shrinks: names(50) } });
    // What was on its way arrives, and the process goes on with what it had in mind.
    pass();
    await until("the late requests are answered", () => late(from).length >= held.length || undefined);
    one.resume();
    await leads(one, false);
    await becomesIdle(faults);
    await scope.allSettle(settled);
    expect((await scope.view("shrinks")).slices[0]?.uid).toBe(shrunk?.uid);
    // Refused: the object has changed since, or is there. A PlacementDecision of a name that is free is made, without any cluster;
    // the leader has removed it.
    const answers = late(from).map(({ verb, code }) => `${verb} ${code}`);
    expect(answers.sort()).toEqual(["create 201", "create 409", "delete 409", "update 409"]);

    await two.stop();
    await leads(one);
    await scope.edit("placement", "loses", { spec: claimed("part", "some", "others") });
    await scope.settles("loses", { selected: 150 });
    await sameAsFreshStart(faults);
    await proxy.stop();
    await line.stop();
  });

  test("it is frozen before it gets the answer to the first write of a plan: it never sends the second one", async () => {
    const proxy = await startProxy({ server: bed.hub.server });
    const line = await startLine(proxy.server);
    const [scope, fleet, one, two] = await prepared("unanswered", line.server);
    const from = mark();
    let seen = 0;
    const freeze = (): void => {
      // The request has passed the line; the answer waits on it.
      line.stall();
      one.freeze();
      seen = proxy.seen.length;
    };
    atChange(proxy, 0, freeze, { is: "held", until: Promise.resolve() });
    await changeFleet(scope, fleet);
    await until("it is frozen", () => seen > 0 || undefined);
    await leads(two);
    await fleetSettles(scope, fleet, "after");
    line.heal();
    one.resume();
    await leads(one, false);
    await becomesIdle(faults);
    expect(carriedOut(from).filter(({ user }) => user === "one")).toHaveLength(1);
    expect(late(from)).toEqual([]);
    expect(proxy.seen.slice(seen).filter(changesHub)).toEqual([]);

    await two.stop();
    await leads(one);
    await scope.edit("cluster", fleet.joining[0] as string, { metadata: { labels: { on: "no" } } });
    for (const name of fleet.placements) await scope.reaches(name, { selected: 119 });
    await scope.mark();
    await sameAsFreshStart(faults);
    await line.stop();
    await proxy.stop();
  });

  test("it is cut off with open connections: it stops in time, and what was under way is refused", async () => {
    const line = await startLine(bed.hub.server);
    const proxy = await startProxy({ server: line.server });
    const [scope, fleet, one, two] = await prepared("cutoff", proxy.server);
    // The request that is under way must not need a new connection, though events and other requests are sent at the same time.
    await proxy.connect(SPARE_CONNECTIONS);
    const from = mark();
    let isCutOff = false;
    const stall = (): void => {
      line.stall();
      isCutOff = true;
    };
    atChange(proxy, 1, stall, { is: "held", until: Promise.resolve() });
    const before = one.log.length;
    await changeFleet(scope, fleet);
    await until("it is cut off", () => isCutOff || undefined);
    const standing = await one.says("standing by", before);
    const sent = proxy.seen.length;
    await leads(two);
    // By the same clock, though in two processes: it stood by before the other one led, and nearly as soon as it had to.
    const stoodBy = Date.parse(`${standing.time}`);
    const lastRenewal = leaseWrites("one", 0).at(-1)?.answeredAt ?? Number.NaN;
    expect(stoodBy - lastRenewal).toBeLessThan(LATE_RENEW_MS + SLACK_MS);
    expect(stoodBy).toBeLessThan(acquiredAt("two", from));
    await fleetSettles(scope, fleet, "after");
    line.heal();
    // An event has no version that could be refused: one about a write of its time, which was on its way, may arrive.
    const lateChanges = () => late(from).filter((write) => !isEvent(write));
    await until("the late request is answered", () => lateChanges().length > 0 || undefined);
    await becomesIdle(faults);
    expect(lateChanges().filter(isDone)).toEqual([]);
    // Since it stands by, it has sent no write, events included.
    expect(proxy.seen.slice(sent).filter((request) => changesHub(request) || isEvent(request))).toEqual([]);
    const acquired = acquiredAt("two", from);
    expect(leaseWrites("one", from).filter(({ answeredAt }) => answeredAt > acquired)).toEqual([]);

    await two.kill();
    await leads(one);
    await scope.edit("cluster", fleet.joining[0] as string, { metadata: { labels: { on: "no" } } });
    for (const name of fleet.placements) await scope.reaches(name, { selected: 119 });
    await scope.mark();
    await sameAsFreshStart(faults);
    await proxy.stop();
    await line.stop();
  });
});
