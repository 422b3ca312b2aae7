// How long is waited before another attempt? The given time, or until it is cancelled.

import { setTimeout as pause } from "node:timers/promises";
import { cancelled } from "./failure.ts";

/** Waits; throws if it is cancelled meanwhile. */
export async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, { signal });
  } catch {
    throw cancelled();
  }
}
