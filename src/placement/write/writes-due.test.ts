// Do scores wait as long as the Placement says, and no longer?

import { expect, test } from "vitest";
import { parseTimestamp, type Timestamp } from "../../cel/value/timestamp.ts";
import { scoresDueAt } from "./writes-due.ts";

test.each([
  ["1m", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  ["1m", "2026-03-01T12:00:00Z", "2026-03-01T12:01:00Z", undefined],
  ["1m", "2026-03-01T12:00:00Z", "2026-03-01T12:00:59.999Z", "2026-03-01T12:01:00Z"],
  ["90s", "2026-03-01T12:00:00.25Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:30.25Z"],
  ["2h", "2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00Z", "2026-03-01T14:00:00Z"],
  ["0s", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z", undefined],
  // No limit that anybody could read: one minute.
  ["often", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  ["-5m", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  ["", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  // Beyond all calendars.
  [`${"9".repeat(500)}h`, "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "9999-12-31T23:59:59Z"],
  ["99999999h", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "9999-12-31T23:59:59Z"],
  // No last time, or none that could be true.
  ["1m", undefined, "2026-03-01T12:00:30Z", undefined],
  ["1m", "yesterday", "2026-03-01T12:00:30Z", undefined],
  ["1m", "2031-01-01T00:00:00Z", "2026-03-01T12:00:30Z", undefined],
])("%s after %s, at %s: %s", (scoreRateLimit, lastScoreUpdateTime, now, due) => {
  const found = scoresDueAt({ scoreRateLimit, lastScoreUpdateTime }, parseTimestamp(now) as Timestamp);
  expect(found?.toString()).toBe(due);
});
