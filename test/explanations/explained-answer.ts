// An answer with all its explanations, for tests that are about them.

import type { Problem } from "../../src/model/problem.ts";
import { explainAnswer } from "../../src/resolve/explain/explain-answer.ts";
import type { Explanation, HeldBack, Resolution, Unsatisfied } from "../../src/resolve/resolution.ts";
import { resolve } from "../../src/resolve/resolve.ts";

interface Explained {
  readonly explanation: Explanation;
}

/** An answer in which everything is explained. */
export interface ExplainedResolution extends Resolution {
  readonly heldBack: readonly (HeldBack & Explained)[];
  readonly unsatisfied: readonly (Unsatisfied & Explained)[];
}

/** The answer to a problem, and why it is so. */
export function explainedAnswer(problem: Problem, stop?: () => boolean): ExplainedResolution {
  return explainAnswer({ problem, answer: resolve(problem, stop), stop, heldBack: "all" }) as ExplainedResolution;
}
