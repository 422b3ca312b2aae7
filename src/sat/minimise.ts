// How few of the soft literals must be false? Soft literals are assumed; each unsatisfiable set of them (a core)
// costs one and is replaced by the soft literal that no second one of the set is false, and so on, until the rest is
// satisfiable (OLL).

import { type Literal, negate } from "./literal.ts";
import { type Budget, isTrueIn, type Preference, type Solver, type Verdict } from "./solver.ts";
import { type Totalizer, totalizer } from "./totalizer.ts";

/** A lower bound on the false soft literals; optimal: no fewer is possible, and the solver's model shows how. */
export type Minimum =
  | { readonly kind: "optimal"; readonly cost: number }
  | {
      readonly kind: "undecided";
      /** Infinite: the hard constraints are unsatisfiable even without soft literals. */
      readonly lowerBound: number;
    };

/** Larger cores are not minimised. */
const LARGEST_MINIMISED = 64;
/** Budget for removing one literal from a core: enough for an easy conflict, too little for a whole model. */
const TO_SHRINK: Readonly<Budget> = { conflicts: 50, propagations: 1000 };
/** Budget for raising the bound of a core once more. */
const TO_RAISE: Readonly<Budget> = { conflicts: 200, propagations: 4000 };

/** "Fewer than this many of a core are false": its subject. */
interface Bound {
  readonly counter: Totalizer;
  readonly count: number;
}

/** Soft literals and what is known about them. Hard constraints may be added between two runs, never removed. */
export class Minimiser {
  readonly #solver: Solver;
  readonly #base: () => readonly Literal[];
  /** Soft literals that were not processed yet. */
  #fresh: Literal[] = [];
  /** The assumed literals, with the cost of each being false. */
  readonly #wanted: Map<Literal, number> = new Map();
  readonly #bounds: Map<Literal, Bound> = new Map();
  #cost = 0;

  /** `base` returns the hard assumptions. */
  constructor(solver: Solver, base: () => readonly Literal[]) {
    this.#solver = solver;
    this.#base = base;
  }

  /** Adds a soft literal, also later or during a run; one that is added twice counts twice. */
  addSoft(literal: Literal): void {
    this.#fresh.push(literal);
  }

  /**
   * Is a model already optimal? It is if every false soft literal is false by propagation alone. Then no search is
   * needed.
   */
  isBest(model: Uint8Array): boolean {
    return this.#takeFresh() && [...this.#wanted.keys()].every((literal) => isTrueIn(model, literal));
  }

  /** Finds the minimum number of false soft literals, and a model for it. */
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

  /**
   * Adds new soft literals, and counts those that are false by propagation at once. Returns whether the hard
   * constraints are satisfiable.
   */
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

  /** Adds the cost of a core and reduces the weights of its literals; returns the cost. */
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

  /** Assumes that fewer than this many of the counted literals are true; does nothing if there are no more anyway. */
  #wantBound(counter: Totalizer, count: number, weight: number): void {
    if (count > counter.size) return;
    const fewer = negate(counter.atLeast(count));
    this.#bounds.set(fewer, { counter, count });
    this.#want(fewer, weight);
  }

  /** Adds the cost of a core, and raises its bound as long as that is easy. */
  #pay(core: readonly Literal[], budget: Budget): void {
    const before = this.#solver.clauses;
    const weight = this.#payFor(core);
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

  /** The soft literals of a core, without those that are easily shown to be superfluous. */
  #smallCore(found: readonly Literal[], budget: Budget): readonly Literal[] {
    let core = this.#softOf(found);
    if (core.length > LARGEST_MINIMISED) return core;
    for (const literal of [...core]) {
      if (core.length === 1 || !core.includes(literal)) continue;
      const verdict = this.#try(
        core.filter((other) => other !== literal),
        budget,
        TO_SHRINK,
      );
      if (verdict.kind === "unsatisfiable") core = this.#softOf(verdict.core);
    }
    return core;
  }

  #softOf(core: readonly Literal[]): readonly Literal[] {
    const base = new Set(this.#base());
    return [...new Set(core)].filter((literal) => this.#wanted.has(literal) && !base.has(literal));
  }

  /** Solves with a small budget. */
  #try(wanted: readonly Literal[], budget: Budget, most: Readonly<Budget>): Verdict {
    const conflicts = Math.min(budget.conflicts, most.conflicts);
    const propagations = Math.min(budget.propagations, most.propagations);
    const left = { conflicts, propagations, stop: budget.stop };
    // Propagation from the base alone is not charged to this attempt.
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
