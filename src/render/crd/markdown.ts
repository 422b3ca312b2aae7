// How is the answer of `crd check` printed for a comment on a pull request? A verdict, a table of the findings, and the
// reasons in a collapsed section.

import { ruleOf } from "../../crd/finding-codes.ts";
import type { CheckedDefinition } from "../../crd/report.ts";
import { shortened } from "../../text/words.ts";
import { whereText } from "../finding/finding-text.ts";
import { safeText } from "../kit/safe-text.ts";
import { crdHelp, crdMessage, crdWhy } from "../sentence/crd.ts";
import { type CrdCheck, notListed, type ShownCrdFinding, sectionsOf, valueText } from "./shown.ts";
import { changeText, lookedAt, verdictText } from "./text.ts";

/** A comment holds 65,536 characters: more findings than this are only counted. */
const MAX_COUNT = 100;
const MAX_VALUE_LENGTH = 120;
const MAX_CELL_LENGTH = 301;

export function crdMarkdown(check: CrdCheck): string {
  const listed = check.listed.slice(0, MAX_COUNT);
  const parts = [`## CRD check: ${verdictText(check)}`];
  for (const { definition, name, found } of sectionsOf({ ...check, listed })) {
    parts.push(`### ${code(name)}`, ...(definition === undefined ? [] : [versionTable(definition)]));
    if (found.length > 0) parts.push(findingTable(found), details(found));
  }
  for (const { name, reason } of check.notCompared)
    parts.push(`### ${code(name)}`, `Not compared: ${escaped(reason)}.`);
  const missing = notListed({ ...check, listed });
  if (missing > 0) parts.push(`${missing} more findings are not listed here; \`-o json\` has them.`);
  parts.push(`Looked at: ${escaped(lookedAt(check))}.`);
  return `${parts.join("\n\n")}\n`;
}

function versionTable(definition: CheckedDefinition): string {
  const rows = definition.versions.map(
    (version) => `| ${code(version.name)} | ${escaped(changeText(version, definition))} |`,
  );
  return ["| version | |", "|---|---|", ...rows].join("\n");
}

function findingTable(found: readonly ShownCrdFinding[]): string {
  const rows = found.map(({ finding }) => {
    const { severity, version, path } = finding;
    const rule = `${finding.code} ${ruleOf(finding.code).name}`;
    return `| ${severity} | ${rule} | ${code(version)} | ${code(path)} | ${cell(crdMessage(finding))} |`;
  });
  return ["| severity | finding | version | field | what |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Why it matters is printed with the first finding of its kind only. */
function details(found: readonly ShownCrdFinding[]): string {
  const explained = new Set<string>();
  const items = found.map((shown) => {
    const { code: rule, old, new: now } = shown.finding;
    const lines = [`- **${rule}** at ${code(whereText(shown))}: ${cell(crdMessage(shown.finding))}`];
    if (old !== undefined) lines.push(`  - old: ${code(valueText(old, MAX_VALUE_LENGTH))}`);
    if (now !== undefined) lines.push(`  - new: ${code(valueText(now, MAX_VALUE_LENGTH))}`);
    const why = crdWhy(shown.finding);
    if (!explained.has(`${rule} ${why}`)) lines.push(`  - why: ${escaped(why)}`);
    explained.add(`${rule} ${why}`);
    lines.push(`  - help: ${cell(crdHelp(shown.finding))}`);
    return lines.join("\n");
  });
  return `<details><summary>where, why, and what to do</summary>\n\n${items.join("\n")}\n\n</details>`;
}

function cell(text: string): string {
  return escaped(shortened(text, MAX_CELL_LENGTH));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;" };

/** Text in which nothing is read as Markdown, as HTML, as a link or as a mention. */
function escaped(text: string): string {
  return safeText(text)
    .replace(/[\\`*_[\]|~#]/g, "\\$&")
    .replace(/[&<>@]/g, (character) => ENTITIES[character] as string)
    .replaceAll("://", ":\\//")
    .replace(/www\./gi, (prefix) => `${prefix.slice(0, -1)}\\.`);
}

/** Text as code; an HTML element, because a backtick in it would end a code span. */
function code(text: string): string {
  return text === "" ? "" : `<code>${escaped(text)}</code>`;
}
