// Which chosen bundles are not requested? Counted per package, since only one bundle of a package can run; where a
// request names some bundles of a package, counted per bundle.

import { type Literal, negate } from "../sat/literal.ts";
import type { Candidate, PackageName } from "./catalog-index.ts";
import type { SoftLiterals } from "./counting-objective.ts";
import type { Question } from "./question.ts";

/** The literals of bundles that may be installed in addition to the requested ones. */
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
    if (this.#settled !== undefined) encoding.clause(negate(this.#settled), negate(extra));
    this.literals.push(negate(extra));
    this.onMore?.(negate(extra));
  }

  /** No further bundle may be added; the returned literal must be assumed. */
  settle(): Literal {
    this.#settled = this.#question.encoding.newLiteral();
    return this.#settled;
  }
}
