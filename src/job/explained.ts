// What belongs to an answer about operators besides the operators? Explanations, the warnings about its requests, and what is removed.

import type { Problem } from "../model/problem.ts";
import type { GoneOperator } from "../render/resolve/shown.ts";
import type { Solved } from "../resolve/cluster-state.ts";
import { explainAnswer } from "../resolve/explain/explain-answer.ts";
import { isAskedOfOlmV1 } from "../resolve/olmv1/resolution.ts";
import type { PreparationWarning } from "../resolve/prepare/problem-inputs.ts";
import { requestWarnings } from "../resolve/prepare/unknown-names.ts";
import type { Resolution } from "../resolve/resolution.ts";
import type { Warning } from "../resolve/warning.ts";

/** The warnings of the preparation, and what they are about. */
export interface Noticed {
  readonly warnings: readonly PreparationWarning[];
  /** All namespaces were asked for: an answer is one of several. */
  readonly isList: boolean;
  /** The packages whose requests were replaced. */
  readonly replaced: readonly string[];
}

/** How much is explained. */
interface Explaining extends Noticed {
  /** Undefined: nothing is explained. */
  readonly heldBack: "all" | "beyond-approval" | undefined;
  readonly stop?: (() => boolean) | undefined;
}

/** An answer with its explanations, and with the warnings about its requests. */
export function explained(
  { problem, resolution }: Extract<Solved, { kind: "solved" }>,
  asked: Problem,
  { heldBack, stop, ...noticed }: Explaining,
): Resolution {
  const isExplained = heldBack === undefined || isAskedOfOlmV1(problem);
  const found = isExplained ? resolution : explainAnswer({ problem, answer: resolution, stop, heldBack });
  return withWarnings(found, asked, noticed);
}

/** An answer with the warnings about the requests of its problem before its own. */
export function withWarnings<Answer extends { readonly warnings: readonly Warning[] }>(
  answer: Answer,
  asked: Problem,
  { warnings, isList, replaced }: Noticed,
): Answer {
  const about = requestWarnings(asked, warnings, { isOneOfSeveral: isList, replaced });
  return { ...answer, warnings: [...about, ...answer.warnings] };
}

/** The warnings that concern no single namespace; each answer has them itself if it is the only one. */
export function commonWarnings({ warnings, isList }: Pick<Noticed, "warnings" | "isList">): readonly Warning[] {
  return isList ? warnings.filter(({ namespace }) => namespace === undefined) : [];
}

/** The operators of all namespaces that are removed. */
export function goneOperators(problems: readonly Problem[]): readonly GoneOperator[] {
  const gone = new Set(problems.flatMap((problem) => problem.gone));
  return [...gone].map(({ namespace, name, package: owner, version }) => ({
    namespace,
    name,
    package: owner,
    version,
  }));
}
