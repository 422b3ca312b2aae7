// What is learnt from a conflict? The clause of decisions, or their consequences, that exclude each other, as short
// as possible without search. And for unsatisfiable assumptions: which of them contradict each other.

import { bytes, grown, ints } from "./arrays.ts";
import { GIVEN, HEADER } from "./clause-arena.ts";
import type { ConstraintStore } from "./constraint-store.ts";
import { type Literal, negate, variableOf } from "./literal.ts";
import { PAIR } from "./propagate.ts";
import { DECIDED, FACT, falseOther } from "./trail.ts";

/** The literal is in the clause, or is being resolved away. */
const SEEN = 1;
/** The literal follows from others of the clause. */
const REDUNDANT = 2;
/** The literal does not follow from others of the clause. */
const NEEDED = 3;

/** Turns conflicts into clauses. `learnt`, `size` and `glue` are about the last conflict. */
export class ConflictAnalysis {
  /** The learnt clause: first the literal that becomes true, then one of the level to go back to. */
  learnt: Int32Array<ArrayBuffer> = ints(64);
  size = 0;
  /** The number of decision levels the learnt clause is about. */
  glue = 0;
  readonly #store: ConstraintStore;
  /** By variable. */
  #marks: Uint8Array<ArrayBuffer> = bytes(64);
  #marked: Int32Array<ArrayBuffer> = ints(64);
  #markedSize = 0;
  #stack: Int32Array<ArrayBuffer> = ints(64);
  /** By level: when it was last counted. */
  #counted: Int32Array<ArrayBuffer> = ints(64);
  #count = 0;
  /** The one literal of a reason that is not a clause of the arena. */
  readonly #single: Int32Array<ArrayBuffer> = new Int32Array(1);

  constructor(store: ConstraintStore) {
    this.#store = store;
  }

  /** Learns from a conflict at a level above 0; returns the level to backtrack to. */
  analyse(conflict: number): number {
    this.#reserve();
    this.#resolve(conflict);
    this.#minimise();
    this.#unmark();
    this.glue = this.#levelsOf(this.learnt, 0, this.size);
    return this.#putSecond();
  }

  /** The decisions that together make a literal true. */
  decisionsBehind(literal: Literal): Literal[] {
    const { trail } = this.#store;
    this.#reserve();
    const behind: Literal[] = [];
    this.#mark(variableOf(literal), SEEN);
    for (let i = trail.size - 1; i >= 0; i--) {
      const candidate = trail.literals[i] as Literal;
      const variable = variableOf(candidate);
      if (this.#marks[variable] !== SEEN || trail.levels[variable] === 0) continue;
      const reason = trail.reasons[variable] as number;
      if (reason === DECIDED) behind.push(candidate);
      else this.#eachCause(reason, variable, this.#markCause);
    }
    this.#unmark();
    return behind.reverse();
  }

  readonly #markCause = (cause: Literal): void => {
    const variable = variableOf(cause);
    if (this.#marks[variable] === 0) this.#mark(variable, SEEN);
  };

  #eachCause(reason: number, of: number, visit: (cause: Literal) => void): void {
    if (reason === FACT) return;
    if (reason < 0) {
      visit(falseOther(reason));
      return;
    }
    const { words } = this.#store.arena;
    const end = reason + HEADER + (words[reason] as number);
    for (let i = reason + HEADER; i < end; i++) {
      if ((words[i] as Literal) >> 1 !== of) visit(words[i] as Literal);
    }
  }

  /** Replaces literals of the present level by what they follow from until one is left (the first unique implication point). */
  #resolve(conflict: number): void {
    const { trail, heap, arena } = this.#store;
    const { literals, levels, reasons } = trail;
    const marks = this.#marks;
    const present = trail.level;
    let open = 0;
    let at = trail.size;
    let reason = conflict;
    let resolved = -1;
    this.size = 1;
    for (;;) {
      let words: Int32Array = arena.words;
      let from = reason + HEADER;
      let end = from;
      if (reason === PAIR && resolved === -1) {
        words = this.#store.conflict;
        from = 0;
        end = 2;
      } else if (reason < 0) {
        words = this.#single;
        words[0] = falseOther(reason);
        from = 0;
        end = 1;
      } else if (reason !== FACT) {
        end = from + (words[reason] as number);
        if ((words[reason + 1] as number) !== GIVEN) this.#improveGlue(reason);
      }
      for (let i = from; i < end; i++) {
        const literal = words[i] as Literal;
        const variable = literal >> 1;
        if (variable === resolved || marks[variable] !== 0 || levels[variable] === 0) continue;
        this.#mark(variable, SEEN);
        heap.bump(variable);
        if (levels[variable] === present) open++;
        else this.learnt[this.size++] = literal;
      }
      do at--;
      while (marks[(literals[at] as Literal) >> 1] === 0);
      resolved = (literals[at] as Literal) >> 1;
      if (--open === 0) break;
      reason = reasons[resolved] as number;
    }
    this.learnt[0] = negate(literals[at] as Literal);
    heap.decay();
  }

  /** Leaves out literals that follow from others of the clause. */
  #minimise(): void {
    let kept = 1;
    for (let i = 1; i < this.size; i++) {
      const literal = this.learnt[i] as Literal;
      if (this.#store.trail.reasons[variableOf(literal)] === DECIDED || !this.#isRedundant(variableOf(literal))) {
        this.learnt[kept++] = literal;
      }
    }
    this.size = kept;
  }

  /** Does every path behind a variable end at literals of the clause? Depth-first with an explicit stack. */
  #isRedundant(variable: number): boolean {
    const { trail, arena } = this.#store;
    const marks = this.#marks;
    const stack = this.#stack;
    // Pairs of a variable and how far its reason has been visited.
    let top = 0;
    stack[top++] = variable;
    stack[top++] = 0;
    while (top > 0) {
      const current = stack[top - 2] as number;
      const step = stack[top - 1] as number;
      const reason = trail.reasons[current] as number;
      const length = reason < 0 ? 1 : reason === FACT ? 0 : (arena.words[reason] as number);
      if (step === length) {
        top -= 2;
        if (marks[current] === 0) this.#mark(current, REDUNDANT);
        continue;
      }
      stack[top - 1] = step + 1;
      const cause = reason < 0 ? falseOther(reason) : (arena.words[reason + HEADER + step] as Literal);
      const next = cause >> 1;
      if (next === current || trail.levels[next] === 0 || marks[next] === SEEN || marks[next] === REDUNDANT) continue;
      if (marks[next] === NEEDED || trail.reasons[next] === DECIDED) {
        for (let i = 0; i < top; i += 2) {
          const passed = stack[i] as number;
          if (marks[passed] === 0) this.#mark(passed, NEEDED);
        }
        return false;
      }
      stack[top++] = next;
      stack[top++] = 0;
    }
    return true;
  }

  /** A learnt clause that is used again may have become better. */
  #improveGlue(clause: number): void {
    const { words } = this.#store.arena;
    const glue = words[clause + 1] as number;
    if (glue <= 2) return;
    const now = this.#levelsOf(words, clause + HEADER, clause + HEADER + (words[clause] as number));
    if (now < glue) words[clause + 1] = now;
  }

  #levelsOf(words: Int32Array, from: number, end: number): number {
    const { levels } = this.#store.trail;
    this.#count++;
    let different = 0;
    for (let i = from; i < end; i++) {
      const level = levels[(words[i] as Literal) >> 1] as number;
      if (level === 0 || this.#counted[level] === this.#count) continue;
      this.#counted[level] = this.#count;
      different++;
    }
    return different;
  }

  /**
   * Moves the literal with the highest level, except the first, to the second position; returns its level, 0 without
   * one.
   */
  #putSecond(): number {
    const { learnt } = this;
    const { levels } = this.#store.trail;
    let best = 1;
    for (let i = 2; i < this.size; i++) {
      const level = levels[(learnt[i] as Literal) >> 1] as number;
      if (level > (levels[(learnt[best] as Literal) >> 1] as number)) best = i;
    }
    if (this.size < 2) return 0;
    const second = learnt[best] as Literal;
    learnt[best] = learnt[1] as Literal;
    learnt[1] = second;
    return levels[second >> 1] as number;
  }

  #mark(variable: number, mark: number): void {
    this.#marks[variable] = mark;
    this.#marked[this.#markedSize++] = variable;
  }

  #unmark(): void {
    for (let i = 0; i < this.#markedSize; i++) this.#marks[this.#marked[i] as number] = 0;
    this.#markedSize = 0;
  }

  #reserve(): void {
    const needed = this.#store.trail.variables + 1;
    if (needed <= this.#marks.length) return;
    this.#marked = grown(this.#marked, needed);
    this.learnt = grown(this.learnt, needed);
    this.#counted = grown(this.#counted, needed);
    this.#stack = grown(this.#stack, 2 * needed);
    this.#marks = bytes(this.#marked.length);
  }
}
