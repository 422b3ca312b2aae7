// How is the answer of `cel check` printed?
import type { SizeEstimate } from "../../cel/cost/range.ts";
import type { ExpressionSummary } from "../../expression/check-expressions.ts";
import type { Json } from "../../model/json.ts";
import { counted } from "../../text/words.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { issueText, type ShownIssue } from "./issue-text.ts";

export interface CheckedExpression extends ExpressionSummary {
  readonly errors: readonly ShownIssue[];
  readonly warnings: readonly ShownIssue[];
  /** Its place in a file, and the object it belongs to; absent if it was given on the command line. */
  readonly at?: string | undefined;
  readonly owner?: string | undefined;
}

/** The JSON of one expression, or of all those found in files. */
export function checkReport(expressions: readonly CheckedExpression[]): Json {
  const [only] = expressions.length === 1 ? expressions : [];
  const fromFiles = only === undefined || only.at !== undefined;
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "CelCheck",
    valid: expressions.every(isValid),
    type: only?.type ?? null,
    estimatedCost: costJson(only?.estimatedCost),
    errors: expressions.flatMap(({ errors }) => errors.map(issueJson)),
    warnings: expressions.flatMap(({ warnings }) => warnings.map(issueJson)),
    ...(fromFiles && {
      expressions: expressions.map((checked) => ({
        at: checked.at ?? null,
        owner: checked.owner ?? null,
        env: checked.env,
        expression: checked.text,
        valid: isValid(checked),
        type: checked.type ?? null,
        estimatedCost: costJson(checked.estimatedCost),
      })),
    }),
  };
}

function isValid({ errors }: CheckedExpression): boolean {
  return errors.length === 0;
}

function costJson(cost: SizeEstimate | undefined): Json {
  return cost === undefined ? null : { min: cost.min, max: Number.isFinite(cost.max) ? cost.max : null };
}

function issueJson({ message, hint, at, spot }: ShownIssue): Json {
  return { message, line: spot.line, column: spot.column, at, hint: hint ?? null };
}

export function checkText(checked: CheckedExpression, style: Style): string {
  const issues = [...checked.errors, ...checked.warnings].map((issue) => issueText(issue, style));
  if (checked.type === undefined) return issues.join("\n");
  return `${issues.map((issue) => `${issue}\n`).join("")}${style.green("valid")}: ${safeText(checked.type)}${style.dim(`, cost ${costText(checked.estimatedCost)}`)}\n`;
}

function costText(cost: SizeEstimate | undefined): string {
  if (cost === undefined) return "unknown";
  if (cost.min === cost.max) return String(cost.min);
  return Number.isFinite(cost.max) ? `${cost.min} to ${cost.max}` : `from ${cost.min}, as the data decides`;
}

/** The text about all expressions of files: the issues, and the number of expressions. */
export function checkListText(expressions: readonly CheckedExpression[], style: Style): string {
  const issues = expressions.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  const lines = issues.map((issue) => `${issueText(issue, style)}\n`).join("");
  const broken = expressions.filter((checked) => !isValid(checked)).length;
  const doubtful = issues.filter(({ severity }) => severity === "warning").length;
  const count = expressions.length;
  if (count === 0) return "no CEL expressions found\n";
  const parts = [
    counted(count, "expression"),
    broken === 0 ? style.green(count === 1 ? "valid" : "all valid") : style.red(`${broken} broken`),
    ...(doubtful === 0 ? [] : [style.yellow(counted(doubtful, "warning"))]),
  ];
  return `${lines}${parts.join(", ")}\n`;
}
