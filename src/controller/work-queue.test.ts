import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { type Processed, WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

/** A queue whose keys stay under way until the test ends them. */
class Bench {
  readonly clock = new ManualClock();
  readonly begun: string[] = [];
  readonly depths: number[] = [];
  readonly errors: unknown[] = [];
  readonly queue: WorkQueue;
  readonly #open: { key: string; end: (processed: Processed) => void; fail: (error: Error) => void }[] = [];

  constructor(options: Partial<WorkQueueOptions> = {}) {
    this.queue = new WorkQueue({
      process: (key) => {
        this.begun.push(key);
        return new Promise((end, fail) => this.#open.push({ key, end, fail }));
      },
      atOnce: 1,
      clock: this.clock,
      backoff: (attempt) => attempt * 1000,
      onDepth: (depth) => this.depths.push(depth),
      onError: (key, error) => this.errors.push([key, (error as Error).message]),
      ...options,
    });
  }

  /** The keys that begin from here on, after so much time. */
  async next(milliseconds = 0): Promise<readonly string[]> {
    await this.clock.pass(milliseconds);
    return this.begun.splice(0);
  }

  end(processed: Processed | Error): void {
    const first = this.#open.shift();
    if (processed instanceof Error) first?.fail(processed);
    else first?.end(processed);
  }
}

describe("keys that are ready", () => {
  test("are processed in the order in which they were added, each once", async () => {
    const bench = new Bench();
    for (const key of ["b", "a", "b", "c", "a"]) bench.queue.add(key);
    expect(bench.begun).toEqual([]);
    expect(await bench.next()).toEqual(["b"]);
    bench.end("done");
    expect(await bench.next()).toEqual(["a"]);
    bench.end("done");
    expect(await bench.next()).toEqual(["c"]);
    bench.end("done");
    expect(await bench.next()).toEqual([]);
    expect(bench.queue.depth).toBe(0);
  });

  test("begin one in each turn of the event loop: processing may compute for long before it waits", async () => {
    const bench = new Bench({ atOnce: 3 });
    for (const key of ["a", "b", "c"]) bench.queue.add(key);
    for (const begun of ["a", "ab", "abc", "abc"]) {
      await nextTurn();
      expect(bench.begun.join("")).toBe(begun);
    }
  });

  test("are processed several at a time, but one key never twice at the same time", async () => {
    const bench = new Bench({ atOnce: 2 });
    for (const key of ["a", "b", "c"]) bench.queue.add(key);
    expect(await bench.next()).toEqual(["a", "b"]);
    bench.queue.add("a");
    bench.queue.add("a");
    bench.end("done");
    // The other worker is still busy with b; c was added before a was added again.
    expect(await bench.next()).toEqual(["c"]);
    bench.end("done");
    expect(await bench.next()).toEqual(["a"]);
    bench.end("done");
    bench.end("done");
    expect(await bench.next()).toEqual([]);
  });

  test("may be added by their own processing: they are processed afterwards, not meanwhile", async () => {
    const seen: number[] = [];
    let underWay = 0;
    const bench = new Bench({
      atOnce: 2,
      process: async (key) => {
        if (seen.length < 3) bench.queue.add(key);
        seen.push(++underWay);
        await Promise.resolve();
        underWay--;
        return "done";
      },
    });
    bench.queue.add("a");
    await bench.next();
    expect(seen).toEqual([1, 1, 1, 1]);
  });

  test("report the depth when it changes", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    bench.queue.add("b");
    await bench.next();
    bench.end("done");
    await bench.next();
    expect(bench.depths).toEqual([1, 2, 1, 0]);
  });
});

describe("keys that are not done", () => {
  test("wait for their own backoff, which counts up and is reset", async () => {
    const bench = new Bench({ atOnce: 2 });
    bench.queue.add("a");
    await bench.next();
    bench.end("again");
    bench.queue.add("b");
    expect(await bench.next(999)).toEqual(["b"]);
    bench.end("done");
    expect(await bench.next(1)).toEqual(["a"]);
    bench.end("again");
    expect(await bench.next(1999)).toEqual([]);
    expect(await bench.next(1)).toEqual(["a"]);
    bench.end("done");
    await bench.next();
    bench.queue.add("a");
    await bench.next();
    bench.end("again");
    expect(await bench.next(1000)).toEqual(["a"]);
  });

  test("wait as long as the server says, and not shorter than their backoff", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    bench.end({ notBefore: 5000 });
    expect(await bench.next(4999)).toEqual([]);
    expect(await bench.next(1)).toEqual(["a"]);
    bench.end({ notBefore: 0 });
    expect(await bench.next(1999)).toEqual([]);
    expect(await bench.next(1)).toEqual(["a"]);
  });

  test("wait as long as the server says although they are added meanwhile; their backoff ends then", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    // A change while the request is under way, and later ones.
    bench.queue.add("a");
    bench.end({ notBefore: 5000 });
    expect(await bench.next(1000)).toEqual([]);
    bench.queue.add("a");
    bench.queue.addAfter("a", 1000);
    expect(await bench.next(3999)).toEqual([]);
    expect(await bench.next(1)).toEqual(["a"]);
    // The backoff is two seconds now, the server asks for one.
    bench.end({ notBefore: 1000 });
    expect(await bench.next(500)).toEqual([]);
    bench.queue.add("a");
    expect(await bench.next(499)).toEqual([]);
    expect(await bench.next(1)).toEqual(["a"]);
    bench.end("done");
    expect(await bench.next(10_000)).toEqual([]);
    // Nothing is left of it.
    bench.queue.add("a");
    expect(await bench.next()).toEqual(["a"]);
    expect(bench.clock.waiting).toBe(0);
  });

  test("have a backoff that ends when they are added: a change is a reason to try again at once", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    bench.end("again");
    expect(await bench.next(500)).toEqual([]);
    bench.queue.add("a");
    expect(await bench.next()).toEqual(["a"]);
    expect(bench.clock.waiting).toBe(0);
  });

  test("but succeeded are processed once more at once, without a backoff", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    bench.end("again");
    expect(await bench.next(1000)).toEqual(["a"]);
    bench.end("once-more");
    expect(await bench.next()).toEqual(["a"]);
    bench.end("again");
    expect(await bench.next(1000)).toEqual(["a"]);
  });

  test("because of an error wait, too", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    bench.end(new Error("broken"));
    expect(await bench.next(1000)).toEqual(["a"]);
    expect(bench.errors).toEqual([["a", "broken"]]);
  });

  test("because of an error before the first await wait, too", async () => {
    let calls = 0;
    const bench = new Bench({
      process: () => {
        calls++;
        throw new Error("broken");
      },
    });
    bench.queue.add("a");
    await bench.next(999);
    expect([calls, bench.errors]).toEqual([1, [["a", "broken"]]]);
    await bench.next(1);
    expect(calls).toBe(2);
  });

  test("and were added meanwhile are processed at once", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    bench.queue.add("a");
    bench.end("again");
    expect(await bench.next()).toEqual(["a"]);
    bench.end("done");
    // The backoff of the first attempt is over: there was another one.
    expect(await bench.next(10_000)).toEqual([]);
    expect(bench.clock.waiting).toBe(0);
  });
});

describe("keys for later", () => {
  test("of two times the earlier counts", async () => {
    const bench = new Bench();
    bench.queue.addAfter("a", 3000);
    bench.queue.addAfter("a", 1000);
    bench.queue.addAfter("a", 2000);
    expect(await bench.next(999)).toEqual([]);
    expect(await bench.next(1)).toEqual(["a"]);
    bench.end("done");
    expect(await bench.next(10_000)).toEqual([]);
  });

  test("that are added now have no delay any more", async () => {
    const bench = new Bench();
    bench.queue.addAfter("a", 1000);
    bench.queue.add("a");
    expect(bench.clock.waiting).toBe(0);
    bench.queue.addAfter("a", 1000);
    expect(bench.clock.waiting).toBe(0);
    expect(await bench.next()).toEqual(["a"]);
    bench.end("done");
    expect(await bench.next(10_000)).toEqual([]);
  });

  test("can be added while they are under way", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    await bench.next();
    bench.queue.addAfter("a", 1000);
    bench.end("done");
    expect(await bench.next(1000)).toEqual(["a"]);
    bench.queue.addAfter("a", 1000);
    // Its time comes while it is still under way.
    expect(await bench.next(2000)).toEqual([]);
    bench.end("done");
    expect(await bench.next()).toEqual(["a"]);
  });
});

describe("stopping", () => {
  test("waits for what is under way, and leaves no key and no timer", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    bench.queue.add("b");
    bench.queue.addAfter("c", 1000);
    await bench.next();
    let hasStopped = false;
    const stopped = bench.queue.stop().then(() => {
      hasStopped = true;
    });
    bench.queue.add("d");
    bench.queue.addAfter("e", 1);
    expect(await bench.next(10_000)).toEqual([]);
    expect([hasStopped, bench.clock.waiting, bench.queue.depth]).toEqual([false, 0, 0]);
    bench.end("again");
    await stopped;
    expect(await bench.next(10_000)).toEqual([]);
    expect(bench.clock.waiting).toBe(0);
  });
});
