// Can what is wished come true, and which causes forbid it? A bundle that nobody has tried yet has no causes. As long as
// an answer is found that uses such a bundle, the causes of its package are added, those nearest to the wishes first.

import type { Budget } from "../../sat/solver.ts";
import type { Family, Node } from "../catalog-index.ts";
import type { Solution } from "../solution.ts";
import { type Entry, Ledger } from "./ledger.ts";
import { coreOf, isOfCrd } from "./minimise.ts";
import type { Part, Parts } from "./parts.ts";

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
  | { readonly kind: "possible"; readonly nodes: readonly Node[] }
  | { readonly kind: "undecided" };

/** So many dead ends each question on the way to an explanation may meet, if the search itself may meet as many. */
const CONFLICTS = 20_000;

/** What a single question may take. */
export function oneQuestion({ left, conflicts, isLate }: Work): Budget {
  return { conflicts, propagations: Math.max(left, 0), stop: isLate };
}

/** How much work a ledger has been. */
export function workOf({ solver }: Ledger): number {
  return solver.clauses + solver.statistics.propagations;
}

/** One series of questions about the same round. */
export class Inquiry {
  readonly parts: Parts;
  readonly #ledger: Ledger;
  readonly #loaded = new Set<Family>();
  /** How far from the wishes a package was first mentioned. */
  readonly #depths = new Map<Family, number>();
  #depth = 0;

  constructor(parts: Parts) {
    this.parts = parts;
    this.#ledger = new Ledger(parts, false, (node) => this.#meet(node));
    const { problem } = parts.round;
    for (const operator of problem.installed) this.#ledger.add([parts.ofFate(operator), ...parts.of(operator)]);
    for (const operator of problem.elsewhere) this.#ledger.add(parts.of(operator));
  }

  /** From now on this is wished as well. */
  wish(wishes: readonly Part[]): void {
    this.#depth = 0;
    this.#ledger.add(wishes);
  }

  /** Can everything that is wished come true? After so many steps, or so much work, nobody knows. */
  ask(steps: number, work: Work): Finding {
    for (let step = 0; step < steps && !work.isLate(); step++) {
      const before = workOf(this.#ledger);
      const entries = [...this.#ledger.entries.values()].sort((a, b) => Number(isOfCrd(b)) - Number(isOfCrd(a)));
      const core = coreOf(this.#ledger, entries, oneQuestion(work));
      work.left -= workOf(this.#ledger) - before;
      if (core !== "undecided" && core !== "possible") return { kind: "forbidden", entries: core };
      if (core === "undecided" || work.left < 0) break;
      if (!this.#learn()) return { kind: "possible", nodes: this.#ledger.inModel() };
    }
    return { kind: "undecided" };
  }

  #meet(node: Node): void {
    const { parts } = this;
    if (!this.#depths.has(node.family)) this.#depths.set(node.family, this.#depth);
    this.#ledger.add(parts.groupsOf(node));
    const { refusals } = parts.round.encoding;
    if (this.#loaded.has(node.family)) this.#ledger.add(parts.ofNode(node));
    else if (refusals.isHopeless(node) || this.#isCrdRefusal(node)) this.#ledger.add(parts.refusalOf(node));
  }

  /** What is found about CRDs says more than that somebody else needs what would go: it is known from the beginning. */
  #isCrdRefusal(node: Node): boolean {
    const { problem, encoding } = this.parts.round;
    return (problem.definitions?.length ?? 0) > 0 && encoding.refusals.of(node)?.detail.rule === "crd-upgrade";
  }

  /** Adds the causes of the nearest packages of which the last model uses bundles without causes; false if there are none. */
  #learn(): boolean {
    const open = this.#ledger.inModel().filter(({ family }) => !this.#loaded.has(family));
    const nearest = open.reduce(
      (least, { family }) => Math.min(least, this.#depthOf(family)),
      Number.POSITIVE_INFINITY,
    );
    this.#depth = nearest + 1;
    const now = new Set(open.map(({ family }) => family).filter((family) => this.#depthOf(family) === nearest));
    for (const family of now) this.#loaded.add(family);
    for (const node of this.#ledger.mentioned.filter(({ family }) => now.has(family)))
      this.#ledger.add(this.parts.ofNode(node));
    return open.length > 0;
  }

  #depthOf(family: Family): number {
    return this.#depths.get(family) ?? 0;
  }
}
