export type LogLevel = "debug" | "info" | "warn" | "error";
export interface LogEntry { readonly level: LogLevel; readonly message: string; readonly fields?: Readonly<Record<string, unknown>> }
const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];
export class Log {
  readonly #o: { level: LogLevel; clock: { now(): number }; write: (line: string) => void };
  constructor(o: { level: LogLevel; clock: { now(): number }; write: (line: string) => void }) { this.#o = o; }
  write(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(this.#o.level)) return;
    this.#o.write(`${JSON.stringify({ time: new Date(this.#o.clock.now()).toISOString(), level, message, ...fields })}\n`);
  }
  info(m: string, f?: Readonly<Record<string, unknown>>): void { this.write("info", m, f); }
  warn(m: string, f?: Readonly<Record<string, unknown>>): void { this.write("warn", m, f); }
  error(m: string, f?: Readonly<Record<string, unknown>>): void { this.write("error", m, f); }
}
