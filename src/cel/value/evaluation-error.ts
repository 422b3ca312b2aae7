// How does an evaluation fail for a program that wants a value or an exception?
import { position } from "../issue.ts";
import type { CelError, Range } from "./value.ts";

/** An expression has no value. `cause` is what a function of the program threw, if that is the reason. */
export class EvaluationError extends Error {
  override readonly name: string = "EvaluationError";
  /** The error that took the place of the value; a `LimitError` or `DataError` is one of these kinds. */
  readonly error: CelError;
  /** The part of the expression that failed, in UTF-16 offsets, where that is known. */
  readonly range: Range | undefined;
  /** The line of that part, from 1. */
  readonly line: number | undefined;
  /** Its column, from 1, in code points. */
  readonly column: number | undefined;
  constructor(error: CelError, text?: string) {
    super(error.message, error.cause === undefined ? undefined : { cause: error.cause });
    this.error = error;
    this.range = error.range;
    const at = error.range === undefined || text === undefined ? undefined : position(text, error.range.start);
    this.line = at?.line;
    this.column = at?.column;
  }
}
