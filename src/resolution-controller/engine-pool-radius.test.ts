// Can what anything in the network may ask keep the engines from giving advice?

import { afterEach, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { EnginePool, type EngineWorker } from "./engine-pool.ts";

const ADVICE = { namespace: "deck", terms: { isManual: false, hold: [], allOrNothing: false }, known: undefined };
const RADIUS = { text: "[]", terms: new Map() };

let pool: EnginePool;
/** What is being answered: the name of each question, and how it is answered. */
let open: { readonly name: string; readonly answer: (said: unknown) => void }[];

/** Answers the questions that were asked. */
async function answerAll(said: string): Promise<readonly string[]> {
  await new Promise(setImmediate);
  const asked = open;
  open = [];
  for (const { answer } of asked) answer(said);
  return asked.map(({ name }) => name);
}

afterEach(() => pool.stop());

function poolOf(size: number): void {
  open = [];
  const call = (name: string): Promise<unknown> =>
    name === "advise" || name === "radius"
      ? new Promise((answer) => open.push({ name, answer }))
      : Promise.resolve(undefined);
  pool = new EnginePool({
    start: () => ({ call, end: () => undefined }) as EngineWorker,
    size,
    state: () => ({ changes: [], facts: { versions: [], apis: [], lost: [] }, catalogs: [] }),
    clock: new ManualClock(),
    onReplaced: () => undefined,
  });
}

test("one blast radius is computed at a time", async () => {
  poolOf(4);
  const first = pool.radius(RADIUS);
  expect(await pool.radius(RADIUS)).toBeUndefined();
  expect(await answerAll("hides nothing")).toEqual(["radius"]);
  expect(await first).toBe("hides nothing");
  const next = pool.radius(RADIUS);
  await answerAll("hides all");
  expect(await next).toBe("hides all");
});

test("the last free one of several workers is for advice", async () => {
  poolOf(2);
  const both = [pool.radius(RADIUS), pool.advise(ADVICE)];
  expect(await answerAll("said")).toEqual(["radius", "advise"]);
  await Promise.all(both);
  const advice = pool.advise(ADVICE);
  expect(await pool.radius(RADIUS)).toBeUndefined();
  await answerAll("said");
  await advice;
});

test("a single worker answers if nothing else is asked of it", async () => {
  poolOf(1);
  const radius = pool.radius(RADIUS);
  const advice = pool.advise(ADVICE);
  expect(await answerAll("hides nothing")).toEqual(["radius"]);
  expect(await radius).toBe("hides nothing");
  expect(await pool.radius(RADIUS)).toBeUndefined();
  expect(await answerAll("said")).toEqual(["advise"]);
  await advice;
});
