// May a bundle be chosen whose demands cannot be read?

import { problemPlace } from "../constraint/problem-place.ts";
import { plainPlace } from "../model/place.ts";
import { MAX_VERSIONS } from "./shape/lift.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** What is wrong with constraints. */
export interface MalformedConstraintDetail {
  readonly rule: "malformed-constraint";
  /** The first mistakes. */
  readonly mistakes: readonly { readonly message: string; readonly hint?: string | undefined }[];
  /** How many more there are. */
  readonly more: number;
}

/** So many mistakes are kept. */
const MAX_MISTAKES = 10;

/** A bundle with a constraint that cannot be read is not newly chosen; all others go on (seed 003): `¬bundle`. */
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
