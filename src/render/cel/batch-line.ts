// How is a line of `cel eval --batch` answered? With one line of JSON.

import type { BatchAnswer } from "../../expression/batch.ts";
import { isList, type Json, type JsonObject } from "../../model/json.ts";
import { byKind } from "../kit/by-kind.ts";
import { safeJson } from "../kit/safe-text.ts";
import { checkReport } from "./check-report.ts";
import { checkedExpression } from "./checked-expression.ts";
import { resultReport } from "./result-report.ts";

/** The line, with its end. */
export function batchLine(answer: BatchAnswer): string {
  return `${safeJson(compactJson({ id: answer.id, ...reportOf(answer) }))}\n`;
}

const reportOf: (answer: BatchAnswer) => JsonObject = byKind({
  fault: (answer) => ({ apiVersion: "plimsoll.dev/v1alpha1", kind: "CelResult", ...failed(answer.message) }),
  invalid: (answer) => ({
    ...(checkReport([checkedExpression(answer.compilation, answer.env)]) as JsonObject),
    ...failed(answer.compilation.errors[0]?.message ?? ""),
  }),
  value: (answer) => resultReport(answer.evaluated),
});

function failed(error: string): JsonObject {
  return { outcome: "error", type: null, value: null, cost: 0, error };
}

function compactJson(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(compactJson).join(",")}]`;
  return `{${Object.entries(value as JsonObject)
    .map(([key, item]) => `${JSON.stringify(key)}:${compactJson(item)}`)
    .join(",")}}`;
}
