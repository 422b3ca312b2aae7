// What is shown of work that takes long? The clock is one that only the test moves.

import { describe, expect, test } from "vitest";
import { type Clock, Progress, type ProgressChoice, progressOf } from "./progress.ts";

const MEBIBYTE = 1024 * 1024;
const CLEAR = "\r\u001b[2K";

interface Shown {
  readonly progress: Progress;
  /** What was written to standard error since the last call. */
  written(): string;
  /** Lets time pass. */
  pass(milliseconds: number): void;
}

function shown(choice: ProgressChoice, { isTerminal = true } = {}): Shown {
  let now = 0;
  let text = "";
  let tick: (() => void) | undefined;
  const clock: Clock = {
    now: () => now,
    every: (_, work) => {
      tick = work;
      return () => {
        tick = undefined;
      };
    },
  };
  const err = (more: string): void => {
    text += more;
  };
  const terminal = { err, errIsTerminal: isTerminal, status: (line: string) => err(`${CLEAR}${line}`) };
  return {
    progress: new Progress(terminal, choice, { label: "reading catalog hub", total: () => 1, clock }),
    written: () => {
      const all = text;
      text = "";
      return all;
    },
    pass: (milliseconds) => {
      for (let rest = milliseconds; rest > 0; rest -= 500) {
        now += Math.min(rest, 500);
        if (rest >= 500) tick?.();
      }
    },
  };
}

describe("bytes", () => {
  test("of a known total have a line for every tenth", () => {
    const { progress, written, pass } = shown("plain");
    pass(300);
    for (let bytes = 0; bytes <= 100 * MEBIBYTE; bytes += MEBIBYTE / 4)
      progress.arrived({ bytes, total: 100 * MEBIBYTE });
    expect(written().split("\n")).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `reading catalog hub: ${n}0 %, ${n}0 MiB of 100 MiB`),
      "",
    ]);
    progress.arrived({ bytes: 101 * MEBIBYTE, total: 100 * MEBIBYTE });
    progress.end();
    expect(written()).toBe("");
  });

  test("of an unknown total have a line when they have doubled", () => {
    const { progress, written, pass } = shown("plain");
    pass(300);
    for (let bytes = 0; bytes <= 8 * MEBIBYTE; bytes += MEBIBYTE / 4) progress.arrived({ bytes });
    expect(written().match(/[\d.]+ MiB/g)).toEqual(["1 MiB", "2 MiB", "4 MiB", "8 MiB"]);
  });

  test("that come fast are not shown", () => {
    const { progress, written } = shown("plain");
    progress.arrived({ bytes: MEBIBYTE, total: MEBIBYTE });
    expect(written()).toBe("");
  });
});

describe("a silent server", () => {
  const WAITING = "reading catalog hub: waiting for the registry quay.io…";

  test("is named on a terminal after some seconds, until it sends something", () => {
    const { progress, written, pass } = shown("auto");
    const done = progress.waiting("the registry quay.io");
    pass(2000);
    expect(written()).toBe("");
    pass(500);
    expect(written()).toBe(`${CLEAR}${WAITING} 2 s`);
    pass(9500);
    expect(written().split(CLEAR).at(-1)).toBe(`${WAITING} 12 s`);
    pass(200);
    progress.arrived({ bytes: 2048 });
    expect(written()).toBe(`${CLEAR}reading catalog hub: 2 KiB`);
    pass(2000);
    expect(written()).toBe("");
    pass(1000);
    expect(written()).toContain(`${WAITING} 3 s`);
    done();
    pass(10_000);
    expect(written()).toBe("");
    progress.end();
    expect(written()).toBe(CLEAR);
  });

  test("has a few lines if lines are asked for", () => {
    const { progress, written, pass } = shown("plain", { isTerminal: false });
    progress.waiting("the registry quay.io");
    pass(60_000);
    expect(written().match(/\d+ s$/gm)).toEqual(["2 s", "4 s", "8 s", "16 s", "32 s"]);
    progress.end();
    pass(60_000);
    expect(written()).toBe("");
  });

  test("is the one that is waited for longest", () => {
    const { progress, written, pass } = shown("plain");
    const first = progress.waiting("another process that reads the same layer");
    pass(1000);
    progress.waiting("the registry quay.io");
    pass(1500);
    expect(written()).toContain("waiting for another process that reads the same layer… 2 s");
    first();
    pass(4000);
    expect(written()).toContain("waiting for the registry quay.io… ");
  });

  test.for([
    ["none", true],
    ["auto", false],
  ] as const)("is not named with --progress %s, on a terminal: %s", ([choice, isTerminal]) => {
    const { progress, written, pass } = shown(choice, { isTerminal });
    progress.waiting("the registry quay.io");
    pass(60_000);
    progress.end();
    expect(written()).toBe("");
  });
});

test("--quiet shows nothing, and neither does a bar beside the lines of -v", () => {
  const written: string[] = [];
  const err = (more: string): void => void written.push(more);
  const terminal = { err, errIsTerminal: true, status: err };
  for (const flags of [{ progress: "plain", quiet: true } as const, { progress: "auto", verbose: true } as const]) {
    const progress = progressOf(flags, terminal, "reading", () => expect.fail("there is nothing to count"));
    progress.waiting("the registry quay.io")();
    progress.arrived({ bytes: MEBIBYTE });
    progress.end();
  }
  expect(written).toEqual([]);
});
