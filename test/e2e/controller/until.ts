// How does a test wait for what a controller does? It asks again and again, up to a deadline that only a failure reaches.

import { setTimeout as sleep } from "node:timers/promises";

/** Far more than anything takes, also on a busy machine. */
const DEADLINE_MS = 60_000;
const PAUSE_MS = 50;

/** Waits until a question has an answer, and returns it; throws with what was seen last. `patience` is in milliseconds. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  seen: () => unknown = () => undefined,
  patience: number = DEADLINE_MS,
): Promise<Answer> {
  const deadline = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline)
      throw new Error(`after ${patience / 1000} s it is not so that ${what}; seen last: ${JSON.stringify(seen())}`);
    await sleep(PAUSE_MS);
  }
}
