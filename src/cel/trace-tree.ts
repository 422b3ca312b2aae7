// How did an expression come to its value? The parts that were evaluated, as a small tree of plain data.
import type { Call, Node } from "./ast.ts";
import { operandOf } from "./check/attribute.ts";
import type { TraceRecord } from "./plan/frame.ts";
import { describeValue } from "./value/describe.ts";
import { CelError } from "./value/value.ts";

/** A part of an expression and what it came to. */
export interface TraceBranch {
  /** The text of the part. */
  readonly text: string;
  /** The macro variables that it was evaluated for: `p = {…}`. */
  readonly variables: readonly string[];
  readonly outcome: "value" | "error" | "skipped";
  /** The value or the error, in short; empty where the part below says the same. */
  readonly result: string;
  /** Did the error have no consequence, because something else decided? */
  readonly absorbed: boolean;
  readonly parts: readonly TraceBranch[];
  /** How many parts there were beyond those that are listed. */
  readonly left: number;
}

/** A tree with more branches than this is cut. */
const MAX_BRANCHES = 200;
const MAX_DEPTH = 20;
/** How many iterations of a macro are shown from the beginning and from the end; fewer for nested macros. */
const ROUNDS: readonly [first: number, last: number] = [8, 2];
const INNER_ROUNDS: readonly [first: number, last: number] = [3, 1];

/** The tree of a trace; `text` is the expression's. */
export function traceTree(trace: TraceRecord, text: string): TraceBranch {
  let room = MAX_BRANCHES;
  const branch = (
    record: TraceRecord,
    parent: TraceRecord | undefined,
    around: readonly string[],
    depth: number,
  ): TraceBranch => {
    room--;
    const { node, result } = record;
    const bound = [...around, ...(record.bound ?? []).map(({ name }) => name)];
    const below = partsBelow(record).filter(
      ({ node: part }) => part.kind !== "identifier" || !bound.includes(part.name),
    );
    const shown = depth >= MAX_DEPTH ? [] : chosen(below, bound.length === 0 ? ROUNDS : INNER_ROUNDS);
    const parts: TraceBranch[] = [];
    for (const part of shown) if (room > 0) parts.push(branch(part, record, bound, depth + 1));
    const isError = result instanceof CelError;
    const isReportedBelow =
      isError && below.some((part) => part.result instanceof CelError && part.result.message === result.message);
    return {
      text: textOf(node, text),
      variables: (record.bound ?? []).map(
        ({ name, value }) => `${name} = ${value instanceof CelError ? "error" : describeValue(value)}`,
      ),
      outcome: isError ? "error" : "value",
      result: isError ? (isReportedBelow && parts.length > 0 ? "" : result.message) : describeValue(result),
      absorbed: isError && parent !== undefined && !(parent.result instanceof CelError),
      parts: [...parts, ...skippedParts(node, record, text)],
      left: below.length - parts.length,
    };
  };
  return branch(trace, undefined, [], 0);
}

function textOf(node: Node, text: string): string {
  return text.slice(node.start, node.end).replace(/\s+/g, " ");
}

/** The records worth showing: no literals, and of a path that was found only the whole. */
function partsBelow(record: TraceRecord): readonly TraceRecord[] {
  const operand = operandOf(record.node);
  const found = !(record.result instanceof CelError);
  return record.parts.flatMap((part) => {
    if (isConstant(part)) return [];
    if (part.node === operand && found)
      return partsBelow(part).filter(({ node }) => operandOf(node) === undefined && node.kind !== "identifier");
    return [part];
  });
}

/** A literal, or a list or map of nothing but literals: the text says what it is. */
function isConstant({ node, parts }: TraceRecord): boolean {
  return node.kind === "literal" || ((node.kind === "list" || node.kind === "map") && parts.every(isConstant));
}

/** The first and the last; the list that the rounds go through is not counted. */
function chosen(parts: readonly TraceRecord[], [first, last]: readonly [number, number]): readonly TraceRecord[] {
  return parts.length <= first + last + 2 ? parts : [...parts.slice(0, first + 1), ...parts.slice(-last)];
}

/** The sides of `&&` and `||`, and the branch of `? :`, that were not needed. */
function skippedParts(node: Node, record: TraceRecord, text: string): readonly TraceBranch[] {
  if (node.kind !== "call" || !["_&&_", "_||_", "_?_:_"].includes(node.name)) return [];
  const seen = new Set(record.parts.map((part) => part.node));
  return (node as Call).args
    .filter((arg) => arg.kind !== "literal" && !seen.has(arg))
    .map((arg) => ({ ...SKIPPED, text: textOf(arg, text) }));
}

const SKIPPED = { variables: [], outcome: "skipped", result: "", absorbed: false, parts: [], left: 0 } as const;
