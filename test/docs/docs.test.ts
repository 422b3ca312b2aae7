// Is what the documentation shows what the tool prints? Every `console` block of every page, and every picture under a
// comment with its command, is run from the root of the repository and compared. PLIMSOLL_UPDATE_DOCS=1 npm test writes
// them anew.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_RULE_TEXT, MAX_RULES } from "../../src/crd/cel-rules/rule-tree.ts";
import { CRD_RULES } from "../../src/crd/finding-codes.ts";
import { DOCUMENTATION, KEYWORDS, NOT_ALLOWED } from "../../src/crd/schema/keywords.ts";
import { MAX_LEVELS, MAX_NODES } from "../../src/crd/schema/read-schema.ts";
import { NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import { MAX_REPORTED } from "../../src/crd/upgrade/existing-objects.ts";
import { textFormat } from "../../src/crd/validate/text-format.ts";
import { RULES } from "../../src/model/finding.ts";
import { runCommand, splitWords } from "../cli/run-command.ts";

const UPDATE = process.env.PLIMSOLL_UPDATE_DOCS === "1";
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path))
    .sort(),
];

/** A block of commands and their output; a command that does not end with 0 is followed by its exit code. */
const BLOCK = /^```console\n(\$ plimsoll [\s\S]*?)^```$/gm;

/** A picture, with the command that draws it in a comment above. */
const PICTURE = /^(<!-- \$ plimsoll (.+) -->\n```mermaid\n)([\s\S]*?)^```$/gm;

function drawn(command: string): string {
  return runCommand(splitWords(command), ".").out;
}

function runBlock(block: string): string {
  const commands = block.split("\n").filter((line) => line.startsWith("$ "));
  return commands
    .map((line) => {
      const { code, out, err } = runCommand(splitWords(line.slice("$ plimsoll ".length)), ".");
      return `${line}\n${out}${err}${code === 0 ? "" : `(exit ${code})\n`}`;
    })
    .join("");
}

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(BLOCK)].map((match) => match[1] as string);

  const pictures = [...text.matchAll(PICTURE)].map(([, , command = "", picture = ""]) => ({ command, picture }));

  if (UPDATE && blocks.length + pictures.length > 0)
    writeFileSync(
      page,
      text
        .replace(BLOCK, (_, block: string) => `\`\`\`console\n${runBlock(block)}\`\`\``)
        .replace(PICTURE, (_, head: string, command: string) => `${head}${drawn(command)}\`\`\``),
    );

  test("its commands print what it shows", () => {
    for (const block of UPDATE ? [] : blocks) expect(runBlock(block)).toBe(block);
    for (const { command, picture } of UPDATE ? [] : pictures) expect(drawn(command)).toBe(picture);
  });

  test("its links lead somewhere", () => {
    // Code may look like a link: `[a-z]([0-9])`.
    const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
    const links = [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1] as string);
    for (const link of links) expect(() => readdirOrFile(join(page, "..", link)), link).not.toThrow();
  });
});

function readdirOrFile(path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EISDIR") throw error;
  }
}

test("docs/lint.md explains every rule", () => {
  const text = readFileSync("docs/lint.md", "utf8");
  const explained = [...text.matchAll(/^### (PL\d{3}) ([a-z-]+) \((error|warning|info)\)$/gm)].map(
    ([, code, name, severity]) => `${code} ${name} ${severity}`,
  );
  expect(explained).toEqual(Object.entries(RULES).map(([code, rule]) => `${code} ${rule.name} ${rule.severity}`));
});

describe("docs/crd.md", () => {
  const text = readFileSync("docs/crd.md", "utf8");
  const part = (title: string): string => {
    const [, after = ""] = text.split(`\n### ${title}\n`);
    return after.split(/^##/m)[0] as string;
  };
  const inCode = (prose: string): string[] => [...prose.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);

  test("explains every rule", () => {
    const explained = [...text.matchAll(/^### (CRD\d{3}) ([a-z-]+)\n(?!\n|#)/gm)].map(
      ([, code, name]) => `${code} ${name}`,
    );
    expect(explained).toEqual(Object.entries(CRD_RULES).map(([code, rule]) => `${code} ${rule.name}`));
  });

  test("has every keyword in one row of its table", () => {
    const rows = [...part("Keywords").matchAll(/^\| (`.*?`) \|/gm)].map((match) => match[1] as string);
    expect(rows.flatMap(inCode).sort()).toEqual([...KEYWORDS.keys(), ...DOCUMENTATION, ...NOT_ALLOWED].sort());
  });

  test("states the limits", () => {
    const [, limits = ""] = text.split("\n## Limits\n");
    const stated = [MAX_LEVELS, MAX_NODES, MAX_RULES, MAX_RULE_TEXT, MAX_REPORTED, NOTHING_KNOWN.celCostLimit];
    for (const limit of stated) expect(limits).toContain(limit.toString().replace(/\B(?=(\d{3})+$)/g, ","));
  });

  test("names formats that there are", () => {
    const [ofTexts = ""] = part("Formats").split("For integers");
    expect(inCode(ofTexts)).toHaveLength(26);
    for (const format of inCode(ofTexts)) expect(textFormat(format), format).toBeDefined();
  });
});

test("docs/cli.md names every command, flag and format", () => {
  const contract = readFileSync("docs/cli.md", "utf8");
  const helpOf = (...words: string[]): string => runCommand(["help", ...words], ".").out;
  const commands = [...helpOf().matchAll(/^ {2}([a-z]+)(?: \[|\s{2})/gm)].map((match) => match[1] as string);
  expect(commands).toEqual(["resolve", "explain", "plan", "show", "lint", "place", "cel", "crd", "version", "help"]);
  const parts = ["cel", "crd"].flatMap((group) =>
    [...helpOf(group).matchAll(/^ {2}([a-z]+) \[/gm)].map((match) => `${group} ${match[1]}`),
  );
  expect(parts).toEqual(["cel check", "cel eval", "crd check"]);
  for (const command of [...commands, ...parts]) {
    const help = helpOf(...command.split(" "));
    for (const [flag] of help.matchAll(/--[a-z][a-z-]+/g)) expect(contract, `${command} ${flag}`).toContain(flag);
    const [, formats = ""] = /--output <FORMAT>\s+([a-z, ]+)/.exec(help) ?? [];
    for (const format of formats.split(/, | or /)) expect(contract, `${command} -o ${format}`).toContain(format.trim());
  }
});
