// How is the outcome of a resolution written, and in which colour?

import type { Outcome } from "../../resolve/resolution.ts";
import type { Style } from "../kit/style.ts";

/** The outcomes, best first, in sentences such as "2 partly resolved". */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  Resolved: "resolved",
  Partial: "partly resolved",
  Unsatisfiable: "not resolved",
  Undecided: "undecided",
};

/** The colour of an outcome. */
export function outcomeStyle(outcome: Outcome, style: Style): (text: string) => string {
  return { Resolved: style.green, Partial: style.yellow, Unsatisfiable: style.red, Undecided: style.magenta }[outcome];
}
