// Does the solver answer as trying every assignment does?

import fc from "fast-check";
import { describe, test } from "vitest";
import {
  ample,
  type ClauseProblem,
  clauseProblems,
  inOrder,
  isTrue,
  literals,
  modelOf,
  models,
  solverFor,
} from "../../test/sat/brute-force.ts";
import { type Literal, negate, positive } from "./literal.ts";
import { Solver, type Verdict } from "./solver.ts";

const runs = { numRuns: process.env.PLIMSOLL_LONG ? 100_000 : 3000 };

/** Problems with lists of assumptions to ask about. */
const asked = clauseProblems().chain((problem) =>
  fc.record({
    problem: fc.constant(problem),
    assumptions: fc.array(fc.array(literals(problem.variables), { maxLength: 5 }), { minLength: 1, maxLength: 6 }),
  }),
);

function isRight(solver: Solver, verdict: Verdict, problem: ClauseProblem, assumptions: readonly Literal[]): boolean {
  const possible = models(problem, assumptions);
  if (verdict.kind === "satisfiable") return possible.includes(modelOf(solver, problem.variables));
  if (verdict.kind === "undecided") return false;
  return (
    possible.length === 0 &&
    verdict.core.every((literal) => assumptions.includes(literal)) &&
    models(problem, verdict.core).length === 0
  );
}

/** The best of some assignments: the first literal on which two differ is true in the better. */
function best(candidates: readonly number[], wanted: readonly Literal[]): number | undefined {
  let left = candidates;
  for (const literal of wanted) {
    const better = left.filter((assignment) => isTrue(literal, assignment));
    if (better.length > 0) left = better;
  }
  return left[0];
}

function everyLiteral(problem: ClauseProblem): Literal[] {
  return Array.from({ length: 2 * problem.variables }, (_, literal) => literal);
}

/** Propagation in the simplest way: over all clauses, again and again. */
function closure(problem: ClauseProblem, assumptions: readonly Literal[]): Int8Array | "conflict" {
  const pairs = problem.groups.flatMap((group) =>
    group.flatMap((one) => group.filter((other) => other > one).map((other) => [negate(one), negate(other)])),
  );
  const clauses = [...problem.clauses, ...pairs, ...assumptions.map((literal) => [literal])];
  const values = new Int8Array(2 * problem.variables);
  for (let changed = true; changed; ) {
    changed = false;
    for (const clause of clauses) {
      if (clause.some((literal) => values[literal] === 1)) continue;
      const open = new Set(clause.filter((literal) => values[literal] === 0));
      if (open.size === 0) return "conflict";
      if (open.size > 1) continue;
      for (const literal of open) {
        values[literal] = 1;
        values[negate(literal)] = -1;
      }
      changed = true;
    }
  }
  return values;
}

describe("against every assignment", () => {
  test("one solver, many questions", () => {
    fc.assert(
      fc.property(asked, ({ problem, assumptions }) => {
        const solver = solverFor(problem);
        return assumptions.every((one) =>
          isRight(solver, solver.solve({ assumptions: one, budget: ample() }), problem, one),
        );
      }),
      runs,
    );
  });

  test("in the order of a preference: the best comes first", () => {
    fc.assert(
      fc.property(asked, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), ({ problem, assumptions }, signs) => {
        const solver = solverFor(problem);
        const wanted = signs.slice(0, problem.variables).map((sign, i) => {
          const variable = (i * 5 + 2) % problem.variables;
          return sign ? positive(variable) : negate(positive(variable));
        });
        for (let i = 0; i < problem.variables; i++) wanted.push(negate(positive(i)));
        return assumptions.every((one) => {
          const verdict = solver.solve({ assumptions: one, preference: inOrder(solver, wanted), budget: ample() });
          if (!isRight(solver, verdict, problem, one)) return false;
          if (verdict.kind !== "satisfiable") return true;
          return verdict.preferred && modelOf(solver, problem.variables) === best(models(problem, one), wanted);
        });
      }),
      runs,
    );
  });

  test("a preference that depends on what was decided before", () => {
    fc.assert(
      fc.property(asked, fc.infiniteStream(fc.nat(1000)), ({ problem, assumptions }, stream) => {
        const solver = solverFor(problem);
        const { variables } = problem;
        const numbers = [...stream.take(2 * variables)];
        // The next variable to decide, and its better value, depend on which variables of a fixed order are true so far.
        const next = (value: (literal: Literal) => number): Literal => {
          let state = 0;
          for (let step = 0; step < variables; step++) {
            const literal = positive(step) + (((numbers[(state + step) % (2 * variables)] as number) + state) & 1);
            const now = value(literal);
            if (now === 0) return literal;
            state = (state * 2 + (now === 1 ? 1 : 0)) % 64;
          }
          return -1;
        };
        return assumptions.every((one) => {
          const verdict = solver.solve({
            assumptions: one,
            preference: () => next((l) => solver.value(l)),
            budget: ample(),
          });
          if (!isRight(solver, verdict, problem, one)) return false;
          if (verdict.kind !== "satisfiable") return true;
          // The same by narrowing down the list of all models.
          let left = models(problem, one);
          const valueIn = (literal: Literal): number => {
            if (left.every((assignment) => isTrue(literal, assignment))) return 1;
            return left.every((assignment) => !isTrue(literal, assignment)) ? -1 : 0;
          };
          for (let literal = next(valueIn); literal !== -1; literal = next(valueIn)) {
            left = left.filter((assignment) => isTrue(literal, assignment));
          }
          return verdict.preferred && left.includes(modelOf(solver, variables));
        });
      }),
      runs,
    );
  });

  test("what is loaded when it is needed is as if it had been there before", () => {
    fc.assert(
      fc.property(asked, fc.infiniteStream(fc.nat(1000)), fc.boolean(), ({ problem, assumptions }, stream, ordered) => {
        const numbers = [...stream.take(200)];
        const { variables } = problem;
        const solver = new Solver();
        for (let i = 0; i < variables; i++) {
          solver.newVariable();
          solver.watchTrue(i);
        }
        // Everything is loaded by some variable, or at once; what a variable loads only matters when it is true.
        const loaders = new Map<number, (() => void)[]>();
        const full: { clauses: Literal[][]; groups: Literal[][] } = { clauses: [], groups: [] };
        problem.clauses.forEach((clause, i) => {
          const owner = (numbers[i % 100] as number) % (variables + 1);
          const whole = owner === variables ? [...clause] : [negate(positive(owner)), ...clause];
          full.clauses.push(whole);
          if (owner === variables) solver.addClause(whole);
          else loaders.set(owner, [...(loaders.get(owner) ?? []), () => solver.addClause(whole)]);
        });
        problem.groups.forEach((literals) => {
          const group = solver.newGroup();
          // A member is only known to the group once it was true.
          const members = literals.filter((literal) => (literal & 1) === 0);
          full.groups.push(members);
          for (const literal of members) {
            loaders.set(literal >> 1, [...(loaders.get(literal >> 1) ?? []), () => solver.addToGroup(group, literal)]);
          }
        });
        const loaded: number[] = [];
        solver.onTrue = (variable) => {
          loaded.push(variable);
          for (const load of loaders.get(variable) ?? []) load();
        };
        const eager = { variables, ...full };
        const wanted = Array.from({ length: variables }, (_, i) => positive((i * 5 + 2) % variables));
        for (let i = 0; i < variables; i++) wanted.push(negate(positive(i)));
        const right = assumptions.every((one) => {
          const preference = ordered ? inOrder(solver, wanted) : undefined;
          const verdict = solver.solve({ assumptions: one, preference, budget: ample() });
          if (!isRight(solver, verdict, eager, one)) return false;
          if (verdict.kind !== "satisfiable" || !ordered) return true;
          return modelOf(solver, variables) === best(models(eager, one), wanted);
        });
        return right && new Set(loaded).size === loaded.length;
      }),
      runs,
    );
  });

  test("clauses, groups and members that are added between the questions", () => {
    fc.assert(
      fc.property(asked, ({ problem, assumptions }) => {
        const solver = new Solver();
        for (let i = 0; i < problem.variables; i++) solver.newVariable();
        const groups = problem.groups.map(() => solver.newGroup());
        return assumptions.every((one, turn) => {
          const part = <Item>(items: readonly Item[]): Item[] =>
            items.filter((_, i) => i % assumptions.length === turn);
          for (const clause of part(problem.clauses)) solver.addClause(clause);
          problem.groups.forEach((group, i) => {
            for (const literal of part(group)) solver.addToGroup(groups[i] as number, literal);
          });
          const sofar = <Item>(items: readonly Item[]): Item[] =>
            items.filter((_, i) => i % assumptions.length <= turn);
          const known = { ...problem, clauses: sofar(problem.clauses), groups: problem.groups.map(sofar) };
          return isRight(solver, solver.solve({ assumptions: one, budget: ample() }), known, one);
        });
      }),
      runs,
    );
  });

  test("what is implied holds in every model, and a conflict has none", () => {
    fc.assert(
      fc.property(asked, ({ problem, assumptions }) => {
        const solver = solverFor(problem);
        const all = everyLiteral(problem);
        return assumptions.every((one) => {
          const possible = models(problem, one);
          const values = solver.implied(one, all);
          if (values === "conflict") return possible.length === 0;
          return all.every(
            (literal) =>
              values[literal] === -(values[negate(literal)] as number) &&
              (values[literal] !== 1 || possible.every((assignment) => isTrue(literal, assignment))),
          );
        });
      }),
      runs,
    );
  });

  test("propagation misses nothing, whenever it was added", () => {
    fc.assert(
      fc.property(asked, ({ problem, assumptions }) => {
        const solver = new Solver();
        for (let i = 0; i < problem.variables; i++) solver.newVariable();
        const groups = problem.groups.map(() => solver.newGroup());
        // The first assumptions stay the same, so that what is added meets decisions that are kept.
        const first = assumptions[0] ?? [];
        return assumptions.every((more, turn) => {
          const comes = (i: number): boolean => i % assumptions.length === turn;
          problem.clauses.forEach((clause, i) => {
            if (comes(i)) solver.addClause(clause);
          });
          problem.groups.forEach((group, g) => {
            group.forEach((literal, i) => {
              if (comes(i)) solver.addToGroup(groups[g] as number, literal);
            });
          });
          const known = <Item>(items: readonly Item[]): Item[] =>
            items.filter((_, i) => i % assumptions.length <= turn);
          const expected = closure({ ...problem, clauses: known(problem.clauses), groups: problem.groups.map(known) }, [
            ...first,
            ...more,
          ]);
          const found = solver.implied([...first, ...more], everyLiteral(problem));
          if (expected === "conflict" || found === "conflict") return expected === found;
          return found.every((value, literal) => value === expected[literal]);
        });
      }),
      runs,
    );
  });
});
