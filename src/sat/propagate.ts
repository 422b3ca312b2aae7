// What follows from the assignment? The loop in which nearly all the time is spent.

import { HEADER } from "./clause-arena.ts";
import { BINARY, type ConstraintStore } from "./constraint-store.ts";
import type { Literal } from "./literal.ts";
import { becauseFalse } from "./trail.ts";

/** Everything was propagated. */
export const NO_CONFLICT = 0;
/** A conflict of the two literals in `store.conflict`; other conflicts are references to clauses. */
export const PAIR = 1;

/** Assigns what follows until nothing more does, or until a clause or a group is violated. */
export function propagate(store: ConstraintStore): number {
  const { trail, groupsOf } = store;
  while (trail.propagated < trail.size) {
    const literal = trail.literals[trail.propagated++] as Literal;
    if (groupsOf.sizes[literal] !== 0 && !propagateGroups(store, literal)) return PAIR;
    const conflict = propagateClauses(store, literal ^ 1);
    if (conflict !== NO_CONFLICT) return conflict;
  }
  return NO_CONFLICT;
}

/** Makes the other members of the groups of a true literal false. Returns whether that is possible. */
function propagateGroups(store: ConstraintStore, literal: Literal): boolean {
  const { trail, groupsOf, members } = store;
  const { values } = trail;
  const reason = becauseFalse(literal ^ 1);
  const start = groupsOf.starts[literal] as number;
  const end = start + (groupsOf.sizes[literal] as number);
  for (let i = start; i < end; i++) {
    const group = groupsOf.words[i] as number;
    const first = members.starts[group] as number;
    const last = first + (members.sizes[group] as number);
    for (let k = first; k < last; k++) {
      const member = members.words[k] as Literal;
      const value = values[member] as number;
      if (value === -1 || member === literal) continue;
      if (value === 1) {
        store.conflict[0] = literal ^ 1;
        store.conflict[1] = member ^ 1;
        return false;
      }
      trail.assign(member ^ 1, reason);
    }
  }
  return true;
}

/** Visits the clauses that watch a literal which has become false. */
function propagateClauses(store: ConstraintStore, literal: Literal): number {
  const { trail, watches } = store;
  const { values } = trail;
  const clauses = store.arena.words;
  const start = watches.starts[literal] as number;
  const end = start + (watches.sizes[literal] as number);
  let words = watches.words;
  let kept = start;
  let conflict = NO_CONFLICT;
  let i = start;
  next: while (i < end) {
    const blocker = words[i] as Literal;
    const clause = words[i + 1] as number;
    i += 2;
    const value = values[blocker] as number;
    if (value === 1 || clause === BINARY) {
      words[kept] = blocker;
      words[kept + 1] = clause;
      kept += 2;
      if (value === 1) continue;
      if (value === 0) {
        trail.assign(blocker, becauseFalse(literal));
        continue;
      }
      store.conflict[0] = blocker;
      store.conflict[1] = literal;
      conflict = PAIR;
      break;
    }
    const first = clause + HEADER;
    let other = clauses[first] as Literal;
    if (other === literal) {
      other = clauses[first + 1] as Literal;
      clauses[first] = other;
      clauses[first + 1] = literal;
    }
    const otherValue = values[other] as number;
    if (otherValue !== 1) {
      const last = first + (clauses[clause] as number);
      for (let k = first + 2; k < last; k++) {
        const candidate = clauses[k] as Literal;
        if (values[candidate] === -1) continue;
        clauses[first + 1] = candidate;
        clauses[k] = literal;
        watches.pushPair(candidate, other, clause);
        words = watches.words;
        continue next;
      }
    }
    words[kept] = other;
    words[kept + 1] = clause;
    kept += 2;
    if (otherValue === 1) continue;
    if (otherValue === -1) {
      conflict = clause;
      break;
    }
    trail.assign(other, clause);
  }
  while (i < end) words[kept++] = words[i++] as number;
  watches.sizes[literal] = kept - start;
  return conflict;
}
