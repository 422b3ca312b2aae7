// How does `crd check` print its answer as text? Each definition with what becomes of its versions, then its findings with
// the lines they are about, and at the end whether the change is safe.

import type { OptionWithoutEffect } from "../../crd/check-definitions.ts";
import type { CrdFinding } from "../../crd/finding.ts";
import { ruleOf } from "../../crd/finding-codes.ts";
import type { Unpaired } from "../../crd/pair-definitions.ts";
import type { CheckedDefinition, VersionChange } from "../../crd/report.ts";
import type { Gvk } from "../../model/catalog.ts";
import { groupedBy } from "../../model/grouped.ts";
import { counted } from "../../text/words.ts";
import { colourOf, countsText, excerptLines, marginOf, whereText } from "../finding/finding-text.ts";
import { byKind } from "../kit/by-kind.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { crdHelp, crdMessage, crdWhy } from "../sentence/crd.ts";
import { objectName } from "../sentence/crd-words.ts";
import { type CrdCheck, notListed, type ShownCrdFinding, sectionsOf, stateText, valueText } from "./shown.ts";

/** More remarks of one code than this are only counted. */
const MAX_REMARKS = 10;
const MAX_VALUE_LENGTH = 120;

export function crdText(check: CrdCheck, style: Style): string {
  const sections = sectionsOf(check).map(({ definition, name, found }) => {
    const heading = definition ? headingLines(definition, style) : [`${style.bold(safeText(name))} (no definition)`];
    return [...heading, "", ...findingLines(found, style)].join("\n");
  });
  for (const { name, reason } of check.notCompared)
    sections.push(`${style.bold(safeText(name))}: ${style.yellow("not compared")}: ${safeText(reason)}\n`);
  return `${sections.join("\n")}${sections.length > 0 ? "\n" : ""}${lastLines(check, style)}`;
}

function headingLines(definition: CheckedDefinition, style: Style): string[] {
  const { name, kind, change, owners, versions } = definition;
  const width = Math.max(0, ...versions.map((version) => safeText(version.name).length));
  return [
    `${style.bold(safeText(name))} (${safeText(kind)}, ${counted(owners, "owner")}${CHANGES[change]})`,
    ...versions.map((version) => `  ${safeText(version.name).padEnd(width)}  ${changeText(version, definition)}`),
  ];
}

const CHANGES = { added: ", new", removed: ", no longer there", kept: "" } as const;

/** `served → not served`; if nothing changes, or there is only one side, the state itself. */
export function changeText({ before, after }: VersionChange, { change }: CheckedDefinition): string {
  if (before === undefined) return `${change === "added" ? "" : "new: "}${after ? stateText(after) : ""}`;
  if (after === undefined) return change === "removed" ? stateText(before) : `${stateText(before)} → removed`;
  return stateText(before) === stateText(after) ? stateText(after) : `${stateText(before)} → ${stateText(after)}`;
}

/** The findings about one definition; remarks that only repeat each other are counted. */
function findingLines(found: readonly ShownCrdFinding[], style: Style): string[] {
  const remarks = groupedBy(
    found.filter(({ finding }) => finding.severity === "info"),
    ({ finding }) => finding.code,
  );
  const folded = [...remarks].filter(([, { length }]) => length > MAX_REMARKS);
  const isFolded = new Set(folded.flatMap(([, same]) => same));
  const explained = new Set<string>();
  const lines = found
    .filter((shown) => !isFolded.has(shown))
    .flatMap((shown) => {
      const reason = `${shown.finding.code} ${crdWhy(shown.finding)}`;
      const isFirst = !explained.has(reason);
      explained.add(reason);
      return [...crdFindingLines(shown, isFirst, style), ""];
    });
  for (const [code, { length }] of folded) {
    const { name, meaning } = ruleOf(code);
    lines.push(`${style.cyan(`info[${code}]`)} ${name}: ${length} times: ${meaning} (-o json lists them)`, "");
  }
  return lines;
}

/** One finding on several lines; why it matters is printed with the first of its kind only. */
function crdFindingLines(shown: ShownCrdFinding, isFirst: boolean, style: Style): readonly string[] {
  const { finding, spot } = shown;
  const { code, severity, old, new: now } = finding;
  const colour = colourOf(severity, style);
  const margin = marginOf(spot);
  const note = (name: string, text: string): string => `${margin} ${style.dim("=")} ${name}: ${safeText(text)}`;
  const lines = [
    `${colour(`${severity}[${code}]`)} ${ruleOf(code).name}: ${style.bold(safeText(crdMessage(finding)))}`,
    `  ${style.dim("-->")} ${safeText(whereText(shown))}${style.dim(safeText(subjectText(finding)))}`,
    ...excerptLines(spot, colour, style),
  ];
  if (old !== undefined) lines.push(note("old", valueText(old, MAX_VALUE_LENGTH)));
  if (now !== undefined) lines.push(note("new", valueText(now, MAX_VALUE_LENGTH)));
  if (isFirst) lines.push(note("why", crdWhy(finding)));
  lines.push(note("help", crdHelp(finding)));
  return lines;
}

/** ` (v1beta1 .spec.brake of quay-north/bow-winch)`: what a finding is about, beside its place. */
function subjectText(finding: CrdFinding): string {
  const field = [finding.version, finding.path].filter((part) => part !== "" && part !== ".").join(" ");
  const object = finding.object && objectName(finding.object);
  if (object === undefined) return field === "" ? "" : ` (${field})`;
  return field === "" ? ` (${object})` : ` (${field} of ${object})`;
}

function lastLines(check: CrdCheck, style: Style): string {
  const more = notListed(check) === 0 ? "" : ` (the first ${check.listed.length} are listed)`;
  const isGreen = check.verdict === "safe" && !hasWarnings(check);
  const colour = check.verdict === "unsafe" ? style.red : isGreen ? style.green : style.yellow;
  return `looked at ${lookedAt(check)}\n${style.bold(colour(verdictText(check)))}${more}\n`;
}

function hasWarnings({ counts }: CrdCheck): boolean {
  return counts.error + counts.warning > 0;
}

/** `unsafe: 2 errors and 1 warning`, `undecided: 1 warning`, `no errors, but 1 warning`, `safe`, `safe, with 1 remark`. */
export function verdictText(check: CrdCheck): string {
  const { verdict, counts, notCompared } = check;
  const count = countsText(counts);
  const open = notCompared.length === 0 ? [] : [`${counted(notCompared.length, "definition")} not compared`];
  if (verdict !== "safe") return `${verdict}: ${[...(count === "" ? [] : [count]), ...open].join("; ")}`;
  if (hasWarnings(check)) return `no errors, but ${count}`;
  return count === "" ? "safe" : `safe, with ${count}`;
}

/** How much was compared, and what was not given: `1 CRD with 1 owner (--owners), 3 versions, 14 objects`. */
export function lookedAt({ definitions }: CrdCheck): string {
  const versions = definitions.reduce((sum, definition) => sum + definition.versions.length, 0);
  const [first] = definitions;
  const isSame = first !== undefined && definitions.every(({ owners }) => owners === first.owners);
  const owners = isSame ? ` with ${counted(first.owners, "owner")} (--owners)` : "";
  const compared = `${counted(definitions.length, "CRD")}${owners}, ${counted(versions, "version")}`;
  const areGiven = definitions.every(({ objects }) => objects !== undefined);
  const objects = definitions.reduce((sum, definition) => sum + (definition.objects ?? 0), 0);
  const missing = areGiven ? [] : ["objects were not given (--instances): whether any would break is not known"];
  if (definitions.some(losesUnknown))
    missing.push(
      "stored versions were not given (--stored): whether objects are stored in a version that goes is not known",
    );
  return [`${compared}${areGiven ? `, ${counted(objects, "object")}` : ""}`, ...missing].join("; ");
}

/** Whether a version goes, and it is unknown in which versions objects are stored. */
function losesUnknown({ change, stored, versions }: CheckedDefinition): boolean {
  return change === "kept" && stored === undefined && versions.some(({ after }) => after === undefined);
}

/** Why two sides cannot be compared, without a full stop. */
export function unpairedText(unpaired: Unpaired): string {
  if (unpaired.kind === "no-definition")
    return `${unpaired.path} has no CustomResourceDefinition that could be compared`;
  const have = unpaired.sides.map(({ path, name }) => `${path} has ${name}`).join(", but ");
  return `${have}: only definitions of the same name can be compared`;
}

/** A flag that has no effect on the definitions. */
export const withoutEffectText: (option: OptionWithoutEffect) => string = byKind({
  "no-objects": ({ of, group, isDamaged }) =>
    `--instances has no ${of} of ${group}${isDamaged ? "" : ": it is checked as if there were none"}.`,
  "unknown-api": ({ api }) => `--requires ${apiText(api)} is of no definition that is compared.`,
  "unknown-version": ({ api, versions }) =>
    `--requires ${apiText(api)} is a version that neither side has; ${api.kind} has ${versions.join(", ")}.`,
  "not-stored": ({ version }) => `--stored ${version} is a version of no old definition.`,
});

function apiText({ group, version, kind }: Gvk): string {
  return `${group}/${version}/${kind}`;
}
