// What is done once when the argument of a call is a literal?

import type { Prepare } from "../library.ts";
import { CelError, type Result } from "../value/value.ts";

/** A literal is parsed once; a mistake in it is an error of the evaluation. */
export function readOnce(parse: (text: string) => Result): Prepare {
  return {
    argument: 0,
    specialise: (literal) => {
      const value = parse(literal as string);
      return () => value;
    },
  };
}

/** A literal is parsed once; the checker reports a mistake in it. */
export function checkOnce(parse: (text: string) => Result): Prepare {
  return {
    argument: 0,
    specialise: (literal) => {
      const value = parse(literal as string);
      return value instanceof CelError ? { mistake: value.message } : () => value;
    },
  };
}
