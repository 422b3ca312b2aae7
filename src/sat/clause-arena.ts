// Where are the clauses of three and more literals? One after the other in one array: the size, the glue, the literals.
// Clauses are referred to by where they begin.

import { FIRST_VARIABLES, grown, ints } from "./arrays.ts";
import type { Literal } from "./literal.ts";

/** Words before the literals of a clause: its size, then its glue. */
export const HEADER = 2;
/** The glue of a clause that was given, not learnt. */
export const GIVEN = 0;
/** References below this are not clauses: see trail.ts. */
const FIRST = 2;
/** The glue of a clause that is removed at the next compaction. */
const FORGOTTEN = -1;

/** The long clauses. The first two literals of each are the watched ones. */
export class ClauseArena {
  words: Int32Array<ArrayBuffer> = ints(8 * FIRST_VARIABLES);
  used: number = FIRST;

  /** Stores the first `size` literals as a clause; returns its reference. */
  add(literals: Int32Array, size: number, glue: number): number {
    const at = this.used;
    const needed = at + HEADER + size;
    if (needed > this.words.length) this.words = grown(this.words, needed);
    const words = this.words;
    words[at] = size;
    words[at + 1] = glue;
    for (let i = 0; i < size; i++) words[at + HEADER + i] = literals[i] as Literal;
    this.used = needed;
    return at;
  }

  /** Number of literals. */
  size(clause: number): number {
    return this.words[clause] as number;
  }

  /** The number of decision levels of a learnt clause; GIVEN for the others. */
  glue(clause: number): number {
    return this.words[clause + 1] as number;
  }

  /** The references of all clauses. */
  *clauses(): Generator<number> {
    for (let at = FIRST; at < this.used; at += HEADER + this.size(at)) yield at;
  }

  /** Marks a clause; it is removed by the next `compact`. */
  forget(clause: number): void {
    this.words[clause + 1] = FORGOTTEN;
  }

  /** Removes the marked clauses; the result maps old references to new ones, 0 for removed clauses. */
  compact(): (clause: number) => number {
    const old = this.words;
    const end = this.used;
    const words = new Int32Array(old.length);
    let to = FIRST;
    for (let from = FIRST; from < end; ) {
      const length = HEADER + (old[from] as number);
      if (old[from + 1] === FORGOTTEN) old[from] = 0;
      else {
        words.set(old.subarray(from, from + length), to);
        old[from] = to;
        to += length;
      }
      from += length;
    }
    this.words = words;
    this.used = to;
    return (clause) => old[clause] as number;
  }
}
