// Can a result be written out?
import { LimitError } from "../../cel/plan/frame.ts";
import { CelError, type Result } from "../../cel/value/value.ts";
import { writtenSize } from "../../cel/value/written-size.ts";

/** A value with more parts than this is not written out. */
const MAX_PARTS = 1_000_000;

/** The result, or the limit that its value is beyond. */
export function writable(result: Result): Result {
  if (result instanceof CelError || writtenSize(result, MAX_PARTS) < MAX_PARTS) return result;
  return new LimitError("memory", `the value is not shown: written out it has more than ${MAX_PARTS} parts`);
}
