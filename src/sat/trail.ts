// What is assigned, at which decision level, and for what reason?

import { FIRST_VARIABLES, grown, ints, signs } from "./arrays.ts";
import type { Literal } from "./literal.ts";

/** Why a literal is true: it was decided. Numbers from 2 on are clauses of the arena, negative ones single literals. */
export const DECIDED = 0;
/** Why a literal is true: at level 0. */
export const FACT = 1;

/** The reason "because that other literal is false": a clause of the two, stored nowhere else. */
export function becauseFalse(other: Literal): number {
  return -other - 1;
}

/** The literal that must be false for a reason made by `becauseFalse`. */
export function falseOther(reason: number): Literal {
  return -reason - 1;
}

/** The assignment, in order. */
export class Trail {
  /** By literal: 1 true, -1 false, 0 unassigned. */
  values: Int8Array<ArrayBuffer> = signs(2 * FIRST_VARIABLES);
  /** By variable: the decision level of its assignment. */
  levels: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  /** By variable: the reason of its assignment. */
  reasons: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  /** The true literals, oldest first. */
  literals: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  size = 0;
  /** The number of propagated literals. */
  propagated = 0;
  /** By level: the size before its decision. */
  starts: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  level = 0;
  variables = 0;

  /** A new, unassigned variable. */
  addVariable(): number {
    if (this.variables + 2 > this.levels.length) {
      this.levels = grown(this.levels, 0);
      this.reasons = grown(this.reasons, 0);
      this.literals = grown(this.literals, 0);
      this.starts = grown(this.starts, 0);
      const values = signs(this.levels.length * 2);
      values.set(this.values);
      this.values = values;
    }
    return this.variables++;
  }

  /** Makes an unassigned literal true at the present level. */
  assign(literal: Literal, reason: number): void {
    this.values[literal] = 1;
    this.values[literal ^ 1] = -1;
    const variable = literal >> 1;
    this.levels[variable] = this.level;
    this.reasons[variable] = reason;
    this.literals[this.size++] = literal;
  }

  /** Makes an unassigned literal true at a new level. */
  decide(literal: Literal): void {
    this.level++;
    this.starts[this.level] = this.size;
    this.assign(literal, DECIDED);
  }

  /** The decision of a level. */
  decision(level: number): Literal {
    return this.literals[this.starts[level] as number] as Literal;
  }

  /** The level at which a literal was assigned. */
  levelOf(literal: Literal): number {
    return this.levels[literal >> 1] as number;
  }
}
