// Do help and pages refer only to what is installed? The files of the package, as npm would pack them, with their links, and
// the help of every command.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
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

test("help cli prints every word of the reference on short lines, and where the pages are that it links to", () => {
  const { code, out } = runCommand(["help", "cli"], "/");
  expect(code).toBe(0);
  const page = readFileSync("docs/cli.md", "utf8");
  const inCode = /^```[\s\S]*?^```$/gm;
  expect(out.match(inCode)).toEqual(page.match(inCode));
  const words = (text: string): readonly string[] => text.replace(inCode, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  const [printed = "", folder = ""] = out.split("\nThe pages to which it links are in ");
  // Only the titles of columns are left out.
  expect(words(printed)).toEqual(words(page.replace(/^\| .*\n\|---/gm, "")));
  expect(folder).toBe(`${resolve("docs")}/\n`);
  const long = printed
    .replace(inCode, "")
    .split("\n")
    .filter((line) => line.length > 100);
  expect(long).toEqual([]);
});

test("every link of a packed page leads to a packed file or folder", () => {
  const pages = [...packed].filter((path) => path.endsWith(".md"));
  expect(pages).toContain("README.md");
  expect(pages).toContain("examples/harbour/README.md");
  const links = pages.flatMap((page) =>
    relativeLinks(readFileSync(page, "utf8")).map((link) => ({ page, target: posix.join(page, "..", link) })),
  );
  expect(links.length).toBeGreaterThan(100);
  const lead = (target: string): boolean =>
    packed.has(target) || [...packed].some((path) => path.startsWith(`${target.replace(/\/$/, "")}/`));
  expect(links.filter(({ target }) => !lead(target))).toEqual([]);
});

/** The paths that a page links to. Code may look like a link: `[a-z]([0-9])`. */
function relativeLinks(page: string): readonly string[] {
  const prose = page.replace(/^ *```[\s\S]*?^ *```$/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
}

test("the package has no code of the project, its tests or its benchmarks", () => {
  expect([...packed].filter((path) => /^(test|bench\/(?!README\.md$)|src|scripts)/.test(path))).toEqual([]);
});
