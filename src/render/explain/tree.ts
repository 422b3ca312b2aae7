// Which facts lead to the answer? A tree of facts, each with its place, followed by the fixes.

import type { Place } from "../../model/place.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import { displayWidth, padEnd, widestOf } from "../kit/display-width.ts";
import { paragraph } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { drawnTree, treeLines } from "../kit/tree.ts";
import { becauseTexts, noHelpTexts } from "../resolve/sections.ts";
import { bodyLines } from "../sentence/explanation-body.ts";
import { factTexts } from "../sentence/fact.ts";
import { fixText } from "../sentence/fix.ts";
import { byVersion } from "../sentence/names.ts";
import { preferredText } from "../sentence/preferred.ts";
import { lineText } from "../sentence/proof.ts";
import { lossSentences, needsLines } from "./needs-tree.ts";
import { adviceOf, isInAnswer, neededPackage, type ShownAdvice, type ShownExplanation, subjectText } from "./shown.ts";
import { isGood, notMetText, summaryOf } from "./summary.ts";

/** The maximum width of the column of fixes; the command of a longer text is printed below it. */
const MAX_ADVICE_WIDTH = 60;

export function treeText(shown: ShownExplanation, look: Look): string[] {
  const { answer } = shown;
  const { style } = look;
  const mark = answer.undecided ? style.magenta("?") : isGood(answer) ? style.green("✓") : style.red("✗");
  const head = `${mark} ${style.bold(safeText(summaryOf(shown)))}`;
  return [
    head,
    ...factLines(answer.explanation, shown, look),
    ...refusedTree(shown, look),
    ...newerTree(shown, look),
    ...needsTree(shown, look),
    ...hintLines(shown, look),
    ...closing(shown, look),
  ];
}

function factLines(explanation: Explanation, { at }: ShownExplanation, look: Look): string[] {
  const branches = itemsOf(explanation).map(({ text, place }) => ({
    lines: [
      ...paragraph(text, look, { margin: 3 }),
      ...(place === undefined ? [] : [look.style.dim(`  ${safeText(at(place))}`)]),
    ],
    below: [],
  }));
  return treeLines(branches, look.style);
}

/** The facts; or the sentences of a reason that is not about rules. */
function itemsOf(explanation: Explanation): readonly { readonly text: string; readonly place?: Place | undefined }[] {
  const { facts } = explanation;
  if (facts.length === 0) return bodyLines(explanation, byVersion).map((line) => ({ text: lineText(line) }));
  return factTexts(explanation, byVersion).map((text, index) => ({ text, place: facts[index]?.place }));
}

/** Why requests for it have no operator, although there is one. */
function refusedTree(shown: ShownExplanation, look: Look): string[] {
  return shown.answer.unsatisfied.flatMap((item) => [
    "",
    `${item.undecided ? look.style.magenta("?") : look.style.red("✗")} ${look.style.bold(safeText(notMetText(item)))}`,
    ...factLines(item.explanation, shown, look),
  ]);
}

function newerTree(shown: ShownExplanation, look: Look): string[] {
  const { notNewer, preferred, verdict } = shown.answer;
  if ((verdict !== "chosen" && verdict !== "heldBack") || (notNewer === undefined && preferred === undefined))
    return [];
  const head = `${look.style.red("✗")} ${look.style.bold(safeText(`${subjectText(shown.answer)} cannot be newer`))}`;
  const why = preferred === undefined ? "" : `no rule forbids it, but ${preferredText(preferred, byVersion)}`;
  return [
    "",
    head,
    ...(notNewer === undefined
      ? treeLines([{ lines: paragraph(why, look, { margin: 3 }), below: [] }], look.style)
      : factLines(notNewer, shown, look)),
  ];
}

function needsTree(shown: ShownExplanation, { style }: Look): string[] {
  const { answer } = shown;
  if (answer.loss === undefined) return [];
  const needs = needsLines(answer, style);
  return [
    "",
    style.bold(safeText(`${neededPackage(answer)} is needed by${needs.length === 0 ? " nothing" : ""}`)),
    ...needs,
    "",
    style.bold(safeText(`without ${answer.subject.package}`)),
    ...drawnTree(lossSentences(answer.loss), (line) => ({ lines: [safeText(line)], below: [] }), style),
  ];
}

function hintLines(shown: ShownExplanation, { style }: Look): string[] {
  const { explanation } = shown.answer;
  const all = adviceOf(shown);
  const isOpen = isInAnswer(shown.answer) || all.some(({ isInstead }) => !isInstead);
  const advice = [
    ...(isOpen ? [] : noHelpTexts(explanation).map((text) => ({ text: safeText(text), command: "" }))),
    ...shown.answer.unsatisfied.flatMap((item) =>
      item.explanation.fixes.map((fix) => ({
        text: hintText({ ...fix, text: fixText(fix) }),
        command: safeText(shown.command(fix)),
      })),
    ),
    ...all.map(({ text, because, command, isInstead }) => ({
      text: hintText({ text: isInstead ? `instead, ${text}` : text, because }),
      command: safeText(command),
    })),
  ];
  if (advice.length === 0) return [];
  const column = widestOf(advice.map(({ text }) => text).filter((text) => displayWidth(text) <= MAX_ADVICE_WIDTH));
  const hint = style.green("hint:");
  return [
    "",
    ...advice.flatMap(({ text, command }) => {
      if (command === "") return [`${hint} ${text}`];
      if (displayWidth(text) > MAX_ADVICE_WIDTH) return [`${hint} ${text}`, `      ${style.cyan(command)}`];
      return [`${hint} ${padEnd(text, column)}  ${style.cyan(command)}`];
    }),
  ];
}

function hintText({ text, because }: Pick<ShownAdvice, "text" | "because">): string {
  return safeText([text, ...becauseTexts({ because })].join(". "));
}

/** How many facts are involved, and which formats show more. */
function closing({ answer }: ShownExplanation, { style }: Look): string[] {
  const { facts, body, isMinimal } = answer.explanation;
  if (body.kind !== "proof" && facts[0]?.kind !== "no-candidates") return [];
  const least = isMinimal ? ", none could be left out" : "";
  const count = facts.length === 1 ? "1 fact is involved" : `${facts.length} facts are involved${least}`;
  return ["", style.dim(`${count}. For programs: -o json; as a picture: -o mermaid`)];
}
