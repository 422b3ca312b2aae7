// At which time does a run take place? That of --now, or the clock's.

import { InvalidArgumentError } from "commander";
import { parseTimestamp, Timestamp } from "../cel/value/timestamp.ts";
import { CelError } from "../cel/value/value.ts";

/** Reads the value of --now. */
export function readTime(text: string): Timestamp {
  const time = parseTimestamp(text);
  if (time instanceof CelError) throw new InvalidArgumentError(time.message);
  return time;
}

/** The time of the run: the one that was given, or the clock's. */
export function timeOf({ now }: { readonly now?: Timestamp }): Timestamp {
  return now ?? new Timestamp(Math.floor(Date.now() / 1000), 0);
}
