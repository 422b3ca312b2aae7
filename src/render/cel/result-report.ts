// How is the answer of `cel eval` printed?

import { position } from "../../cel/issue.ts";
import { traceTree } from "../../cel/trace-tree.ts";
import { printType } from "../../cel/type.ts";
import { writeValue } from "../../cel/value/describe.ts";
import { CelError, type Result } from "../../cel/value/value.ts";
import type { Evaluated } from "../../expression/evaluate.ts";
import { groupedBy } from "../../model/grouped.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { printPlace } from "../../model/place.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { EXPRESSION, issueText, type ShownIssue, spotInExpression } from "./issue-text.ts";
import { traceJson, traceLines } from "./trace.ts";
import { shownType, valueJson } from "./value-json.ts";

export function resultReport({ text, type, result, cost, name, trace }: Evaluated): JsonObject {
  const isError = result instanceof CelError;
  const at = isError && result.range !== undefined ? position(text, result.range.start) : undefined;
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "CelResult",
    ...(name !== undefined && { name }),
    outcome: isError ? "error" : "value",
    type: isError ? printType(type) : shownType(type, result),
    value: isError ? null : valueJson(result),
    cost,
    error: isError ? result.message : null,
    ...(at !== undefined && { line: at.line, column: at.column }),
    ...(trace !== undefined && { trace: traceJson(traceTree(trace, text)) }),
  };
}

/** The text of one evaluation: the value first, so that a script can take it from the first line. */
export function resultText(evaluated: Evaluated, style: Style): string {
  const { text, type, result, cost, trace } = evaluated;
  const tree = trace === undefined ? "" : `\n${traceLines(traceTree(trace, text), style).join("\n")}\n`;
  if (result instanceof CelError)
    return `${issueText(errorOf(text, result), style)}${style.dim(`cost ${cost}`)}\n${tree}`;
  return `${style.bold(safeText(writeValue(result)))}\n${style.dim(`${shownType(type, result)}, cost ${cost}`)}\n${tree}`;
}

function errorOf(text: string, error: CelError): ShownIssue {
  const range = error.range ?? { start: 0, end: text.length };
  const { spot, width } = spotInExpression(text, { ...range, ...position(text, range.start) });
  return {
    severity: "error",
    message: error.message,
    at: printPlace({ source: EXPRESSION, line: spot.line, column: spot.column }),
    spot,
    width,
  };
}

export function reportOfAll(all: readonly Evaluated[]): Json {
  const counts = outcomesOf(all);
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "CelReport",
    true: counts.true.length,
    false: counts.false.length,
    error: counts.error.length,
    other: counts.other.length,
    results: all.map(({ name, result }) => ({
      name: name ?? null,
      outcome: result instanceof CelError ? "error" : "value",
      value: result instanceof CelError ? null : valueJson(result),
      error: result instanceof CelError ? result.message : null,
    })),
  };
}

/** The evaluations of each outcome. */
function outcomesOf(
  all: readonly Evaluated[],
): Readonly<Record<"true" | "false" | "error" | "other", readonly Evaluated[]>> {
  return {
    true: all.filter(({ result }) => result === true),
    false: all.filter(({ result }) => result === false),
    error: all.filter(({ result }) => result instanceof CelError),
    other: all.filter(({ result }) => typeof result !== "boolean" && !(result instanceof CelError)),
  };
}

/** How many examples of each outcome are listed. */
const MAX_EXAMPLES = 5;

const TO_GIVE = { cluster: "the input has no ManagedCluster", bundle: "give a catalog with --catalog" } as const;

/** The text of evaluations over many clusters or bundles: how many of each outcome, with examples. */
export function textOfAll(all: readonly Evaluated[], noun: "cluster" | "bundle", style: Style): string {
  if (all.length === 0) return `there is no ${noun} to evaluate it on; ${TO_GIVE[noun]}\n`;
  const counts = outcomesOf(all);
  const lines: string[] = [];
  const plain = (label: string, ones: readonly Evaluated[], colour: (text: string) => string): void => {
    const names = ones.slice(0, MAX_EXAMPLES).map(({ name }) => safeText(name ?? ""));
    const more = ones.length > MAX_EXAMPLES ? `, … ${ones.length - MAX_EXAMPLES} more` : "";
    lines.push(
      `${colour(label.padEnd(5))} ${String(ones.length).padStart(countWidth)}${ones.length === 0 ? "" : `  ${names.join(", ")}${style.dim(more)}`}`,
    );
  };
  const countWidth = String(all.length).length;
  if (counts.true.length + counts.false.length + counts.error.length > 0 || counts.other.length === 0) {
    plain("true", counts.true, style.green);
    plain("false", counts.false, style.bold);
    plain("error", counts.error, style.red);
  }
  if (counts.other.length > 0) plain("other", counts.other, style.bold);
  lines.push(...errorLines(counts.error, style), ...valueLines(counts.other, style));
  return `${lines.join("\n")}\n`;
}

/** Each kind of error once, with how many have it. */
function errorLines(errors: readonly Evaluated[], style: Style): string[] {
  const byMessage = groupedBy(errors, (one) => (one.result as CelError).message);
  const kinds = [...byMessage].sort((a, b) => b[1].length - a[1].length);
  const lines = kinds.slice(0, MAX_EXAMPLES).flatMap(([, ones]) => {
    const first = ones[0] as Evaluated;
    const others = ones.length === 1 ? "" : style.dim(` (and ${ones.length - 1} more)`);
    const issue = issueText(errorOf(first.text, first.result as CelError), style).trimEnd();
    return ["", `${safeText(first.name ?? "")}${others}`, issue];
  });
  if (kinds.length > MAX_EXAMPLES) lines.push("", style.dim(`… ${kinds.length - MAX_EXAMPLES} more kinds of error`));
  return lines;
}

const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 100;

/** Values that are not bools, with the names they belong to. */
function valueLines(others: readonly Evaluated[], style: Style): string[] {
  if (others.length === 0) return [];
  const shown = others.slice(0, MAX_VALUES).map(({ name, result }) => {
    const value = writeValue(result as Exclude<Result, CelError>, MAX_VALUE_LENGTH);
    return `${safeText(name ?? "")} ${style.dim("→")} ${safeText(value)}`;
  });
  if (others.length > MAX_VALUES) shown.push(style.dim(`… ${others.length - MAX_VALUES} more`));
  return ["", ...shown];
}
