// What is said on standard error where a question about operators cannot be answered properly?

import { safeText } from "../../render/kit/safe-text.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import type { Question } from "./load.ts";

/** Says why there is no answer; the code to end with. */
export function refuse(message: string, terminal: Terminal, code: ExitCode = EXIT.usage): ExitCode {
  terminal.err(`plimsoll: ${safeText(message)}\n`);
  return code;
}

/** What becomes of the input beside what is wrong with it. */
export function restOf({ problems, wrong }: Question): string {
  if (problems.length === 0 || wrong !== undefined) return "nothing can be answered";
  const isHeldUp = problems.some(({ runtime }) => runtime.problems.length > 0);
  return isHeldUp ? "nothing is installed or updated until the runtime constraints can be read" : "the rest is used";
}
