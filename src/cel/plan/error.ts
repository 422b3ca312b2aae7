// How do errors get their place in an expression?
import { CelError, type Range } from "../value/value.ts";
import type { Step } from "./frame.ts";

/** A closure that always fails, with one shared error. */
export function failing(message: string, at: Range): Step {
  const error = new CelError(message, at);
  return () => error;
}
