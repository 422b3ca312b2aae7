// Is every example of the guides true? docs/constraints.md and docs/runtime-constraints.md have blocks marked `yaml
// example`, each followed by a table: what is asked of `plimsoll resolve`, and the whole answer. A block is the properties
// of shop.v1.0.0 in the first guide and the administrator's list in the second. The tables of bundles are checked, too.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askedQuestion, namedRequests } from "../../src/cli/question/load.ts";
import { type ResolveFlags, withResolveOptions } from "../../src/cli/question/options.ts";
import { openTerminal } from "../../src/cli/terminal.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { readYaml } from "../../src/input/yaml-text.ts";
import type { Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { DEFAULT_OPTIONS } from "../../src/model/problem.ts";
import { factTexts } from "../../src/render/sentence/fact.ts";
import { detailText, one } from "../../src/render/sentence/rule.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";
import type { Warning } from "../../src/resolve/warning.ts";
import { splitWords } from "../cli/run-command.ts";
import { type ExplainedResolution, explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { explanationText } from "../explanations/explanation-text.ts";

const CATALOG = "examples/guides/catalog.yaml";

/** A line of the table behind a block. */
interface Row {
  readonly line: number;
  /** The words after `plimsoll resolve --catalog …`. */
  readonly asked: string;
  readonly answer: string;
}

interface Example {
  readonly line: number;
  readonly title: string;
  readonly text: string;
  readonly rows: readonly Row[];
}

/** The examples of a page; a block without a table is a mistake. */
function examplesOf(page: string): readonly Example[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const examples: Example[] = [];
  let title = "";
  for (let at = 0; at < lines.length; at++) {
    title = /^#+ (.*)$/.exec(lines[at] as string)?.[1] ?? title;
    if (lines[at] !== "```yaml example") continue;
    const end = lines.indexOf("```", at);
    const rows = tableAfter(lines, end);
    if (rows.length === 0) throw new Error(`${page}:${at + 1}: the example has no answer`);
    examples.push({ line: at + 1, title, text: `${lines.slice(at + 1, end).join("\n")}\n`, rows });
    at = end;
  }
  return examples;
}

const HEADER = "| arguments | answer |";

/** The rows of the table that comes next, unless another block or a heading comes before it. */
function tableAfter(lines: readonly string[], from: number): readonly Row[] {
  const start = lines.findIndex((line, index) => index > from && /^(#|```|\| arguments )/.test(line));
  if (start < 0 || lines[start] !== HEADER) return [];
  const rows: Row[] = [];
  for (let at = start + 2; (lines[at] ?? "").startsWith("|"); at++) {
    const [, asked, answer] = /^\| `([^`]+)` \| (.+) \|$/.exec(lines[at] as string) ?? [];
    if (asked === undefined || answer === undefined) throw new Error(`line ${at + 1} is not: | \`…\` | answer |`);
    rows.push({ line: at + 1, asked, answer });
  }
  return rows;
}

/** An answer as the tables write it; texts are parts of messages. */
interface Answer {
  readonly operators: readonly string[];
  /** Messages by package. */
  readonly refused: Readonly<Record<string, string>>;
  readonly open: readonly string[];
  readonly heldBack: Readonly<Record<string, string>>;
  readonly optionalNotMet: readonly string[];
  readonly warnings: readonly string[];
}

const PART =
  /^(?:(?<nothing>nothing)|(?<operators>`[^`]+`(?:, `[^`]+`)*)|no `(?<refused>[^`]+)`: "(?<why>[^"]+)"|`(?<open>[^`]+)` is undecided|`(?<held>[^`]+)` is held back: "(?<by>[^"]+)"|an optional requirement is not met: "(?<unmet>[^"]+)"|warning `(?<warning>[^`]+)`)$/;

function readAnswer(text: string): Answer {
  const parts = text.split("; ").map((part) => {
    const groups = PART.exec(part)?.groups;
    if (groups === undefined) throw new Error(`${JSON.stringify(part)} is not part of an answer`);
    return groups;
  });
  const all = (name: string): readonly string[] => parts.flatMap((part) => part[name] ?? []);
  const byName = (name: string, value: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      parts.flatMap((part) => (part[name] === undefined ? [] : [[part[name], part[value] as string]])),
    );
  const operators = all("operators").flatMap((names) => names.split(", ").map((name) => name.slice(1, -1)));
  if (operators.length + all("nothing").length === 0) throw new Error(`${text} does not name its operators`);
  return {
    operators: operators.toSorted(),
    refused: byName("refused", "why"),
    open: all("open").toSorted(),
    heldBack: byName("held", "by"),
    optionalNotMet: all("unmet"),
    warnings: all("warning").toSorted(),
  };
}

/** The answer that was given, with as much of each text as the expected one has. */
function given(resolution: ExplainedResolution, warnings: readonly Warning[], expected: Answer): Answer {
  const { operators, unsatisfied, heldBack, optionalNotMet } = resolution;
  const refused = unsatisfied.filter(({ undecided }) => !undecided);
  return {
    operators: operators.map(({ name }) => name).toSorted(),
    refused: Object.fromEntries(
      refused.map(({ request, explanation }) => [
        request.package,
        shared(wording(explanation), expected.refused[request.package]),
      ]),
    ),
    open: unsatisfied.flatMap(({ undecided, request }) => (undecided ? [request.package] : [])).toSorted(),
    heldBack: Object.fromEntries(
      heldBack.map((item) => [item.package, shared(wording(item.explanation), expected.heldBack[item.package])]),
    ),
    optionalNotMet: optionalNotMet.map(({ operator, detail }, index) =>
      shared(detailText(detail, one(operator.name)), expected.optionalNotMet[index]),
    ),
    warnings: [...new Set([...warnings, ...resolution.warnings].map(({ code }) => code))].toSorted(),
  };
}

function wording(explanation: Explanation): string {
  return [explanationText(explanation), ...factTexts(explanation)].join("\n");
}

function shared(text: string, expected: string | undefined): string {
  return expected !== undefined && text.includes(expected) ? expected : text;
}

/** Resolves as the command does, and expects the answer of the row. */
async function check({ asked, answer }: Row, inputs: readonly string[]): Promise<void> {
  const command = withResolveOptions(new Command("resolve").argument("[PACKAGE...]")).exitOverride();
  command.parse(["--catalog", `guide=${CATALOG}`, ...inputs, ...splitWords(asked), "-q"], { from: "user" });
  const flags = command.opts<ResolveFlags>();
  const named = namedRequests(command.args) as readonly NamedRequest[];
  const { problems, warnings } = await askedQuestion(named, flags, openTerminal({ color: "never" }));
  expect(problems).toHaveLength(1);
  const resolution = resolve(problems[0] as (typeof problems)[0]);
  const expected = readAnswer(answer);
  expect(given(resolution, warnings, expected)).toEqual(expected);
}

/** A catalog with nothing but shop.v1.0.0, which has these properties. */
function shopCatalog(properties: string): string {
  const own = "- { type: olm.package, value: { packageName: shop, version: 1.0.0 } }\n";
  return [
    "{ schema: olm.package, name: shop, defaultChannel: stable }",
    "{ schema: olm.channel, package: shop, name: stable, entries: [{ name: shop.v1.0.0 }] }",
    `schema: olm.bundle\npackage: shop\nname: shop.v1.0.0\nimage: example.com/shop:1.0.0\nproperties:\n${own}${properties}`,
  ].join("\n---\n");
}

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "plimsoll-guides-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a block of a guide is, in flags: it is written to a file of its own. */
const GUIDES: Readonly<Record<string, { readonly least: number; readonly inputs: (example: Example) => string[] }>> = {
  "docs/constraints.md": {
    least: 10,
    inputs: ({ line, text }) => {
      const path = join(directory, `shop-${line}.yaml`);
      writeFileSync(path, shopCatalog(text));
      return ["--catalog", `mine=${path}`];
    },
  },
  "docs/runtime-constraints.md": {
    least: 6,
    inputs: ({ line, text }) => {
      const path = join(directory, `rules-${line}.yaml`);
      writeFileSync(path, text);
      return ["--runtime-constraints", path];
    },
  },
};

for (const [page, { least, inputs }] of Object.entries(GUIDES))
  describe(page, () => {
    const examples = examplesOf(page);

    for (const example of examples)
      for (const row of example.rows)
        test(`${example.title}, line ${row.line}: ${row.asked}`, () => check(row, inputs(example)));

    test(`it has at least ${least} numbered examples`, () => {
      const numbered = examples.filter(({ title }) => /^\d+\. /.test(title));
      expect(numbered.map(({ title }) => Number.parseInt(title, 10))).toEqual(numbered.map((_, index) => index + 1));
      expect(numbered.length).toBeGreaterThanOrEqual(least);
    });

    test("its table of bundles is the catalog", () => {
      expect(bundleTable(page)).toEqual(catalogTable());
    });
  });

test("the documented limits are the defaults", () => {
  const { maxConstraintBytes, maxConstraintDepth, celCostLimit } = DEFAULT_OPTIONS;
  const [, bytes, levels, cost] =
    /at most ([0-9,]+) bytes [^.]*? and ([0-9]+) levels[\s\S]*?may cost ([0-9,]+) /.exec(
      readFileSync("docs/constraints.md", "utf8"),
    ) ?? [];
  const documented = [bytes, levels, cost].map((text) => Number(text?.replaceAll(",", "")));
  expect(documented).toEqual([maxConstraintBytes, maxConstraintDepth, celCostLimit]);
});

/** The rows under the header of the table of bundles. */
function bundleTable(page: string): readonly string[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const start = lines.indexOf("| bundle | provides | further properties |");
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines.slice(start + 2, start + length);
}

/** The catalog as the pages show it. */
function catalogTable(): readonly string[] {
  const { values } = readYaml(readFileSync(CATALOG, "utf8"), DEFAULT_LIMITS);
  const bundles = values.filter((value) => (value as JsonObject).schema === "olm.bundle") as readonly JsonObject[];
  return bundles.map(({ name, properties }) => {
    const stated = properties as unknown as readonly Property[];
    const apis = stated.filter(({ type }) => type === "olm.gvk").map(({ value }) => apiText(value as JsonObject));
    const further = stated.filter(({ type }) => !/^olm\.(gvk|package)$/.test(type)).map(propertyText);
    return `| \`${name}\` | ${apis.join(", ")} | ${further.join(", ")} |`.replace("|  |", "| |");
  });
}

function apiText({ group, version, kind }: JsonObject): string {
  return `\`${group}/${version}/${kind}\``;
}

function propertyText({ type, value }: Property): string {
  if (type === "olm.label") return `label \`${(value as JsonObject).label}\``;
  if (type !== "olm.constraint") return `\`${type}\`: \`${JSON.stringify(value)}\``;
  const { name, value: wanted } = (value as JsonObject).propertyEquals as JsonObject;
  return `needs \`${name}\`: \`${JSON.stringify(wanted)}\``;
}
