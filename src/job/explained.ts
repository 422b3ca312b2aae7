// What belongs to an answer of `resolve` besides the operators? Its explanations, and the warnings about its requests.

import type { Problem } from "../model/problem.ts";
import type { Solved } from "../resolve/cluster-state.ts";
import { explainAnswer } from "../resolve/explain/explain-answer.ts";
import type { PreparationWarning } from "../resolve/prepare/problem-inputs.ts";
import { requestWarnings } from "../resolve/prepare/unknown-names.ts";
import type { Resolution } from "../resolve/resolution.ts";

/** How much is explained, and which warnings the preparation gave. */
interface Explaining {
  readonly warnings: readonly PreparationWarning[];
  /** The answer is one of several namespaces. */
  readonly isList: boolean;
  readonly replaced: readonly string[];
  /** Undefined: nothing is explained. */
  readonly heldBack: "all" | "beyond-approval" | undefined;
  readonly stop?: (() => boolean) | undefined;
}

/** An answer with its explanations, and with the warnings about its requests. */
export function explained(
  { problem, resolution }: Extract<Solved, { kind: "solved" }>,
  asked: Problem,
  { warnings, isList, replaced, heldBack, stop }: Explaining,
): Resolution {
  const found = heldBack === undefined ? resolution : explainAnswer({ problem, answer: resolution, stop, heldBack });
  const scope = { isOneOfSeveral: isList, replaced };
  return { ...found, warnings: [...requestWarnings(asked, warnings, scope), ...found.warnings] };
}
