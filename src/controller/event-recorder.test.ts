import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import type { WriteRequest } from "../kube/api-server.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import type { RecordedEvent } from "./event-object.ts";
import { EventRecorder } from "./event-recorder.ts";

const MINUTE = 60_000;
const EVENTS = "/apis/events.k8s.io/v1/namespaces/harbour/events";

const EVENT: RecordedEvent = {
  type: "Normal",
  reason: "DecisionUpdate",
  action: "DecisionUpdated",
  note: "Decision ships-1 is updated",
  regarding: { apiVersion: "v1", kind: "Placement", namespace: "harbour", name: "ships", uid: "u1" },
  reportingController: "plimsoll.dev/placement-controller",
};

class Bench {
  readonly clock = new ManualClock();
  readonly requests: WriteRequest[] = [];
  readonly drops: string[] = [];
  leads = true;
  /** What the next requests get. */
  fails: (FailureKind | "nothing" | undefined)[] = [];
  retryAfter: number | undefined;
  #random = 0;
  readonly recorder = new EventRecorder({
    server: { write: (request) => this.#answer(request) },
    fence: { mayWrite: () => this.leads, writeTimeout: 4000 },
    reportingInstance: "pod-1",
    clock: this.clock,
    random: () => this.#random++ / 0x10000,
    onDrop: (reason) => this.drops.push(reason),
  });

  async #answer(request: WriteRequest): Promise<string> {
    this.requests.push(request);
    const kind = this.fails.shift();
    if (kind === "nothing") return new Promise(() => undefined);
    const { retryAfter } = this;
    if (kind !== undefined) throw new NetFailure(kind, "no", retryAfter === undefined ? {} : { retryAfter });
    return "{}";
  }

  record(more: Partial<RecordedEvent> = {}): void {
    this.recorder.record({ ...EVENT, ...more });
  }

  /** The requests from here on, after so much time. */
  async sent(milliseconds = 0): Promise<readonly string[]> {
    await this.clock.pass(milliseconds);
    return this.requests.splice(0).map(({ method, path }) => `${method} ${path.replace(EVENTS, "events")}`);
  }

  async bodies(milliseconds = 0): Promise<readonly unknown[]> {
    await this.clock.pass(milliseconds);
    return this.requests.splice(0).map(({ body }) => body);
  }
}

const noteOf = (body: unknown): string => (body as { note: string }).note;

describe("an event", () => {
  test("is created with what events.k8s.io/v1 wants", async () => {
    const bench = new Bench();
    const related = { apiVersion: "v1", kind: "PlacementDecision", namespace: "harbour", name: "ships-1" };
    bench.record({ related });
    expect(bench.requests).toEqual([]);
    await bench.clock.pass(0);
    expect(bench.requests).toEqual([
      {
        method: "POST",
        path: EVENTS,
        timeout: 4000,
        mayStillSend: expect.any(Function),
        body: {
          apiVersion: "events.k8s.io/v1",
          kind: "Event",
          metadata: { name: "ships.0000000100020003", namespace: "harbour" },
          eventTime: "2026-03-01T12:00:00.000000Z",
          reportingInstance: "pod-1",
          ...EVENT,
          related,
        },
      },
    ]);
    expect(bench.requests[0]?.mayStillSend?.()).toBe(true);
    bench.leads = false;
    expect(bench.requests[0]?.mayStillSend?.()).toBe(false);
  });

  test("about something in no namespace is in the namespace default", async () => {
    const bench = new Bench();
    bench.record({ regarding: { apiVersion: "v1", kind: "ManagedCluster", namespace: "", name: "north" } });
    await bench.clock.pass(0);
    expect(bench.requests[0]).toMatchObject({
      path: "/apis/events.k8s.io/v1/namespaces/default/events",
      body: { metadata: { name: "north.0000000100020003", namespace: "default" } },
    });
  });

  test.for([
    ["a".repeat(253), `${"a".repeat(236)}.0000000100020003`],
    [`${"a".repeat(235)}-${"a".repeat(17)}`, `${"a".repeat(235)}.0000000100020003`],
    ["system:node", "event.0000000100020003"],
    ["../x", "event.0000000100020003"],
  ])("has a valid name: %s", async ([name, expected]) => {
    const bench = new Bench();
    bench.record({ regarding: { ...EVENT.regarding, name: name as string } });
    expect(await bench.bodies()).toMatchObject([{ metadata: { name: expected } }]);
  });

  test("has a note of at most 1,024 bytes, without half a character", async () => {
    const bench = new Bench();
    for (const note of ["x".repeat(1024), "x".repeat(1025), "ж".repeat(2000), `x${"🚢".repeat(2000)}`])
      bench.record({ note });
    const notes = (await bench.bodies()).map(noteOf);
    expect(notes[0]).toBe("x".repeat(1024));
    expect(notes[1]).toBe(`${"x".repeat(1021)}…`);
    expect(notes[2]).toBe(`${"ж".repeat(510)}…`);
    expect(notes[3]).toBe(`x${"🚢".repeat(255)}…`);
  });
});

describe("equal events", () => {
  test("are counted, and the count is sent at most once a minute", async () => {
    const bench = new Bench();
    bench.record();
    expect(await bench.sent(20_000)).toEqual(["POST events"]);
    bench.record({ regarding: Object.fromEntries(Object.entries(EVENT.regarding).reverse()) as never });
    bench.record();
    expect(await bench.sent(40_000 - 1)).toEqual([]);
    await bench.clock.pass(1);
    expect(bench.requests.splice(0)).toMatchObject([
      {
        method: "PATCH",
        path: `${EVENTS}/ships.0000000100020003`,
        body: { series: { count: 3, lastObservedTime: "2026-03-01T12:00:20.000000Z" } },
      },
    ]);
    bench.record();
    expect(await bench.bodies(MINUTE)).toEqual([
      { series: { count: 4, lastObservedTime: "2026-03-01T12:01:00.000000Z" } },
    ]);
    expect(bench.clock.waiting).toBe(0);
  });

  test("that are not quite equal are others", async () => {
    const bench = new Bench();
    bench.record();
    bench.record({ note: "another" });
    bench.record({ regarding: { ...EVENT.regarding, uid: "u2" } });
    expect(await bench.sent()).toEqual(["POST events", "POST events", "POST events"]);
  });

  test("after more than 10 minutes are a new one", async () => {
    const bench = new Bench();
    bench.record();
    await bench.sent(10 * MINUTE);
    bench.record();
    expect(await bench.sent(10 * MINUTE + 1)).toEqual(["PATCH events/ships.0000000100020003"]);
    bench.record();
    expect(await bench.sent()).toEqual(["POST events"]);
  });

  test("whose event is gone are a new one", async () => {
    const bench = new Bench();
    bench.record();
    bench.record();
    bench.fails = [undefined, "not-found"];
    await bench.sent(MINUTE);
    expect(bench.drops).toEqual(["failed"]);
    bench.record();
    expect(await bench.sent()).toEqual(["POST events"]);
  });
});

describe("floods", () => {
  test("an object has 25 events at once, and one more every 5 minutes; others are not affected", async () => {
    const bench = new Bench();
    const flood = (): void => {
      for (let count = 0; count < 40; count++) bench.record({ note: `${bench.clock.monotonic()} ${count}` });
    };
    expect(bench.recorder.mutedFor(EVENT.regarding)).toBe(0);
    flood();
    expect(await bench.sent()).toHaveLength(25);
    expect(bench.recorder.mutedFor(EVENT.regarding)).toBe(5 * MINUTE);
    expect(bench.drops).toEqual(Array.from({ length: 15 }, () => "spam"));
    bench.record({ regarding: { ...EVENT.regarding, name: "boats" } });
    expect(await bench.sent(5 * MINUTE - 1)).toHaveLength(1);
    flood();
    expect(await bench.sent(1)).toHaveLength(0);
    flood();
    expect(await bench.sent(500 * MINUTE)).toHaveLength(1);
    flood();
    expect(await bench.sent()).toHaveLength(25);
  });

  test("repetitions use the same limit, and lose nothing of their count", async () => {
    const bench = new Bench();
    bench.record();
    for (let count = 0; count < 24; count++) bench.record({ note: String(count) });
    await bench.sent();
    bench.record();
    expect(await bench.sent(MINUTE)).toEqual([]);
    await bench.sent(4 * MINUTE);
    bench.record();
    expect(await bench.bodies(MINUTE)).toMatchObject([{ series: { count: 3 } }]);
  });

  test("too many that wait are dropped", async () => {
    const bench = new Bench();
    bench.fails = ["nothing"];
    for (let count = 0; count < 1100; count++)
      bench.record({ regarding: { ...EVENT.regarding, name: `ship-${count}` } });
    await bench.sent();
    expect(bench.drops).toEqual(Array.from({ length: 100 }, () => "queue-full"));
  });

  test("too many series are forgotten, with their timers", async () => {
    const bench = new Bench();
    for (let count = 0; count < 5000; count++) {
      const regarding = { ...EVENT.regarding, name: `ship-${count}` };
      bench.record({ regarding });
      bench.record({ regarding });
      if (count % 500 === 0) await bench.sent();
    }
    expect(bench.clock.waiting).toBeLessThanOrEqual(4096);
    expect(new Set(bench.drops)).toEqual(new Set(["queue-full"]));
  });
});

describe("failures", () => {
  test.for(["server", "timeout", "throttled", "unreachable"] as const)("%s is tried once more", async (kind) => {
    const bench = new Bench();
    bench.fails = [kind, kind];
    bench.record();
    bench.record({ note: "next" });
    expect(await bench.sent(4999)).toEqual(["POST events"]);
    expect(await bench.bodies(1)).toMatchObject([{ note: EVENT.note }, { note: "next" }]);
    expect(bench.drops).toEqual(["failed"]);
    // It was never created, so it is no series.
    bench.record();
    expect(await bench.sent()).toEqual(["POST events"]);
  });

  test("the server says how long to wait", async () => {
    const bench = new Bench();
    bench.fails = ["throttled"];
    bench.retryAfter = 30_000;
    bench.record();
    expect(await bench.sent(29_999)).toHaveLength(1);
    expect(await bench.sent(1)).toHaveLength(1);
    expect(bench.drops).toEqual([]);
  });

  test("a first attempt whose answer was lost has created it", async () => {
    const bench = new Bench();
    bench.fails = ["timeout", "exists"];
    bench.record();
    expect(await bench.sent(5000)).toHaveLength(2);
    expect(bench.drops).toEqual([]);
  });

  test.for(["not-found", "forbidden", "invalid"] as const)("%s is not tried again", async (kind) => {
    const bench = new Bench();
    bench.fails = [kind];
    bench.record();
    expect(await bench.sent(MINUTE)).toHaveLength(1);
    expect([bench.drops, bench.clock.waiting]).toEqual([["failed"], 0]);
  });

  test("without the lease nothing is sent", async () => {
    const bench = new Bench();
    bench.leads = false;
    bench.record();
    expect(await bench.sent()).toEqual([]);
    expect(bench.drops).toEqual(["not-leading"]);
    bench.leads = true;
    expect(await bench.sent(MINUTE)).toEqual([]);
    bench.record();
    expect(await bench.sent()).toEqual(["POST events"]);
  });
});

describe("flushing", () => {
  test("sends what waits, also the counts of series, and leaves no timer", async () => {
    const bench = new Bench();
    bench.record();
    bench.record();
    const flushed = bench.recorder.flush(1000);
    expect(await bench.sent()).toEqual(["POST events", "PATCH events/ships.0000000100020003"]);
    await flushed;
    bench.record({ note: "too late" });
    expect(await bench.sent(MINUTE)).toEqual([]);
    expect([bench.drops, bench.clock.waiting]).toEqual([["stopped"], 0]);
  });

  test("with nothing to send ends at once", async () => {
    const bench = new Bench();
    await bench.recorder.flush(1000);
    expect(bench.clock.waiting).toBe(0);
  });

  test("takes no longer than it may", async () => {
    for (const fails of ["nothing", "server"] as const) {
      const bench = new Bench();
      bench.fails = [fails];
      bench.record();
      bench.record({ note: "next" });
      let hasEnded = false;
      const flushed = bench.recorder.flush(1000).then(() => {
        hasEnded = true;
      });
      expect([await bench.sent(999), hasEnded]).toEqual([["POST events"], false]);
      await bench.clock.pass(1);
      await flushed;
      expect(await bench.sent(MINUTE)).toEqual([]);
      expect(bench.drops).toEqual(fails === "server" ? ["stopped", "stopped"] : []);
    }
  });
});

describe("many events of many objects", () => {
  const recorded = (count: number): Bench => {
    const bench = new Bench();
    for (let index = 0; index < count; index++)
      bench.record({ regarding: { ...EVENT.regarding, name: `ship-${index}` } });
    return bench;
  };

  test("are sent a hundred at once, then twenty in a second", async () => {
    const bench = recorded(160);
    expect(await bench.sent()).toHaveLength(100);
    expect(await bench.sent(1000)).toHaveLength(20);
    expect(await bench.sent(60_000)).toHaveLength(40);
    bench.record();
    expect(await bench.sent()).toHaveLength(1);
  });

  test("are dropped soon when this process does not lead any more", async () => {
    const bench = recorded(500);
    await bench.sent();
    bench.leads = false;
    expect(await bench.sent(30_000)).toEqual([]);
    expect(bench.drops).toEqual(Array.from({ length: 400 }, () => "not-leading"));
  });

  test("are sent without waiting when it stops", async () => {
    const bench = recorded(160);
    await bench.sent();
    const flushed = bench.recorder.flush(1000);
    expect(await bench.sent()).toHaveLength(60);
    await flushed;
  });
});
