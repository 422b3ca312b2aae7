// Which learnt clauses are kept? Those that connect few decision levels; of the others the older half is removed.

import { GIVEN, HEADER } from "./clause-arena.ts";
import { BINARY, type ConstraintStore } from "./constraint-store.ts";
import type { Literal } from "./literal.ts";

/** Learnt clauses with no more glue than this are kept forever. */
const KEPT_GLUE = 2;

/**
 * Drops the worse half of the learnt clauses and everything that is permanently true; returns the number of removed
 * clauses.
 */
export function forget(store: ConstraintStore): number {
  const { arena } = store;
  const late = new Set(store.late.map(({ reason }) => reason));
  const removable: number[] = [];
  let forgotten = 0;
  for (const clause of arena.clauses()) {
    if (late.has(clause) || isReason(store, clause)) continue;
    if (isFact(store, clause)) {
      arena.forget(clause);
      forgotten++;
    } else if (arena.glue(clause) !== GIVEN && arena.glue(clause) > KEPT_GLUE) removable.push(clause);
  }
  // The better first: less glue, then newer, which is further back.
  removable.sort((one, other) => arena.glue(one) - arena.glue(other) || other - one);
  for (const clause of removable.slice(removable.length >> 1)) {
    arena.forget(clause);
    forgotten++;
  }
  store.clauses -= forgotten;
  if (forgotten > 0) moveReferences(store, arena.compact());
  return forgotten;
}

/** Is the clause the reason of an assignment that may be undone? */
function isReason(store: ConstraintStore, clause: number): boolean {
  const { trail, arena } = store;
  const first = arena.words[clause + HEADER] as Literal;
  return trail.values[first] === 1 && trail.reasons[first >> 1] === clause && trail.levelOf(first) > 0;
}

/** Is one of its literals true at level 0? */
function isFact(store: ConstraintStore, clause: number): boolean {
  const { trail, arena } = store;
  const end = clause + HEADER + arena.size(clause);
  for (let i = clause + HEADER; i < end; i++) {
    const literal = arena.words[i] as Literal;
    if (trail.values[literal] === 1 && trail.levelOf(literal) === 0) return true;
  }
  return false;
}

function moveReferences(store: ConstraintStore, moved: (clause: number) => number): void {
  const { trail, watches } = store;
  for (let i = 0; i < trail.size; i++) {
    const variable = (trail.literals[i] as Literal) >> 1;
    const reason = trail.reasons[variable] as number;
    if (reason > 1) trail.reasons[variable] = moved(reason);
  }
  for (const consequence of store.late) {
    if (consequence.reason > 1) consequence.reason = moved(consequence.reason);
  }
  for (let literal = 0; literal < watches.count; literal++) {
    const start = watches.starts[literal] as number;
    const end = start + (watches.sizes[literal] as number);
    let kept = start;
    for (let i = start; i < end; i += 2) {
      const clause = watches.words[i + 1] as number;
      const now = clause === BINARY ? BINARY : moved(clause);
      if (clause !== BINARY && now === 0) continue;
      watches.words[kept++] = watches.words[i] as Literal;
      watches.words[kept++] = now;
    }
    watches.sizes[literal] = kept - start;
  }
  watches.compact();
}
