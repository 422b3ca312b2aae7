import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { EnginePool, type EngineWorker } from "./engine-pool.ts";
import type { CatalogRequest, ObjectChange } from "./threads.ts";

/** A call of a worker, which ends when the test says so. */
interface Call {
  readonly name: string;
  readonly argument: unknown;
  readonly done: (result?: unknown) => void;
  readonly failed: (error: Error) => void;
}

interface FakeWorker {
  readonly calls: readonly Call[];
  /** It ends by itself. */
  readonly crash: () => void;
}

function bed(size = 2) {
  const clock = new ManualClock();
  const workers: FakeWorker[] = [];
  const objects: ObjectChange[] = [];
  const pool = new EnginePool({
    start: (onEnd) => {
      const calls: Call[] = [];
      const end = (error: Error): void => {
        for (const { failed } of calls) failed(error);
      };
      workers.push({
        calls,
        crash: () => {
          const error = new Error("out of memory");
          end(error);
          onEnd(error);
        },
      });
      const worker = {
        call: (name: string, argument: unknown) =>
          new Promise((done, failed) => void calls.push({ name, argument, done, failed })),
        end: () => end(new Error("it was ended")),
      };
      return worker as unknown as EngineWorker;
    },
    state: () => ({ changes: objects, facts: { versions: [], apis: [], lost: [] }, catalogs: [] }),
    ...{ size, clock, onReplaced: () => undefined },
  });
  /** How often each worker was asked. */
  const asked = (name: "read" | "advise"): readonly number[] =>
    workers.map(({ calls }) => calls.filter((call) => call.name === name).length);
  return { clock, pool, workers, asked, objects };
}

function objectNamed(key: string): ObjectChange {
  return { list: "subscriptions", key, part: undefined };
}

const HARBOUR: CatalogRequest = { name: "harbour", namespace: "olm", known: undefined };
const DECK = { namespace: "deck", terms: { isManual: false, hold: [], allOrNothing: false }, known: undefined };

test("a worker that ends while it reads a catalog says nothing of the catalog", async () => {
  const { pool, workers } = bed();
  const news = pool.read(HARBOUR);
  for (const { crash } of workers) crash();
  expect(await news).toEqual({ is: "not-asked", why: "the engine ended: out of memory" });
  expect(await pool.read(HARBOUR)).toEqual({ is: "not-asked", why: "the engine is being started" });
});

test("a worker that cannot read a catalog, and goes on, does", async () => {
  const { pool, workers } = bed(1);
  const news = pool.read(HARBOUR);
  workers[0]?.calls.at(-1)?.failed(new Error("no function"));
  expect(await news).toEqual({ is: "failed", why: "the engine failed: no function" });
});
test("reads and advice go to the worker that has the least to do", async () => {
  const { clock, pool, workers, asked } = bed();
  for (let index = 0; index < 4; index++) void pool.read(HARBOUR);
  expect(asked("read")).toEqual([2, 2]);
  void pool.advise(DECK).catch(() => undefined);
  await clock.pass(0);
  void pool.read(HARBOUR);
  expect(asked("advise")).toEqual([1, 0]);
  expect(asked("read")).toEqual([2, 3]);
  // What has ended counts no more.
  for (const { name, done } of workers[1]?.calls ?? []) if (name === "read") done({ is: "unchanged" });
  await clock.pass(0);
  for (const { name, done } of workers[0]?.calls ?? []) if (name === "advise") done({ inputs: "" });
  await clock.pass(0);
  void pool.advise(DECK).catch(() => undefined);
  await clock.pass(0);
  expect(asked("advise")).toEqual([1, 1]);
  workers[0]?.crash();
  await clock.pass(1000);
  void pool.read(HARBOUR);
  expect(asked("read")).toEqual([2, 3, 1]);
});

test("a worker that replaces another one is told all objects, in pieces, before it is asked", async () => {
  const { clock, pool, workers, asked, objects } = bed(1);
  objects.push(...Array.from({ length: 500 }, (_, index) => objectNamed(`crane-${index}`)));
  workers[0]?.crash();
  const told = (): readonly number[] =>
    (workers[1]?.calls ?? []).filter(({ name }) => name === "change").map(({ argument }) => (argument as []).length);
  void pool.advise(DECK).catch(() => undefined);
  await clock.pass(1000);
  expect(told()).toEqual([200]);
  // What changes meanwhile comes after what was before.
  pool.change([objectNamed("crane-499")]);
  expect(await pool.read(HARBOUR)).toMatchObject({ is: "not-asked" });
  await clock.pass(1);
  expect([told(), asked("advise")]).toEqual([
    [200, 200],
    [0, 0],
  ]);
  await clock.pass(10);
  expect([told(), asked("advise")]).toEqual([
    [200, 200, 100, 1],
    [0, 1],
  ]);
  pool.change([objectNamed("hook")]);
  expect(told().length).toBe(5);
});

test("a worker that ends before it knows everything is replaced, too", async () => {
  const { clock, workers, pool, asked, objects } = bed(1);
  objects.push(...Array.from({ length: 500 }, (_, index) => objectNamed(`crane-${index}`)));
  workers[0]?.crash();
  await clock.pass(1000);
  workers[1]?.crash();
  void pool.advise(DECK).catch(() => undefined);
  await clock.pass(1100);
  expect([workers.length, asked("advise")]).toEqual([3, [0, 0, 1]]);
});
