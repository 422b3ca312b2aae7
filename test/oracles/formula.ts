// How are "and", "or" and "how many" expressed in clauses? A formula that grows inside a solver.

import { Cadical } from "cadical-wasm";

/** A variable, or its negation as a negative number. */
export type Literal = number;

/** Clauses in a solver of their own. */
export class Formula {
  readonly #solver: Cadical;
  readonly #known = new Map<string, Literal>();
  #variables = 1;
  /** Always true. */
  readonly truth: Literal = 1;

  private constructor(solver: Cadical) {
    this.#solver = solver;
    this.require([this.truth]);
  }

  /** A formula that is true. */
  static async begin(): Promise<Formula> {
    return new Formula(await Cadical.create({ quiet: true, phase: false }));
  }

  /** Gives the memory back. */
  end(): void {
    this.#solver.dispose();
  }

  /** Something new that may be true or false. */
  variable(): Literal {
    return ++this.#variables;
  }

  /** One of these is true from now on. */
  require(literals: readonly Literal[]): void {
    this.#solver.addClause(literals);
  }

  /** True exactly if one of these is. */
  or(literals: readonly Literal[]): Literal {
    const some = [...new Set(literals)].filter((one) => one !== -this.truth).sort((a, b) => a - b);
    if (some.includes(this.truth) || some.some((one) => some.includes(-one))) return this.truth;
    if (some.length < 2) return some[0] ?? -this.truth;
    const key = some.join(" ");
    let result = this.#known.get(key);
    if (result === undefined) {
      result = this.variable();
      this.#known.set(key, result);
      this.require([-result, ...some]);
      for (const one of some) this.require([result, -one]);
    }
    return result;
  }

  /** True exactly if all of these are. */
  and(literals: readonly Literal[]): Literal {
    return -this.or(literals.map((one) => -one));
  }

  /** At `n - 1` what is true exactly if at least n of these are, as far as `most`. */
  counts(literals: readonly Literal[], most: number): readonly Literal[] {
    let before: readonly Literal[] = Array.from({ length: most }, () => -this.truth);
    for (const literal of literals) {
      const known = before;
      before = known.map((same, index) =>
        this.or([same, this.and([literal, index === 0 ? this.truth : (known[index - 1] as Literal)])]),
      );
    }
    return before;
  }

  /** Can everything be true, with these? */
  isPossible(assumptions: readonly Literal[] = []): boolean {
    const status = this.#solver.solve({ assumptions });
    if (status === "unknown") throw new Error("the solver gave up");
    return status === "satisfiable";
  }

  /** How many of these were true when it was last possible. */
  value(literals: readonly Literal[]): number {
    return literals.filter((one) => this.#solver.value(one)).length;
  }

  /** Makes as few of these true as is possible from now on, and returns their number. */
  minimise(literals: readonly Literal[]): number {
    this.isPossible();
    let fewest = this.value(literals);
    const counted = this.counts(literals, fewest + 1);
    while (fewest > 0 && this.isPossible([-(counted[fewest - 1] as Literal)])) fewest = this.value(literals);
    this.require([-(counted[fewest] as Literal)]);
    return fewest;
  }

  /** Makes as many of these true as is possible from now on, and returns their number. */
  maximise(literals: readonly Literal[]): number {
    this.isPossible();
    for (let most = this.value(literals); ; ) {
      const counted = this.counts(literals, most + 1);
      if (!this.isPossible([counted[most] as Literal])) {
        if (most > 0) this.require([counted[most - 1] as Literal]);
        return most;
      }
      most = this.value(literals);
    }
  }
}
