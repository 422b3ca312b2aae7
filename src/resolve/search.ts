// How are several questions put to one solver? What is settled is assumed in later questions, and all share one
// budget.

import type { Literal } from "../sat/literal.ts";
import type { Budget, Preference, Solver, Verdict } from "../sat/solver.ts";
import type { Question } from "./question.ts";

/** Propagations per conflict in the budget: a bound for searches that never conflict. */
const PROPAGATIONS_PER_CONFLICT = 2_000;
/** CEL budget of one search, in multiples of the limit of one evaluation. */
const LIMITS_A_SEARCH = 300;
/** The share of the remaining budget for a single question, so that one hard objective leaves something for others. */
const SHARE = 0.5;

/** The limits of a search: CEL cost, time, or conflicts. */
export type SearchLimit = "cost" | "time" | "conflicts";

/** A series of questions. The solver's last model is always the best answer so far. */
export class Search {
  readonly question: Question;
  readonly solver: Solver;
  /** The settled literals. */
  readonly fixed: Literal[];
  readonly #modelsBefore: number;
  readonly #left: { conflicts: number; propagations: number };
  readonly #isTooExpensive: () => boolean;
  readonly #isLate: () => boolean;
  readonly #stop: () => boolean;

  /** `stop` reports that the time is over: the clock belongs to the caller. */
  constructor(question: Question, maxConflicts: number, stop: (() => boolean) | undefined) {
    this.question = question;
    this.solver = question.encoding.solver;
    this.fixed = [...question.base];
    const { encoding, problem } = question;
    const mostCost = encoding.cost + problem.options.celCostLimit * LIMITS_A_SEARCH;
    this.#isTooExpensive = () => encoding.cost > mostCost;
    this.#isLate = () => stop?.() === true;
    this.#stop = () => this.#isTooExpensive() || this.#isLate();
    this.#modelsBefore = this.solver.statistics.models;
    this.#left = { conflicts: maxConflicts, propagations: maxConflicts * PROPAGATIONS_PER_CONFLICT };
  }

  /** Runs something with a share of the remaining budget. */
  spend<Result>(run: (budget: Budget) => Result, part: number = SHARE): Result {
    const conflicts = Math.ceil(this.#left.conflicts * part);
    const propagations = Math.ceil(this.#left.propagations * part);
    const budget = { conflicts, propagations, stop: this.#stop };
    const result = run(budget);
    this.#left.conflicts -= conflicts - budget.conflicts;
    this.#left.propagations -= propagations - budget.propagations;
    if (this.#stop()) Object.assign(this.#left, { conflicts: 0, propagations: 0 });
    return result;
  }

  /** The limit that ended the search, if it ended undecided. */
  get limit(): SearchLimit {
    if (this.#isTooExpensive()) return "cost";
    return this.#isLate() ? "time" : "conflicts";
  }

  /** Is there an answer with these literals, given what is settled? */
  ask(literals: readonly Literal[], preference?: Preference, part?: number): Verdict {
    const assumptions = literals.length === 0 ? this.fixed : [...this.fixed, ...literals];
    return this.spend((budget) => this.solver.solve({ assumptions, preference, budget }), part);
  }

  /** Settles literals for all later questions. */
  fix(literals: readonly Literal[]): void {
    for (const literal of literals) this.fixed.push(literal);
  }

  /** How many answers were found. */
  get models(): number {
    return this.solver.statistics.models - this.#modelsBefore;
  }

  /** Is there any answer yet? */
  get hasModel(): boolean {
    return this.models > 0;
  }

  /** Is the literal true in the best answer so far? */
  has(literal: Literal): boolean {
    return this.solver.inModel(literal);
  }
}
