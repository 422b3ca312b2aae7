import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { Log, type LogLevel } from "./log.ts";

const MINUTE = 60_000;

function bench(level: LogLevel = "debug") {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = new Log({ level, clock, write: (line) => lines.push(line) });
  return { clock, log, lines, parsed: () => lines.splice(0).map((line) => JSON.parse(line) as unknown) };
}

describe("a line", () => {
  test("is a JSON object with time, level, message and fields, in this order", () => {
    const { log, lines } = bench();
    log.info("wrote", { key: "harbour/ships", writes: 3, isFirst: true, reason: undefined });
    expect(lines).toEqual([
      '{"time":"2026-03-01T12:00:00.000Z","level":"info","message":"wrote","key":"harbour/ships","writes":3,"isFirst":true}\n',
    ]);
  });

  test("stays one line, and shows every character, whatever it says", () => {
    const { log, lines } = bench();
    const hostile = 'a\n{"level":"error"}\r\u001b[31m\u2028\u202e\u009b\u0000"';
    log.warn(hostile, { [hostile]: hostile });
    expect(lines).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(lines[0]?.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(JSON.parse(lines[0] as string)).toMatchObject({ message: hostile, [hostile]: hostile });
  });

  test("has no longer texts than 2,000 characters", () => {
    const { log, parsed } = bench();
    log.error("m".repeat(5000), { field: "f".repeat(5000), whole: "w".repeat(2000) });
    expect(parsed()).toMatchObject([
      { message: `${"m".repeat(1999)}…`, field: `${"f".repeat(1999)}…`, whole: "w".repeat(2000) },
    ]);
  });

  test("is printed if it is important enough", () => {
    const { log, parsed } = bench("warn");
    log.debug("d");
    log.info("i");
    log.warn("w");
    log.error("e");
    expect(parsed()).toMatchObject([{ level: "warn" }, { level: "error" }]);
  });
});

describe("repetitions", () => {
  test("are counted for a minute, and printed once", async () => {
    const { clock, log, parsed } = bench();
    log.warn("broken", { key: "a" });
    await clock.pass(10_000);
    for (let count = 0; count < 5; count++) log.warn("broken", { key: "a" });
    log.warn("broken", { key: "b" });
    log.error("broken", { key: "a" });
    expect(parsed()).toMatchObject([{ key: "a" }, { key: "b" }, { level: "error" }]);
    await clock.pass(50_000 - 1);
    expect(parsed()).toEqual([]);
    await clock.pass(1);
    expect(parsed()).toEqual([
      { time: "2026-03-01T12:01:00.000Z", level: "warn", message: "broken", key: "a", repeated: 5 },
    ]);
    expect(clock.waiting).toBe(0);
  });

  test("that go on have one line a minute", async () => {
    const { clock, log, parsed } = bench();
    for (let count = 0; count < 180; count++) {
      log.warn("broken");
      await clock.pass(1000);
    }
    expect(parsed().map((line) => (line as { repeated?: number }).repeated)).toEqual([undefined, 59, 60, 60]);
  });

  test("after a minute are no repetitions", async () => {
    const { clock, log, parsed } = bench();
    log.warn("broken");
    await clock.pass(MINUTE);
    log.warn("broken");
    expect(parsed()).toMatchObject([{ message: "broken" }, { message: "broken" }]);
    expect(clock.waiting).toBe(0);
  });

  test("are printed at the end of the process", () => {
    const { clock, log, parsed } = bench();
    for (let count = 0; count < 3; count++) log.warn("broken");
    log.info("fine");
    log.flush();
    expect(parsed()).toMatchObject([{ message: "broken" }, { message: "fine" }, { message: "broken", repeated: 2 }]);
    expect(clock.waiting).toBe(0);
  });

  test("are noticed for the last 500 lines only; what was counted of others is printed", () => {
    const { clock, log, parsed } = bench();
    log.warn("first");
    log.warn("first");
    for (let count = 0; count < 500; count++) log.info(String(count));
    expect(parsed().at(-2)).toMatchObject({ message: "first", repeated: 1 });
    expect(clock.waiting).toBe(0);
    log.warn("first");
    expect(parsed()).toHaveLength(1);
  });

  test("of one message that differ too often are counted", async () => {
    const { log, lines, clock } = bench();
    for (let count = 0; count < 250; count++) log.warn("failed to write", { placement: `p${count}` });
    log.warn("another message");
    expect(lines).toHaveLength(101);
    await clock.pass(60_000);
    expect(lines).toHaveLength(102);
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ message: "failed to write", suppressed: 150 });
    log.warn("failed to write", { placement: "p0" });
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ message: "failed to write", placement: "p0" });
  });
});
