// What do small clause problems answer when every assignment is tried? The solver is compared with this.

import fc from "fast-check";
import { type Literal, negate, positive } from "../../src/sat/literal.ts";
import { Solver } from "../../src/sat/solver.ts";

/** Clauses of which each has a true literal, groups of which each has at most one. */
export interface ClauseProblem {
  readonly variables: number;
  readonly clauses: readonly (readonly Literal[])[];
  readonly groups: readonly (readonly Literal[])[];
}

/** Is the literal true in the assignment whose bits are the variables? */
export function isTrue(literal: Literal, assignment: number): boolean {
  return ((assignment >> (literal >> 1)) & 1) === (literal & 1 ? 0 : 1);
}

/** Does everything hold? */
export function holds(problem: ClauseProblem, assignment: number): boolean {
  return (
    problem.clauses.every((clause) => clause.some((literal) => isTrue(literal, assignment))) &&
    problem.groups.every((group) => [...new Set(group)].filter((literal) => isTrue(literal, assignment)).length <= 1)
  );
}

/** All assignments under which everything holds and the assumptions are true. */
export function models(problem: ClauseProblem, assumptions: readonly Literal[] = []): number[] {
  const found: number[] = [];
  for (let assignment = 0; assignment < 1 << problem.variables; assignment++) {
    if (assumptions.every((literal) => isTrue(literal, assignment)) && holds(problem, assignment)) {
      found.push(assignment);
    }
  }
  return found;
}

/** The last model of a solver as bits. */
export function modelOf(solver: Solver, variables: number): number {
  let assignment = 0;
  for (let variable = 0; variable < variables; variable++) {
    if (solver.inModel(positive(variable))) assignment |= 1 << variable;
  }
  return assignment;
}

/** A solver that has the problem from the beginning. */
export function solverFor(problem: ClauseProblem): Solver {
  const solver = new Solver();
  for (let i = 0; i < problem.variables; i++) solver.newVariable();
  for (const clause of problem.clauses) solver.addClause(clause);
  for (const group of problem.groups) addGroup(solver, group);
  return solver;
}

/** Adds a whole group. */
export function addGroup(solver: Solver, literals: readonly Literal[]): void {
  const group = solver.newGroup();
  for (const literal of literals) solver.addToGroup(group, literal);
}

/** Decides the open literals of a list in their order. */
export function inOrder(solver: Solver, wanted: readonly Literal[]): () => Literal {
  return () => wanted.find((literal) => solver.value(literal) === 0) ?? -1;
}

/** More work than any of the small problems needs. */
export function ample(): { conflicts: number; propagations: number } {
  return { conflicts: 1_000_000, propagations: 100_000_000 };
}

/** Literals of this number of variables. */
export function literals(variables: number): fc.Arbitrary<Literal> {
  return fc.integer({ min: 0, max: 2 * variables - 1 });
}

/** Problems near the border between possible and impossible, with odd clauses among them. */
export function clauseProblems(most = 9): fc.Arbitrary<ClauseProblem> {
  return fc.integer({ min: 1, max: most }).chain((variables) =>
    fc.record({
      variables: fc.constant(variables),
      clauses: fc.array(
        fc.oneof(
          { weight: 6, arbitrary: fc.array(literals(variables), { minLength: 3, maxLength: 4 }) },
          { weight: 3, arbitrary: fc.array(literals(variables), { minLength: 2, maxLength: 2 }) },
          { weight: 1, arbitrary: fc.array(literals(variables), { minLength: 1, maxLength: 6 }) },
        ),
        { maxLength: 5 * variables },
      ),
      groups: fc.array(
        fc.array(
          fc.oneof(
            { weight: 8, arbitrary: fc.nat(variables - 1).map(positive) },
            { weight: 1, arbitrary: fc.nat(variables - 1).map((variable) => negate(positive(variable))) },
          ),
          { minLength: 1, maxLength: 5 },
        ),
        { maxLength: 3 },
      ),
    }),
  );
}
