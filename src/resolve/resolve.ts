// Which operators, at which versions? From a problem to its answer.

import type { Catalog } from "../model/catalog.ts";
import { sameItems } from "../model/grouped.ts";
import { canonicalText, type Json } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { ownersHere, uncheckedPackages } from "../rule/crd/crd-changes.ts";
import { Encoding } from "./encoding.ts";
import { findAnswer, remember } from "./explain/found-answer.ts";
import { isAskedOfOlmV1, olmV1Resolution } from "./olmv1/resolution.ts";
import type { Resolution } from "./resolution.ts";
import { type Solution, solve } from "./solution.ts";

/** Number of questions per solver: a new one is created after that, so that it does not grow without bound. */
const MAX_QUESTIONS = 100;

/** Answers one question after another; what was learnt about catalogs and cluster is kept while they stay the same. */
export class Resolver {
  #encoding: Encoding | undefined;
  #questions = 0;

  /** The best answer, checked. `stop` is polled: once it returns true, the best answer so far is used. */
  resolve(problem: Problem, stop?: () => boolean): Resolution {
    if (isAskedOfOlmV1(problem)) return olmV1Resolution(problem);
    const found = findAnswer(problem, stop, (one) => this.#solve(one, stop));
    if (problem.runtime.problems.length === 0) return remember(found.resolution, found);
    const { world } = found.automatic.question.encoding;
    const withoutRuntimeConstraints = world.aside(() => new Resolver().resolve(withoutRuntime(problem), stop));
    return remember({ ...found.resolution, withoutRuntimeConstraints }, found);
  }

  /**
   * An answer depends on the problem alone: one that a reused solver could not prove is computed again with a new
   * one.
   */
  #solve(problem: Problem, stop: (() => boolean) | undefined): Solution {
    const isUsed =
      this.#questions > 0 && this.#encoding !== undefined && isSameCluster(this.#encoding.problem, problem);
    const solution = solve(this.#encodingFor(problem), problem, stop);
    this.#questions++;
    if (!isUsed || stop?.() || solution.objectives.every(({ proven }) => proven)) return solution;
    this.#encoding = undefined;
    return this.#solve(problem, stop);
  }

  #encodingFor(problem: Problem): Encoding {
    const known = this.#encoding;
    if (known !== undefined && this.#questions < MAX_QUESTIONS && isSameCluster(known.problem, problem)) return known;
    this.#questions = 0;
    this.#encoding = new Encoding(problem);
    return this.#encoding;
  }
}

/** The problem without the administrator's constraints. */
export function withoutRuntime(problem: Problem): Problem {
  return { ...problem, runtime: { entries: [], problems: [] } };
}

/** The best answer to a problem, checked. */
export function resolve(problem: Problem, stop?: () => boolean): Resolution {
  return new Resolver().resolve(problem, stop);
}

/** Do two problems differ only in requests and installed operators? */
function isSameCluster(a: Problem, b: Problem): boolean {
  if (a === b) return true;
  return (
    a.namespace === b.namespace &&
    sameItems<Catalog>(a.catalogs, b.catalogs) &&
    sameItems(a.elsewhere, b.elsewhere) &&
    sameItems(a.gone, b.gone) &&
    sameItems(a.definitions ?? [], b.definitions ?? []) &&
    ownersHere(a) === ownersHere(b) &&
    sameText(uncheckedPackages(a), uncheckedPackages(b)) &&
    sameItems(a.runtime.entries, b.runtime.entries) &&
    sameItems(a.runtime.problems, b.runtime.problems) &&
    sameText(a.unavailable, b.unavailable) &&
    sameText(a.removed, b.removed) &&
    sameText(a.targets, b.targets) &&
    sameText(a.node, b.node) &&
    sameText(a.options, b.options)
  );
}

function sameText(a: unknown, b: unknown): boolean {
  return a === b || textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  return value === undefined ? "" : canonicalText(value as Json);
}
