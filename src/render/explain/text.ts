// How is an explanation printed for people? One line that says it, why it is so, what would help, and where it is written.

import type { WantedFact } from "../../resolve/explain/fact.ts";
import type { Deprecated, SubjectExplanation } from "../../resolve/explain/subject.ts";
import { paragraph, sentenceLines } from "../kit/lines.ts";
import { type Look, section } from "../kit/look.ts";
import { quotedLines, safeText } from "../kit/safe-text.ts";
import {
  becauseTexts,
  firstLines,
  helpLines,
  isPrintedFirst,
  noHelpTexts,
  ONLY_CALCULATES,
  outdented,
  reasonLines,
} from "../resolve/sections.ts";
import { sourceLines, sourcesOf } from "../resolve/sources.ts";
import { bodyLines, linesBelow } from "../sentence/explanation-body.ts";
import { byVersion } from "../sentence/names.ts";
import { preferredText } from "../sentence/preferred.ts";
import { warningText } from "../sentence/warning.ts";
import { lossSentences, needsLines } from "./needs-tree.ts";
import {
  adviceOf,
  explanationsOf,
  isInAnswer,
  neededPackage,
  type ShownAdvice,
  type ShownExplanation,
} from "./shown.ts";
import { isGood, notMetText, summaryOf } from "./summary.ts";

export function explanationText(shown: ShownExplanation, look: Look): string[] {
  const { answer } = shown;
  const { style } = look;
  const summary = summaryOf(shown);
  const good = isGood(answer) ? style.green : answer.undecided ? style.magenta : style.yellow;
  const none = answer.loss === undefined ? undefined : "nothing";
  const owner = answer.subject.package;
  return [
    ...firstLines(shown.warnings, shown, look),
    ...paragraph(summary, look).map((line, index) => (index === 0 ? good(line) : line)),
    ...proseLines(answer, look),
    ...helpSections(shown, look),
    ...section("Deprecated", deprecationLines(answer, look), look),
    ...section(`Who needs ${neededPackage(answer)}`, isAskedAlone(answer) ? [] : needsLines(answer, style), look, none),
    ...section(`Without ${owner}`, answer.loss === undefined ? [] : sentences(lossSentences(answer.loss), look), look),
    ...section("Sources", placeLines(shown, look), look),
    ...section("Warnings", warningLines(shown, look), look),
  ];
}

/** The request itself is printed above; more is shown only with `--who-needs`. */
function isAskedAlone({ whoNeeds, loss }: SubjectExplanation): boolean {
  return whoNeeds.length === 0 && loss === undefined;
}

function proseLines(answer: SubjectExplanation, look: Look): string[] {
  const { explanation } = answer;
  const lines = reasonLines(
    isStatedAbove(answer) ? linesBelow(explanation, byVersion) : bodyLines(explanation, byVersion),
    look,
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Does the summary already state the first sentence of the explanation: what is impossible, or why an operator stays? */
function isStatedAbove({ verdict, subject, operators, explanation }: SubjectExplanation): boolean {
  const { body, facts, operators: refs } = explanation;
  if (body.kind === "chosen") {
    const { operator, request } = body.root;
    return body.needs.length === 0 && request === undefined && operator.name === operators[0]?.name;
  }
  const goal = facts.find((fact): fact is WantedFact => fact.kind === "wanted" && fact.why === "goal");
  if (body.kind !== "proof" || goal === undefined || goal.members.length === 0) return false;
  // The better versions of an operator that is held back are listed above.
  const isAny = subject.version === undefined || verdict === "heldBack";
  return goal.members.every((member) => {
    const one = refs[member];
    return one?.package === subject.package && (isAny || one.version === subject.version);
  });
}

/** Fixes that lead to the subject, fixes that lead to something else, and why it is not newer; then what the commands do. */
function helpSections(shown: ShownExplanation, look: Look): string[] {
  const { answer } = shown;
  const advice = adviceOf(shown);
  const [own, others] = [advice.filter((one) => !one.isInstead), advice.filter((one) => one.isInstead)];
  const isOpen = isInAnswer(answer) || own.length > 0;
  const parts = [
    {
      heading: isWanted(answer) ? "To have it" : "What would help",
      lines: isOpen ? adviceLines(own, look) : sentences(noHelpTexts(answer.explanation), look),
      commands: own.map(({ command }) => command),
    },
    { heading: "Instead", lines: adviceLines(others, look), commands: others.map(({ command }) => command) },
    ...answer.unsatisfied.map((item) => ({
      heading: `Why ${notMetText(item)}`,
      lines: refusedLines(item, shown, look),
      commands: item.explanation.fixes.map(shown.command),
    })),
    {
      heading: "Why not newer",
      lines: newerLines(shown, look),
      commands: (answer.notNewer?.fixes ?? []).map(shown.command),
    },
  ];
  const last = parts.findLast(({ commands }) => commands.some((command) => command !== ""));
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

function adviceLines(advice: readonly ShownAdvice[], look: Look): string[] {
  return advice.flatMap(({ text, command, because }) => [
    ...sentences([text], look),
    ...sentences(becauseTexts({ because }), look).map((line) => `  ${line}`),
    ...(command === "" ? [] : [`  ${look.style.cyan(safeText(command))}`]),
  ]);
}

function refusedLines(
  { explanation }: SubjectExplanation["unsatisfied"][number],
  shown: ShownExplanation,
  look: Look,
): string[] {
  return outdented([...reasonLines(bodyLines(explanation, byVersion), look), ...helpLines(explanation, shown, look)]);
}

function newerLines(shown: ShownExplanation, look: Look): string[] {
  const { notNewer, preferred, verdict } = shown.answer;
  if (verdict !== "chosen" && verdict !== "heldBack") return [];
  if (notNewer === undefined)
    return preferred === undefined
      ? []
      : sentences([`No rule forbids it, but ${preferredText(preferred, byVersion)}.`], look);
  const isHelped = verdict === "heldBack" || notNewer.fixes.length > 0;
  const help = isHelped ? helpLines(notNewer, shown, look) : [];
  return outdented([...reasonLines(bodyLines(notNewer, byVersion), look), ...help]);
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

function placeLines({ answer, declarations, at }: ShownExplanation, { style }: Look): string[] {
  return sourceLines([...explanationsOf(answer).flatMap(sourcesOf), ...declarations], at, style);
}

function warningLines({ warnings }: ShownExplanation, look: Look): string[] {
  return warnings
    .filter((one) => !isPrintedFirst(one))
    .flatMap((one) => sentences([`${one.code}: ${warningText(one, byVersion)}`], look));
}

function sentences(texts: readonly string[], look: Look): string[] {
  return texts.flatMap((text) => sentenceLines(text, look));
}
