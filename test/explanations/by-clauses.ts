// What do causes mean to an independent solver? Each cause becomes clauses by its own words in
// src/resolve/explain/cause.ts, behind a switch, so that any of them can be left out.

import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Cause, OnePerCause } from "../../src/resolve/explain/cause.ts";
import { isPredicate } from "../oracles/census.ts";
import type { Formula, Literal } from "../oracles/formula.ts";
import type { Conclusion, Derivation } from "./meaning.ts";
import { areRivals, isLocal, type Named, type Participant, type Population } from "./population.ts";

/** Causes as clauses. */
export class CauseClauses {
  readonly #formula: Formula;
  readonly #population: Population;
  readonly #literals = new Map<Participant, Literal>();
  readonly #switches = new Map<Cause, Literal>();
  /** While it is true, no provider counts that comes after an unavailable catalog. */
  readonly #cautious: Literal;

  constructor(formula: Formula, population: Population) {
    this.#formula = formula;
    this.#population = population;
    this.#cautious = formula.variable();
  }

  /** Can all of these be true together, with what is assumed? */
  isPossible(causes: readonly Cause[], assumed: readonly Literal[] = []): boolean {
    return this.#formula.isPossible([...causes.map((cause) => this.#switchOf(cause)), ...assumed]);
  }

  /** The steps that do not follow, and cases that leave something open, each in a sentence. */
  gaps(
    { steps, cases }: Derivation,
    before: readonly Literal[] = [],
    given: readonly Literal[] = [],
  ): readonly string[] {
    const known = [...before];
    const found: string[] = [];
    for (const { causes, after, conclusion } of steps) {
      const place = known.length;
      const early = after.filter((earlier) => earlier >= 0 && earlier < place);
      if (early.length < after.length) found.push(`step ${place} rests on a step that is not before it`);
      const literal = this.#conclude(conclusion);
      const assumed = [...given, ...early.map((earlier) => known[earlier] as Literal), -literal];
      if (this.isPossible(causes, assumed)) found.push(`step ${place} does not follow`);
      known.push(literal);
    }
    if (cases.length === 0) {
      if (steps.at(-1)?.conclusion.kind !== "impossible")
        found.push("the last step does not conclude that it is impossible");
      return found;
    }
    const all = cases.flatMap(({ members }) => members.map((one) => this.#of(one)));
    if (this.isPossible([], [...given, ...known, ...all.map((literal) => -literal)]))
      found.push("the cases leave something open");
    for (const { members, derivation } of cases) {
      const isCase = this.#formula.or(members.map((one) => this.#of(one)));
      found.push(...this.gaps(derivation, known, [...given, isCase]));
    }
    return found;
  }

  #conclude(conclusion: Conclusion): Literal {
    if (conclusion.kind === "impossible") return -this.#formula.truth;
    const some = this.#formula.or(conclusion.members.map((one) => this.#of(one)));
    return conclusion.kind === "one-of" ? some : -some;
  }

  #of(named: Named): Literal {
    const participant = this.#population.of(named);
    if (participant === undefined)
      throw new Error(`unknown participant ${"bundle" in named ? named.bundle.name : named.name}`);
    return this.#literalOf(participant);
  }

  #literalOf(participant: Participant): Literal {
    if (!isLocal(participant)) return this.#formula.truth;
    let literal = this.#literals.get(participant);
    if (literal === undefined) {
      literal = this.#formula.variable();
      this.#literals.set(participant, literal);
    }
    return literal;
  }

  #switchOf(cause: Cause): Literal {
    let known = this.#switches.get(cause);
    if (known === undefined) {
      known = this.#formula.variable();
      this.#switches.set(cause, known);
      for (const clause of this.#clausesOf(cause)) this.#formula.require([-known, ...clause]);
    }
    return known;
  }

  #clausesOf(cause: Cause): readonly (readonly Literal[])[] {
    switch (cause.kind) {
      case "wanted":
        return [cause.members.map((one) => this.#of(one))];
      case "stay-or-move": {
        const kept = this.#of(cause.installed);
        const targets = cause.targets.map((one) => this.#of(one));
        return [[kept, ...targets], ...targets.map((target) => [-kept, -target])];
      }
      case "stays":
        return [[this.#of(cause.installed)], ...cause.targets.map((one) => [-this.#of(one)])];
      case "demand":
        return cause.demands.map(({ member, requirement }) => [
          -this.#of(member),
          this.#holds(requirement.constraint, this.#population.of(member) as Participant, false),
        ]);
      case "refusal":
        return cause.refused.map(({ member }) => [-this.#of(member)]);
      case "one-bundle":
      case "one-provider":
        return this.#pairs(cause);
      case "unserved":
        return cause.users.flatMap((user) => cause.definers.map((one) => [-this.#of(user), -this.#of(one)]));
      default:
        return [[this.#cautious]];
    }
  }

  #pairs(cause: OnePerCause): readonly (readonly Literal[])[] {
    const isStrict = cause.isRepair || this.#population.problem.options.compat;
    const participants = cause.members.map((one) => this.#population.of(one) as Participant);
    return participants.flatMap((a, index) =>
      participants
        .slice(index + 1)
        .filter((b) => (cause.kind === "one-bundle" ? isLocal(a) && isLocal(b) : areRivals(a, b)))
        .filter((b) => isStrict || a.role === "bundle" || b.role === "bundle")
        .map((b) => [-this.#literalOf(a), -this.#literalOf(b)]),
    );
  }

  /** Each operator that requires an API, with each one that ends it. Two that end it do not exclude each other. */
  #holds(constraint: Constraint, self: Participant, beneathNone: boolean): Literal {
    if (isPredicate(constraint)) {
      const matching = this.#population.matching(constraint);
      if (beneathNone)
        return this.#formula.or(matching.filter((one) => one !== self).map((one) => this.#literalOf(one)));
      return this.#formula.or(
        matching.map((one) => {
          const literal = this.#literalOf(one);
          return this.#population.isDoubtful(one, self) ? this.#formula.and([literal, -this.#cautious]) : literal;
        }),
      );
    }
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const parts = constraints.map((child) => this.#holds(child, self, beneathNone || kind === "none"));
    if (kind === "none") return -this.#formula.or(parts);
    return kind === "all" ? this.#formula.and(parts) : this.#formula.or(parts);
  }
}
