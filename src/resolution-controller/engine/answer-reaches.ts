// What could become part of the answer for each namespace? Found once for each state of what that depends on.

import type { Problem } from "../../model/problem.ts";
import { type AnswerReach, answerReach, askedPackages } from "../../plan/affecting-operators.ts";
import type { ProblemDigests } from "./problem-digest.ts";

interface KnownReach {
  /** The digest of what it depends on. */
  readonly of: string;
  readonly reach: AnswerReach;
}

export class AnswerReaches {
  readonly #digests: ProblemDigests;
  /** By namespace. */
  readonly #known = new Map<string, KnownReach>();

  constructor(digests: ProblemDigests) {
    this.#digests = digests;
  }

  /** How many are kept. */
  get size(): number {
    return this.#known.size;
  }

  of(problem: Problem): AnswerReach {
    const asked = askedPackages(problem);
    const of = this.#digests.digest({ ...problem, elsewhere: [], definitions: [], orphans: [] }, asked);
    const known = this.#known.get(problem.namespace);
    if (known?.of === of) return known.reach;
    const reach = answerReach(problem, asked);
    this.#known.set(problem.namespace, { of, reach });
    return reach;
  }

  /** Forgets the namespaces that have no problem any more. */
  keep(namespaces: ReadonlyMap<string, unknown>): void {
    for (const namespace of this.#known.keys()) if (!namespaces.has(namespace)) this.#known.delete(namespace);
  }

  clear(): void {
    this.#known.clear();
  }
}
