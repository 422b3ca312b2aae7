// Which members does the best answer have? From a problem to a set of operators that is proven as far as the budget
// went, and verified by src/check.

import type { Answer, Violation } from "../check/answer.ts";
import { check } from "../check/check.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { holdsOver } from "../rule/shape/holds.ts";
import { type Candidates, lacksSource, membersOf, rankOf } from "./candidates.ts";
import type { Candidate } from "./catalog-index.ts";
import type { Encoding, OptionalRequirement } from "./encoding.ts";
import type { BrokenBefore } from "./installed-state.ts";
import type { Operator } from "./member.ts";
import { chosenNodes, countsOptional, levelsOf, type Optimum, optimise } from "./objectives.ts";
import { walkAnswer } from "./provider-walk.ts";
import { newQuestion, type Question, type Wanted } from "./question.ts";
import type { Objective, ObjectiveName } from "./resolution.ts";
import type { SearchLimit } from "./search.ts";

/** A checked answer. */
export interface Solution {
  readonly problem: Problem;
  readonly question: Question;
  readonly kept: readonly Installed[];
  /** By id. */
  readonly chosen: readonly Candidate[];
  /** All operators of the namespace. */
  readonly members: ReadonlySet<Operator>;
  /** The satisfied requests. */
  readonly satisfied: readonly Candidates[];
  readonly unsatisfied: readonly Candidates[];
  /** Requests that the budget left undecided. */
  readonly undecided: ReadonlySet<Candidates>;
  /**
   * Requests whose operator stays and that may have something newer: their source is gone or was not read, or the
   * search ended before it was decided. They count as satisfied in the objectives.
   */
  readonly open: readonly Candidates[];
  /** Rules that were violated before and still are, and those that are repaired. */
  readonly stillBroken: readonly BrokenBefore[];
  readonly repaired: readonly BrokenBefore[];
  readonly unmetOptional: readonly OptionalRequirement[];
  readonly objectives: readonly Objective[];
  /** The present state violates rules that OLM does not relax: nothing can change. */
  readonly impossible: boolean;
  /** The limit that ended the search, if one did. */
  readonly limit: SearchLimit;
  /** The requests that failed under --all-or-nothing, so that nothing changes. */
  readonly nothingFor: readonly Candidates[];
  /** Is the time over? Polled by later computations, such as explanations. */
  readonly isLate: () => boolean;
}

/** The answer violates a rule: a bug, not an error of the input. */
export class WrongAnswer extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, violations: readonly string[]) {
    super(`the answer for namespace ${problem.namespace} is wrong: ${violations.join("; ")}`);
    this.problem = problem;
  }
}

/** Solves a problem with a solver that may have answered others before. */
export function solve(encoding: Encoding, problem: Problem, stop?: () => boolean): Solution {
  const question = newQuestion(encoding, problem);
  const optimum = optimise(question, stop);
  encoding.onNode = () => {};
  const { search } = optimum;
  const left = new Set(optimum.satisfied.map(({ candidates }) => candidates));
  const nothingFor = problem.options.allOrNothing
    ? question.candidates.filter((one) => !left.has(one) || lacksSource(one))
    : [];
  const isUsed = search !== undefined && nothingFor.length === 0;
  const chosen = isUsed ? chosenNodes(search) : [];
  const kept = isUsed
    ? problem.installed.filter((operator) => search.has(encoding.keptOf(operator)))
    : problem.installed;
  const members = new Set<Operator>([...kept, ...chosen]);
  const isSatisfied = (one: Candidates): boolean => membersOf(one).some((member) => members.has(member));
  const impossible = optimum.isImpossible;
  // Except with OLM's reading of the rules, the present state is always an answer.
  if (impossible && !problem.options.compat) throw new WrongAnswer(problem, ["it reports that nothing is possible"]);
  const satisfied = new Set(impossible ? [] : question.candidates.filter(isSatisfied));
  const undecided = undecidedIn(question, optimum, nothingFor);
  const solution = {
    problem,
    question,
    kept,
    chosen,
    members,
    satisfied: [...satisfied],
    unsatisfied: question.candidates.filter((one) => !satisfied.has(one)),
    undecided,
    open: [...satisfied].filter((one) => staysOpen(one, members, undecided.has(one))),
    stillBroken: question.state.broken.filter(({ isViolated }) => isViolated(members)),
    repaired: question.state.broken.filter(({ isViolated }) => !isViolated(members)),
    unmetOptional: optionalOf(question, members).filter((one) => !isFulfilled(question, members, one)),
    impossible,
    limit: optimum.limit,
    nothingFor,
    isLate: () => stop?.() === true,
  };
  // With OLM's reading of the rules even the present state may violate them.
  if (isUsed || !problem.options.compat) refuse(problem, check(problem, answerOf(solution), encoding.world.reader));
  return { ...solution, objectives: objectivesOf(solution, optimum) };
}

function staysOpen(candidates: Candidates, members: ReadonlySet<Operator>, isCutOff: boolean): boolean {
  const { installed, nodes } = candidates;
  if (installed === undefined || !members.has(installed)) return false;
  return lacksSource(candidates) || (isCutOff && nodes.length > 0 && installed.hold === undefined);
}

/** With --all-or-nothing, an unproven failure leaves every request undecided. */
function undecidedIn(
  { candidates }: Question,
  { undecided, unproven }: Optimum,
  nothingFor: readonly Candidates[],
): ReadonlySet<Candidates> {
  if (nothingFor.length > 0 && unproven.has("subscriptions")) return new Set(candidates);
  return new Set([...undecided].map((wanted) => wanted.candidates));
}

function optionalOf({ state, encoding }: Question, members: ReadonlySet<Operator>): readonly OptionalRequirement[] {
  return [...state.optional, ...encoding.optional].filter(({ self }) => members.has(self));
}

function isFulfilled(
  { encoding, requested }: Question,
  members: ReadonlySet<Operator>,
  { self, requirement }: OptionalRequirement,
): boolean {
  const { world, problem } = encoding;
  const participants = [...members, ...problem.elsewhere, problem.node];
  return holdsOver(world, requirement.constraint, participants, self, (member) =>
    encoding.mayServe(member, self, requested),
  );
}

/** A solution as input of the checker. */
export function answerOf({ kept, chosen, satisfied }: Omit<Solution, "objectives">): Answer {
  return {
    kept,
    chosen: chosen.map(({ index, bundle }) => ({ catalog: index.catalog, bundle })),
    satisfied: satisfied.filter((one) => !lacksSource(one)).map(({ request }) => request.id),
  };
}

/** Throws if there are violations. */
export function refuse(problem: Problem, violations: readonly Violation[]): void {
  if (violations.length > 0)
    throw new WrongAnswer(
      problem,
      violations.map(({ text }) => text),
    );
}

/** The value of the answer at each objective. */
function objectivesOf(solution: Omit<Solution, "objectives">, { unproven, satisfied }: Optimum): readonly Objective[] {
  const values = objectiveValues(solution, satisfied);
  return (["subscriptions", ...levelsOf(solution.problem.options)] as const).map((name) => ({
    name,
    value: values[name](),
    proven: !unproven.has(name),
  }));
}

/** The value of an answer at an objective; `walked` are its satisfied requests with their literals. */
export function objectiveValues(
  { question, chosen, members, satisfied }: Pick<Solution, "question" | "chosen" | "members" | "satisfied">,
  walked: readonly Wanted[],
): Record<ObjectiveName, () => Objective["value"]> {
  const { encoding, problem, state } = question;
  const kept = problem.installed.filter((operator) => members.has(operator));
  const has = new Set([
    encoding.truth,
    ...chosen.map((node) => encoding.literalOf(node)),
    ...kept.map((operator) => encoding.keptOf(operator)),
  ]);
  return {
    subscriptions: () => satisfied.length,
    repaired: () => state.broken.filter(({ isViolated }) => isViolated(members)).length,
    updates: () => problem.installed.length - kept.length,
    candidates: () => satisfied.map((one) => rankOf(one, members)),
    additional: () => chosen.filter((node) => !question.requested.has(node)).length,
    optional: () =>
      optionalOf(question, members).filter(
        (one) => countsOptional(question, one) && isFulfilled(question, members, one),
      ).length,
    providers: () => walkAnswer(question, walked, (literal) => has.has(literal)).steps.map(({ rank }) => rank),
    ids: () => chosen.map(({ id }) => id),
  };
}
