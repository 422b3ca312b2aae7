// Which operators, at which versions, go together here? `resolve` of the library.

import type { Problem } from "../model/problem.ts";
import type { GoneOperator } from "../render/resolve/shown.ts";
import { solveAll } from "../resolve/cluster-state.ts";
import type { Resolution } from "../resolve/resolution.ts";
import type { Warning } from "../resolve/warning.ts";
import type { InputFinding } from "./exact-places.ts";
import { commonWarnings, explained, goneOperators } from "./explained.ts";
import { askedProblems, type OperatorQuestion, QUESTION_KEYS } from "./question.ts";
import { checkKeys } from "./usage-error.ts";

/** The answer of `resolve`: plain data, the same after JSON. */
export interface ResolveAnswer {
  readonly kind: "resolve";
  /** The next generation of each namespace, with an explanation of everything that is refused or held back. */
  readonly resolutions: readonly Resolution[];
  /** Every request of every namespace is satisfied. */
  readonly isResolved: boolean;
  /** Warnings that concern no single namespace. */
  readonly warnings: readonly Warning[];
  /** The operators that `remove` removes. */
  readonly gone: readonly GoneOperator[];
  /** What is wrong with the input. */
  readonly findings: readonly InputFinding[];
  /** All namespaces were asked for. */
  readonly isList: boolean;
}

/**
 * Finds the best set of operators that can run together: as many requests as possible, the newest versions, as few others as
 * possible. Refusals and operators that are held back are explained.
 *
 * Throws a `UsageError` if the question cannot be asked.
 */
export function resolve(question: OperatorQuestion): ResolveAnswer {
  checkKeys("resolve", question, QUESTION_KEYS);
  const { problems, warnings, findings, replaced, located } = askedProblems(question);
  const isList = question.allNamespaces === true;
  const resolutions = [...solveAll(problems, question.stop)].map((solved, index) => {
    if (solved.kind === "bug") throw new Error(`this is a bug in plimsoll: ${solved.message}`);
    return explained(solved, problems[index] as Problem, {
      warnings,
      isList,
      replaced,
      heldBack: "all",
      stop: question.stop,
    });
  });
  return located({
    kind: "resolve",
    resolutions,
    isResolved: resolutions.every(({ outcome, broken }) => outcome === "Resolved" && broken.length === 0),
    warnings: commonWarnings({ warnings, isList }),
    gone: goneOperators(problems),
    findings,
    isList,
  });
}
