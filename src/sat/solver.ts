// Can all constraints hold together, and if so how? Conflict-driven clause learning (CDCL). With decisions in the
// order of a preference, the first answer it finds is the best one; docs/how-it-resolves.md explains why.

import { ConflictAnalysis } from "./analyse-conflict.ts";
import { bytes, FIRST_VARIABLES, grownBytes, ints } from "./arrays.ts";
import { ConstraintStore } from "./constraint-store.ts";
import { Decisions, NONE } from "./decisions.ts";
import { forget } from "./forget.ts";
import { isPositive, type Literal, negate, positive, variableOf } from "./literal.ts";
import { luby } from "./luby.ts";
import { NO_CONFLICT, propagate } from "./propagate.ts";

/** The remaining work; the solver subtracts from it. */
export interface Budget {
  conflicts: number;
  propagations: number;
  /** Polled at every step. */
  readonly stop?: (() => boolean) | undefined;
}

/** Returns the literal to decide next. */
export type Preference = (kept: number, size: number) => Literal;

/** A question to the solver. */
export interface Question {
  /** The literals that must be true for this question. */
  readonly assumptions: readonly Literal[];
  /**
   * The unassigned literal to decide true next, given the present assignment; -1 when nothing is preferred any more.
   * The rest is then decided false; it is queried again when that makes something true. It must not add anything.
   */
  readonly preference?: Preference | undefined;
  readonly budget: Budget;
}

/** The answer to a question. */
export type Verdict =
  | {
      readonly kind: "satisfiable";
      /** Is the model optimal in the order of the preference? */
      readonly preferred: boolean;
    }
  | {
      readonly kind: "unsatisfiable";
      /** The unsat core: assumptions that contradict each other; empty: unsatisfiable without assumptions. */
      readonly core: readonly Literal[];
    }
  | { readonly kind: "undecided" };

/** The work done so far. */
export interface SolverStatistics {
  conflicts: number;
  propagations: number;
  decisions: number;
  restarts: number;
  learnt: number;
  forgotten: number;
  models: number;
}

const FIRST_SLICE = 500;
const RESTART_UNIT = 64;
const FIRST_FORGETTING = 2000;
const LATER_FORGETTING = 500;
const UNDECIDED: Verdict = { kind: "undecided" };

/** Is the literal true in a model? Variables added later are false. */
export function isTrueIn(model: Uint8Array, literal: Literal): boolean {
  return (model[variableOf(literal)] === 1) === isPositive(literal);
}

/** Variables, clauses and groups of which at most one is true, and the search for an assignment. */
export class Solver {
  readonly statistics: SolverStatistics = {
    conflicts: 0,
    propagations: 0,
    decisions: 0,
    restarts: 0,
    learnt: 0,
    forgotten: 0,
    models: 0,
  };
  /** The last model; an earlier one can be restored. */
  model: Uint8Array<ArrayBuffer> = bytes(0);
  /** Called once when a variable with `watchTrue` first becomes true; it may add anything. */
  onTrue: (variable: number) => void = () => {};
  readonly #store: ConstraintStore = new ConstraintStore();
  readonly #analysis: ConflictAnalysis = new ConflictAnalysis(this.#store);
  readonly #decisions: Decisions = new Decisions(this.#store);
  /** By variable: 1 if `onTrue` must be called when it becomes true. */
  #awaited: Uint8Array<ArrayBuffer> = bytes(FIRST_VARIABLES);
  /** Number of literals of the trail that were checked for `onTrue`. */
  #looked = 0;
  #backtracksSeen = 0;
  #questions = 0;
  /** By literal: the last question that assumed it. */
  #askedIn: Int32Array<ArrayBuffer> = ints(2 * FIRST_VARIABLES);
  #assumptions: readonly Literal[] = [];
  /** Number of levels, the first ones, that belong to assumptions. */
  #assumptionLevels = 0;
  /** The assumptions before this index are true. */
  #assumed = 0;
  #untilForgetting: number = FIRST_FORGETTING;
  #forgettings = 0;

  /** The number of variables. */
  get variables(): number {
    return this.#store.trail.variables;
  }

  /** The number of clauses, including learnt ones. */
  get clauses(): number {
    return this.#store.clauses;
  }

  /** A new variable: 0, 1, 2 … */
  newVariable(): number {
    const variable = this.#store.addVariable();
    if (variable === this.#awaited.length) this.#awaited = grownBytes(this.#awaited);
    return variable;
  }

  /** Requires one of the literals to be true, for good; allowed at any time. */
  addClause(literals: readonly Literal[]): void {
    this.#store.addClause(literals);
  }

  /** A new group of literals of which at most one is true. */
  newGroup(): number {
    return this.#store.addGroup();
  }

  /** Adds a literal to a group; allowed at any time. */
  addToGroup(group: number, literal: Literal): void {
    this.#store.addMember(group, literal);
  }

  /** Calls `onTrue` when the variable first becomes true in a search. */
  watchTrue(variable: number): void {
    this.#awaited[variable] = 1;
    if (this.value(positive(variable)) === 1) this.#looked = 0;
  }

  /** The present value of a literal: 1 true, -1 false, 0 unassigned. For callbacks; after a search see `inModel`. */
  value(literal: Literal): -1 | 0 | 1 {
    return this.#store.trail.values[literal] as -1 | 0 | 1;
  }

  /** Is the literal true in the last model? Variables added later are false. */
  inModel(literal: Literal): boolean {
    return isTrueIn(this.model, literal);
  }

  /** Is there an assignment that satisfies all constraints and the assumptions? */
  solve(question: Question): Verdict {
    this.#begin(question.assumptions);
    const { preference, budget } = question;
    if (preference === undefined) return this.#search(undefined, budget, Number.POSITIVE_INFINITY) ?? UNDECIDED;
    for (let slice = FIRST_SLICE; ; slice *= 2) {
      const verdict = this.#search(preference, budget, slice) ?? this.#search(undefined, budget, slice);
      if (verdict !== undefined) return verdict;
    }
  }

  /**
   * The values of literals by propagation from the assumptions alone, after loading what becomes true; "conflict" if
   * the assumptions contradict each other that way.
   */
  implied(assumptions: readonly Literal[], queried: readonly Literal[]): Int8Array | "conflict" {
    this.#begin(assumptions);
    for (;;) {
      const conflict = this.#propagate();
      if (this.#store.contradictory) return "conflict";
      if (conflict !== NO_CONFLICT) {
        this.#abandonLevel();
        return "conflict";
      }
      if (this.#load()) continue;
      const next = this.#nextAssumption();
      if (next === NONE) return Int8Array.from(queried, (literal) => this.value(literal));
      if (this.value(next) === -1) return "conflict";
      this.#assume(next);
    }
  }

  /** Keeps the levels of earlier assumptions that are assumed again. */
  #begin(assumptions: readonly Literal[]): void {
    this.#noticeBacktracks();
    const { trail } = this.#store;
    if (this.#askedIn.length < trail.values.length) this.#askedIn = ints(trail.values.length);
    this.#questions++;
    for (const literal of assumptions) this.#askedIn[literal] = this.#questions;
    let kept = 0;
    while (kept < this.#assumptionLevels && this.#askedIn[trail.decision(kept + 1)] === this.#questions) kept++;
    this.#store.backtrack(kept);
    this.#noticeBacktracks();
    this.#assumptions = assumptions;
    this.#assumptionLevels = kept;
    this.#assumed = 0;
    this.#decisions.reconsider(0);
  }

  /** Searches for a number of conflicts; undefined if that was not enough. */
  #search(preference: Preference | undefined, budget: Budget, slice: number): Verdict | undefined {
    const store = this.#store;
    const ordered = preference !== undefined;
    store.savesPhases = !ordered;
    let tries = 1;
    let untilRestart = ordered ? Number.POSITIVE_INFINITY : RESTART_UNIT;
    for (;;) {
      const before = this.statistics.propagations;
      const conflict = this.#propagate();
      budget.propagations -= this.statistics.propagations - before;
      if (store.contradictory) return { kind: "unsatisfiable", core: [] };
      if (conflict !== NO_CONFLICT) {
        this.statistics.conflicts++;
        if (store.trail.level === 0) {
          store.contradictory = true;
          return { kind: "unsatisfiable", core: [] };
        }
        if (budget.conflicts <= 0) {
          this.#abandonLevel();
          return UNDECIDED;
        }
        budget.conflicts--;
        if (this.#isStopped(budget)) budget.conflicts = 0;
        slice--;
        untilRestart--;
        this.#learn(conflict);
        continue;
      }
      if (this.#load()) continue;
      if (budget.propagations < 0 || this.#isStopped(budget)) return UNDECIDED;
      if (slice <= 0) {
        this.#restart();
        return undefined;
      }
      if (untilRestart <= 0) {
        this.statistics.restarts++;
        untilRestart = RESTART_UNIT * luby(++tries);
        this.#restart();
        continue;
      }
      if (this.#untilForgetting <= 0) this.#forget();
      const assumption = this.#nextAssumption();
      if (assumption !== NONE) {
        if (this.value(assumption) === -1) return { kind: "unsatisfiable", core: this.#core(assumption) };
        this.#assume(assumption);
        continue;
      }
      const next = ordered ? this.#decisions.byPreference(preference) : this.#decisions.byActivity();
      if (next === NONE) {
        this.#keepModel();
        return { kind: "satisfiable", preferred: ordered };
      }
      this.statistics.decisions++;
      store.decide(next);
    }
  }

  #isStopped({ stop }: Budget): boolean {
    return stop?.() === true;
  }

  /** Undoes decisions beyond the assumptions. */
  #restart(): void {
    this.#store.backtrack(this.#assumptionLevels);
    this.#noticeBacktracks();
  }

  #propagate(): number {
    const store = this.#store;
    store.settleGroups();
    this.#noticeBacktracks();
    const before = store.trail.propagated;
    const conflict = propagate(store);
    this.statistics.propagations += store.trail.propagated - before;
    return conflict;
  }

  #learn(conflict: number): void {
    const analysis = this.#analysis;
    const store = this.#store;
    store.backtrack(analysis.analyse(conflict));
    store.addDistinct(analysis.learnt, analysis.size, Math.max(1, analysis.glue));
    this.#noticeBacktracks();
    this.statistics.learnt++;
    this.#untilForgetting--;
  }

  /** After a conflict from which nothing is learnt: backtracks to the level before it. */
  #abandonLevel(): void {
    if (this.#store.trail.level === 0) this.#store.contradictory = true;
    else this.#store.backtrack(this.#store.trail.level - 1);
    this.#noticeBacktracks();
  }

  /** Calls `onTrue` for what has become true. Returns whether there was anything. */
  #load(): boolean {
    const { trail } = this.#store;
    let loaded = false;
    while (this.#looked < trail.size) {
      const literal = trail.literals[this.#looked++] as Literal;
      const variable = variableOf(literal);
      if (!isPositive(literal) || this.#awaited[variable] !== 1) continue;
      this.#awaited[variable] = 0;
      loaded = true;
      this.onTrue(variable);
      this.#noticeBacktracks();
    }
    return loaded;
  }

  /** Adding constraints may have undone decisions: the state derived from them is reset. */
  #noticeBacktracks(): void {
    const { trail, backtracks } = this.#store;
    if (backtracks === this.#backtracksSeen) return;
    this.#backtracksSeen = backtracks;
    this.#decisions.reconsider(this.#store.lowest);
    this.#looked = Math.min(this.#looked, this.#store.lowest);
    this.#store.lowest = Number.POSITIVE_INFINITY;
    if (trail.level < this.#assumptionLevels) {
      this.#assumptionLevels = trail.level;
      this.#assumed = 0;
    }
  }

  /** The next assumption that is not true; -1 if all are. */
  #nextAssumption(): Literal {
    const assumptions = this.#assumptions;
    while (this.#assumed < assumptions.length) {
      const literal = assumptions[this.#assumed] as Literal;
      if (this.value(literal) !== 1) return literal;
      this.#assumed++;
    }
    return NONE;
  }

  #assume(literal: Literal): void {
    this.#store.decide(literal);
    this.#assumptionLevels = this.#store.trail.level;
  }

  #core(failed: Literal): Literal[] {
    const trail = this.#store.trail;
    if (trail.levelOf(failed) === 0) return [failed];
    return [...this.#analysis.decisionsBehind(negate(failed)), failed];
  }

  #keepModel(): void {
    this.statistics.models++;
    const { trail, phases } = this.#store;
    this.model = bytes(trail.variables);
    phases.fill(0);
    for (let i = 0; i < trail.size; i++) {
      const literal = trail.literals[i] as Literal;
      if (!isPositive(literal)) continue;
      this.model[variableOf(literal)] = 1;
      phases[variableOf(literal)] = 1;
    }
  }

  #forget(): void {
    this.statistics.forgotten += forget(this.#store);
    this.#forgettings++;
    this.#untilForgetting = FIRST_FORGETTING + LATER_FORGETTING * this.#forgettings;
  }
}
