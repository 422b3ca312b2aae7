// How does a test wait for what a controller does? It asks again and again, up to a deadline that only a failure reaches.

import { setTimeout as sleep } from "node:timers/promises";

/** Far more than anything takes, also on a busy machine. */
const DEADLINE_MS = 60_000;
const PAUSE_MS = 50;

/** Waits until a question has an answer, and returns it; throws with what was seen last. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  seen: () => unknown = () => undefined,
): Promise<Answer> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline)
      throw new Error(`after ${DEADLINE_MS / 1000} s it is not so that ${what}; seen last: ${JSON.stringify(seen())}`);
    await sleep(PAUSE_MS);
  }
}
