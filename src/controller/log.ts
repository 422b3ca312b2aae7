// What is logged? One JSON object on each line, for machines first. A line that is repeated is counted, so that a failure that lasts does not
// fill the disk. Values are bounded; payloads and credentials are not logged by anyone.

import { shortened, visibleJson } from "../text/words.ts";
import type { Clock } from "./clock.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** What is known besides the message. Fields without a value are left out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>> & {
  readonly [reserved in Reserved]?: never;
};

type Reserved = "time" | "level" | "message" | "repeated";

export interface LogOptions {
  /** Less important lines are not printed. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Takes one line, with its line end. */
  readonly write: (line: string) => void;
}

/** A line that was printed, and is not printed again for a while. */
interface Printed {
  /** The monotonic time. */
  readonly at: number;
  repeated: number;
  cancel?: () => void;
}

const MAX_TEXT = 2000;
const REPEAT_PERIOD = 60_000;
/** Lines whose repetitions are noticed. */
const MAX_PRINTED = 500;

/** The printer that a log shares with its children. */
interface Printer extends LogOptions {
  /** By their text without the time, in the order in which they were printed. */
  readonly printed: Map<string, Printed>;
}

export class Log {
  readonly #printer: Printer;
  readonly #fields: LogFields;

  constructor(options: LogOptions | Printer, fields: LogFields = {}) {
    this.#printer = "printed" in options ? options : { ...options, printed: new Map() };
    this.#fields = fields;
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#log("debug", message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#log("info", message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#log("warn", message, fields);
  }

  error(message: string, fields: LogFields = {}): void {
    this.#log("error", message, fields);
  }

  /** A log whose lines have these fields, too. */
  child(fields: LogFields): Log {
    return new Log(this.#printer, { ...this.#fields, ...fields });
  }

  /** Prints the repetitions that are not printed yet: before the process ends. */
  flush(): void {
    const { printed } = this.#printer;
    for (const [rest, line] of [...printed]) {
      if (line.repeated > 0) printRepeated(this.#printer, rest);
      line.cancel?.();
    }
    printed.clear();
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    const { level: least, clock, printed } = this.#printer;
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const rest = lineRest(level, message, { ...this.#fields, ...fields });
    const now = clock.monotonic();
    const before = printed.get(rest);
    if (before !== undefined && now - before.at < REPEAT_PERIOD) {
      before.repeated++;
      before.cancel ??= clock.after(before.at + REPEAT_PERIOD - now, () => printRepeated(this.#printer, rest));
      return;
    }
    print(this.#printer, rest);
  }
}

function print(printer: Printer, rest: string, repeated = 0): void {
  const { clock, write, printed } = printer;
  const now = clock.monotonic();
  printed.get(rest)?.cancel?.();
  printed.delete(rest);
  for (const [oldest, { at, repeated: count, cancel }] of printed) {
    if (now - at < REPEAT_PERIOD && printed.size < MAX_PRINTED) break;
    cancel?.();
    printed.delete(oldest);
    if (count > 0) write(lineText(clock, oldest, count));
  }
  printed.set(rest, { at: now, repeated: 0 });
  write(lineText(clock, rest, repeated));
}

/** The line once more, with the number of times that it was not printed. */
function printRepeated(printer: Printer, rest: string): void {
  print(printer, rest, printer.printed.get(rest)?.repeated);
}

function lineText(clock: Clock, rest: string, repeated: number): string {
  const time = new Date(clock.now()).toISOString();
  return `{"time":"${time}",${rest}${repeated > 0 ? `,"repeated":${repeated}` : ""}}\n`;
}

/** The line without its braces and its time. */
function lineRest(level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [["level", level], ["message", message], ...pairs]
    .map(([key, value]) => `${visibleJson(key as string)}:${valueText(value)}`)
    .join(",");
}

/** Control characters, and others that cannot be seen, are escaped: a line is one line in every terminal. */
function valueText(value: string | number | boolean | undefined): string {
  return typeof value === "string" ? visibleJson(shortened(value, MAX_TEXT)) : JSON.stringify(value);
}
