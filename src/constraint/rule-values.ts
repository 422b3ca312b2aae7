// Why is a rule false for a member? The values that made it false, or the error that stopped it, from the trace of
// the evaluation.

import type { Node } from "../cel/ast.ts";
import type { TraceRecord } from "../cel/plan/frame.ts";
import { describeValue } from "../cel/value/describe.ts";
import { CelError, isJsonMap } from "../cel/value/value.ts";
import type { Property } from "../model/catalog.ts";
import { bundleBindings } from "./bundle-environment.ts";
import type { CelConstraint, Constraint } from "./constraint.ts";

/** Number of values reported. */
const MAX_VALUES = 3;
const MAX_TEXT = 60;

/** How close a rule came to being true, and what prevented it. */
export interface Miss {
  /** How much of it was true. */
  readonly score: number;
  /** The expressions that the rule reads, and their values; empty if there is an error. */
  readonly values: readonly { readonly expression: string; readonly value: string }[];
  /** Why it could not be evaluated. */
  readonly error?: string;
}

/** What made the first false rule of a constraint false for these properties; undefined if no value shows it. */
export function missOf(constraint: Constraint, properties: readonly Property[]): Miss | undefined {
  for (const rule of rulesIn(constraint)) {
    const { result, trace } = rule.program.trace(bundleBindings(properties));
    if (result === true) continue;
    if (result instanceof CelError) return { score: 0, values: [], error: result.message };
    const found = nearest(trace, 0, false);
    if (found === undefined) continue;
    const values = valuesIn(found.record, rule.rule).slice(0, MAX_VALUES);
    if (values.length > 0) return { score: found.score, values };
  }
  return undefined;
}

/** The rules that must be true; the depth of constraints is bounded where they are read. */
function rulesIn(constraint: Constraint): readonly CelConstraint[] {
  if (constraint.kind === "cel") return [constraint];
  if (constraint.kind === "none") return [];
  return "constraints" in constraint ? constraint.constraints.flatMap(rulesIn) : [];
}

/** The false part with the most true parts before it. Within a list, only if something is true for the element. */
function nearest(
  record: TraceRecord,
  score: number,
  inList: boolean,
): { readonly record: TraceRecord; readonly score: number } | undefined {
  const { node, result, parts } = record;
  if (result instanceof CelError || typeof result !== "boolean") return undefined;
  const isList = node.kind === "fold";
  if (!isList && !(node.kind === "call" && (node.name === "_&&_" || node.name === "_||_")))
    return result || (inList && score === 0) ? undefined : { record, score };
  if (result && !isList) return undefined;
  let best: { readonly record: TraceRecord; readonly score: number } | undefined;
  let isTrue = 0;
  for (const part of parts) {
    const found = nearest(part, score + (isList ? 0 : isTrue), inList || isList);
    if (found !== undefined && (best === undefined || found.score > best.score)) best = found;
    if (part.result === true) isTrue++;
  }
  return best;
}

/** The values of the variables and fields in a part; for a list or an object, what was computed from it. */
function valuesIn(record: TraceRecord, text: string): Miss["values"] {
  return record.parts.flatMap((part) => {
    const { node, result } = part;
    if (node.kind === "literal" || result instanceof CelError) return [];
    const inside = isPath(node) ? [] : valuesIn(part, text);
    if (inside.length > 0 || Array.isArray(result) || isJsonMap(result)) return inside;
    const expression = text.slice(node.start, node.end).replace(/\s+/g, " ");
    return expression.length > MAX_TEXT ? [] : [{ expression, value: describeValue(result) }];
  });
}

function isPath(node: Node): boolean {
  return node.kind === "select" || node.kind === "identifier" || (node.kind === "call" && node.name === "_[_]");
}
