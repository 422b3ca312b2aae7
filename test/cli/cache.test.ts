// Do `cache list` and `cache prune` say what is in the cache? On a cache that another process has filled, in every
// format; docs/commands/cache.md shows the same.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCache } from "../../src/cache/cache.ts";
import { runCommand } from "./run-command.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "plimsoll-cache-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const TIME = Date.UTC(2026, 10, 2, 12) / 1000;

/** Three entries of fixed sizes and times, the last of them damaged. */
async function fill(): Promise<void> {
  const cache = openCache({ environment: {}, home, onTrouble: (message) => expect.fail(message) });
  const about = "quay.io/harbour/catalog:v1";
  await cache.put({ kind: "catalog", key: "sha256:1", about }, new Uint8Array(3000));
  await cache.put(
    { kind: "layer", key: "sha256:2", about: `${about}, layer sha256:9f86d081884c` },
    new Uint8Array(1500),
  );
  await cache.put({ kind: "layer", key: "sha256:3", about: "lost" }, new Uint8Array(1000));
  for (const { file, bytes } of await cache.list()) {
    const isLast = bytes < 1500;
    if (isLast) truncateSync(file, 10);
    utimesSync(file, TIME - (isLast ? 3600 : 0), TIME - (isLast ? 3600 : 0));
  }
}

function run(...args: string[]): { readonly code: number; readonly text: string } {
  const { code, out, err } = runCommand(["cache", ...args], home);
  return { code, text: `${out}${err}`.replaceAll(home, "/home/me") };
}

test("a list is as documented", async () => {
  await fill();
  const { code, text } = run("list");
  expect(code).toBe(0);
  const [, shown] = /^```text\n([\s\S]*?)^```$/m.exec(readFileSync("docs/commands/cache.md", "utf8")) ?? [];
  expect(text).toBe(shown);
});

test("a list as JSON and YAML", async () => {
  await fill();
  const { text } = run("list", "-o", "json");
  expect(text.replace(/[0-9a-f]{64}/g, "DIGEST")).toMatchInlineSnapshot(`
    "{
      "apiVersion": "plimsoll.dev/v1alpha1",
      "kind": "CacheList",
      "directory": "/home/me/.cache/plimsoll",
      "bytes": 4861,
      "maxBytes": 2147483648,
      "entries": [
        {
          "kind": "catalog",
          "about": "quay.io/harbour/catalog:v1",
          "bytes": 3163,
          "usedAt": "2026-11-02T12:00:00Z",
          "file": "/home/me/.cache/plimsoll/catalog/DIGEST"
        },
        {
          "kind": "layer",
          "about": "quay.io/harbour/catalog:v1, layer sha256:9f86d081884c",
          "bytes": 1688,
          "usedAt": "2026-11-02T12:00:00Z",
          "file": "/home/me/.cache/plimsoll/layer/DIGEST"
        },
        {
          "kind": "layer",
          "about": null,
          "bytes": 10,
          "usedAt": "2026-11-02T11:00:00Z",
          "file": "/home/me/.cache/plimsoll/layer/DIGEST"
        }
      ]
    }
    "
  `);
  expect(run("list", "-o", "yaml").text).toMatch(/^apiVersion: .*\nkind: CacheList\ndirectory: \/home\/me/);
});

test("the text of an entry begins no line", async () => {
  const cache = openCache({ environment: {}, home, onTrouble: (message) => expect.fail(message) });
  await cache.put({ kind: "layer", key: "k", about: "\u001b[31mred\nplimsoll: a lie" }, new Uint8Array(1));
  const { text } = run("list");
  expect(text).not.toContain("\u001b");
  expect(text.split("\n").filter((line) => line.startsWith("plimsoll"))).toEqual([]);
});

test("prune removes what was not used for longest, then everything", async () => {
  await fill();
  expect(run("prune").text).toMatchInlineSnapshot(`
    "nothing was removed; 3 entries are left, 4.7 KiB, in /home/me/.cache/plimsoll
    "
  `);
  expect(run("prune", "--max-bytes", "4000").text).toMatchInlineSnapshot(`
    "KIND         SIZE  USED                  ABOUT
    layer    10 bytes  2026-11-02T11:00:00Z  damaged
    catalog   3.1 KiB  2026-11-02T12:00:00Z  quay.io/harbour/catalog:v1

    removed 2 entries, 3.1 KiB; 1 entry is left, 1.6 KiB, in /home/me/.cache/plimsoll
    "
  `);
  const { code, text } = run("prune", "--all", "-o", "json");
  expect(code).toBe(0);
  const { kind, removed, left } = JSON.parse(text);
  expect([kind, removed.length, left]).toEqual(["CachePruned", 1, { entries: 0, bytes: 0 }]);
  expect(run("list").text).toBe("no entries in /home/me/.cache/plimsoll\n");
});

test("a cache that may not be used is exit 4, a missing one is not", () => {
  expect(run("list")).toEqual({ code: 0, text: "no entries in /home/me/.cache/plimsoll\n" });
  expect(run("prune", "--all").code).toBe(0);
  mkdirSync(join(home, ".cache"));
  symlinkSync(home, join(home, ".cache/plimsoll"));
  for (const command of ["list", "prune"]) {
    const { code, text } = run(command);
    expect(code).toBe(4);
    expect(text).toMatch(
      /^no cache is used\nplimsoll: the cache "\/home\/me\/.cache\/plimsoll" is not used: it is a symb/,
    );
  }
  rmSync(join(home, ".cache"), { recursive: true });
  writeFileSync(join(home, ".cache"), "");
  expect(run("list").code).toBe(0);
});
