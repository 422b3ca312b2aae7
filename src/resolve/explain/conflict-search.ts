// Can what is wished come true, and which causes forbid it? A bundle that nobody has tried yet has no causes. As long as
// an answer is found that uses such a bundle, the causes of its package are added, those nearest to the wishes first.

import type { Budget } from "../../sat/solver.ts";
import type { Candidate, PackageName } from "../catalog-index.ts";
import type { Solution } from "../solution.ts";
import { coreOf, isOfCrd } from "./minimise.ts";
import type { RuleInstance, RuleInstances } from "./rule-instances.ts";
import { type Entry, SwitchedClauses } from "./switched-clauses.ts";

/** Work that may still be done, in clauses and visits of a literal, unless the time is over before. */
export interface Work {
  left: number;
  /** So many dead ends each question may meet. */
  readonly conflicts: number;
  readonly isLate: () => boolean;
}

/** So much work for questions about a solution, within the limits that its own search had. */
export function workFor({ problem, isLate }: Solution, left: number): Work {
  return { left, conflicts: Math.min(CONFLICTS, problem.options.maxConflicts), isLate };
}

/** What came of it: causes that together forbid it, bundles that make it possible, or nothing certain. */
export type Finding =
  | { readonly kind: "forbidden"; readonly entries: readonly Entry[] }
  | { readonly kind: "possible"; readonly nodes: readonly Candidate[] }
  | { readonly kind: "undecided" };

/** So many dead ends each question on the way to an explanation may meet, if the search itself may meet as many. */
const CONFLICTS = 20_000;

/** What a single question may take. */
export function oneQuestion({ left, conflicts, isLate }: Work): Budget {
  return { conflicts, propagations: Math.max(left, 0), stop: isLate };
}

/** How much work switched clauses have been. */
export function workOf({ solver }: SwitchedClauses): number {
  return solver.clauses + solver.statistics.propagations;
}

/** One series of questions to a solver of its own. */
export class ConflictSearch {
  readonly parts: RuleInstances;
  readonly #switched: SwitchedClauses;
  readonly #loaded = new Set<PackageName>();
  /** How far from the wishes a package was first mentioned. */
  readonly #depths = new Map<PackageName, number>();
  #depth = 0;

  constructor(parts: RuleInstances) {
    this.parts = parts;
    this.#switched = new SwitchedClauses(parts, false, (node) => this.#meet(node));
    const { problem } = parts.question;
    for (const operator of problem.installed) this.#switched.add([parts.ofFate(operator), ...parts.of(operator)]);
    for (const operator of problem.elsewhere) this.#switched.add(parts.of(operator));
  }

  /** From now on this is wished as well. */
  wish(wishes: readonly RuleInstance[]): void {
    this.#depth = 0;
    this.#switched.add(wishes);
  }

  /** Can everything that is wished come true? After so many steps, or so much work, nobody knows. */
  ask(steps: number, work: Work): Finding {
    for (let step = 0; step < steps && !work.isLate(); step++) {
      const before = workOf(this.#switched);
      const entries = [...this.#switched.entries.values()].sort((a, b) => Number(isOfCrd(b)) - Number(isOfCrd(a)));
      const core = coreOf(this.#switched, entries, oneQuestion(work));
      work.left -= workOf(this.#switched) - before;
      if (core !== "undecided" && core !== "possible") return { kind: "forbidden", entries: core };
      if (core === "undecided" || work.left < 0) break;
      if (!this.#learn()) return { kind: "possible", nodes: this.#switched.inModel() };
    }
    return { kind: "undecided" };
  }

  #meet(node: Candidate): void {
    const { parts } = this;
    if (!this.#depths.has(node.family)) this.#depths.set(node.family, this.#depth);
    this.#switched.add(parts.groupsOf(node));
    const { refusals } = parts.question.encoding;
    if (this.#loaded.has(node.family)) this.#switched.add(parts.ofNode(node));
    else if (refusals.isHopeless(node) || this.#isCrdRefusal(node)) this.#switched.add(parts.refusalOf(node));
  }

  /** What is found about CRDs says more than that somebody else needs what would go: it is known from the beginning. */
  #isCrdRefusal(node: Candidate): boolean {
    const { problem, encoding } = this.parts.question;
    return (problem.definitions?.length ?? 0) > 0 && encoding.refusals.of(node)?.detail.rule === "crd-upgrade";
  }

  /** Adds the causes of the nearest packages of which the last model uses bundles without causes; false if there are none. */
  #learn(): boolean {
    const open = this.#switched.inModel().filter(({ family }) => !this.#loaded.has(family));
    const nearest = open.reduce(
      (least, { family }) => Math.min(least, this.#depthOf(family)),
      Number.POSITIVE_INFINITY,
    );
    this.#depth = nearest + 1;
    const now = new Set(open.map(({ family }) => family).filter((family) => this.#depthOf(family) === nearest));
    for (const family of now) this.#loaded.add(family);
    for (const node of this.#switched.mentioned.filter(({ family }) => now.has(family)))
      this.#switched.add(this.parts.ofNode(node));
    return open.length > 0;
  }

  #depthOf(family: PackageName): number {
    return this.#depths.get(family) ?? 0;
  }
}
