// Does a line of progress disappear before anything else is written?

import { expect, test } from "vitest";
import { openTerminal } from "./terminal.ts";

const CLEAR = "\r\u001b[2K";

/** A terminal of a width, and what was written to it. */
function terminalOf(columns: number | undefined) {
  const written: string[] = [];
  const write = (text: string): boolean => written.push(text) > 0;
  const stream = { write, isTTY: true, columns } as unknown as NodeJS.Process["stderr"];
  const terminal = openTerminal({ color: "never" }, { stdout: stream as never, stderr: stream as never, env: {} });
  return { ...terminal, written };
}

test("a line is replaced by the next, and removed before other output", async () => {
  const { status, err, out, outAll, commands, written } = terminalOf(80);
  status("one");
  status("two");
  err("note\n");
  err("more\n");
  status("three");
  out("answer\n");
  status("four");
  await outAll(["text\n"]);
  status("five");
  commands("::group::\n");
  status("six");
  status("");
  status("");
  expect(written).toEqual([
    ...["one", CLEAR, "two", CLEAR, "note\n", "more\n"],
    ...["three", CLEAR, "answer\n", "four", CLEAR, "text\n", "five", CLEAR, "::group::\n", "six", CLEAR],
  ]);
});

test.for([
  [40, 39],
  [1, 1],
  [undefined, 79],
  [0, 79],
] as const)("a line is cut to the width of the terminal: %s", ([columns, length]) => {
  const { status, written } = terminalOf(columns);
  status(`reading catalog ${"long-".repeat(40)}: 3 MiB of 8 MiB`);
  expect(written[0]).toHaveLength(length);
  if (length > 30) expect(written[0]).toMatch(/^reading catalog .*….* of 8 MiB$/);
});

test("nothing in a line acts on the terminal", () => {
  const { status, written } = terminalOf(80);
  status("reading catalog \u001b[31m: 3 bundles");
  expect(written).toEqual(["reading catalog \\u{1b}[31m: 3 bundles"]);
});
