// Which constraints are there, and what follows for the assignment when one is added during a search? Invariant:
// after propagation no clause and no group is violated or forces an unassigned literal, at any decision level.

import { ActivityHeap } from "./activity-heap.ts";
import { bytes, FIRST_VARIABLES, grown, grownBytes, ints } from "./arrays.ts";
import { ClauseArena, GIVEN } from "./clause-arena.ts";
import { IntLists } from "./int-lists.ts";
import { type Literal, negate } from "./literal.ts";
import { becauseFalse, FACT, Trail } from "./trail.ts";

/** The clause reference of a watched clause of two literals: the other literal is the whole clause. */
export const BINARY = 0;
/** Above any level: the literal is not false. */
const NOT_FALSE = 0x7fffffff;
/** With more late consequences than this, backtracking to the level of a new one is cheaper. */
const MAX_LATE = 256;

/** A literal that already follows at a level below the one at which it was found. */
interface LateConsequence {
  readonly literal: Literal;
  reason: number;
  readonly level: number;
}

/** Clauses, groups and the assignment they act on. */
export class ConstraintStore {
  readonly trail: Trail = new Trail();
  readonly arena: ClauseArena = new ClauseArena();
  /** By literal: pairs of another literal of the clause and the clause, for clauses that watch this literal. */
  readonly watches: IntLists = new IntLists();
  /** By group: its literals, of which at most one is true. */
  readonly members: IntLists = new IntLists();
  /** By literal: its groups. */
  readonly groupsOf: IntLists = new IntLists();
  readonly heap: ActivityHeap = new ActivityHeap();
  /** By variable: 1 if it was true when last assigned. */
  phases: Uint8Array<ArrayBuffer> = bytes(FIRST_VARIABLES);
  /** Do undone assignments save their phase? */
  savesPhases = false;
  /** By level: all variables below this were assigned or skipped before its decision. */
  cursors: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  /** The variables below this are assigned or did not matter when they were visited. */
  cursor = 0;
  /** The conflicting clause of two literals, where there is no reference to it. */
  readonly conflict: Int32Array = new Int32Array(2);
  /** Is the problem unsatisfiable without any decision? */
  contradictory = false;
  /** Number of backtracks, to detect that the trail has changed. */
  backtracks = 0;
  /** The smallest size of the trail since this was last set. */
  lowest: number = Number.POSITIVE_INFINITY;
  clauses = 0;
  late: LateConsequence[] = [];
  #scratch: Int32Array<ArrayBuffer> = ints(64);
  /** By literal: the last clause it was seen in while that was added. */
  #marks: Int32Array<ArrayBuffer> = ints(2 * FIRST_VARIABLES);
  #marked = 0;
  #changedGroups: number[] = [];

  /** A new, unassigned variable. */
  addVariable(): number {
    const variable = this.trail.addVariable();
    this.watches.addList();
    this.watches.addList();
    this.groupsOf.addList();
    this.groupsOf.addList();
    this.heap.reserve(variable + 1);
    if (variable + 2 > this.cursors.length) this.cursors = grown(this.cursors, 0);
    if (2 * variable + 2 > this.#marks.length) this.#marks = grown(this.#marks, 0);
    if (variable === this.phases.length) this.phases = grownBytes(this.phases);
    return variable;
  }

  /** Adds a clause for good. */
  addClause(literals: ArrayLike<Literal>): void {
    const size = this.#gather(literals);
    if (size >= 0) this.addDistinct(this.#scratch, size, GIVEN);
  }

  /** Adds a clause of distinct literals about distinct variables; they are reordered. */
  addDistinct(literals: Int32Array, size: number, glue: number): void {
    if (!this.#settle(literals, size)) return;
    this.clauses++;
    const first = literals[0] as Literal;
    if (size === 1) {
      this.#follow(first, FACT, 0);
      return;
    }
    const second = literals[1] as Literal;
    let reason = becauseFalse(second);
    let clause = BINARY;
    if (size > 2) {
      clause = this.arena.add(literals, size, glue);
      reason = clause;
    }
    this.watches.pushPair(first, second, clause);
    this.watches.pushPair(second, first, clause);
    this.#followIfUnit(first, second, reason);
  }

  /** A new group, empty. */
  addGroup(): number {
    return this.members.addList();
  }

  /** Adds a literal to a group; `settleGroups` propagates the consequences. */
  addMember(group: number, literal: Literal): void {
    this.members.push(group, literal);
    this.groupsOf.push(literal, group);
    if (this.#changedGroups[this.#changedGroups.length - 1] !== group) this.#changedGroups.push(group);
  }

  /** Makes groups with new members hold; to be called before propagation. */
  settleGroups(): void {
    if (this.#changedGroups.length === 0) return;
    for (const group of new Set(this.#changedGroups)) this.#settleGroup(group);
    this.#changedGroups = [];
  }

  /** Undoes everything above a level. */
  backtrack(level: number): void {
    const { trail, heap } = this;
    if (trail.level <= level) return;
    this.backtracks++;
    const { values, literals } = trail;
    const { phases } = this;
    const { activities } = heap;
    const start = trail.starts[level + 1] as number;
    for (let i = trail.size - 1; i >= start; i--) {
      const literal = literals[i] as Literal;
      const variable = literal >> 1;
      values[literal] = 0;
      values[literal ^ 1] = 0;
      if (this.savesPhases) phases[variable] = (literal & 1) ^ 1;
      if ((activities[variable] as number) > 0) heap.insert(variable);
    }
    trail.size = start;
    this.lowest = Math.min(this.lowest, start);
    trail.propagated = Math.min(trail.propagated, start);
    trail.level = level;
    this.cursor = this.cursors[level + 1] as number;
    if (this.late.length > 0) this.#repeatLate();
  }

  /** Decides an unassigned literal. */
  decide(literal: Literal): void {
    this.cursors[this.trail.level + 1] = this.cursor;
    this.trail.decide(literal);
  }

  /** Copies the relevant literals of a clause; -1 if it is a tautology. */
  #gather(literals: ArrayLike<Literal>): number {
    const { values } = this.trail;
    if (literals.length > this.#scratch.length) this.#scratch = grown(this.#scratch, literals.length);
    const kept = this.#scratch;
    const marks = this.#marks;
    const mark = ++this.#marked;
    let size = 0;
    for (let i = 0; i < literals.length; i++) {
      const literal = literals[i] as Literal;
      if (marks[literal] === mark) continue;
      if (marks[literal ^ 1] === mark) return -1;
      if (values[literal] !== 0 && this.trail.levelOf(literal) === 0) {
        if (values[literal] === 1) return -1;
        continue;
      }
      marks[literal] = mark;
      kept[size++] = literal;
    }
    return size;
  }

  /**
   * Moves the two literals to the front that are not false, or else became false last, and backtracks until one is
   * not false. Returns whether that was possible.
   */
  #settle(literals: Int32Array, size: number): boolean {
    for (;;) {
      if (size === 0) {
        this.contradictory = true;
        return false;
      }
      this.#bringLastFalse(literals, size, 0);
      if (size > 1) this.#bringLastFalse(literals, size, 1);
      const level = this.#falseSince(literals[0] as Literal);
      if (level === NOT_FALSE) return true;
      if (level === 0) size = 0;
      else this.backtrack(level - 1);
    }
  }

  #bringLastFalse(literals: Int32Array, size: number, place: number): void {
    let best = place;
    let since = -1;
    for (let i = place; i < size && since < NOT_FALSE; i++) {
      const candidate = this.#falseSince(literals[i] as Literal);
      if (candidate <= since) continue;
      since = candidate;
      best = i;
    }
    const literal = literals[best] as Literal;
    literals[best] = literals[place] as Literal;
    literals[place] = literal;
  }

  #falseSince(literal: Literal): number {
    return this.trail.values[literal] === -1 ? this.trail.levelOf(literal) : NOT_FALSE;
  }

  #settleGroup(group: number): void {
    const { words } = this.members;
    const start = this.members.starts[group] as number;
    const end = start + (this.members.sizes[group] as number);
    const { values } = this.trail;
    for (let i = start; i < end; i++) {
      const literal = words[i] as Literal;
      for (let k = start; values[literal] === 1 && k < end && !this.contradictory; k++) {
        const other = words[k] as Literal;
        if (other !== literal) this.#exclude(negate(literal), negate(other));
      }
    }
  }

  /** At least one of the two is true, because they are the negations of members of one group. */
  #exclude(one: Literal, other: Literal): void {
    const pair = this.#scratch;
    pair[0] = one;
    pair[1] = other;
    if (!this.#settle(pair, 2)) return;
    const [first, second] = pair as unknown as readonly [Literal, Literal];
    this.#followIfUnit(first, second, becauseFalse(second));
  }

  #followIfUnit(first: Literal, second: Literal, reason: number): void {
    const since = this.#falseSince(second);
    if (since !== NOT_FALSE) this.#follow(first, reason, since);
  }

  /** Makes a literal true, or ensures that it stays true as long as its premises, which hold since `level`. */
  #follow(literal: Literal, reason: number, level: number): void {
    const { trail } = this;
    if (trail.values[literal] === 1 && trail.levelOf(literal) <= level) return;
    if (this.late.length >= MAX_LATE) this.backtrack(level);
    if (trail.values[literal] === 0) trail.assign(literal, reason);
    if (level < trail.level) this.late.push({ literal, reason, level });
  }

  /** Assigns again what follows at or below the present level; forgets what followed above. */
  #repeatLate(): void {
    const { trail } = this;
    this.late = this.late.filter(({ literal, reason, level }) => {
      if (level > trail.level) return false;
      if (trail.values[literal] === 0) trail.assign(literal, reason);
      return level < trail.level;
    });
  }
}
