import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { planOf, problemOf } from "../../../test/plan/locked-harbour.ts";
import { resolve } from "../../resolve/resolve.ts";
import { EXIT } from "../exit-code.ts";
import { openTerminal } from "../terminal.ts";
import { codesOfLock, compareAnswers, loadLock, printComparison, writeLock } from "./lock-file.ts";

vi.stubGlobal("PLIMSOLL_VERSION", "1.2.3");
const DIRECTORY = mkdtempSync(join(tmpdir(), "plimsoll-lock-"));
const FILE = join(DIRECTORY, "plan.lock");
const MAX_COUNT = 1_000_000;
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(DIRECTORY, { recursive: true, force: true });
});

describe("a lock file", () => {
  test("is written, and read again", async () => {
    expect(writeLock(FILE, [problemOf()], [planOf()])).toBeUndefined();
    const { lock, findings } = await loadLock(FILE, MAX_COUNT);
    expect(findings).toEqual([]);
    expect(lock?.engine).toBe("1.2.3");
    expect(lock?.plans.map(({ namespace }) => namespace)).toEqual(["ns"]);
    expect(readFileSync(FILE, "utf8")).toMatch(/^\{\n {2}"apiVersion": "plimsoll.dev\/v1alpha1",\n[\s\S]*\}\n$/);
  });

  test("that cannot be written", () => {
    expect(writeLock(join(DIRECTORY, "nowhere", "plan.lock"), [], [])).toMatch(
      /plan\.lock cannot be written: no such file/,
    );
  });

  test("that is not there, is too long, or is none", async () => {
    const missing = await loadLock(join(DIRECTORY, "nowhere"), MAX_COUNT);
    expect(missing).toMatchObject({ lock: undefined, codes: [EXIT.unreachable] });
    expect(missing.findings[0]?.message).toMatch(/nowhere cannot be read: /);
    writeFileSync(join(DIRECTORY, "list"), "[]");
    expect(await loadLock(join(DIRECTORY, "list"), MAX_COUNT)).toMatchObject({
      lock: undefined,
      codes: [EXIT.invalidInput],
    });
    expect(await loadLock(join(DIRECTORY, "list"), 1)).toMatchObject({ lock: undefined, codes: [EXIT.unreachable] });
  });
});

describe("an answer", () => {
  const problem = problemOf();

  test("is compared, if there is one", async () => {
    writeLock(FILE, [problem], [planOf(problem)]);
    const { lock } = await loadLock(FILE, MAX_COUNT);
    if (lock === undefined) throw new Error("the lock could not be read");
    const resolution = resolve(problem);
    const same = compareAnswers(lock, [problem], [{ kind: "solved", problem, resolution }], undefined);
    expect(same).toMatchObject({ same: true, generation: 1, differences: [] });
    expect(compareAnswers(lock, [problem], [{ kind: "bug", message: "", problem }], undefined)).toBeUndefined();
  });

  test("that differs ends with 1, and is printed with and without --quiet", () => {
    const lines: string[] = [];
    const terminal = { ...openTerminal({ color: "never" }), err: (text: string) => void lines.push(text) };
    const comparison = { generation: 1, generations: 1, differences: [] };
    expect(codesOfLock({ ...comparison, same: true })).toEqual([]);
    expect(codesOfLock({ ...comparison, same: false })).toEqual([EXIT.no]);
    printComparison("plan.lock", { ...comparison, same: true }, true, terminal);
    expect(lines).toEqual([]);
    printComparison("plan.lock", { ...comparison, same: false }, true, terminal);
    expect(lines[0]).toBe("plimsoll: this is not what was locked in plan.lock (before generation 1 of 1):\n");
  });
});
