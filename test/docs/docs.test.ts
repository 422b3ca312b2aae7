// Is what the documentation shows what the tool prints? Every `console` block of every page, and every picture under a
// comment with its command, is run from the root of the repository and compared. PLIMSOLL_UPDATE_DOCS=1 npm test writes
// them anew. Links lead to pages and headings, users' pages are free of the code, and numbers are those of the code.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_RULE_TEXT, MAX_RULES } from "../../src/crd/cel-rules/rule-tree.ts";
import { MAX_DIFFERENCES } from "../../src/crd/check-upgrade.ts";
import { CRD_RULES } from "../../src/crd/finding-codes.ts";
import { DOCUMENTATION, KEYWORDS, NOT_ALLOWED } from "../../src/crd/schema/keywords.ts";
import { MAX_LEVELS, MAX_NODES } from "../../src/crd/schema/read-schema.ts";
import { NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import { MAX_REPORTED } from "../../src/crd/upgrade/existing-objects.ts";
import { textFormat } from "../../src/crd/validate/text-format.ts";
import { MAX_BUNDLE_SIZE } from "../../src/input/bundle-directory/given-document.ts";
import { DEFAULT_LIMITS, MAX_DOCUMENT_BYTES, MAX_FINDINGS, printBytes } from "../../src/input/limits.ts";
import { RULES } from "../../src/model/finding.ts";
import { DEFAULT_OPTIONS } from "../../src/model/problem.ts";
import { PREDICATE_COST_LIMIT } from "../../src/placement/filter/filter-cluster.ts";
import { MAX_PATTERN_LENGTH } from "../../src/regex/limits.ts";
import { MAX_LENGTH as MAX_VERSION_LENGTH } from "../../src/semver/characters.ts";
import { type Ran, runCommand, runCommands, splitWords } from "../cli/run-command.ts";
import { documentedMetrics } from "../deploy/metric-tables.ts";

const UPDATE = process.env.PLIMSOLL_UPDATE_DOCS === "1";
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "bench/README.md",
  "examples/README.md",
  "examples/harbour/README.md",
  "test/differential/README.md",
  "test/placement/ocm-cases/README.md",
  "test/resolve/olm-cases/README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path))
    .sort(),
];

/** The commands of these pages need servers: `npm run test:e2e catalog-page` runs them. They have no pictures. */
const ON_SERVERS: ReadonlySet<string> = new Set(["docs/sources.md"]);

/** A block of commands and their output; a command that does not end with 0 is followed by its exit code. */
const BLOCK = /^```console\n(\$ plimsoll [\s\S]*?)^```$/gm;

/** A picture, with the command that draws it in a comment above. */
const PICTURE = /^(<!-- \$ plimsoll (.+) -->\n```mermaid\n)([\s\S]*?)^```$/gm;

/** What a page shows: the commands of a block, each followed by its output; or the output of the one command of a picture. */
interface Shown {
  readonly lines: readonly string[];
  readonly isPicture: boolean;
  readonly text: string;
}

/** The texts as the commands print them now. */
function asPrinted(shown: readonly Shown[]): readonly string[] {
  const lines = shown.flatMap((one) => one.lines);
  const ran = runCommands(
    lines.map((line) => ({ args: splitWords(line) })),
    ".",
  ).values();
  return shown.map(({ lines, isPicture }) =>
    lines
      .map((line) => {
        const { code, out, err } = ran.next().value as Ran;
        return isPicture ? out : `$ plimsoll ${line}\n${out}${err}${code === 0 ? "" : `(exit ${code})\n`}`;
      })
      .join(""),
  );
}

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(BLOCK)].map(([, block = ""]): Shown => {
    const lines = [...block.matchAll(/^\$ plimsoll (.*)$/gm)].map(([, line = ""]) => line);
    return { lines, isPicture: false, text: block };
  });
  const pictures = [...text.matchAll(PICTURE)].map(([, , command = "", picture = ""]): Shown => {
    return { lines: [command], isPicture: true, text: picture };
  });
  const shown = ON_SERVERS.has(page) ? [] : [...blocks, ...pictures];

  if (UPDATE && shown.length > 0) {
    const printed = asPrinted(shown).values();
    writeFileSync(
      page,
      text
        .replace(BLOCK, () => `\`\`\`console\n${printed.next().value}\`\`\``)
        .replace(PICTURE, (_, head: string) => `${head}${printed.next().value}\`\`\``),
    );
  }

  test("its commands print what it shows", () => {
    if (ON_SERVERS.has(page)) expect(pictures).toEqual([]);
    if (!UPDATE) expect(asPrinted(shown)).toEqual(shown.map((one) => one.text));
  });

  test("its links lead somewhere", () => {
    // Code may look like a link: `[a-z]([0-9])`.
    const prose = proseOf(text).replace(/`[^`\n]*`/g, "");
    for (const [, path = "", anchor] of prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const target = path === "" ? page : join(page, "..", path);
      expect(existsSync(target), target).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(target), `${target}#${anchor}`).toContain(anchor);
    }
  });
});

/** A page without its blocks of code. */
function proseOf(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, "");
}

/** The names by which the headings of a page can be linked to. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...proseOf(readFileSync(page, "utf8")).matchAll(/^#+ (.+)$/gm)].map((match) => match[1] as string);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Pages for contributors; compatibility.md has two readers and says where each difference is tested. */
const FOR_CONTRIBUTORS =
  /^(?:CONTRIBUTING\.md|(?:bench|test)\/.*|docs\/(?:internals\/.*|decisions\.md|compatibility\.md))$/;

/** A file of the code or of its tests. */
const CODE_FILE = /(?<![\w/.-])(?:src|test)\/[\w./*{},-]*|`[\w/-]+\.(?:test\.)?ts`/g;

describe("pages have one reader", () => {
  test.each(pages.filter((page) => !FOR_CONTRIBUTORS.test(page)))(
    "%s, for users, names no file of the code",
    (page) => {
      expect(proseOf(readFileSync(page, "utf8")).match(CODE_FILE) ?? []).toEqual([]);
    },
  );

  test.each(pages.filter((page) => FOR_CONTRIBUTORS.test(page)))("%s names files that exist", (page) => {
    const named = proseOf(readFileSync(page, "utf8")).match(/(?<=`)(?:src|test|scripts|bench)\/[\w./-]+(?=`)/g) ?? [];
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  test.each([
    ["docs/README.md", pages.filter((page) => page.startsWith("docs/") && !FOR_CONTRIBUTORS.test(page))],
    ["docs/internals/README.md", pages.filter((page) => page.startsWith("docs/") && FOR_CONTRIBUTORS.test(page))],
  ])("%s lists all of them", (index, listed) => {
    const text = readFileSync(index, "utf8");
    const linked = [...text.matchAll(/\]\(([^)#]+\.md)/g)].map((match) => join(index, "..", match[1] as string));
    expect(listed.filter((page) => page !== index && !linked.includes(page))).toEqual([]);
  });

  test("README.md has at most two screens before its links", () => {
    const [before = ""] = readFileSync("README.md", "utf8").split("\n## Documentation\n");
    expect(before.split("\n").length).toBeLessThan(80);
    const wide = before.split("\n").filter((line) => line.length > 130);
    expect(wide).toEqual([]);
  });
});

function withCommas(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

test("docs/lint.md explains every rule", () => {
  const text = readFileSync("docs/lint.md", "utf8");
  const explained = [...text.matchAll(/^### (PL\d{3}) ([a-z-]+) \((error|warning|info)\)$/gm)].map(
    ([, code, name, severity]) => `${code} ${name} ${severity}`,
  );
  expect(explained).toEqual(Object.entries(RULES).map(([code, rule]) => `${code} ${rule.name} ${rule.severity}`));
});

test("docs/crd.md explains every rule", () => {
  const text = readFileSync("docs/crd.md", "utf8");
  const explained = [...text.matchAll(/^### (CRD\d{3}) ([a-z-]+)\n(?!\n|#)/gm)].map(
    ([, code, name]) => `${code} ${name}`,
  );
  expect(explained).toEqual(Object.entries(CRD_RULES).map(([code, rule]) => `${code} ${rule.name}`));
});

describe("docs/internals/crd.md", () => {
  const text = readFileSync("docs/internals/crd.md", "utf8");
  const part = (title: string): string => {
    const [, after = ""] = text.split(`\n### ${title}\n`);
    return after.split(/^##/m)[0] as string;
  };
  const inCode = (prose: string): string[] => [...prose.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);

  test("has every keyword in one row of its table", () => {
    const rows = [...part("Keywords").matchAll(/^\| (`.*?`) \|/gm)].map((match) => match[1] as string);
    expect(rows.flatMap(inCode).sort()).toEqual([...KEYWORDS.keys(), ...DOCUMENTATION, ...NOT_ALLOWED].sort());
  });

  test("states the limits", () => {
    const [, limits = ""] = text.split("\n## Limits\n");
    const stated = [MAX_LEVELS, MAX_NODES, MAX_RULES, MAX_RULE_TEXT, MAX_REPORTED, NOTHING_KNOWN.celCostLimit];
    for (const limit of stated) expect(limits).toContain(withCommas(limit));
  });

  test("names formats that there are", () => {
    const [ofTexts = ""] = part("Formats").split("For integers");
    expect(inCode(ofTexts)).toHaveLength(26);
    for (const format of inCode(ofTexts)) expect(textFormat(format), format).toBeDefined();
  });
});

describe("docs/limits.md", () => {
  const text = readFileSync("docs/limits.md", "utf8");
  const options = DEFAULT_OPTIONS;

  test.each<[string, readonly number[]]>([
    [
      "Input",
      [DEFAULT_LIMITS.maxDepth, DEFAULT_LIMITS.maxValues, MAX_VERSION_LENGTH, MAX_PATTERN_LENGTH, MAX_FINDINGS],
    ],
    [
      "Resolution",
      [options.maxConflicts, options.maxConstraintBytes, options.maxConstraintDepth, options.celCostLimit],
    ],
    ["Placement", [options.celCostLimit, PREDICATE_COST_LIMIT]],
    [
      "Custom resources",
      [MAX_LEVELS, MAX_NODES, MAX_RULES, MAX_RULE_TEXT, MAX_REPORTED, NOTHING_KNOWN.celCostLimit, MAX_DIFFERENCES],
    ],
  ])("states those of %s", (title, limits) => {
    const [, part = ""] = text.split(`\n## ${title}\n`);
    const [section = ""] = part.split("\n## ");
    for (const limit of limits) expect(section).toContain(withCommas(limit));
  });

  test("states sizes", () => {
    for (const bytes of [DEFAULT_LIMITS.maxDocumentBytes, MAX_DOCUMENT_BYTES, MAX_BUNDLE_SIZE])
      expect(text).toContain(printBytes(bytes));
  });
});

describe("metrics", () => {
  const COMMON = ["leading-metrics.ts", "process-metrics.ts", "reading-metrics.ts", "thread-metrics.ts"];
  const FILES = {
    "Both controllers": COMMON.map((file) => `src/controller/${file}`),
    "The placement controller": ["hub-metrics.ts", "writing-thread.ts"].map(
      (file) => `src/placement-controller/${file}`,
    ),
    "The resolution controller": ["src/resolution-controller/resolution-metrics.ts"],
  };

  test.each(Object.entries(FILES))(
    "docs/operations.md has every one of its section, and no others: %s",
    (section, files) => {
      const measured = files.flatMap(
        (file) => readFileSync(file, "utf8").match(/(?<=")(?:plimsoll|process)_[a-z_]+(?=")/g) ?? [],
      );
      const documented = documentedMetrics(section).map(({ name }) => name);
      expect([...documented].sort()).toEqual([...new Set(measured)].sort());
    },
  );

  test.each(pages)("%s names no others", (page) => {
    const documented = new Set(documentedMetrics().map(({ name }) => name));
    const named = readFileSync(page, "utf8").match(/(?<![a-zA-Z_])(?:plimsoll|process)_[a-z_]+/g) ?? [];
    const others = named.filter((name) => !documented.has(name.replace(/_(?:bucket|sum|count)$/, "")));
    expect(others).toEqual([]);
  });
});

test("docs/cli.md names every command, flag and format", () => {
  const contract = readFileSync("docs/cli.md", "utf8");
  const helpOf = (...words: string[]): string => runCommand(["help", ...words], ".").out;
  const commands = [...helpOf().matchAll(/^ {2}([a-z]+)(?: \[|\s{2})/gm)].map((match) => match[1] as string);
  expect(commands).toEqual([
    "resolve",
    "explain",
    "plan",
    "show",
    "lint",
    "place",
    "status",
    "controller",
    "cel",
    "crd",
    "cache",
    "version",
    "help",
  ]);
  const parts = ["cel", "crd", "cache"].flatMap((group) =>
    [...helpOf(group).matchAll(/^ {2}([a-z]+) \[/gm)].map((match) => `${group} ${match[1]}`),
  );
  expect(parts).toEqual(["cel check", "cel eval", "crd check", "cache list", "cache prune"]);
  for (const command of [...commands, ...parts]) {
    const help = helpOf(...command.split(" "));
    for (const [flag] of help.matchAll(/--[a-z][a-z-]+/g)) expect(contract, `${command} ${flag}`).toContain(flag);
    const [, formats = ""] = /--output <FORMAT>\s+([a-z, ]+)/.exec(help) ?? [];
    for (const format of formats.split(/, | or /)) expect(contract, `${command} -o ${format}`).toContain(format.trim());
  }
});
