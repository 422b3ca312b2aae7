// Are the expressions of the input valid? Compiles each, and says where each issue is.

import type { Compilation } from "../cel/compile.ts";
import { estimateCost } from "../cel/cost/estimate.ts";
import type { SizeEstimate } from "../cel/cost/range.ts";
import type { Issue } from "../cel/issue.ts";
import { printType } from "../cel/type.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { Place } from "../model/place.ts";
import type { EnvironmentName } from "./environment-names.ts";
import { type CompatOptions, checkingCompiler } from "./environments.ts";
import { characterPlace, type FoundExpression } from "./find-expressions.ts";

/** What compiling an expression came to. */
export interface ExpressionSummary {
  readonly text: string;
  readonly env: EnvironmentName;
  /** The type of its value; nothing if it is invalid. */
  readonly type?: string;
  readonly estimatedCost?: SizeEstimate;
}

/** An issue, and the places of its first and last character. */
export interface PlacedIssue {
  readonly severity: "error" | "warning";
  readonly issue: Issue;
  readonly first: Place;
  readonly last: Place;
}

/** An expression of the input that was compiled. */
export interface PlacedCheck {
  readonly summary: ExpressionSummary;
  readonly owner: FoundExpression["owner"];
  readonly start: Place;
  readonly errors: readonly PlacedIssue[];
  readonly warnings: readonly PlacedIssue[];
}

/** The summary of a compiled expression. */
export function expressionSummary({ text, program }: Compilation, env: EnvironmentName): ExpressionSummary {
  if (program === undefined) return { text, env };
  return {
    text,
    env,
    type: printType(program.type),
    estimatedCost: estimateCost(program.checked, program.environment),
  };
}

/** Compiles expressions; those with the same text, which many bundles share, once. */
export function checkExpressions(found: readonly FoundExpression[], options: CompatOptions): readonly PlacedCheck[] {
  const compiled = new Map<string, { readonly compilation: Compilation; readonly summary: ExpressionSummary }>();
  return found.map(({ text, env, owner, position }) => {
    const known = getOrAdd(compiled, `${env} ${text}`, () => {
      const compilation = checkingCompiler(env, [], options)(text);
      return { compilation, summary: expressionSummary(compilation, env) };
    });
    const placed = (severity: "error" | "warning", issues: readonly Issue[]): readonly PlacedIssue[] =>
      issues.map((issue) => ({
        severity,
        issue,
        first: characterPlace(position, issue.start),
        last: characterPlace(position, Math.max(issue.start, issue.end - 1)),
      }));
    const { errors, warnings } = known.compilation;
    return {
      summary: known.summary,
      owner,
      start: characterPlace(position, 0),
      errors: placed("error", errors),
      warnings: placed("warning", warnings),
    };
  });
}
