// Do the recipes work as they stand? The first minute of the README runs, and flags exist. Resources have full names, since
// short ones are ambiguous on real clusters: Knative has Subscriptions, Cluster API has conditions. A file made by a recipe
// has everything that an answer depends on.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommands, splitWords } from "../cli/run-command.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
].sort();

/** `kubectl VERB RESOURCES`, with the resources one by one. */
function recipesIn(text: string): readonly (readonly string[])[] {
  return [...text.replaceAll("\\\n", "").matchAll(/kubectl (?:get|patch|wait|delete) ([^\s`]+)/g)].map(
    ([, names = ""]) => names.split(","),
  );
}

/** Kinds of the core group have no longer name, and old groups of Kubernetes no dot; capitals are placeholders. */
const FULL =
  /^(?:configmaps|pods|secrets|serviceaccounts|deployments\.apps|poddisruptionbudgets\.policy|[a-z]+(?:\.[a-z0-9-]+){2,}(?:\/.*)?|[A-Z.]+|"\$one"|-[fko])$/;

test.each(PAGES)("%s has full names of resources", (page) => {
  const short = recipesIn(readFileSync(page, "utf8")).flatMap((names) => names.filter((name) => !FULL.test(name)));
  expect(short).toEqual([]);
});

/** The recipe of a page that reads a cluster. */
function clusterRecipe(page: string): readonly string[] | undefined {
  const recipes = recipesIn(readFileSync(page, "utf8"));
  return recipes.find((names) => names.length > 1 && names.includes("subscriptions.operators.coreos.com"));
}

test.each(["docs/quickstart.md", "docs/commands/resolve.md", "docs/commands/plan.md"])(
  "what %s makes of a cluster has CRDs and the administrator's constraints",
  (page) => {
    expect(clusterRecipe(page)).toContain("customresourcedefinitions.apiextensions.k8s.io");
    expect(clusterRecipe(page)).toContain("clusterserviceversions.operators.coreos.com");
    expect(recipesIn(readFileSync(page, "utf8"))).toContainEqual(["configmaps"]);
  },
);

test("the first minute of README.md runs as it stands", () => {
  const [, minute = ""] = readFileSync("README.md", "utf8").split("\n## A first minute\n");
  const [, block = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(minute) ?? [];
  const commands = block.trim().split("\n");
  expect(commands).toHaveLength(5);
  const lines = commands.map((line) => ({ args: splitWords(line).slice(1) }));
  const codes = runCommands(lines, ".").map(({ code }) => code);
  expect(codes).toEqual([0, 0, 0, 1, 0]);
});

/** The blocks of a page with commands to paste: shell, and workflows. */
function commandsToPaste(page: string): readonly string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^ *```(?:sh|yaml)\n([\s\S]*?)^ *```$/gm);
  return [...blocks].flatMap(([, block = ""]) =>
    [...block.matchAll(/plimsoll ((?:cel |crd )?[a-z]+) .*/g)].map(String),
  );
}

const GLOBAL = ["--strict-input", "--max-document-bytes", "--color", "--progress", "--output", "--help"];

test.each(PAGES.filter((page) => commandsToPaste(page).length > 0))("%s has flags that exist", (page) => {
  const lines = commandsToPaste(page);
  const helps = runCommands(
    lines.map((line) => {
      const [, command = ""] = /plimsoll ((?:cel |crd )?[a-z]+)/.exec(line) ?? [];
      return { args: ["help", ...command.split(" ")] };
    }),
    ".",
  );
  for (const [index, help] of helps.entries()) {
    const line = lines[index] as string;
    expect(help.code, line).toBe(0);
    const flags = line.match(/(?<= )--[a-z-]+/g) ?? [];
    expect(flags.filter((flag) => !help.out.includes(flag) && !GLOBAL.includes(flag))).toEqual([]);
  }
});
