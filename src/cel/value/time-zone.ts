// Which time does a clock in that zone show?
import { quoted } from "../../text/words.ts";
import { timeZoneNames } from "./time-zone-names.ts";
import { CelError } from "./value.ts";

/**
 * How many seconds the clocks of a zone were ahead of UTC at that second since 1970. A zone is an IANA name, or hours
 * and minutes (`+11:00`, `-02:30`, `02:00`); an empty text is UTC.
 */
export function zoneOffset(zone: string, seconds: number): number | CelError {
  if (zone === "" || zone === "UTC") return 0;
  return zone.includes(":") ? fixedOffset(zone) : namedOffset(zone, seconds);
}

/** Numbers as Go reads them: cel-go does not ask whether there are two digits, or at most 59 minutes. */
const HOURS_AND_MINUTES = /^([+-]?\d+):([+-]?\d+)$/;

/** Beyond this many minutes the nanoseconds do not fit into 64 bits. */
const LARGEST_OFFSET = 153_722_867;

function fixedOffset(zone: string): number | CelError {
  const [, hours, minutes] = HOURS_AND_MINUTES.exec(zone) ?? [];
  if (hours === undefined || minutes === undefined) {
    return new CelError(`${quoted(zone)} is not a time zone: write hours and minutes like +02:00`);
  }
  const total = Number(hours) * 60 + (zone.startsWith("-") ? -Number(minutes) : Number(minutes));
  if (!(Math.abs(total) <= LARGEST_OFFSET)) return new CelError(`the time zone ${quoted(zone)} is too far from UTC`);
  return total * 60;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function namedOffset(zone: string, seconds: number): number | CelError {
  const clock = clocks.get(zone) ?? newClock(zone);
  if (clock === undefined) return new CelError(`there is no time zone ${quoted(zone)}`);
  return printedOffset(clock.format(seconds * 1000));
}

/** The clock of a zone, if there is one; no more are kept than there are names. */
function newClock(zone: string): Intl.DateTimeFormat | undefined {
  if (!timeZoneNames().has(zone)) return undefined;
  try {
    const clock = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    clocks.set(zone, clock);
    return clock;
  } catch {
    return undefined; // an engine that is older than the zone
  }
}

const PRINTED_OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** The offset at the end of a text such as `1/1/1800, GMT-07:52:58`; none is printed for none. */
function printedOffset(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = PRINTED_OFFSET.exec(text) ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -offset : offset;
}
