// How are questions put to the solver, one after another? What earlier answers settled is assumed in later ones, and all
// of them draw on one budget.

import type { Literal } from "../sat/literal.ts";
import type { Budget, Solver, Verdict } from "../sat/solver.ts";
import type { Round } from "./round.ts";

/** How many propagations a conflict is worth: a bound for searches that never conflict. */
const PROPAGATIONS_PER_CONFLICT = 2_000;
/** No single question may take more than this part of the budget, so that one hard level leaves something for the others. */
const SHARE = 0.1;
const LEAST_SHARE = 2_000;

/** A series of questions. The last model that the solver found is always the best answer so far. */
export class Search {
  readonly round: Round;
  readonly solver: Solver;
  /** What is settled. */
  readonly fixed: Literal[];
  /** How many models were found. */
  models = 0;
  readonly #left: Budget;
  readonly #share: number;

  constructor(round: Round, maxConflicts: number) {
    this.round = round;
    this.solver = round.encoding.solver;
    this.fixed = [...round.base];
    this.#left = { conflicts: maxConflicts, propagations: maxConflicts * PROPAGATIONS_PER_CONFLICT };
    this.#share = Math.max(LEAST_SHARE, Math.floor(maxConflicts * SHARE));
  }

  /** What the next question may cost. Give back what is left with {@link spend}. */
  share(): Budget {
    return {
      conflicts: Math.min(this.#share, this.#left.conflicts),
      propagations: Math.min(this.#share * PROPAGATIONS_PER_CONFLICT, this.#left.propagations),
    };
  }

  /** Runs something with a share of the budget. */
  spend<Result>(run: (budget: Budget) => Result): Result {
    const budget = this.share();
    const { conflicts, propagations } = budget;
    const result = run(budget);
    this.#left.conflicts -= conflicts - budget.conflicts;
    this.#left.propagations -= propagations - budget.propagations;
    return result;
  }

  /** Is there an answer with this, beside what is settled? */
  ask(wish: readonly Literal[], preference?: () => Literal): Verdict {
    const assumptions = wish.length === 0 ? this.fixed : [...this.fixed, ...wish];
    const verdict = this.spend((budget) => this.solver.solve({ assumptions, preference, budget }));
    if (verdict.kind === "satisfiable") this.models++;
    return verdict;
  }

  /** Settles something for all later questions. */
  fix(...literals: readonly Literal[]): void {
    this.fixed.push(...literals);
  }

  /** Is there any answer yet? */
  get hasModel(): boolean {
    return this.models > 0;
  }

  /** Is it so in the best answer so far? */
  has(literal: Literal): boolean {
    return this.solver.inModel(literal);
  }
}
