// Why is an operator installed, why not, why not newer, and what needs it? `explain` of the library.

import type { Problem } from "../model/problem.ts";
import { unknownSubjectText } from "../render/sentence/not-in-catalog.ts";
import { readSubject } from "../resolve/explain/read-subject.ts";
import { explain as explainSubject, type SubjectExplanation } from "../resolve/explain/subject.ts";
import { requestWarnings } from "../resolve/prepare/unknown-names.ts";
import type { Warning } from "../resolve/warning.ts";
import type { InputFinding } from "./exact-places.ts";
import { askedProblems, type OperatorQuestion, QUESTION_KEYS } from "./question.ts";
import { checkKeys, textOf, UsageError } from "./usage-error.ts";

/** A question about one package, version or bundle. */
export interface ExplainQuestion extends Omit<OperatorQuestion, "allNamespaces"> {
  /** What to explain: `PACKAGE`, `PACKAGE@VERSION` or the name of a bundle. */
  readonly subject: string;
  /** Also find out what breaks without it. */
  readonly whoNeeds?: boolean | undefined;
}

/** The answer of `explain`: plain data, the same after JSON. */
export interface ExplainAnswer {
  readonly kind: "explain";
  readonly explanation: SubjectExplanation;
  readonly warnings: readonly Warning[];
  /** What is wrong with the input. */
  readonly findings: readonly InputFinding[];
}

const KEYS: readonly (keyof ExplainQuestion)[] = [
  ...(QUESTION_KEYS.filter((key) => key !== "allNamespaces") as (keyof ExplainQuestion)[]),
  "subject",
  "whoNeeds",
];

/**
 * Explains an operator: why it is in the answer, refused, held back, or absent, and what would help.
 *
 * Throws a `UsageError` if the question cannot be asked, or if no catalog has the subject.
 */
export function explain(question: ExplainQuestion): ExplainAnswer {
  checkKeys("explain", question, KEYS);
  if (question.options?.olmv1 === true) throw new UsageError("options.olmv1 is for resolve");
  const { problems, warnings, findings, replaced, located } = askedProblems(question, { isSubject: true });
  const problem = problems[0] as Problem;
  const subject = readSubject(textOf("subject", question.subject), problem);
  if (subject.kind !== "topic") throw new UsageError(unknownSubjectText(subject));
  const explanation = explainSubject(problem, subject.topic, {
    withLoss: question.whoNeeds === true,
    stop: question.stop,
  });
  const scope = { isOneOfSeveral: false, replaced };
  return located({ kind: "explain", explanation, warnings: requestWarnings(problem, warnings, scope), findings });
}
