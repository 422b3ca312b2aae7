// How much may it cost in one answer to find the bundles that match CEL rules? What is known from earlier answers costs as much as it did
// then: an answer depends on its problem alone, not on what was asked before.

import type { Candidate } from "./catalog-index.ts";

/** The bundles that match a predicate. */
export interface Found {
  readonly nodes: readonly Candidate[];
  readonly isLimited: boolean;
  /** The CEL cost of the evaluation. */
  readonly cost: number;
}

/** What was found for one answer, and what that has cost. */
export class AnswerBudget {
  readonly #limit: number;
  readonly #found: Map<string, Found>;
  /** The providers for a predicate in order, by requirer and predicate. */
  readonly orders: Map<string, readonly Candidate[]>;
  #spent: number;

  constructor(limit: number, before?: AnswerBudget) {
    this.#limit = limit;
    this.#found = new Map(before === undefined ? [] : before.#found);
    this.orders = new Map(before === undefined ? [] : before.orders);
    this.#spent = before === undefined ? 0 : before.#spent;
  }

  /** Is it used up? Then no further predicates are evaluated over all bundles. */
  get isSpent(): boolean {
    return this.#spent > this.#limit;
  }

  /** What is found for a key; it counts once. */
  found(key: string, find: () => Found): Found {
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = find();
    this.#spent += found.cost;
    this.#found.set(key, found);
    return found;
  }

  /** The same, from which something is spent that is not part of the answer. */
  copy(): AnswerBudget {
    return new AnswerBudget(this.#limit, this);
  }
}
