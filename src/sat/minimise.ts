// How few of the wishes must stay unfulfilled? Wishes are assumed; each set of them that cannot hold together (a core) costs
// one and is replaced by the wish that no second one of the set fails, and so on, until all that is left can hold (OLL).

import { type Literal, negate } from "./literal.ts";
import { type Budget, isTrueIn, type Preference, type Solver, type Verdict } from "./solver.ts";
import { type Totalizer, totalizer } from "./totalizer.ts";

/** How many wishes fail at least; optimal: no fewer is possible, and the solver's model shows how. */
export type Minimum =
  | { readonly kind: "optimal"; readonly cost: number }
  | {
      readonly kind: "undecided";
      /** Infinite: what must hold cannot hold even without wishes. */
      readonly lowerBound: number;
    };

/** Cores larger than this are taken as they are. */
const LARGEST_MINIMISED = 64;
/** What may be spent on leaving one literal out of a core: enough for an easy "no", too little for a whole model. */
const TO_SHRINK: Readonly<Budget> = { conflicts: 50, propagations: 1000 };
/** What may be spent on raising the bound of a core once more. */
const TO_RAISE: Readonly<Budget> = { conflicts: 200, propagations: 4000 };

/** "Fewer than so many of a core fail": what it is about. */
interface Bound {
  readonly counter: Totalizer;
  readonly count: number;
}

/** Wishes and what is known about them so far. What must hold may become more between two runs, never less. */
export class Minimiser {
  readonly #solver: Solver;
  readonly #base: () => readonly Literal[];
  readonly #guard: Literal | undefined;
  /** Wishes that were not looked at yet. */
  #fresh: Literal[] = [];
  /** What is assumed, with how much it costs not to have it. */
  readonly #wanted: Map<Literal, number> = new Map();
  readonly #bounds: Map<Literal, Bound> = new Map();
  #cost = 0;

  /**
   * `base` says what must hold. Where there is a `guard`, it is one of these, and never assumed without the others: what
   * is found out is stated under it.
   */
  constructor(solver: Solver, base: () => readonly Literal[], guard: Literal | undefined) {
    this.#solver = solver;
    this.#base = base;
    this.#guard = guard;
  }

  /** Adds a literal that is wanted true, also later or in the middle of a run; one that is added twice counts twice. */
  addSoft(literal: Literal): void {
    this.#fresh.push(literal);
  }

  /**
   * Is a model of what must hold the best one at once? It is if whatever fails in it fails by mere propagation. Then nothing
   * has to be searched for.
   */
  isBest(model: Uint8Array): boolean {
    return this.#takeFresh() && [...this.#wanted.keys()].every((literal) => isTrueIn(model, literal));
  }

  /** Finds the fewest wishes that must fail, and a model for it. */
  run(budget: Budget, preference?: Preference | undefined): Minimum {
    for (;;) {
      if (!this.#takeFresh()) return { kind: "undecided", lowerBound: Number.POSITIVE_INFINITY };
      const verdict = this.#solve([...this.#wanted.keys()], budget, preference);
      if (verdict.kind === "undecided") return { kind: "undecided", lowerBound: this.#cost };
      if (verdict.kind === "satisfiable") {
        if (this.#fresh.every((literal) => this.#solver.inModel(literal))) {
          this.#admitFresh();
          return { kind: "optimal", cost: this.#cost };
        }
        continue;
      }
      const core = this.#smallCore(verdict.core, budget);
      if (core.length === 0) return { kind: "undecided", lowerBound: Number.POSITIVE_INFINITY };
      this.#pay(core, budget);
    }
  }

  /** Literals that are true in exactly the answers with the cost found, to be assumed from now on. */
  frozen(): readonly Literal[] {
    return [...this.#wanted.keys()];
  }

  #admitFresh(): void {
    for (const literal of this.#fresh) this.#want(literal, 1);
    this.#fresh = [];
  }

  #want(literal: Literal, weight: number): void {
    this.#wanted.set(literal, (this.#wanted.get(literal) ?? 0) + weight);
  }

  /** Admits new wishes, and counts those at once that fail by mere propagation. Can what must hold do so? */
  #takeFresh(): boolean {
    while (this.#fresh.length > 0) {
      this.#admitFresh();
      const wanted = [...this.#wanted.keys()];
      const values = this.#solver.implied(this.#base(), wanted);
      if (values === "conflict") return false;
      wanted.forEach((literal, i) => {
        if (values[i] === -1) this.#payFor([literal]);
      });
    }
    return true;
  }

  /** Adds the cost of a core and leaves its literals wanted only as far as they cost more; says what it cost. */
  #payFor(core: readonly Literal[]): number {
    const weight = core.reduce((least, literal) => Math.min(least, this.#wanted.get(literal) as number), Infinity);
    this.#cost += weight;
    for (const literal of core) {
      const left = (this.#wanted.get(literal) as number) - weight;
      if (left > 0) this.#wanted.set(literal, left);
      else this.#wanted.delete(literal);
      const bound = this.#bounds.get(literal);
      if (bound !== undefined) this.#wantBound(bound.counter, bound.count + 1, weight);
    }
    return weight;
  }

  /** Wants fewer than so many of the counted literals to be true; nothing to want if there are no more anyway. */
  #wantBound(counter: Totalizer, count: number, weight: number): void {
    if (count > counter.size) return;
    const fewer = negate(counter.atLeast(count));
    this.#bounds.set(fewer, { counter, count });
    this.#want(fewer, weight);
  }

  /** Pays for a core, and goes on raising its bound as long as that is easy. */
  #pay(core: readonly Literal[], budget: Budget): void {
    const before = this.#solver.clauses;
    const weight = this.#payFor(core);
    if (this.#guard !== undefined) this.#solver.addClause([negate(this.#guard), ...core.map(negate)]);
    if (core.length > 1) this.#raise(totalizer(this.#solver, core.map(negate)), weight, budget);
    // Large counters are work, too.
    budget.propagations -= Math.max(0, this.#solver.clauses - before);
  }

  #raise(counter: Totalizer, weight: number, budget: Budget): void {
    this.#wantBound(counter, 2, weight);
    for (let count = 2; count <= counter.size; count++) {
      const fewer = negate(counter.atLeast(count));
      if (this.#try([fewer], budget, TO_RAISE).kind !== "unsatisfiable") return;
      this.#payFor([fewer]);
    }
  }

  /** The wishes of a core, fewer if some are easily seen to be superfluous. */
  #smallCore(found: readonly Literal[], budget: Budget): readonly Literal[] {
    let core = this.#wishesOf(found);
    if (core.length > LARGEST_MINIMISED) return core;
    for (const literal of [...core]) {
      if (core.length === 1 || !core.includes(literal)) continue;
      const verdict = this.#try(
        core.filter((other) => other !== literal),
        budget,
        TO_SHRINK,
      );
      if (verdict.kind === "unsatisfiable") core = this.#wishesOf(verdict.core);
    }
    return core;
  }

  #wishesOf(core: readonly Literal[]): readonly Literal[] {
    const base = new Set(this.#base());
    return [...new Set(core)].filter((literal) => this.#wanted.has(literal) && !base.has(literal));
  }

  /** Asks without going to much trouble. */
  #try(wanted: readonly Literal[], budget: Budget, most: Readonly<Budget>): Verdict {
    const conflicts = Math.min(budget.conflicts, most.conflicts);
    const propagations = Math.min(budget.propagations, most.propagations);
    const left = { conflicts, propagations, stop: budget.stop };
    // What follows from the base alone is not to be charged to the try.
    this.#solver.implied(this.#base(), []);
    const verdict = this.#solve(wanted, left, undefined);
    budget.conflicts -= conflicts - left.conflicts;
    budget.propagations -= propagations - left.propagations;
    return verdict;
  }

  #solve(wanted: readonly Literal[], budget: Budget, preference: Preference | undefined): Verdict {
    return this.#solver.solve({ assumptions: [...this.#base(), ...wanted], preference, budget });
  }
}
