// How does a test wait for what happens in another thread, or on a connection?

import { vi } from "vitest";

/** Only a deadlock takes this long, also on a busy machine. */
const DEADLINE = { timeout: 60_000, interval: 10 };

/** Waits until a check does not fail, and returns its result. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, DEADLINE);
}
