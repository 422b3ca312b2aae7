// Is the least number of violated soft clauses the one that trying every assignment finds?

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ample,
  type ClauseProblem,
  clauseProblems,
  isTrue,
  literals,
  modelOf,
  models,
  solverFor,
} from "../../test/sat/brute-force.ts";
import { type Literal, negate, positive } from "./literal.ts";
import { Minimiser } from "./minimise.ts";
import { Solver } from "./solver.ts";
import { totalizer } from "./totalizer.ts";

const runs = { numRuns: process.env.PLIMSOLL_LONG ? 50_000 : 2000 };

const softProblems = clauseProblems().chain((problem) =>
  fc.record({
    problem: fc.constant(problem),
    base: fc.array(literals(problem.variables), { maxLength: 2 }),
    rounds: fc.array(fc.array(literals(problem.variables), { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
  }),
);

function failing(soft: readonly Literal[], assignment: number): number {
  return soft.filter((literal) => !isTrue(literal, assignment)).length;
}

function least(problem: ClauseProblem, base: readonly Literal[], soft: readonly Literal[]): number {
  return Math.min(...models(problem, base).map((assignment) => failing(soft, assignment)));
}

describe("against every assignment", () => {
  test("soft literals added in rounds", () => {
    fc.assert(
      fc.property(softProblems, ({ problem, base, rounds }) => {
        const solver = solverFor(problem);
        const minimiser = new Minimiser(solver, () => base);
        const soft: Literal[] = [];
        return rounds.every((round) => {
          for (const literal of round) minimiser.addSoft(literal);
          soft.push(...round);
          const minimum = minimiser.run(ample());
          const expected = least(problem, base, soft);
          if (expected === Number.POSITIVE_INFINITY) {
            return minimum.kind === "undecided" && minimum.lowerBound === expected;
          }
          if (minimum.kind !== "optimal" || minimum.cost !== expected) return false;
          const model = modelOf(solver, problem.variables);
          return models(problem, base).includes(model) && failing(soft, model) === expected;
        });
      }),
      runs,
    );
  });

  test("what is frozen allows the best answers, and only them", () => {
    fc.assert(
      fc.property(softProblems, ({ problem, base, rounds }) => {
        const solver = solverFor(problem);
        const minimiser = new Minimiser(solver, () => base);
        const soft = rounds.flat();
        for (const literal of soft) minimiser.addSoft(literal);
        const minimum = minimiser.run(ample());
        if (minimum.kind !== "optimal") return models(problem, base).length === 0;
        return models(problem, base).every((assignment) => {
          const whole = Array.from({ length: problem.variables }, (_, variable) =>
            isTrue(positive(variable), assignment) ? positive(variable) : negate(positive(variable)),
          );
          const assumptions = [...base, ...minimiser.frozen(), ...whole];
          const allowed = solver.solve({ assumptions, budget: ample() }).kind === "satisfiable";
          return allowed === (failing(soft, assignment) === minimum.cost);
        });
      }),
      runs,
    );
  });

  test("later questions are not disturbed by earlier ones", () => {
    fc.assert(
      fc.property(softProblems, ({ problem, base, rounds }) => {
        const solver = solverFor(problem);
        return rounds.every((soft) => {
          const minimiser = new Minimiser(solver, () => base);
          for (const literal of soft) minimiser.addSoft(literal);
          const minimum = minimiser.run(ample());
          const expected = least(problem, base, soft);
          return minimum.kind === "optimal" ? minimum.cost === expected : expected === Number.POSITIVE_INFINITY;
        });
      }),
      runs,
    );
  });

  test("soft literals added when something becomes true", () => {
    fc.assert(
      fc.property(softProblems, ({ problem, base, rounds }) => {
        const solver = solverFor(problem);
        const minimiser = new Minimiser(solver, () => base);
        // The soft clause of round i: if variable i is true, so is each of these literals.
        const soft: (readonly [Literal, Literal])[] = [];
        rounds.slice(0, problem.variables).forEach((round, owner) => {
          solver.watchTrue(owner);
          for (const literal of round) soft.push([negate(positive(owner)), literal]);
        });
        solver.onTrue = (owner) => {
          for (const literal of rounds[owner] ?? []) {
            const met = positive(solver.newVariable());
            solver.addClause([negate(met), negate(positive(owner)), literal]);
            minimiser.addSoft(met);
          }
        };
        const cost = (assignment: number): number =>
          soft.filter((clause) => !clause.some((literal) => isTrue(literal, assignment))).length;
        const minimum = minimiser.run(ample());
        const expected = Math.min(...models(problem, base).map(cost));
        if (minimum.kind !== "optimal") return expected === Number.POSITIVE_INFINITY;
        return minimum.cost === expected && cost(modelOf(solver, problem.variables)) === expected;
      }),
      runs,
    );
  });
});

describe("counting", () => {
  test.each([1, 2, 3, 5, 8])("of %i literals", (size) => {
    for (let true_ = 0; true_ < 1 << size; true_++) {
      const solver = new Solver();
      const inputs = Array.from({ length: size }, () => positive(solver.newVariable()));
      const counter = totalizer(solver, inputs);
      const assumptions = inputs.map((literal, i) => ((true_ >> i) & 1 ? literal : negate(literal)));
      const count = assumptions.filter((literal, i) => literal === inputs[i]).length;
      for (let bound = 1; bound <= size; bound++) {
        const atLeast = counter.atLeast(bound);
        const fewer = solver.solve({ assumptions: [...assumptions, negate(atLeast)], budget: ample() });
        expect(fewer.kind).toBe(count >= bound ? "unsatisfiable" : "satisfiable");
      }
    }
  });
});

describe("limits", () => {
  test("without conflicts to spend there is only a lower bound", () => {
    const solver = new Solver();
    const cells = Array.from({ length: 7 }, () => Array.from({ length: 6 }, () => positive(solver.newVariable())));
    for (let hole = 0; hole < 6; hole++) {
      const group = solver.newGroup();
      for (const row of cells) solver.addToGroup(group, row[hole] as Literal);
    }
    const minimiser = new Minimiser(solver, () => []);
    for (const row of cells) {
      const placed = positive(solver.newVariable());
      solver.addClause([negate(placed), ...row]);
      minimiser.addSoft(placed);
    }
    expect(minimiser.run({ conflicts: 3, propagations: 1_000_000 })).toEqual({ kind: "undecided", lowerBound: 0 });
    expect(minimiser.run(ample())).toEqual({ kind: "optimal", cost: 1 });
  });
});
