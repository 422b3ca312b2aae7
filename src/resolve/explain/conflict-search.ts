// Is the goal satisfiable, and which few causes rule it out? A bundle that has not been tried has no causes yet. While a
// model uses such a bundle, the causes of its package are added, those nearest to the goal first. The causes of an
// unsatisfiable answer are then reduced to an irreducible set, each with only the versions that matter.

import type { Budget } from "../../sat/solver.ts";
import type { Candidate, PackageName } from "../catalog-index.ts";
import type { Solution } from "../solution.ts";
import type { Cause } from "./cause.ts";
import { coreOf, fewest, isOfCrd, neededParts } from "./minimise.ts";
import { causeOf, type RuleInstance, type RuleInstances, UNAVAILABLE, unavailableCause } from "./rule-instances.ts";
import { type Entry, SwitchedClauses } from "./switched-clauses.ts";
import type { WhyNot } from "./why-not.ts";

/** Remaining work, in clauses and literal visits, unless the time is over first. */
export interface Work {
  left: number;
  /** Conflict limit of each question. */
  readonly conflicts: number;
  readonly isLate: () => boolean;
}

/** The work limit for questions about a solution, within the limits of its own search. */
export function workFor({ problem, isLate }: Solution, left: number): Work {
  return { left, conflicts: Math.min(CONFLICTS, problem.options.maxConflicts), isLate };
}

/** The result: causes that together rule it out, bundles that make it possible, or unknown. */
export type Finding =
  | { readonly kind: "forbidden"; readonly entries: readonly Entry[] }
  | { readonly kind: "possible"; readonly nodes: readonly Candidate[] }
  | { readonly kind: "undecided" };

/** Conflict limit of each question of an explanation, if the search itself has at least that limit. */
const CONFLICTS = 20_000;

/** The budget of a single question. */
function oneQuestion({ left, conflicts, isLate }: Work): Budget {
  return { conflicts, propagations: Math.max(left, 0), stop: isLate };
}

/** The work that the switched clauses have taken so far. */
function workOf({ solver }: SwitchedClauses): number {
  return solver.clauses + solver.statistics.propagations;
}

/** A series of questions to one solver. */
export class ConflictSearch {
  readonly parts: RuleInstances;
  readonly #switched: SwitchedClauses;
  readonly #loaded = new Set<PackageName>();
  /** The distance from the goal at which a package was first mentioned. */
  readonly #depths = new Map<PackageName, number>();
  #depth = 0;

  constructor(parts: RuleInstances) {
    this.parts = parts;
    this.#switched = new SwitchedClauses(parts, false, (node) => this.#meet(node));
    const { problem } = parts.question;
    for (const operator of problem.installed) this.#switched.add([parts.ofStayOrMove(operator), ...parts.of(operator)]);
    for (const operator of problem.elsewhere) this.#switched.add(parts.of(operator));
  }

  /** Adds rules that must hold. */
  require(rules: readonly RuleInstance[]): void {
    this.#depth = 0;
    this.#switched.add(rules);
  }

  /** Can everything required hold? Unknown after the given number of steps or amount of work. */
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
    if (!this.#depths.has(node.packageName)) this.#depths.set(node.packageName, this.#depth);
    this.#switched.add(parts.groupsOf(node));
    const { refusals } = parts.question.encoding;
    if (this.#loaded.has(node.packageName)) this.#switched.add(parts.ofNode(node));
    else if (refusals.isKnownRefused(node) || this.#isCrdRefusal(node)) this.#switched.add(parts.refusalOf(node));
  }

  /**
   * A finding about CRDs is a better reason than the requirement of another operator: such causes are loaded from the
   * start.
   */
  #isCrdRefusal(node: Candidate): boolean {
    const { problem, encoding } = this.parts.question;
    return (problem.definitions?.length ?? 0) > 0 && encoding.refusals.of(node)?.detail.rule === "crd-upgrade";
  }

  /**
   * Adds the causes of the nearest packages of which the last model uses bundles without causes; false if there are
   * none.
   */
  #learn(): boolean {
    const open = this.#switched.inModel().filter(({ packageName }) => !this.#loaded.has(packageName));
    const depths = new Map(open.map(({ packageName }) => [packageName, this.#depths.get(packageName) ?? 0]));
    const nearest = Math.min(...depths.values());
    this.#depth = nearest + 1;
    const now = new Set([...depths.keys()].filter((packageName) => depths.get(packageName) === nearest));
    for (const packageName of now) this.#loaded.add(packageName);
    for (const node of this.#switched.mentioned.filter(({ packageName }) => now.has(packageName)))
      this.#switched.add(this.parts.ofNode(node));
    return open.length > 0;
  }
}

/** Why it is not possible; or that it is, or that it is unknown. */
export type Conflict =
  | { readonly kind: "impossible"; readonly causes: readonly Cause[]; readonly isMinimal: boolean }
  /** Next to the installed operators, these bundles make it possible. */
  | { readonly kind: "possible"; readonly nodes: readonly Candidate[] }
  | { readonly kind: "undecided" };

/** Number of rounds of adding causes, before and after everything required is assumed. */
const FIRST_STEPS = 4;
const LAST_STEPS = 100_000;

/**
 * Finds why the goal of a whyNot is not possible; the search can be continued. First the goal alone; then next to
 * what is requested; only then next to what the answer prefers.
 */
export function findConflict(search: ConflictSearch, { goal, requests, preferred }: WhyNot, work: Work): Conflict {
  const stages = preferred.length === 0 ? [goal, requests] : [goal, requests, preferred];
  let found: Finding = { kind: "undecided" };
  for (const [index, rules] of stages.entries()) {
    search.require(rules);
    found = search.ask(index === stages.length - 1 ? LAST_STEPS : FIRST_STEPS, work);
    if (found.kind === "forbidden") break;
  }
  return narrowed(search.parts, found, work);
}

function narrowed(parts: RuleInstances, found: Finding, work: Work): Conflict {
  if (found.kind !== "forbidden") return found;
  const switched = partedClauses(parts, found.entries);
  const keys = new Set(found.entries.map(({ key }) => key));
  const all = [...switched.entries.values()].filter(({ key }) => keys.has(key));
  const budget = (): Budget => oneQuestion({ ...work, left: work.left - workOf(switched) });
  const few = fewest(switched, all, budget);
  const parted = few === undefined ? [] : neededParts(switched, few.entries, budget);
  work.left -= workOf(switched);
  if (few === undefined) return { kind: "undecided" };
  const causes = few.entries.flatMap(({ key }, index) => {
    const own = (parted[index] ?? []).map(({ part }) => part);
    if (key === UNAVAILABLE) return [unavailableCause(parts.question)];
    // A cause that was kept only because the budget ran out may have no needed part.
    return own.length === 0 ? [] : [causeOf(own)];
  });
  return { kind: "impossible", causes, isMinimal: few.isMinimal };
}

/** The same causes, with a switch for each version in them. */
function partedClauses(parts: RuleInstances, entries: readonly Entry[]): SwitchedClauses {
  const keys = new Set(entries.map(({ key }) => key));
  const switched: SwitchedClauses = new SwitchedClauses(parts, true, (node) =>
    switched.add(parts.of(node).filter(({ key }) => keys.has(key))),
  );
  for (const { parts: known } of entries) switched.add(known.map(({ part }) => part));
  return switched;
}
