// What is best according to a SAT solver? The rules of docs/how-it-resolves.md as clauses, and each level asked in turn.

import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Problem } from "../../src/model/problem.ts";
import { Census, groups, isLocal, isPredicate, mayNotShare, type Participant } from "./census.ts";
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
  readonly literals: ReadonlyMap<Participant, Literal>;

  constructor(formula: Formula, census: Census) {
    this.formula = formula;
    this.census = census;
    this.literals = new Map(
      census.participants.map(
        (participant) => [participant, isLocal(participant) ? formula.variable() : formula.truth] as const,
      ),
    );
    this.#movement();
    this.#demands();
    this.#companions();
  }

  of(participant: Participant): Literal {
    return this.literals.get(participant) as Literal;
  }

  /** Rule 1: which operators stay, and which move. */
  #movement(): void {
    for (const participant of this.census.participants.filter(({ role }) => role === "installed")) {
      const moved = this.formula.or((this.census.targets.get(participant) ?? []).map((one) => this.of(one)));
      this.formula.require([this.of(participant), moved]);
      this.formula.require([-this.of(participant), -moved]);
      if (participant.installed?.hold !== undefined) this.formula.require([this.of(participant)]);
    }
  }

  /** Rule 2: what members demand, unless it was in vain before. */
  #demands(): void {
    const relaxed = !this.census.problem.options.compat;
    for (const participant of this.census.participants)
      for (const { constraint, optional } of participant.requirements) {
        if (optional || (relaxed && participant.role !== "bundle" && !this.heldBefore(constraint, participant)))
          continue;
        this.formula.require([-this.of(participant), this.holds(constraint, participant)]);
      }
  }

  /** Rules 3 and 4: which ones may not be together, at least one of them new. */
  #companions(): void {
    const { participants, problem } = this.census;
    const isNew = ({ role }: Participant): boolean =>
      role === "bundle" || (role === "installed" && problem.options.compat);
    const exclude = (a: Participant, b: Participant): void => {
      if (isNew(a) || isNew(b)) this.formula.require([-this.of(a), -this.of(b)]);
    };
    for (const members of this.#packages().values()) for (const [a, b] of pairs(members)) exclude(a, b);
    for (const providers of groups(participants, ({ apis }) => apis).values())
      for (const [a, b] of pairs(providers)) if (mayNotShare(a, b)) exclude(a, b);
  }

  #packages(): ReadonlyMap<string, readonly Participant[]> {
    return groups(this.census.participants, (participant) =>
      isLocal(participant) && participant.package !== undefined ? [participant.package] : [],
    );
  }

  holds(constraint: Constraint, self: Participant, beneathNone = false): Literal {
    if (isPredicate(constraint))
      return this.formula.or(this.census.serving(constraint, self, beneathNone).map((one) => this.of(one)));
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const parts = constraints.map((child) => this.holds(child, self, beneathNone || kind === "none"));
    if (kind === "none") return -this.formula.or(parts);
    return kind === "all" ? this.formula.and(parts) : this.formula.or(parts);
  }

  /** Did it hold before anything was done? */
  heldBefore(constraint: Constraint, self: Participant, beneathNone = false): boolean {
    if (isPredicate(constraint))
      return this.census.serving(constraint, self, beneathNone).some(({ role }) => role !== "bundle");
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const held = (child: Constraint): boolean => this.heldBefore(child, self, beneathNone || kind === "none");
    if (kind === "none") return !constraints.some(held);
    return kind === "all" ? constraints.every(held) : constraints.some(held);
  }

  /** For each rule that was violated before: is it still? */
  stillBroken(): readonly Literal[] {
    const before = this.census.participants.filter(({ role }) => role !== "bundle");
    const demands = before.flatMap((participant) =>
      participant.requirements
        .filter(({ optional, constraint }) => !optional && !this.heldBefore(constraint, participant))
        .map(({ constraint }) => this.formula.and([this.of(participant), -this.holds(constraint, participant)])),
    );
    const single = before.flatMap((participant) =>
      Array.from({ length: participant.unfit }, () => this.of(participant)),
    );
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

  /** For each optional requirement that counts: is its member present and the requirement met? */
  optionalRequirements(): readonly Literal[] {
    const { participants, asked, problem } = this.census;
    const counts = (participant: Participant): boolean =>
      isLocal(participant) &&
      (!problem.options.installOptional || participant.role === "installed" || asked.has(participant));
    return participants
      .filter(counts)
      .flatMap((participant) =>
        participant.requirements
          .filter(({ optional }) => optional)
          .map(({ constraint }) => this.formula.and([this.of(participant), this.holds(constraint, participant)])),
      );
  }
}

function pairs(participants: readonly Participant[]): readonly (readonly [Participant, Participant])[] {
  return participants.flatMap((a, index) => participants.slice(index + 1).map((b) => [a, b] as const));
}

/** Level by level. */
function optimum(translation: Translation): Verdict | undefined {
  const { formula, census } = translation;
  const { participants, ladders, asked, problem } = census;
  if (!formula.isPossible()) return undefined;
  const rungs = ladders.map((ladder) =>
    ladder.map((one) => (one === undefined ? -formula.truth : translation.of(one))),
  );
  const contented = rungs.map((literals) => formula.or(literals));
  formula.maximise(contented);
  const satisfied = contented.map((literal) => decide(formula, literal));
  const counting = !problem.options.compat;
  const repaired = counting ? formula.minimise(translation.stillBroken()) : 0;
  const staying = participants
    .filter(({ role }) => role === "installed")
    .map((participant) => translation.of(participant));
  const updates = counting ? formula.maximise(staying.map((literal) => -literal)) : 0;
  const candidates = rungs.filter((_, index) => satisfied[index]).map((literals) => firstRung(formula, literals));
  const verdict = {
    satisfied: problem.requests.filter((_, index) => satisfied[index]).map(({ id }) => id),
    candidates,
  };
  if (!counting) return verdict;
  const extra = participants
    .filter((participant) => participant.role === "bundle" && !asked.has(participant))
    .map((one) => translation.of(one));
  let optional = problem.options.installOptional ? formula.maximise(translation.optionalRequirements()) : 0;
  const additional = formula.minimise(extra);
  if (!problem.options.installOptional) optional = formula.maximise(translation.optionalRequirements());
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
