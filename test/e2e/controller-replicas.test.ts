// Which replica writes, and what if it dies, freezes or is cut off in the middle? At most one writes at a time, the other one finishes
// what was begun, and what is late changes nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { partOf } from "../../src/model/json.ts";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { type AuditedWrite, isDone, isEvent, isLease } from "./controller/fault-audit.ts";
import {
  becomesIdle,
  done,
  faultBed,
  LEASE_MS,
  leads,
  RENEW_MS,
  type Replica,
  sameAsFreshStart,
} from "./controller/fault-bed.ts";
import { atOnce, changeFleet, type Fleet, fleetSettles, makeFleet } from "./controller/fault-fleet.ts";
import { startLine } from "./controller/fault-line.ts";
import { atChange, changesHub } from "./controller/fault-moment.ts";
import type { Scope } from "./controller/scope.ts";
import { labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { type Fault, startProxy } from "./proxy.ts";

const faults = faultBed();
const { bed, run, changes, mark, audit } = faults;
const IS_LONG = process.env.PLIMSOLL_LONG === "1";
/** For a machine that does something else meanwhile. */
const SLACK_MS = 3000;
/** More than a replica with one Placement uses at the same time. */
const SPARE_CONNECTIONS = 8;

/** Starts a replica, and waits until it has read everything; it leads if no other one does. */
async function started(replica: Replica, server?: string): Promise<ControllerProcess> {
  const controller = await run(replica, server === undefined ? {} : { server });
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
    const one = await started("one");
    await leads(one);
    const two = await started("two");
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
    expect(new Set(changes(stopping).map(({ user }) => user))).toEqual(new Set(["two"]));
    await sameAsFreshStart(faults);
  });

  test("a rolling restart while clusters come and go", async () => {
    const scope = await bed.scope("rolling");
    const all = names(60);
    await scope.clusters(all, { labels: { on: "yes" } });
    const placements = ["a", "b", "c"];
    for (const name of placements) await scope.placement(name, labelled({ on: "yes" }));
    let [old, other] = [await started("one"), await started("two")];
    for (const name of placements) await scope.settles(name, { selected: 60 });
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
    const clusters = names(250);
    await scope.clusters(clusters, { labels: { on: "yes" } });
    await scope.placement("p", PLAN);
    let leader = await started("one");
    let standby = await started("two");
    await scope.settles("p", { selected: 250, slices: 3 });
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
      const canary = clusters.slice(at % 2 === 0 ? 0 : 125, at % 2 === 0 ? 125 : 250);
      dying.freeze();
      const tierOf = (name: string) => ({ tier: canary.includes(name) ? "canary" : null });
      await atOnce(clusters.map((name) => () => scope.edit("cluster", name, { metadata: { labels: tierOf(name) } })));
      dying.resume();
      await until("the leader is killed", () => isKilled || undefined);
      await killed;
      await leads(standby);
      const lastRenewal = leaseWrites(replica, 0).at(-1)?.answeredAt ?? Number.NaN;
      expect(acquiredAt(other, from) - lastRenewal, what).toBeLessThan(LEASE_MS + SLACK_MS);
      await scope.reaches("p", { selected: 250, groups: groupsOf(clusters, canary) });
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

const PLAN = {
  ...labelled({ on: "yes" }),
  decisionStrategy: {
    groupStrategy: {
      decisionGroups: [
        { groupName: "canary", groupClusterSelector: { labelSelector: { matchLabels: { tier: "canary" } } } },
      ],
    },
  },
};

function groupsOf(clusters: readonly string[], canary: readonly string[]): readonly string[] {
  const others = clusters.filter((name) => !canary.includes(name));
  return [`0 canary: ${canary.join(" ")}`, `1 : ${others.join(" ")}`];
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
    const one = await started("one", server);
    await leads(one);
    const two = await started("two", bed.hub.server);
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

  test("it is frozen in the middle of a plan, another one leads and changes everything", async () => {
    const line = await startLine(bed.hub.server);
    const proxy = await startProxy({ server: line.server });
    const [scope, fleet, one, two] = await prepared("frozen", proxy.server);
    const from = mark();
    let pass: () => void = () => {};
    const fault: Fault = {
      is: "held",
      until: new Promise<void>((done) => {
        pass = done;
      }),
    };
    let isFrozen = false;
    const freeze = (): void => {
      one.freeze();
      isFrozen = true;
    };
    atChange(proxy, 1, freeze, fault);
    await changeFleet(scope, fleet);
    await until("it is frozen", () => isFrozen || undefined);
    await leads(two);
    await fleetSettles(scope, fleet, "after");
    // What was on its way arrives, and the process goes on with what it had in mind.
    pass();
    await until("the late request is answered", () => late(from).length > 0 || undefined);
    one.resume();
    await leads(one, false);
    await becomesIdle(faults);
    // Refused: the object has changed since, or is gone.
    expect([404, 409]).toContain(late(from)[0]?.code);
    expect(late(from)).toHaveLength(1);

    await two.stop();
    await leads(one);
    await scope.edit("cluster", fleet.joining[0] as string, { metadata: { labels: { on: "no" } } });
    for (const name of fleet.placements) await scope.reaches(name, { selected: 119 });
    await scope.mark();
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
    expect(stoodBy - lastRenewal).toBeLessThan(RENEW_MS + SLACK_MS);
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
