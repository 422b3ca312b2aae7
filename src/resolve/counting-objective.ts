// How many of these literals can be true at once? An objective that maximises a count: of requests, of repaired rules, or
// of bundles that are not installed in addition.

import { type Literal, negate } from "../sat/literal.ts";
import { Minimiser } from "../sat/minimise.ts";
import { isTrueIn, type Preference } from "../sat/solver.ts";
import type { Candidate, PackageName } from "./catalog-index.ts";
import type { Question } from "./question.ts";
import type { Search } from "./search.ts";

/** The literals to make true; more may be added during the search. */
export interface SoftLiterals {
  readonly literals: readonly Literal[];
  /** Called for each literal that is added. */
  onMore?: ((literal: Literal) => void) | undefined;
}

/** Makes as many literals true as possible and fixes that number. Returns whether it is proven to be the maximum. */
export function settleMost(search: Search, optional: SoftLiterals, preference?: Preference): boolean {
  const { literals } = optional;
  if (literals.every((literal) => search.has(literal))) {
    search.fix(literals);
    return true;
  }
  const minimiser = new Minimiser(search.solver, () => search.fixed);
  for (const literal of literals) minimiser.addSoft(literal);
  optional.onMore = (literal) => minimiser.addSoft(literal);
  const { model } = search.solver;
  const isOptimal =
    minimiser.isBest(model) || search.spend((budget) => minimiser.run(budget, preference)).kind === "optimal";
  optional.onMore = undefined;
  if (isOptimal) {
    search.fix(minimiser.frozen());
    return true;
  }
  const count = (one: Uint8Array): number => literals.filter((literal) => isTrueIn(one, literal)).length;
  if (count(search.solver.model) < count(model)) search.solver.model = model;
  search.fix(optional.literals.filter((literal) => search.has(literal)));
  return false;
}

/**
 * The literals of bundles that may be installed in addition to the requested ones. Counted per package, since only one
 * bundle of a package can run; where a request names some bundles of a package, counted per bundle.
 */
export class Additional implements SoftLiterals {
  readonly literals: Literal[] = [];
  onMore: ((literal: Literal) => void) | undefined;
  readonly #question: Question;
  readonly #requested: ReadonlySet<PackageName>;
  readonly #counted = new Set<Literal>();
  #settled: Literal | undefined;

  constructor(question: Question) {
    this.#question = question;
    this.#requested = new Set([...question.requested].map((node) => node.packageName));
    for (const node of question.encoding.created) this.see(node);
  }

  /** Called when a bundle gets a variable. */
  see(node: Candidate): void {
    if (this.#question.requested.has(node)) return;
    const { encoding } = this.#question;
    const extra = this.#requested.has(node.packageName)
      ? encoding.literalOf(node)
      : encoding.packageOf(node.packageName).present;
    if (this.#counted.has(extra)) return;
    this.#counted.add(extra);
    if (this.#settled !== undefined) encoding.clause([negate(this.#settled), negate(extra)]);
    this.literals.push(negate(extra));
    this.onMore?.(negate(extra));
  }

  /** No further bundle may be added; the returned literal must be assumed. */
  settle(): Literal {
    this.#settled = this.#question.encoding.newLiteral();
    return this.#settled;
  }
}
