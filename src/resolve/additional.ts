// Which chosen bundles did nobody ask for? Counted by package, of which only one bundle can run; where a request asks for
// some bundles of a package, by bundle.

import { type Literal, negate } from "../sat/literal.ts";
import type { Candidate, PackageName } from "./catalog-index.ts";
import type { Wishes } from "./counting-objective.ts";
import type { Question } from "./question.ts";

/** Keeps count of what may come in addition. */
export class Additional implements Wishes {
  readonly literals: Literal[] = [];
  onMore: ((literal: Literal) => void) | undefined;
  readonly #question: Question;
  readonly #asked: ReadonlySet<PackageName>;
  readonly #counted = new Set<Literal>();
  #settled: Literal | undefined;

  constructor(question: Question) {
    this.#question = question;
    this.#asked = new Set([...question.asked].map((node) => node.family));
    for (const node of question.encoding.created) this.see(node);
  }

  /** A bundle got a variable. */
  see(node: Candidate): void {
    if (this.#question.asked.has(node)) return;
    const { encoding } = this.#question;
    const extra = this.#asked.has(node.family) ? encoding.literalOf(node) : encoding.packageOf(node.family).present;
    if (this.#counted.has(extra)) return;
    this.#counted.add(extra);
    if (this.#settled !== undefined) encoding.clause(negate(this.#settled), negate(extra));
    this.literals.push(negate(extra));
    this.onMore?.(negate(extra));
  }

  /** From now on nothing comes in that was not thought of before; the literal is to be assumed. */
  settle(): Literal {
    this.#settled = this.#question.encoding.newLiteral();
    return this.#settled;
  }
}
