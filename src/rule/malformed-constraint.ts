// Can a bundle with malformed constraints be chosen?

import { problemPlace } from "../constraint/constraint-findings.ts";
import { plainPlace } from "../model/place.ts";
import { MAX_VERSIONS } from "./shape/lift.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** The errors of the constraints. */
export interface MalformedConstraintDetail {
  readonly rule: "malformed-constraint";
  /** The first errors. */
  readonly mistakes: readonly { readonly message: string; readonly hint?: string | undefined }[];
  /** The number of further ones. */
  readonly more: number;
}

/** Number of errors kept. */
const MAX_MISTAKES = 10;

/** A bundle with a malformed constraint is not newly chosen; all others are unaffected (seed 003): `¬bundle`. */
export const malformedConstraint: UnaryRule = {
  name: "malformed-constraint",
  bindsRunning: true,
  refusal: ({ requirements: { problems }, place }) => {
    const [first] = problems;
    if (first === undefined) return undefined;
    const mistakes = problems
      .slice(0, MAX_MISTAKES)
      .map(({ message, hint }) => (hint === undefined ? { message } : { message, hint }));
    const detail = { rule: "malformed-constraint", mistakes, more: problems.length - mistakes.length } as const;
    return place === undefined ? { detail } : { detail, place: plainPlace(problemPlace(first, place)) };
  },
  lifts: (refused) => refused.slice(0, MAX_VERSIONS).flatMap(({ correction }) => correction() ?? []),
};
