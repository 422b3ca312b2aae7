// How are a variable and its negation written? As integers, so that arrays can be indexed by them.

/** 2·v for the variable v, 2·v+1 for its negation. */
export type Literal = number;

/** The literal that is true when the variable is. */
export function positive(variable: number): Literal {
  return variable << 1;
}

/** The negation. */
export function negate(literal: Literal): Literal {
  return literal ^ 1;
}

/** The variable that a literal is about. */
export function variableOf(literal: Literal): number {
  return literal >> 1;
}

/** Is it a positive literal? */
export function isPositive(literal: Literal): boolean {
  return (literal & 1) === 0;
}
