// Does a shape bear as many members as a package can have?

import { expect, test } from "vitest";
import type { Literal } from "../../sat/literal.ts";
import type { Clauses } from "./clauses.ts";
import { oneOf } from "./one-of.ts";
import { stayOrMove } from "./stay-or-move.ts";

/** Notes the lengths of clauses. */
function noting(): Clauses<number> & { readonly lengths: number[] } {
  const lengths: number[] = [];
  return {
    lengths,
    truth: 0,
    newLiteral: () => 0,
    clause: (...literals) => lengths.push(literals.length),
    longClause: (literals: readonly Literal[]) => lengths.push(literals.length),
    there: (member) => 2 * member,
    matches: () => false,
    gate: () => 0,
    presence: () => 0,
  };
}

const MANY = Array.from({ length: 300_000 }, (_, member) => member + 2);

test("a request may have any number of candidates, and an operator any number of targets", () => {
  const to = noting();
  oneOf(to, [1], MANY);
  stayOrMove(to, [1], { installed: 1, targets: MANY, stays: false });
  expect(to.lengths.slice(0, 3)).toEqual([MANY.length + 1, MANY.length + 2, 3]);
  expect(to.lengths).toHaveLength(MANY.length + 2);
});
