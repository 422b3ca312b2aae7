// Do several processes share the work on a cold cache? They are real ones, because a lock is about what happens between
// them, and one of them is killed in the middle of its work.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const PROCESSES = 8;
/** Larger than what a file system writes at once. */
const PAYLOAD = 3_000_000;

let folder: string;
let home: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-processes-"));
  await build({
    entryPoints: ["src/cache/cache.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: join(folder, "cache.mjs"),
    logLevel: "silent",
  });
  // Writes a line for each attempt to make the entry, and at last what it got.
  writeFileSync(
    join(folder, "want.mjs"),
    `import { appendFileSync } from "node:fs";
import { openCache } from "./cache.mjs";
const [home, how] = process.argv.slice(2);
const cache = openCache({ environment: {}, home, onTrouble: (message) => console.log(message) });
const make = async () => {
  appendFileSync(home + "/made", process.pid + "\\n");
  if (how === "hang") await new Promise((resolve) => setTimeout(resolve, 1e6));
  await new Promise((resolve) => setTimeout(resolve, 300));
  if (how === "fail") throw new Error("failed");
  return new Uint8Array(${PAYLOAD}).fill(7);
};
try {
  const payload = await cache.once({ kind: "catalog", key: "key", about: "about" }, make, new AbortController().signal);
  console.log(payload.length + " " + payload.every((byte) => byte === 7));
} catch (error) {
  console.log(error.message);
}
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  home = mkdtempSync(join(folder, "home-"));
});

interface Running {
  readonly child: ChildProcess;
  readonly output: Promise<string>;
}

function start(how = "well"): Running {
  const child = spawn(process.execPath, [join(folder, "want.mjs"), home, how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
    });
    child.on("close", () => resolve(text));
  });
  return { child, output };
}

function attempts(): readonly string[] {
  return existsSync(join(home, "made")) ? readFileSync(join(home, "made"), "utf8").trim().split("\n") : [];
}

const RIGHT = `${PAYLOAD} true\n`;
const files = (): readonly string[] => readdirSync(join(home, ".cache/plimsoll/catalog"));

test("one of eight processes makes the entry, the others wait for it", async () => {
  const outputs = await Promise.all(Array.from({ length: PROCESSES }, () => start().output));
  expect(outputs).toEqual(Array(PROCESSES).fill(RIGHT));
  expect(attempts().length).toBeLessThanOrEqual(2);
  expect(files().length).toBe(1);
});

test("a process that is killed in the middle is replaced", async () => {
  const killed = start("hang");
  while (attempts().length === 0) await pause(10);
  const waiting = Array.from({ length: 4 }, () => start());
  await pause(300);
  killed.child.kill("SIGKILL");
  expect(await Promise.all(waiting.map(({ output }) => output))).toEqual(Array(4).fill(RIGHT));
  expect(attempts().length).toBeLessThanOrEqual(3);
  expect(files().filter((name) => !name.includes("."))).toHaveLength(1);
});

test("what a killed process left is in the way of no later one", async () => {
  const killed = start("hang");
  while (attempts().length === 0) await pause(10);
  killed.child.kill("SIGKILL");
  await killed.output;
  expect(files()).toEqual([expect.stringMatching(/\.lock$/)]);
  expect(await start().output).toBe(RIGHT);
  expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test("a process that fails is followed by one that does not", async () => {
  const failing = start("fail");
  while (attempts().length === 0) await pause(10);
  const good = start();
  expect(await failing.output).toBe("failed\n");
  expect(await good.output).toBe(RIGHT);
  expect(files().length).toBe(1);
});
