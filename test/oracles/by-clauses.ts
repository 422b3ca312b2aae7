// What does a SAT solver say is best? The rules of docs/how-it-resolves.md as clauses, and each level asked in turn.

import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Problem } from "../../src/model/problem.ts";
import { type Being, Census, groups, isLocal, isPredicate, mayNotShare } from "./census.ts";
import { Formula, type Literal } from "./formula.ts";
import type { Verdict } from "./verdict.ts";

/** The best that CaDiCaL can do; nothing if nothing is allowed. */
export async function bestByClauses(problem: Problem): Promise<Verdict | undefined> {
  const formula = await Formula.begin();
  try {
    return optimum(new Translation(formula, new Census(problem)));
  } finally {
    formula.end();
  }
}

/** The problem as clauses. */
class Translation {
  readonly formula: Formula;
  readonly census: Census;
  readonly literals: ReadonlyMap<Being, Literal>;

  constructor(formula: Formula, census: Census) {
    this.formula = formula;
    this.census = census;
    this.literals = new Map(
      census.beings.map((being) => [being, isLocal(being) ? formula.variable() : formula.truth] as const),
    );
    this.#movement();
    this.#demands();
    this.#companions();
  }

  of(being: Being): Literal {
    return this.literals.get(being) as Literal;
  }

  /** Rule 1: who stays, and who moves. */
  #movement(): void {
    for (const being of this.census.beings.filter(({ role }) => role === "installed")) {
      const moved = this.formula.or((this.census.targets.get(being) ?? []).map((one) => this.of(one)));
      this.formula.require([this.of(being), moved]);
      this.formula.require([-this.of(being), -moved]);
      if (being.installed?.hold !== undefined) this.formula.require([this.of(being)]);
    }
  }

  /** Rule 2: what members demand, unless it was in vain before. */
  #demands(): void {
    const relaxed = !this.census.problem.options.compat;
    for (const being of this.census.beings)
      for (const { constraint, optional } of being.requirements) {
        if (optional || (relaxed && being.role !== "bundle" && !this.heldBefore(constraint, being))) continue;
        this.formula.require([-this.of(being), this.holds(constraint, being)]);
      }
  }

  /** Rules 3 and 4: who may not be together, at least one of them new. */
  #companions(): void {
    const { beings, problem } = this.census;
    const isNew = ({ role }: Being): boolean => role === "bundle" || (role === "installed" && problem.options.compat);
    const exclude = (a: Being, b: Being): void => {
      if (isNew(a) || isNew(b)) this.formula.require([-this.of(a), -this.of(b)]);
    };
    for (const members of this.#packages().values()) for (const [a, b] of pairs(members)) exclude(a, b);
    for (const providers of groups(beings, ({ apis }) => apis).values())
      for (const [a, b] of pairs(providers)) if (mayNotShare(a, b)) exclude(a, b);
  }

  #packages(): ReadonlyMap<string, readonly Being[]> {
    return groups(this.census.beings, (being) =>
      isLocal(being) && being.package !== undefined ? [being.package] : [],
    );
  }

  holds(constraint: Constraint, self: Being, beneathNone = false): Literal {
    if (isPredicate(constraint))
      return this.formula.or(this.census.serving(constraint, self, beneathNone).map((one) => this.of(one)));
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const parts = constraints.map((child) => this.holds(child, self, beneathNone || kind === "none"));
    if (kind === "none") return -this.formula.or(parts);
    return kind === "all" ? this.formula.and(parts) : this.formula.or(parts);
  }

  /** Did it hold before anything was done? */
  heldBefore(constraint: Constraint, self: Being, beneathNone = false): boolean {
    if (isPredicate(constraint))
      return this.census.serving(constraint, self, beneathNone).some(({ role }) => role !== "bundle");
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const held = (child: Constraint): boolean => this.heldBefore(child, self, beneathNone || kind === "none");
    if (kind === "none") return !constraints.some(held);
    return kind === "all" ? constraints.every(held) : constraints.some(held);
  }

  /** For each rule that was violated before: is it still? */
  stillBroken(): readonly Literal[] {
    const before = this.census.beings.filter(({ role }) => role !== "bundle");
    const demands = before.flatMap((being) =>
      being.requirements
        .filter(({ optional, constraint }) => !optional && !this.heldBefore(constraint, being))
        .map(({ constraint }) => this.formula.and([this.of(being), -this.holds(constraint, being)])),
    );
    const single = before.flatMap((being) => Array.from({ length: being.unfit }, () => this.of(being)));
    const crowds = [
      ...[...this.#packages().values()].map((members) => pairs(members.filter(({ role }) => role === "installed"))),
      ...[...groups(before, ({ apis }) => apis).values()].map((providers) =>
        pairs(providers).filter(([a, b]) => mayNotShare(a, b)),
      ),
    ].filter((crowd) => crowd.length > 0);
    const still = crowds.map((crowd) =>
      this.formula.or(crowd.map(([a, b]) => this.formula.and([this.of(a), this.of(b)]))),
    );
    return [...demands, ...single, ...still];
  }

  /** For each wish that counts: is it there and fulfilled? */
  wishes(): readonly Literal[] {
    const { beings, asked, problem } = this.census;
    const counts = (being: Being): boolean =>
      isLocal(being) && (!problem.options.installOptional || being.role === "installed" || asked.has(being));
    return beings
      .filter(counts)
      .flatMap((being) =>
        being.requirements
          .filter(({ optional }) => optional)
          .map(({ constraint }) => this.formula.and([this.of(being), this.holds(constraint, being)])),
      );
  }
}

function pairs(beings: readonly Being[]): readonly (readonly [Being, Being])[] {
  return beings.flatMap((a, index) => beings.slice(index + 1).map((b) => [a, b] as const));
}

/** Level by level. */
function optimum(translation: Translation): Verdict | undefined {
  const { formula, census } = translation;
  const { beings, ladders, asked, problem } = census;
  if (!formula.isPossible()) return undefined;
  const rungs = ladders.map((ladder) =>
    ladder.map((one) => (one === undefined ? -formula.truth : translation.of(one))),
  );
  const contented = rungs.map((literals) => formula.or(literals));
  formula.maximise(contented);
  const satisfied = contented.map((literal) => decide(formula, literal));
  const counting = !problem.options.compat;
  const repaired = counting ? formula.minimise(translation.stillBroken()) : 0;
  const staying = beings.filter(({ role }) => role === "installed").map((being) => translation.of(being));
  const updates = counting ? formula.maximise(staying.map((literal) => -literal)) : 0;
  const candidates = rungs.filter((_, index) => satisfied[index]).map((literals) => firstRung(formula, literals));
  const verdict = {
    satisfied: problem.requests.filter((_, index) => satisfied[index]).map(({ id }) => id),
    candidates,
  };
  if (!counting) return verdict;
  const extra = beings
    .filter((being) => being.role === "bundle" && !asked.has(being))
    .map((one) => translation.of(one));
  let optional = problem.options.installOptional ? formula.maximise(translation.wishes()) : 0;
  const additional = formula.minimise(extra);
  if (!problem.options.installOptional) optional = formula.maximise(translation.wishes());
  return { ...verdict, counts: { repaired, updates, additional, optional } };
}

/** True from now on if that is possible, otherwise false. */
function decide(formula: Formula, literal: Literal): boolean {
  const isPossible = formula.isPossible([literal]);
  formula.require([isPossible ? literal : -literal]);
  return isPossible;
}

function firstRung(formula: Formula, literals: readonly Literal[]): number {
  return literals.findIndex((literal) => decide(formula, literal));
}
