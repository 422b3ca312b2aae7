// How is an explanation told to a person? One line that says it, why it is so, what would help, and where it is written.

import type { Deprecated } from "../../resolve/explain/deprecated.ts";
import type { SubjectExplanation } from "../../resolve/explain/subject.ts";
import { wrapWords } from "../display-width.ts";
import type { PlainNames } from "../resolve/plain-names.ts";
import {
  becauseTexts,
  firstLines,
  helpLines,
  isSaidFirst,
  noHelpTexts,
  ONLY_CALCULATES,
  reasonLines,
} from "../resolve/sections.ts";
import { sourceLines, sourcesOf } from "../resolve/sources.ts";
import { quotedLines, safeText } from "../safe-text.ts";
import { preferredText } from "../sentence/preferred.ts";
import { storyText } from "../sentence/story.ts";
import { type Look, section } from "../show/look.ts";
import { lossSentences, needsLines } from "./needs-tree.ts";
import { adviceOf, isInAnswer, namesOf, neededPackage, type ShownAdvice, type ShownExplanation } from "./shown.ts";
import { isGood, notMetText, summaryOf } from "./summary.ts";

/** The whole explanation. */
export function explanationText(shown: ShownExplanation, look: Look): string[] {
  const { told } = shown;
  const { style } = look;
  const names = namesOf(shown);
  const summary = summaryOf(shown);
  const good = isGood(told) ? style.green : told.undecided ? style.magenta : style.yellow;
  const none = told.loss === undefined ? undefined : "nobody";
  const owner = told.subject.package;
  return [
    ...firstLines(shown.warnings, { at: shown.at, names }, look),
    ...wrapWords(safeText(summary), look.width).map((line, index) => (index === 0 ? good(line) : line)),
    ...proseLines(told, summary, names, look),
    ...helpSections(shown, names, look),
    ...section("Deprecated", deprecationLines(told, look), look),
    ...section(`Who needs ${neededPackage(told)}`, isAskedAlone(told) ? [] : needsLines(told, style), look, none),
    ...section(
      `Without ${owner}`,
      told.loss === undefined ? [] : sentences(lossSentences(told.loss, names), look),
      look,
    ),
    ...section("Sources", placeLines(shown, look), look),
    ...section("Warnings", warningLines(shown, names, look), look),
  ];
}

/** That somebody asked for it is said above; more of it is told only if that was the question. */
function isAskedAlone({ whoNeeds, loss }: SubjectExplanation): boolean {
  return whoNeeds.length === 0 && loss === undefined;
}

function proseLines({ explanation }: SubjectExplanation, summary: string, names: PlainNames, look: Look): string[] {
  const lines = reasonLines(withoutEcho(storyText(explanation), summary), { names }, look);
  return lines.length === 0 ? [] : ["", ...lines];
}

/** The words of a first sentence that says no more than that something cannot be. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "no none neither nor version of can cannot be installed updated reached had to or and in".split(" "),
);

/** A text without its first line, if that only repeats what the summary says, and of versions what the other lines say. */
function withoutEcho(text: string, summary: string): string {
  const [first = "", ...more] = text.split("\n");
  const [said, saidLater] = [new Set(wordsOf(summary)), new Set(wordsOf(more.join(" ")))];
  const isEcho = wordsOf(first).every(
    (word) => said.has(word) || EMPTY_WORDS.has(word.toLowerCase()) || (/\d/.test(word) && saidLater.has(word)),
  );
  return isEcho && !/^\d+\. /.test(first) ? more.join("\n") : text;
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ").map((word) => word.replace(/[.,:;]$/, ""));
}

/** What gives what was asked about, what gives something else, and why it is not newer; beneath the last, what commands do. */
function helpSections(shown: ShownExplanation, names: PlainNames, look: Look): string[] {
  const { told } = shown;
  const advice = adviceOf(shown);
  const [own, others] = [advice.filter((one) => !one.isInstead), advice.filter((one) => one.isInstead)];
  const isOpen = isInAnswer(told) || own.length > 0;
  const parts = [
    {
      heading: isWanted(told) ? "To have it" : "What would help",
      lines: isOpen ? adviceLines(own, names, look) : sentences(noHelpTexts(told.explanation), look),
      hasCommands: own.some(({ command }) => command !== ""),
    },
    {
      heading: "Instead",
      lines: adviceLines(others, names, look),
      hasCommands: others.some(({ command }) => command !== ""),
    },
    ...told.unsatisfied.map((item) => ({
      heading: `Why ${notMetText(item)}`,
      lines: refusedLines(item, shown, names, look),
      hasCommands: item.explanation.fixes.some((fix) => shown.command(fix) !== ""),
    })),
    {
      heading: "Why not newer",
      lines: newerLines(shown, names, look),
      hasCommands: told.notNewer?.fixes.some((fix) => shown.command(fix) !== "") ?? false,
    },
  ];
  const last = parts.filter(({ hasCommands }) => hasCommands).at(-1);
  return parts.flatMap((part) => {
    const closing = part === last ? sentences([ONLY_CALCULATES], look).map(look.style.dim) : [];
    return section(part.heading, [...part.lines, ...closing], look);
  });
}

/** Is it about something that is not there? */
function isWanted({ subject: { version }, verdict, operators }: SubjectExplanation): boolean {
  if (verdict === "notRequested") return true;
  return version !== undefined && !operators.some((one) => one.version === version);
}

function adviceLines(advice: readonly ShownAdvice[], names: PlainNames, look: Look): string[] {
  return advice.flatMap(({ text, command, because }) => [
    ...sentences([text], look),
    ...sentences(becauseTexts({ because }).map(names.text), look).map((line) => `  ${line}`),
    ...(command === "" ? [] : [`  ${look.style.cyan(safeText(command))}`]),
  ]);
}

function refusedLines(
  { explanation }: SubjectExplanation["unsatisfied"][number],
  shown: ShownExplanation,
  names: PlainNames,
  look: Look,
): string[] {
  const lines = [
    ...reasonLines(storyText(explanation), { names }, look),
    ...helpLines(explanation, { ...shown, names }, look),
  ];
  return lines.map((line) => line.slice(2));
}

function newerLines(shown: ShownExplanation, names: PlainNames, look: Look): string[] {
  const { notNewer, preferred, verdict } = shown.told;
  if (verdict !== "chosen" && verdict !== "heldBack") return [];
  if (notNewer === undefined)
    return preferred === undefined ? [] : sentences([`No rule forbids it, but ${preferredText(preferred)}.`], look);
  const isHelped = verdict === "heldBack" || notNewer.fixes.length > 0;
  const lines = [
    ...reasonLines(storyText(notNewer), { names }, look),
    ...(isHelped ? helpLines(notNewer, { ...shown, names }, look) : []),
  ];
  return lines.map((line) => line.replace(/^ {2}/, ""));
}

function deprecationLines({ deprecations }: SubjectExplanation, look: Look): string[] {
  return deprecations.flatMap((deprecated) => {
    const what = deprecatedText(deprecated);
    const lines = quotedLines(deprecated.message);
    return lines.length <= 1 ? sentences([`${what}: ${lines.join("")}`], look) : [`${safeText(what)}:`, ...lines];
  });
}

/** "lantern 1.5.0", "package lantern", "channel beta of lantern". */
function deprecatedText({ package: owner, channel, version }: Deprecated): string {
  if (channel !== undefined) return `channel ${channel} of ${owner}`;
  return version === undefined ? `package ${owner}` : `${owner} ${version}`;
}

function placeLines({ told, declarations, at }: ShownExplanation, { style }: Look): string[] {
  const { explanation, notNewer } = told;
  const refused = told.unsatisfied.map((item) => item.explanation);
  const all = [explanation, ...refused, ...(notNewer === undefined ? [] : [notNewer])];
  return sourceLines([...all.flatMap(sourcesOf), ...declarations], at, style);
}

function warningLines({ warnings }: ShownExplanation, names: PlainNames, look: Look): string[] {
  return warnings
    .filter((one) => !isSaidFirst(one))
    .flatMap(({ code, message }) => sentences([`${code}: ${names.text(message)}`], look));
}

/** Sentences, each beginning on a line; their further lines are indented. */
function sentences(texts: readonly string[], { width }: Look): string[] {
  const room = width === undefined ? undefined : Math.max(20, width - 4);
  return texts.flatMap((text) =>
    wrapWords(safeText(text), room).map((line, index) => (index === 0 ? line : `  ${line}`)),
  );
}
