// What is logged? One JSON object on each line, for machines first. A line that is repeated is counted, and so are lines of one message that
// differ too often, so that a failure that lasts does not fill the disk. Values are bounded; callers never pass payloads or
// credentials.

import { shortened, visibleJson } from "../text/words.ts";
import type { Clock } from "./clock.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** What is known besides the message. Fields without a value are left out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>> & {
  readonly [reserved in Reserved]?: never;
};

type Reserved = "time" | "level" | "message" | "repeated" | "suppressed";

export interface LogOptions {
  /** Less important lines are not printed. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Takes one line, with its line end. */
  readonly write: (line: string) => void;
}

/** What takes lines. */
export type Logger = Pick<Log, LogLevel>;

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
/** Different lines of one message that are printed in a period. */
const MAX_VARIANTS = 100;

/** How many different lines of a message were printed since some monotonic time, and how many were not. */
interface Variants {
  readonly since: number;
  printed: number;
  suppressed: number;
  cancel?: () => void;
}

export class Log {
  readonly #options: LogOptions;
  /** By their text without the time, in the order in which they were printed. */
  readonly #printed = new Map<string, Printed>();
  /** By level and message: texts of the program, of which there are few. */
  readonly #variants = new Map<string, Variants>();

  constructor(options: LogOptions) {
    this.#options = options;
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

  /** Prints the counts of repetitions that were not printed yet; called before the process ends. */
  flush(): void {
    for (const [rest, line] of [...this.#printed]) {
      if (line.repeated > 0) this.#printRepeated(rest);
      line.cancel?.();
    }
    for (const [head, variants] of [...this.#variants]) {
      variants.cancel?.();
      this.#endVariants(head, variants);
    }
    this.#printed.clear();
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    const { level: least, clock } = this.#options;
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const rest = lineRest(level, message, fields);
    const now = clock.monotonic();
    const before = this.#printed.get(rest);
    if (before !== undefined && now - before.at < REPEAT_PERIOD) {
      before.repeated++;
      before.cancel ??= clock.after(before.at + REPEAT_PERIOD - now, () => this.#printRepeated(rest));
      return;
    }
    if (!this.#isOneTooMany(lineRest(level, message, {}), now)) this.#print(rest);
  }

  /** Counts a line of a message; true if there are too many that differ, and it is not to be printed. */
  #isOneTooMany(head: string, now: number): boolean {
    const { clock } = this.#options;
    let variants = this.#variants.get(head);
    if (variants === undefined || (now - variants.since >= REPEAT_PERIOD && variants.suppressed === 0))
      variants = { since: now, printed: 0, suppressed: 0 };
    this.#variants.set(head, variants);
    if (variants.printed < MAX_VARIANTS) {
      variants.printed++;
      return false;
    }
    variants.suppressed++;
    const ending = variants;
    variants.cancel ??= clock.after(variants.since + REPEAT_PERIOD - now, () => this.#endVariants(head, ending));
    return true;
  }

  /** Prints how many lines of a message were not printed. */
  #endVariants(head: string, { suppressed }: Variants): void {
    this.#variants.delete(head);
    const { clock, write } = this.#options;
    if (suppressed > 0) write(lineText(clock, `${head},"suppressed":${suppressed}`, 0));
  }

  #print(rest: string, repeated = 0): void {
    const { clock, write } = this.#options;
    const printed = this.#printed;
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
  #printRepeated(rest: string): void {
    this.#print(rest, this.#printed.get(rest)?.repeated);
  }
}

/** A logger whose lines have these fields, too, before their own. */
export function withFields(log: Logger, common: LogFields): Logger {
  return {
    debug: (message, fields) => log.debug(message, { ...common, ...fields }),
    info: (message, fields) => log.info(message, { ...common, ...fields }),
    warn: (message, fields) => log.warn(message, { ...common, ...fields }),
    error: (message, fields) => log.error(message, { ...common, ...fields }),
  };
}

function lineText(clock: Clock, rest: string, repeated: number): string {
  const time = new Date(clock.now()).toISOString();
  return `{"time":"${time}",${rest}${repeated > 0 ? `,"repeated":${repeated}` : ""}}\n`;
}

/** The fields of an unexpected error: a bug, whose stack is needed. */
export function bugFields(error: unknown): { readonly why: string; readonly stack: string | undefined } {
  return error instanceof Error ? { why: error.message, stack: error.stack } : { why: String(error), stack: undefined };
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
