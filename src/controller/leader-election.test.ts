import { describe, expect, test } from "vitest";
import { Candidate, World } from "../../test/controller/candidates.ts";
import type { LeaderElector } from "./leader-election.ts";

const SECOND = 1000;

describe("acquiring", () => {
  test("creates a Lease if there is none", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(0);
    expect([a.changes, a.elector.mayWrite()]).toEqual([[true], true]);
    expect(a.process.requests).toEqual(["GET leases/controller", "POST leases"]);
    expect(world.server.lease?.spec).toEqual({
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      acquireTime: "2026-03-01T12:00:00.000000Z",
      renewTime: "2026-03-01T12:00:00.000000Z",
      leaseTransitions: 0,
    });
  });

  test("takes one that was released, at once, and counts the transition", async () => {
    const world = new World();
    world.server.edit({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 4, preferredHolder: "kept" });
    const a = world.candidate("a");
    await world.time.pass(0);
    expect(a.changes).toEqual([true]);
    expect(world.server.lease?.spec).toMatchObject({
      holderIdentity: "a",
      leaseTransitions: 5,
      preferredHolder: "kept",
    });
  });

  test("waits until one has not changed for its own duration, since it was seen", async () => {
    const world = new World();
    // By the wall clock it ended long ago; that of its holder may be wrong.
    world.server.edit({ holderIdentity: "x", leaseDurationSeconds: 30, renewTime: "2001-01-01T00:00:00.000000Z" });
    const a = world.candidate("a");
    await world.time.pass(20 * SECOND);
    world.server.edit({ renewTime: "2001-01-01T00:00:01.000000Z" });
    await world.time.pass(31 * SECOND);
    expect(a.changes).toEqual([]);
    await world.time.pass(3 * SECOND);
    expect(a.changes).toEqual([true]);
    expect(world.server.lease?.spec).toMatchObject({
      holderIdentity: "a",
      leaseTransitions: 1,
      leaseDurationSeconds: 15,
    });
  });

  test.for([
    ["none", undefined, 15],
    ["negative", -5, 15],
    ["zero", 0, 15],
    ["a text", "ten", 15],
    ["huge", 2 ** 31 - 1, 3600],
    ["beyond all numbers", 1e308, 3600],
  ] as const)("a holder whose duration is %s", async ([, leaseDurationSeconds, seconds]) => {
    const world = new World();
    world.server.edit({ holderIdentity: "x", leaseDurationSeconds, leaseTransitions: "many" });
    const a = world.candidate("a");
    await world.time.pass((seconds - 1) * SECOND);
    expect(a.changes).toEqual([]);
    await world.time.pass(3 * SECOND);
    expect(a.changes).toEqual([true]);
    expect(world.server.lease?.spec).toMatchObject({ leaseTransitions: 1, leaseDurationSeconds: 15 });
  });

  test.for([
    ["no JSON", "{"],
    ["no version", '{"metadata":{},"spec":{}}'],
    ["a holder that is no text", '{"metadata":{"resourceVersion":"1"},"spec":{"holderIdentity":7}}'],
    ["an inherited version", '{"metadata":{"__proto__":{"resourceVersion":"1"}},"spec":{}}'],
    ["null", "null"],
    ["something endless", `{"metadata":{"resourceVersion":"1"},"x":"${"x".repeat(3_000_000)}"}`],
  ])("never writes if the answer is not a Lease: %s", async ([, text]) => {
    const world = new World();
    const a = new Candidate(world, "a");
    a.process.getOnce = async () => text as string;
    a.start();
    await world.time.pass(60 * SECOND);
    expect([a.changes, a.troubles, a.process.requests]).toEqual([[], ["malformed"], []]);
  });

  test("does not lead if the answer to its update names another holder", async () => {
    const world = new World();
    const a = new Candidate(world, "a");
    a.process.write = async () => '{"metadata":{"resourceVersion":"1"},"spec":{"holderIdentity":"b"}}';
    a.start();
    await world.time.pass(SECOND);
    expect([a.changes, a.troubles]).toEqual([[], ["malformed"]]);
  });

  test("of two that try at the same moment one leads, without trouble for the other", async () => {
    const world = new World();
    const [a, b] = [world.candidate("a"), world.candidate("b")];
    await world.time.pass(60 * SECOND);
    expect([a.changes, b.changes, a.troubles, b.troubles]).toEqual([[true], [], [], []]);
    expect(world.holder).toBe("a");
  });

  test("without rights never leads, reports it once, and keeps trying", async () => {
    const world = new World();
    const a = new Candidate(world, "a");
    a.process.fate = () => ({ there: 0, back: 0, fails: "forbidden" });
    a.start();
    await world.time.pass(9 * SECOND);
    expect([a.changes, a.troubles, a.process.requests.length]).toEqual([[], ["forbidden"], 5]);
    a.process.fate = () => ({ there: 0, back: 0 });
    await world.time.pass(SECOND);
    expect([a.changes, a.troubles]).toEqual([[true], ["forbidden", undefined]]);
  });

  test("goes on if a server never answers", async () => {
    const world = new World();
    const a = new Candidate(world, "a");
    const { getOnce } = a.process;
    a.process.getOnce = () => new Promise(() => undefined);
    a.start();
    await world.time.pass(5 * SECOND);
    expect(a.troubles).toEqual(["timeout"]);
    a.process.getOnce = getOnce;
    await world.time.pass(10 * SECOND);
    expect(a.changes).toEqual([true]);
  });
});

describe("renewing", () => {
  test("happens every retry period, with one request, and keeps who acquired it when", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(61 * SECOND);
    expect(a.process.requests.slice(2)).toEqual(Array.from({ length: 30 }, () => "PUT leases/controller"));
    expect(a.changes).toEqual([true]);
    expect(world.server.lease?.spec).toMatchObject({
      acquireTime: "2026-03-01T12:00:00.000000Z",
      renewTime: "2026-03-01T12:01:00.000000Z",
      leaseTransitions: 0,
    });
  });

  test("is later by a random part of the period", async () => {
    const world = new World();
    const a = world.candidate("a", { random: () => 0.999 });
    await world.time.pass(2.39 * SECOND);
    expect(a.process.requests).toHaveLength(2);
    await world.time.pass(0.01 * SECOND);
    expect(a.process.requests).toHaveLength(3);
  });

  test("changes the Lease also if the wall clock was set back by exactly one period", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(0);
    const before = world.server.lease;
    a.process.stepWall(-2 * SECOND);
    await world.time.pass(2 * SECOND);
    expect(world.server.lease?.spec.renewTime).toBe("2026-03-01T12:00:00.000001Z");
    expect(world.server.lease?.metadata.resourceVersion).not.toBe(before?.metadata.resourceVersion);
  });

  test("that fails is tried again; after the deadline writing ends, on time", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.process.fate = () => ({ there: 0, back: 0, fails: "refused" });
    await world.time.pass(9 * SECOND - 1);
    expect([a.changes, a.elector.mayWrite(), a.process.requests.length]).toEqual([[true], true, 6]);
    await world.time.pass(1);
    expect([a.changes, a.elector.mayWrite(), a.troubles]).toEqual([[true, false], false, ["server"]]);
    a.process.fate = () => ({ there: 0, back: 0 });
    await world.time.pass(2 * SECOND);
    expect([a.changes, a.troubles]).toEqual([
      [true, false, true],
      ["server", undefined],
    ]);
    expect(world.server.lease?.spec.leaseTransitions).toBe(0);
  });

  test("that is not answered ends writing on time, too", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(0);
    a.process.fate = () => ({ there: 0, back: 0, fails: "request lost" });
    await world.time.pass(10 * SECOND);
    expect([a.changes, a.elector.mayWrite(), a.troubles]).toEqual([[true, false], false, ["timeout"]]);
  });

  test("counts from the moment in which it was sent", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(0);
    a.process.fate = () => ({ there: 1500, back: 1500 });
    await world.time.pass(5 * SECOND); // sent after 2 seconds, answered after 5
    a.process.fate = () => ({ there: 0, back: 0, fails: "refused" });
    await world.time.pass(7 * SECOND - 1);
    expect(a.elector.mayWrite()).toBe(true);
    await world.time.pass(1);
    expect([a.elector.mayWrite(), a.changes]).toEqual([false, [true, false]]);
  });

  test("whose answer is lost is found out, and leading goes on", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.process.fate = () => ({ there: 0, back: 0, fails: "answer lost" });
    await world.time.pass(2 * SECOND);
    a.process.fate = () => ({ there: 0, back: 0 });
    await world.time.pass(30 * SECOND);
    expect([a.changes, a.elector.mayWrite(), a.troubles]).toEqual([[true], true, ["timeout", undefined]]);
  });

  test("creates a Lease that was deleted; others that saw it wait", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    const b = world.candidate("b");
    await world.time.pass(0.5 * SECOND);
    world.server.lease = undefined;
    await world.time.pass(10 * SECOND);
    expect([a.changes, b.changes, world.holder]).toEqual([[true], [], "a"]);
    a.process.freeze();
    await world.time.pass(SECOND);
    world.server.lease = undefined;
    await world.time.pass(13 * SECOND);
    expect([a.elector.mayWrite(), b.changes]).toEqual([false, []]);
    await world.time.pass(5 * SECOND);
    expect([b.changes, world.holder]).toEqual([[true], "b"]);
  });

  test("ends when another identity has the Lease", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    world.server.edit({ holderIdentity: "x" });
    await world.time.pass(SECOND);
    expect([a.changes, a.elector.mayWrite()]).toEqual([[true, false], false]);
    expect(world.holder).toBe("x");
    await world.time.pass(17 * SECOND);
    expect([a.changes, world.holder]).toEqual([[true, false, true], "a"]);
  });
});

test.each([
  ["of client-go", {}],
  ["a long Lease", { leaseDuration: 30 * SECOND }],
  ["a very long Lease", { leaseDuration: 600 * SECOND }],
])(
  "a renewal that hangs does not end the time of a leader: a second one follows in time; times: %s",
  async (_, times) => {
    const world = new World();
    const a = world.candidate("a", { ...times, random: () => 0.999 });
    await world.time.pass(0);
    let count = 0;
    a.process.fate = () => (count++ === 0 ? { there: 0, back: 0, fails: "request lost" } : { there: 0, back: 0 });
    await world.time.pass(60 * SECOND);
    expect(count).toBeGreaterThan(1);
    expect(a.changes).toEqual([true]);
    expect(a.elector.writeTimeout).toBeLessThanOrEqual(30 * SECOND);
  },
);

test("with a retry period that leaves no time for a second attempt, a slow answer is waited for", async () => {
  const world = new World();
  const a = world.candidate("a", { retryPeriod: 5 * SECOND });
  await world.time.pass(0);
  a.process.fate = () => ({ there: 1200, back: 1200 });
  await world.time.pass(60 * SECOND);
  expect([a.changes, a.troubles]).toEqual([[true], []]);
});

describe("a frozen leader", () => {
  test("may not write from the first moment, and another leads", async () => {
    const world = new World();
    const [a, b] = [world.candidate("a"), world.candidate("b")];
    await world.time.pass(SECOND);
    a.process.freeze();
    await world.time.pass(20 * SECOND);
    expect([a.elector.mayWrite(), a.changes, b.changes]).toEqual([false, [true], [true]]);
    a.process.thaw();
    expect(a.elector.mayWrite()).toBe(false);
    await world.time.pass(0);
    expect(a.changes).toEqual([true, false]);
    await world.time.pass(60 * SECOND);
    expect([a.changes, b.changes, world.holder]).toEqual([[true, false], [true], "b"]);
  });

  test.for([false, true])("does not use an answer from before (received before its timers: %s)", async (isReversed) => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.process.fate = () => ({ there: 0, back: 100 });
    await world.time.pass(SECOND);
    a.process.freeze();
    await world.time.pass(60 * SECOND);
    a.process.fate = () => ({ there: 0, back: 0, fails: "refused" });
    a.process.thaw(isReversed);
    await world.time.pass(0);
    expect([a.elector.mayWrite(), a.changes]).toEqual([false, [true, false]]);
  });
});

test("a candidate that was frozen before it heard that it leads does not begin to", async () => {
  const world = new World();
  const a = new Candidate(world, "a");
  a.process.fate = () => ({ there: 0, back: 100 });
  a.start();
  await world.time.pass(150);
  a.process.freeze();
  await world.time.pass(60 * SECOND);
  expect(world.holder).toBe("a");
  a.process.thaw();
  await world.time.pass(100);
  expect([a.changes, a.elector.mayWrite()]).toEqual([[], false]);
});

describe("stopping", () => {
  test("releases the Lease, so that another leads at once", async () => {
    const world = new World();
    const [a, b] = [world.candidate("a"), world.candidate("b")];
    await world.time.pass(SECOND);
    a.stop();
    expect([a.elector.mayWrite(), a.changes]).toEqual([false, [true, false]]);
    await world.time.pass(0);
    await a.ended;
    expect(world.server.lease?.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    await world.time.pass(2 * SECOND);
    expect([b.changes, world.server.lease?.spec.leaseTransitions]).toEqual([[true], 1]);
  });

  test("leaves the Lease to expire if another must not lead at once", async () => {
    const world = new World();
    const a = world.candidate("a", { mayRelease: () => false });
    const b = world.candidate("b");
    await world.time.pass(SECOND);
    a.stop();
    await a.ended;
    expect([world.holder, a.elector.mayWrite(), a.changes]).toEqual(["a", false, [true, false]]);
    await world.time.pass(13 * SECOND);
    expect(b.changes).toEqual([]);
    await world.time.pass(4 * SECOND);
    expect(b.changes).toEqual([true]);
  });

  test("leaves a Lease of another alone, and no timer", async () => {
    const world = new World();
    world.server.edit({ holderIdentity: "x", leaseDurationSeconds: 15 });
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.stop();
    await a.ended;
    expect([world.holder, a.changes]).toEqual(["x", []]);
    await world.time.pass(60 * SECOND); // the timers of the simulated network
    expect(world.time.waiting).toBe(0);
  });

  test("waits for a renewal that is under way, and releases what it wrote", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.process.fate = () => ({ there: 500, back: 500 });
    await world.time.pass(SECOND + 100);
    a.stop();
    await world.time.pass(2 * SECOND);
    await a.ended;
    expect([world.holder, a.changes]).toEqual(["", [true, false]]);
  });

  test("releases what an acquisition under way has written, without ever leading", async () => {
    const world = new World();
    const a = new Candidate(world, "a");
    a.process.fate = () => ({ there: 500, back: 500 });
    a.start();
    await world.time.pass(1.2 * SECOND);
    a.stop();
    await world.time.pass(3 * SECOND);
    await a.ended;
    expect([world.holder, a.changes]).toEqual(["", []]);
  });

  test("releases it also if the answer to the last renewal was lost", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.process.fate = () => ({ there: 0, back: 0, fails: "answer lost" });
    await world.time.pass(5 * SECOND);
    a.process.fate = () => ({ there: 0, back: 0 });
    await world.time.pass(0.5 * SECOND);
    a.stop();
    await world.time.pass(0);
    await a.ended;
    expect(world.holder).toBe("");
  });

  test("takes no longer than a write, whatever the server does", async () => {
    const world = new World();
    const a = world.candidate("a");
    await world.time.pass(SECOND);
    a.process.fate = () => ({ there: 0, back: 0, fails: "request lost" });
    await world.time.pass(2 * SECOND);
    a.stop();
    let hasEnded = false;
    void a.ended?.then(() => {
      hasEnded = true;
    });
    await world.time.pass(a.elector.writeTimeout);
    expect(hasEnded).toBe(true);
  });

  test("before it begins does nothing", async () => {
    const world = new World();
    const a = new Candidate(world, "a");
    a.stop();
    await a.start().ended;
    expect([a.process.requests, a.changes]).toEqual([[], []]);
  });
});

describe("times", () => {
  const withTimes = (leaseDuration: number, renewDeadline: number, retryPeriod: number): LeaderElector =>
    new Candidate(new World(), "a", { leaseDuration, renewDeadline, retryPeriod }).elector;

  test("a request takes less than the time between the deadline and the end of the Lease", () => {
    expect(withTimes(15_000, 10_000, 2000).writeTimeout).toBe(4000);
    expect(withTimes(60_000, 40_000, 5000).writeTimeout).toBe(16_000);
  });

  test.for([
    [4999, 3000, 500, "leaseDuration must be from 5s to 10m"],
    [Number.POSITIVE_INFINITY, 10_000, 2000, "leaseDuration"],
    [15_000, 12_001, 2000, "renewDeadline must be at most 80% of the lease duration"],
    [15_000, Number.NaN, 2000, "renewDeadline"],
    [15_000, 10_000, 5001, "retryPeriod must be at least 100ms and at most half of the renew deadline"],
    [15_000, 10_000, 0, "retryPeriod"],
  ] as const)("%d, %d, %d are refused", ([leaseDuration, renewDeadline, retryPeriod, message]) => {
    expect(() => withTimes(leaseDuration, renewDeadline, retryPeriod)).toThrow(message);
  });
});
