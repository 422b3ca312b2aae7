// Are at least this many of these literals true? A tree of counters whose outputs are created on demand. All clauses
// are definitions: they never exclude anything by themselves.

import { type Literal, negate, positive } from "./literal.ts";
import type { Solver } from "./solver.ts";

/** Counts the true literals of a list. */
export interface Totalizer {
  readonly size: number;
  /** A literal that is true whenever at least `count` of the literals are; from 1 to `size`. */
  atLeast(count: number): Literal;
}

/** A counter for at least one literal. */
export function totalizer(solver: Solver, literals: readonly Literal[]): Totalizer {
  if (literals.length === 1) return { size: 1, atLeast: () => literals[0] as Literal };
  const half = literals.length >> 1;
  const left = totalizer(solver, literals.slice(0, half));
  const right = totalizer(solver, literals.slice(half));
  const outputs: Literal[] = [];
  return {
    size: literals.length,
    atLeast(count) {
      while (outputs.length < count) outputs.push(sumOutput(solver, left, right, outputs.length + 1));
      return outputs[count - 1] as Literal;
    },
  };
}

/** A new literal that is true whenever the two counters together reach the count. */
function sumOutput(solver: Solver, left: Totalizer, right: Totalizer, count: number): Literal {
  const output = positive(solver.newVariable());
  for (let fromLeft = Math.max(0, count - right.size); fromLeft <= Math.min(count, left.size); fromLeft++) {
    const clause = [output];
    if (fromLeft > 0) clause.push(negate(left.atLeast(fromLeft)));
    if (fromLeft < count) clause.push(negate(right.atLeast(count - fromLeft)));
    solver.addClause(clause);
  }
  return output;
}
