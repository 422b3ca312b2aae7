// How does an answer of the library look? The same text as the command prints.

import { parseTimestamp, type Timestamp } from "../cel/value/timestamp.ts";
import { type Place, printPlace } from "../model/place.ts";
import { DEFAULT_MODE, OCM_MODE } from "../placement/placement-mode.ts";
import { crdMarkdown } from "../render/crd/markdown.ts";
import { crdReport } from "../render/crd/report.ts";
import { crdText, withoutEffectText } from "../render/crd/text.ts";
import { renderExplanation } from "../render/explain/render-explanation.ts";
import { declarationsOf } from "../render/explain/shown.ts";
import { findingText, type ShownFinding } from "../render/finding/finding-text.ts";
import { lintReport } from "../render/finding/lint-report.ts";
import { inFormat } from "../render/kit/report-format.ts";
import { makeStyle } from "../render/kit/style.ts";
import { FORMATS, type Format } from "../render/output-formats.ts";
import { renderPlacementExplanation, renderPlacements } from "../render/placement/render-placement.ts";
import { renderPlans } from "../render/plan/render-plan.ts";
import { renderResolution } from "../render/resolve/render-resolution.ts";
import type { CrdAnswer } from "./check-crd.ts";
import type { InputFinding } from "./exact-places.ts";
import type { ExplainAnswer } from "./explain.ts";
import type { LintAnswer } from "./lint.ts";
import type { PlaceAnswer } from "./place.ts";
import type { PlanAnswer } from "./plan.ts";
import { serious } from "./question.ts";
import type { ResolveAnswer } from "./resolve.ts";
import { checkKeys, UsageError } from "./usage-error.ts";

/** An answer of one of the jobs. */
export type Answer = ResolveAnswer | ExplainAnswer | PlanAnswer | PlaceAnswer | CrdAnswer | LintAnswer;

/** The formats of an answer that need no file: `sarif` and `github` name files, and are made by the command. */
export type AnswerFormat<Kind extends Answer["kind"]> = Exclude<Format<Kind>, "sarif" | "github">;

/** How an answer is printed. */
export interface RenderOptions<Kind extends Answer["kind"]> {
  /** `text` by default. */
  readonly format?: AnswerFormat<Kind> | undefined;
  /** The number of columns; without it nothing is cut or wrapped. */
  readonly width?: number | undefined;
  /** Colours for a terminal; none by default. */
  readonly color?: boolean | undefined;
}

/** Prints an answer as the command does, with what is wrong with the input, ending with a line end. Fixes are described without a command to try them. */
export function render<Kind extends Answer["kind"]>(
  answer: Extract<Answer, { readonly kind: Kind }>,
  options: RenderOptions<Kind> = {},
): string {
  if (typeof answer !== "object" || answer === null || !("kind" in answer) || !Object.hasOwn(FORMATS, answer.kind))
    throw new UsageError("render takes an answer of resolve, explain, plan, place, checkCrd or lint");
  checkKeys("render", options, ["format", "width", "color"]);
  const { format = "text", width, color = false } = options;
  const formats = formatsOf(answer);
  if (!formats.includes(format))
    throw new UsageError(`unknown format ${JSON.stringify(format)}; it is one of ${formats.join(", ")}`);
  const look = { output: format, width, style: makeStyle(color) };
  return `${TEXT_FORMATS.has(format) ? notesOf(answer, look) : ""}${rendered(answer, look)}`;
}

function formatsOf(answer: Answer): readonly string[] {
  const isExplained = answer.kind === "place" && answer.cluster !== undefined;
  const formats: readonly string[] = FORMATS[isExplained ? "place --explain" : answer.kind];
  return formats.filter((format) => format !== "sarif" && format !== "github");
}

/** Formats for people; those for programs have the findings in them. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(["text", "wide"]);

/** What the command prints to standard error: what is wrong with the input, and what has no effect. */
function notesOf(answer: Answer, { style }: Look): string {
  if (answer.kind === "lint") return "";
  const findings = shownFindings(serious(answer.findings)).map((one) => `${findingText(one, style)}\n`);
  const notes = answer.kind === "crd check" ? answer.withoutEffect.map((one) => `${withoutEffectText(one)}\n\n`) : [];
  return [...findings, ...notes].join("");
}

type Look = Parameters<typeof renderResolution>[1];

function rendered(answer: Answer, look: Look): string {
  const inputFindings = shownFindings(serious(answer.findings));
  const common = { at: printPlace, command: () => "", inputFindings };
  switch (answer.kind) {
    case "resolve":
      return renderResolution({ ...answer, ...common }, look);
    case "plan":
      return renderPlans({ ...answer, ...common }, look);
    case "explain": {
      const declarations = declarationsOf(answer.explanation);
      const shown = { answer: answer.explanation, declarations, warnings: answer.warnings, tryCommand: () => "" };
      return renderExplanation({ ...shown, ...common }, look);
    }
    case "place":
      return renderedPlacements(answer, { inputFindings }, look);
    case "crd check":
      return renderedCrds(answer, inputFindings, look);
    case "lint":
      return inFormat(look.output, () => lintReport(shownFindings(answer.findings)), {
        text: () =>
          shownFindings(answer.findings)
            .map((one) => `${findingText(one, look.style)}\n`)
            .join(""),
      });
  }
}

function renderedPlacements(
  { placements, changes, cluster, now, compat, tieBreak, expiries }: PlaceAnswer,
  common: { readonly inputFindings: readonly ShownFinding[] },
  look: Look,
): string {
  const shown = {
    ...common,
    placements: placements.map(({ decided, ...placed }) => ({
      ...placed,
      ...(decided && { decided: new Set(decided) }),
    })),
    changes,
    against: "against",
    tieBreak,
    scores: expiries,
    mode: compat === "ocm" ? OCM_MODE : DEFAULT_MODE,
    now: parseTimestamp(now) as Timestamp,
    at: (place: Place) => printPlace(place),
    spot: () => undefined,
  };
  return cluster === undefined ? renderPlacements(shown, look) : renderPlacementExplanation(shown, cluster, look);
}

function renderedCrds(answer: CrdAnswer, inputFindings: readonly ShownFinding[], { output, style }: Look): string {
  const { problems, ...check } = answer;
  const listed = problems.map(({ message: _, help: __, position, ...finding }) => ({
    finding: finding as (typeof problems)[number],
    ...(position && { spot: position }),
  }));
  const shown = { ...check, listed, inputFindings };
  return inFormat(output, () => crdReport(shown), {
    text: () => crdText(shown, style),
    markdown: () => crdMarkdown(shown),
  });
}

function shownFindings(findings: readonly InputFinding[]): readonly ShownFinding[] {
  return findings.map(({ position, ...finding }) => ({ finding, spot: position }));
}
