// What is the value of an expression on a cluster, a bundle or variables?

import { type Bindings, LimitError, type TraceRecord } from "../cel/plan/frame.ts";
import type { Program } from "../cel/program.ts";
import type { Type } from "../cel/type.ts";
import { writtenSize } from "../cel/value/describe.ts";
import { CelError, type Result } from "../cel/value/value.ts";

/** What an expression can be evaluated on. */
export interface Subject {
  /** The name of the cluster or bundle; nothing for variables. */
  readonly name?: string;
  readonly bindings: () => Bindings;
}

/** The result of an evaluation. */
export interface Evaluated {
  /** The text of the expression. */
  readonly text: string;
  /** The static type. */
  readonly type: Type;
  readonly result: Result;
  readonly cost: number;
  /** The name of the cluster or bundle, if there is one. */
  readonly name?: string | undefined;
  readonly trace?: TraceRecord | undefined;
}

/** A value with more parts than this is not written out. */
const MAX_PARTS = 1_000_000;

/** Evaluates a program; with `isTraced`, the values of its parts are kept. */
export function evaluateOn(program: Program, { name, bindings }: Subject, isTraced: boolean): Evaluated {
  const { text, type } = program;
  const { result, trace } = isTraced
    ? program.trace(bindings())
    : { result: program.evaluate(bindings()), trace: undefined };
  return { text, type, name, result: bounded(result), cost: program.cost, trace };
}

/** The result; an error if its value is too large to be written out. */
function bounded(result: Result): Result {
  if (result instanceof CelError || writtenSize(result, MAX_PARTS) < MAX_PARTS) return result;
  return new LimitError("memory", `the value is not shown: written out it has more than ${MAX_PARTS} parts`);
}
