import { afterEach, expect, test, vi } from "vitest";
import { run } from "./program.ts";

afterEach(() => vi.restoreAllMocks());

const SLEEPING = { args: ["-e", "setTimeout(() => {}, 60000)"], environment: process.env, timeout: 60_000 };

/** The signals that this process sends to itself while a program runs and SIGTERM comes. */
async function signalsToItself(): Promise<readonly unknown[]> {
  const sent: unknown[] = [];
  const kill = process.kill.bind(process);
  vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    if (pid !== process.pid) return kill(pid, signal);
    sent.push(signal);
    return true;
  });
  const ending = run({ command: process.execPath, ...SLEEPING, signal: new AbortController().signal });
  process.emit("SIGTERM", "SIGTERM");
  expect(await ending).toMatchObject({ end: "exited", killedBy: "SIGKILL" });
  return sent;
}

test("a signal that nothing else handles ends the program, and this process", async () => {
  expect(await signalsToItself()).toEqual(["SIGTERM"]);
});

test("a signal that something else handles, even once, ends only the program: the process ends in its own way", async () => {
  const handled = vi.fn();
  process.once("SIGTERM", handled);
  expect(await signalsToItself()).toEqual([]);
  expect(handled).toHaveBeenCalledTimes(1);
});
