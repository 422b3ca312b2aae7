// Which literal does the solver decide next? The walk over a partial assignment returns the preferred one, so that
// the first answer found is the best one.

import { getOrAdd } from "../model/grouped.ts";
import type { Literal } from "../sat/literal.ts";
import type { Preference, Solver } from "../sat/solver.ts";
import { type Operator, propertiesOf } from "./member.ts";
import { isMetAlready, literalOf, type Provider, providersFor } from "./provider-walk.ts";
import type { Question, Wanted } from "./question.ts";

/** Nothing is preferred. */
const NONE = -1;

/** A requirement that was visited and is decided. */
interface Seen {
  /** The length of the trail that decides it. */
  readonly size: number;
  /** The number of members met before. */
  readonly met: number;
  /** The position of the walk: the member, and the next of its requirements. */
  readonly member: number;
  readonly leaf: number;
}

/** A walk that follows the search: only what the solver has undone is walked again. */
class SearchWalk {
  readonly #question: Question;
  readonly #satisfied: readonly Wanted[];
  readonly #solver: Solver;
  readonly #frugal: boolean;
  readonly #seen: Seen[] = [];
  readonly #queue: Operator[] = [];
  readonly #met = new Set<Operator>();
  readonly #leaves = new Map<Operator, readonly (readonly Provider[])[]>();
  #member = 0;
  #leaf = 0;
  readonly #isTrue = (literal: Literal): boolean => this.#solver.value(literal) === 1;

  constructor(question: Question, satisfied: readonly Wanted[], frugal: boolean) {
    this.#question = question;
    this.#satisfied = satisfied;
    this.#solver = question.encoding.solver;
    this.#frugal = frugal;
  }

  next(kept: number, size: number): Literal {
    this.#goBack(kept);
    while (this.#seen.length < this.#satisfied.length) {
      const { members, literals } = this.#satisfied[this.#seen.length] as Wanted;
      const index = literals.findIndex((literal) => this.#solver.value(literal) !== -1);
      const literal = literals[index];
      if (literal !== undefined && this.#solver.value(literal) === 0) return literal;
      this.#advance(size, members[index]);
    }
    for (; this.#member < this.#queue.length; this.#member++, this.#leaf = 0) {
      const leaves = this.#leavesOf(this.#queue[this.#member] as Operator);
      for (; this.#leaf < leaves.length; this.#leaf++) {
        const preferred = this.#visit(leaves[this.#leaf] as readonly Provider[], size);
        if (preferred !== NONE) return preferred;
      }
    }
    return NONE;
  }

  /** Visits a requirement: the literal to prefer, or none if it is decided. */
  #visit(providers: readonly Provider[], size: number): Literal {
    if (this.#frugal && isMetAlready(this.#question, providers, this.#met, this.#isTrue)) {
      this.#advance(size, undefined);
      return NONE;
    }
    for (const provider of providers) {
      const literal = literalOf(this.#question, provider);
      const now = literal === undefined ? -1 : this.#solver.value(literal);
      if (now === 0) return literal as Literal;
      if (now === -1) continue;
      this.#advance(size, provider);
      return NONE;
    }
    this.#advance(size, undefined);
    return NONE;
  }

  #advance(size: number, provider: Provider | undefined): void {
    this.#seen.push({ size, met: this.#queue.length, member: this.#member, leaf: this.#leaf });
    if (provider === undefined || provider === "fixed" || this.#met.has(provider)) return;
    this.#met.add(provider);
    this.#queue.push(provider);
  }

  #goBack(kept: number): void {
    for (;;) {
      const last = this.#seen.at(-1);
      if (last === undefined || last.size <= kept) return;
      this.#seen.pop();
      while (this.#queue.length > last.met) this.#met.delete(this.#queue.pop() as Operator);
      this.#member = last.member;
      this.#leaf = last.leaf;
    }
  }

  #leavesOf(member: Operator): readonly (readonly Provider[])[] {
    return getOrAdd(this.#leaves, member, () =>
      this.#question.encoding.world
        .walkedLeavesOf(propertiesOf(member))
        .map((leaf) => providersFor(this.#question, leaf, member)),
    );
  }
}

/** Best candidates first, then best providers. */
export function walkPreference(question: Question, satisfied: readonly Wanted[], frugal: boolean): Preference {
  const walk = new SearchWalk(question, satisfied, frugal);
  return (kept, size) => walk.next(kept, size);
}

/** For a quick first answer: best candidates, then no more operators than needed. */
export function frugalPreference(question: Question, satisfied: readonly Wanted[]): Preference {
  return walkPreference(question, satisfied, true);
}

/** For the answer in which nothing changes. */
export function keepingPreference({ encoding, state }: Question): Preference {
  const kept = state.installed.map((operator) => encoding.keptOf(operator));
  return () => kept.find((literal) => encoding.solver.value(literal) === 0) ?? NONE;
}
