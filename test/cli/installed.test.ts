// Does help refer only to what is installed? The files of the package, as npm would pack them, and the help of every command.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { runCommand, runCommands } from "./run-command.ts";

const packed = packedFiles();

function packedFiles(): ReadonlySet<string> {
  const options = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const [{ files }] = JSON.parse(execFileSync("npm", options, { encoding: "utf8" }));
  return new Set(files.map(({ path }: { readonly path: string }) => path));
}

/** The names of all commands, from the help of the program and of its groups. */
function commandNames(): readonly (readonly string[])[] {
  const listed = (args: readonly string[]): readonly string[] => {
    const [, list = ""] = runCommand([...args, "--help"], ".").out.split("\nCommands:\n");
    return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);
  };
  const names = listed([]);
  return [
    [],
    ...names.map((name) => [name]),
    ...["cel", "crd"].flatMap((group) => listed([group]).map((name) => [group, name])),
  ];
}

test("every path that help mentions is in the package", () => {
  const names = commandNames();
  expect(names).toContainEqual(["resolve"]);
  expect(names).toContainEqual(["crd", "check"]);
  const texts = runCommands(
    names.map((name) => ({ args: [...name, "--help"] })),
    ".",
  ).map(({ out }) => out);
  const paths = texts.flatMap(
    (text) => text.match(/\b(?:docs|examples|test|src|schemas|bench|scripts)\/[\w./-]+/g) ?? [],
  );
  expect(paths.filter((path) => !packed.has(path.replace(/\.$/, "")))).toEqual([]);
});

test("help cli prints the reference, which is in the package with all pages that it links to", () => {
  const { code, out } = runCommand(["help", "cli"], "/");
  expect(code).toBe(0);
  expect(out).toBe(readFileSync("docs/cli.md", "utf8"));
  expect(packed).toContain("docs/cli.md");
  const links = [...out.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => posix.join("docs", link));
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !packed.has(link))).toEqual([]);
});

test("the package has no pages for contributors", () => {
  expect([...packed].filter((path) => /^(docs\/internals|test|bench|src|scripts)\//.test(path))).toEqual([]);
});
