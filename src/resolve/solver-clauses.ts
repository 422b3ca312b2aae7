// What do the clauses of an answer and those of an explanation have in common? A solver of their own, for the members of
// one set of catalogs.

import type { Predicate } from "../constraint/predicate-key.ts";
import { type Literal, positive } from "../sat/literal.ts";
import { Solver } from "../sat/solver.ts";
import type { CatalogWorld } from "./catalog-world.ts";
import { type Operator, propertiesOf } from "./member.ts";

/** A solver, and how rules add clauses to it. */
export abstract class SolverClauses {
  readonly solver: Solver = new Solver();
  readonly world: CatalogWorld;
  /** Always true. */
  readonly truth: Literal;

  constructor(world: CatalogWorld) {
    this.world = world;
    this.truth = this.newLiteral();
    this.clause([this.truth]);
  }

  /** A literal of a new variable. */
  newLiteral(): Literal {
    return positive(this.solver.newVariable());
  }

  /** One of the literals is true. */
  clause(literals: readonly Literal[]): void {
    this.solver.addClause(literals);
  }

  /** Does a predicate hold for a member? */
  matches(predicate: Predicate, self: Operator): boolean {
    return this.world.isMatch(predicate, propertiesOf(self));
  }
}
