// Is a clause about all versions of a package never passed as arguments, whose number is limited?

import { expect, test } from "vitest";
import { type Clauses, oneOf } from "./clauses.ts";
import { stayOrMove } from "./stay-or-move.ts";

/** Notes how long the clauses are that come as arguments, and those that come as a list. */
function noting(): Clauses<number> & { readonly short: number[]; readonly long: number[] } {
  const [short, long]: [number[], number[]] = [[], []];
  return {
    short,
    long,
    truth: 0,
    newLiteral: () => 0,
    clause: (...literals) => short.push(literals.length),
    longClause: (literals) => long.push(literals.length),
    there: (member) => 2 * member,
    matches: () => false,
    gate: () => 0,
    presence: () => 0,
  };
}

test("a request may have any number of candidates, and an operator any number of targets", () => {
  const to = noting();
  const many = Array.from({ length: 50 }, (_, member) => member + 2);
  oneOf(to, [1], many);
  stayOrMove(to, [1], { installed: 1, targets: many, stays: false });
  expect(to.long).toEqual([51, 52]);
  expect(to.short).toEqual(many.map(() => 3));
});
