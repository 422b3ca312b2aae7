// Which members does the best answer have? From a problem to a set that has been found, proven as far as the budget went,
// and checked by somebody else.

import type { Answer, Violation } from "../check/answer.ts";
import { check } from "../check/check.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { holdsOver } from "../rule/shape/holds.ts";
import { type Candidates, lacksSource } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import type { BrokenBefore } from "./context.ts";
import type { Encoding, Wish } from "./encoding.ts";
import { chosenNodes, countsWish, levelsOf, type Optimum, optimise } from "./levels.ts";
import type { Self } from "./member.ts";
import type { Objective, ObjectiveName } from "./resolution.ts";
import { beginRound, type Round } from "./round.ts";
import type { SearchLimit } from "./search.ts";
import { walkAnswer } from "./walk.ts";

/** A checked answer. */
export interface Solution {
  readonly problem: Problem;
  readonly round: Round;
  readonly kept: readonly Installed[];
  /** By id. */
  readonly chosen: readonly Node[];
  /** Everybody in the namespace. */
  readonly members: ReadonlySet<Self>;
  /** The requests that have an operator. */
  readonly satisfied: readonly Candidates[];
  readonly unsatisfied: readonly Candidates[];
  /** Those of them about which the budget did not allow a verdict. */
  readonly undecided: ReadonlySet<Candidates>;
  /**
   * Requests whose operator stays, of which nobody can say that there is nothing newer: what they ask for is gone or was not
   * read, or the search ended before it was decided. They count as satisfied among the objectives.
   */
  readonly open: readonly Candidates[];
  /** Rules that were violated before and still are, and those that are no longer. */
  readonly stillBroken: readonly BrokenBefore[];
  readonly repaired: readonly BrokenBefore[];
  readonly unmetWishes: readonly Wish[];
  readonly objectives: readonly Objective[];
  /** The present state violates rules that OLM does not relax: nothing can be done. */
  readonly impossible: boolean;
  /** What the search ran out of, if it did. */
  readonly limit: SearchLimit;
  /** Not all requests could be satisfied, so nothing is done: those that could not. */
  readonly nothingFor: readonly Candidates[];
  /** Is the time over? Asked by whatever is found out about the answer later, such as its explanations. */
  readonly isLate: () => boolean;
}

/** The answer violates a rule. That is a mistake of ours, not of the input. */
export class WrongAnswer extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, violations: readonly string[]) {
    super(`the answer for namespace ${problem.namespace} is wrong: ${violations.join("; ")}`);
    this.problem = problem;
  }
}

/** Solves a problem with a solver that may have answered others before. */
export function solve(encoding: Encoding, problem: Problem, stop?: () => boolean): Solution {
  const round = beginRound(encoding, problem);
  const optimum = optimise(round, stop);
  encoding.onNode = () => {};
  const { search } = optimum;
  const left = new Set(optimum.satisfied.map(({ candidates }) => candidates));
  const nothingFor = problem.options.allOrNothing
    ? round.candidates.filter((one) => !left.has(one) || lacksSource(one))
    : [];
  const isUsed = search !== undefined && nothingFor.length === 0;
  const chosen = isUsed ? chosenNodes(search) : [];
  const kept = isUsed
    ? problem.installed.filter((operator) => search.has(encoding.keptOf(operator)))
    : problem.installed;
  const members = new Set<Self>([...kept, ...chosen]);
  const isSatisfied = ({ nodes, installed }: Candidates): boolean =>
    nodes.some((node) => members.has(node)) || (installed !== undefined && members.has(installed));
  const impossible = optimum.isImpossible;
  // Without OLM's reading of the rules the present state is always an answer.
  if (impossible && !problem.options.compat) throw new WrongAnswer(problem, ["it says that nothing is possible"]);
  const satisfied = new Set(impossible ? [] : round.candidates.filter(isSatisfied));
  const undecided = undecidedIn(round, optimum, nothingFor);
  const solution = {
    problem,
    round,
    kept,
    chosen,
    members,
    satisfied: [...satisfied],
    unsatisfied: round.candidates.filter((one) => !satisfied.has(one)),
    undecided,
    open: [...satisfied].filter((one) => staysOpen(one, members, undecided.has(one))),
    stillBroken: round.context.broken.filter(({ isViolated }) => isViolated(members)),
    repaired: round.context.broken.filter(({ isViolated }) => !isViolated(members)),
    unmetWishes: wishesOf(round, members).filter((wish) => !isFulfilled(round, members, wish)),
    impossible,
    limit: optimum.limit,
    nothingFor,
    isLate: () => stop?.() === true,
  };
  // With OLM's reading of the rules even the present state may violate them.
  if (isUsed || !problem.options.compat) mustBeRight(solution);
  return { ...solution, objectives: objectivesOf(solution, optimum) };
}

function staysOpen(candidates: Candidates, members: ReadonlySet<Self>, isCutOff: boolean): boolean {
  const { installed, nodes } = candidates;
  if (installed === undefined || !members.has(installed)) return false;
  return lacksSource(candidates) || (isCutOff && nodes.length > 0 && installed.hold === undefined);
}

/** Of all or nothing, nothing is certain while it is not certain that all is impossible. */
function undecidedIn(
  { candidates }: Round,
  { undecided, unproven }: Optimum,
  nothingFor: readonly Candidates[],
): ReadonlySet<Candidates> {
  if (nothingFor.length > 0 && unproven.has("subscriptions")) return new Set(candidates);
  return new Set([...undecided].map((wanted) => wanted.candidates));
}

function wishesOf({ context, encoding }: Round, members: ReadonlySet<Self>): readonly Wish[] {
  return [...context.wishes, ...encoding.wishes].filter(({ self }) => members.has(self));
}

function isFulfilled({ encoding, asked }: Round, members: ReadonlySet<Self>, { self, requirement }: Wish): boolean {
  const { universe, problem } = encoding;
  const everybody = [...members, ...problem.elsewhere, problem.node];
  return holdsOver(universe, requirement.constraint, everybody, self, (member) =>
    encoding.mayServe(member, self, asked),
  );
}

function mustBeRight(solution: Omit<Solution, "objectives">): void {
  const { problem, round } = solution;
  refuse(problem, check(problem, answerOf(solution), round.encoding.universe.reader));
}

/** A solution as the checker sees it. */
export function answerOf({ kept, chosen, satisfied }: Omit<Solution, "objectives">): Answer {
  return {
    kept,
    chosen: chosen.map(({ index, bundle }) => ({ catalog: index.catalog, bundle })),
    satisfied: satisfied.filter((one) => !lacksSource(one)).map(({ request }) => request.id),
  };
}

/** An answer with violations is none. */
export function refuse(problem: Problem, violations: readonly Violation[]): void {
  if (violations.length > 0)
    throw new WrongAnswer(
      problem,
      violations.map(({ text }) => text),
    );
}

/** How well the answer does at each level. */
function objectivesOf(solution: Omit<Solution, "objectives">, { unproven, satisfied }: Optimum): readonly Objective[] {
  const { problem, round, kept, chosen, members, stillBroken, unmetWishes } = solution;
  const { encoding } = round;
  const has = new Set([
    encoding.truth,
    ...chosen.map((node) => encoding.literalOf(node)),
    ...kept.map((operator) => encoding.keptOf(operator)),
  ]);
  const value: Record<ObjectiveName, () => Objective["value"]> = {
    subscriptions: () => solution.satisfied.length,
    repaired: () => stillBroken.length,
    updates: () => problem.installed.length - kept.length,
    candidates: () =>
      solution.satisfied.map(({ nodes }) => {
        const rank = nodes.findIndex((node) => members.has(node));
        return rank === -1 ? nodes.length : rank;
      }),
    additional: () => chosen.filter((node) => !round.asked.has(node)).length,
    optional: () =>
      wishesOf(round, members).filter((wish) => countsWish(round, wish) && !unmetWishes.includes(wish)).length,
    providers: () => walkAnswer(round, satisfied, (literal) => has.has(literal)).steps.map(({ rank }) => rank),
    ids: () => chosen.map(({ id }) => id),
  };
  return (["subscriptions", ...levelsOf(problem.options)] as const).map((name) => ({
    name,
    value: value[name](),
    proven: !unproven.has(name),
  }));
}
