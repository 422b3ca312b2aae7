// Where are the issues of an expression shown? On the lines of its file, or on the expression itself.

import type { Compilation } from "../../cel/compile.ts";
import type { Issue } from "../../cel/issue.ts";
import { expressionSummary, type PlacedCheck, type PlacedIssue } from "../../expression/check-expressions.ts";
import type { EnvironmentName } from "../../expression/environment-names.ts";
import type { BrokenText, ExpressionOwner } from "../../expression/find-expressions.ts";
import type { SourcePosition } from "../../input/locate.ts";
import { type Place, printPlace, printShown } from "../../model/place.ts";
import type { CheckedExpression } from "./check-report.ts";
import { EXPRESSION, type ShownIssue, spotInExpression } from "./issue-text.ts";

/** The position of a place in its file, if it was looked up. */
type SpotOf = (place: Place) => SourcePosition | undefined;

export function checkedExpression(compilation: Compilation, env: EnvironmentName): CheckedExpression {
  const shown = (severity: "error" | "warning", issues: readonly Issue[]): readonly ShownIssue[] =>
    issues.map((issue) => {
      const { spot, width } = spotInExpression(compilation.text, issue);
      return {
        severity,
        message: issue.message,
        hint: issue.hint,
        at: printPlace({ source: EXPRESSION, line: issue.line, column: issue.column }),
        spot,
        width,
      };
    });
  return {
    ...expressionSummary(compilation, env),
    errors: shown("error", compilation.errors),
    warnings: shown("warning", compilation.warnings),
  };
}

/** The expressions of files, in the order of their positions, after the texts that could not be read. */
export function checkedInFiles(
  checks: readonly PlacedCheck[],
  broken: readonly BrokenText[],
  spotOf: SpotOf,
): readonly CheckedExpression[] {
  return [
    ...broken.map((one) => brokenExpression(one, spotOf(one.place))),
    ...checks
      .toSorted((a, b) => compareSpots(a.start, b.start, spotOf))
      .map((check) => {
        const { summary, start, errors, warnings } = check;
        const owner = ownerText(check.owner);
        const shown = (issue: PlacedIssue): ShownIssue => issueInFile(issue, summary.text, owner, spotOf);
        const at = printShown(start, spotOf(start));
        return { ...summary, errors: errors.map(shown), warnings: warnings.map(shown), at, owner };
      }),
  ];
}

function ownerText({ kind, namespace, name }: ExpressionOwner): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function compareSpots(a: Place, b: Place, spotOf: SpotOf): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  const [atA, atB] = [spotOf(a) ?? a, spotOf(b) ?? b];
  return atA.line - atB.line || atA.column - atB.column;
}

/** An issue on its line of the file; on the expression itself, if its characters were not found in the file. */
function issueInFile(
  { severity, issue, first, last }: PlacedIssue,
  text: string,
  owner: string,
  spotOf: SpotOf,
): ShownIssue {
  const { message, hint } = issue;
  const spot = spotOf(first);
  const shown = { severity, message, hint, at: printShown(first, spot), owner };
  if (spot?.isCharacter !== true) return { ...shown, ...spotInExpression(text, issue), inExpression: true };
  const end = spotOf(last);
  const width = end?.isCharacter === true && end.line === spot.line ? end.column - spot.column + 1 : 1;
  return { ...shown, spot, width };
}

function brokenExpression(
  { text, owner, message, help, offset, place }: BrokenText,
  spot: SourcePosition | undefined,
): CheckedExpression {
  const at = printShown(place, spot);
  const error: ShownIssue = {
    severity: "error",
    message: `the runtime constraints cannot be read: ${message}`,
    hint: help,
    at,
    owner: ownerText(owner),
    ...(spot === undefined
      ? spotInExpression(text, { start: offset, end: offset + 1, line: 1, column: 1 })
      : { spot, width: 1 }),
  };
  return { text, env: "bundle", errors: [error], warnings: [], at, owner: ownerText(owner) };
}
