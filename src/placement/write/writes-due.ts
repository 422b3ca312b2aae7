// When may scores be written again? So long after the last time as the Placement says.

import { compareTimestamps, parseTimestamp, Timestamp, timestampOfSeconds } from "../../cel/value/timestamp.ts";
import type { Placement } from "../../model/placement.ts";

const RATE_LIMIT = /^([0-9]+)([hms])$/;
const SECONDS: ReadonlyMap<string, number> = new Map([
  ["h", 3600],
  ["m", 60],
  ["s", 1],
]);
const DEFAULT_SECONDS = 60;
/** The last second of the year 9999. */
const NEVER: Timestamp = new Timestamp(253_402_300_799, 0);

/**
 * The moment from which on scores may be written; undefined: they may be now. A last time that is in the future or cannot be
 * read says nothing; a limit that cannot be read is one minute.
 */
export function scoresDueAt(
  placement: Pick<Placement, "scoreRateLimit" | "lastScoreUpdateTime">,
  now: Timestamp,
): Timestamp | undefined {
  const last = parseTimestamp(placement.lastScoreUpdateTime ?? "");
  if (!(last instanceof Timestamp) || compareTimestamps(last, now) > 0) return undefined;
  const [, count = "", unit = ""] = RATE_LIMIT.exec(placement.scoreRateLimit) ?? [];
  const seconds = count === "" ? DEFAULT_SECONDS : Number(count) * (SECONDS.get(unit) as number);
  const second = timestampOfSeconds(last.seconds + seconds);
  const due = second instanceof Timestamp ? new Timestamp(second.seconds, last.nanos) : NEVER;
  return compareTimestamps(due, now) > 0 ? due : undefined;
}
