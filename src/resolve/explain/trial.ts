// Would these changes help? The same question is put to the changed problem; then it is solved, since another request
// might benefit instead.

import type { Problem, Request } from "../../model/problem.ts";
import { brokenKey } from "../../rule/rules.ts";
import { parseRange, rangeOutline } from "../../semver/blang-range.ts";
import { compareVersions, printVersion, type Version } from "../../semver/version.ts";
import { lacksSource } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import { Encoding } from "../encoding.ts";
import { packageOf, versionOf } from "../member.ts";
import type { NamedRequest } from "../prepare/problem-inputs.ts";
import { newQuestion, type Question } from "../question.ts";
import { type Solution, solve } from "../solution.ts";
import { type Change, changedByAll } from "../what-if.ts";
import { automaticProblem, withApprovals } from "../without-approval.ts";
import type { Cause, WantedCause } from "./cause.ts";
import type { Idea } from "./changes-for.ts";
import { ConflictSearch, findConflict, type Work } from "./conflict-search.ts";
import { type RuleInstance, RuleInstances } from "./rule-instances.ts";
import { type Achieved, type Subject, type WhyNot, whyNotOf } from "./why-not.ts";

/** The result of some changes. */
export type Outcome =
  | {
      readonly kind: "helps";
      readonly changes: readonly Change[];
      /** The resulting version of the package that is requested differently. */
      readonly version: Version | undefined;
    }
  /** Still impossible, for these causes; without causes the changes are rejected for another reason. */
  | { readonly kind: "fails"; readonly causes: readonly Cause[]; readonly question: Question };

/** A question and its result. */
export interface Trial {
  readonly solution: Solution;
  readonly subject: Subject;
  readonly achieved: Achieved;
}

/** Conflict limit for confirming that the changes help. */
const CONFLICTS = 10_000;

/** Number of versions of one package tried; the best answer may not take the first one in favour of another request. */
const MAX_VERSIONS = 3;

/** Tries changes on the problem of a solution; the last one may leave its version open. */
export function tryChanges(trial: Trial, ideas: readonly Idea[], work: Work): Outcome {
  const { solution, achieved } = trial;
  const changes = ideas.map(({ change }) => change);
  const atOnce = mostLikely(trial, ideas) ? confirmed(trial, changes) : undefined;
  if (atOnce !== undefined) return { kind: "helps", changes, version: versionAsked(changes, atOnce) };
  const changed = changedProblem(solution.problem, changes, trial.subject);
  const question = newQuestion(new Encoding(changed), changed);
  const subject = subjectAfter(trial.subject, changes, question.problem);
  const parts = new RuleInstances(question);
  const whyNot = whyNotOf(parts, subject, achievedAfter(achieved, changes, solution.problem));
  // What the answer prefers may differ after the changes: confirm() compares that.
  const conflict = findConflict(new ConflictSearch(parts), { ...whyNot, preferred: [] }, work);
  if (conflict.kind === "impossible") return { kind: "fails", causes: conflict.causes, question };
  if (conflict.kind === "undecided") return { kind: "fails", causes: [], question };
  const open = ideas.find(({ isOpen }) => isOpen)?.change;
  const pins = open?.kind === "instead" ? pinned(open.request, subject, parts, whyNot, conflict.nodes, work) : [open];
  for (const pin of pins) {
    const settled = changes.map((change) => (change === open ? (pin ?? change) : change));
    const after = confirmed({ ...trial, subject }, settled);
    if (after !== undefined) return { kind: "helps", changes: settled, version: versionAsked(settled, after) };
  }
  const outranked = whyNot.preferred.length === 0 ? conflict : findConflict(new ConflictSearch(parts), whyNot, work);
  return { kind: "fails", causes: outranked.kind === "impossible" ? outranked.causes : [], question };
}

/** Is there probably no cause to find? A request that only lacks its source is usually satisfied from another one. */
function mostLikely({ solution, subject }: Trial, ideas: readonly Idea[]): boolean {
  const isElsewhere = ({ change, isOpen }: Idea): boolean => change.kind === "instead" && !isOpen;
  return (
    subject.kind === "request" &&
    ideas.every(isElsewhere) &&
    solution.question.candidates.some((one) => one.request.id === subject.request.id && lacksSource(one))
  );
}

/** The changed problem for the same kind of answer: automatic, or with approvals. */
function changedProblem(problem: Problem, changes: readonly Change[], subject: Subject): Problem {
  if (subject.kind !== "better" || !subject.waits) return changedByAll(problem, changes);
  return automaticProblem(changedByAll(withApprovals(problem), changes));
}

/** What must be kept after changes: nothing for changed requests; `problem` is the one before. */
function achievedAfter(achieved: Achieved, changes: readonly Change[], problem: Problem): Achieved {
  const packages = new Set(
    changes.flatMap((change) =>
      change.kind === "instead" ? [change.request.package] : "package" in change ? [change.package] : [],
    ),
  );
  const isFree = ({ package: owner }: Request): boolean => packages.has(owner);
  const free = problem.requests.filter(isFree);
  const ids = new Set(free.map(({ id }) => id));
  const names = new Set(free.map(({ installed }) => installed));
  return {
    ...achieved,
    updated: new Set([...achieved.updated].filter((name) => !names.has(name))),
    given: new Map([...achieved.given].filter(([id]) => !ids.has(id))),
  };
}

/** A request that left its version open, with the newest version that works, then with the next older ones. */
function pinned(
  asked: NamedRequest,
  subject: Subject,
  parts: RuleInstances,
  whyNot: WhyNot,
  found: readonly Candidate[],
  work: Work,
): readonly Change[] {
  const own = subject.kind === "bundles" ? undefined : subject.request;
  const isOwn = own?.package === asked.package;
  const candidates = parts.question.candidates.find(({ request }) =>
    isOwn ? request.id === own.id : request.package === asked.package,
  );
  const nodes = (candidates?.nodes ?? []).toSorted((a, b) => compareVersions(b.bundle.version, a.bundle.version));
  let best = nodes.find((node) => found.includes(node));
  if (best === undefined) return isOwn ? [] : [{ kind: "hold", package: asked.package }];
  const isWanted = (part: RuleInstance): part is RuleInstance & { kind: "whole"; cause: WantedCause } =>
    part.kind === "whole" && part.cause.kind === "wanted" && part.cause.request?.id === candidates?.request.id;
  /** The newest of these that works, if any. */
  const among = (some: readonly Candidate[]): Candidate | undefined => {
    const only = (part: RuleInstance): RuleInstance =>
      isWanted(part) ? { ...part, cause: { ...part.cause, members: some } } : part;
    const { goal, requests, preferred } = whyNot;
    const narrower = { goal: goal.map(only), requests: requests.map(only), preferred: preferred.map(only) };
    const conflict = findConflict(new ConflictSearch(parts), narrower, work);
    return conflict.kind === "possible" ? some.find((node) => conflict.nodes.includes(node)) : undefined;
  };
  let [from, to] = [0, nodes.indexOf(best)];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const better = among(nodes.slice(from, middle + 1));
    if (better === undefined) from = middle + 1;
    else [best, to] = [better, nodes.indexOf(better)];
  }
  const first = nodes.indexOf(best);
  return nodes.slice(first, first + MAX_VERSIONS).flatMap((node): Change[] => {
    const range = parseRange(printVersion(node.bundle.version));
    return typeof range === "string" ? [] : [{ kind: "instead", request: { ...asked, range: rangeOutline(range) } }];
  });
}

/** The newest version of the package that is requested differently. */
function versionAsked(changes: readonly Change[], { members }: Solution): Version | undefined {
  const owner = changes.flatMap((change) => (change.kind === "instead" ? [change.request.package] : []))[0];
  const versions = [...members].flatMap((one) => (packageOf(one) === owner ? (versionOf(one) ?? []) : []));
  return versions.sort((a, b) => compareVersions(b, a))[0];
}

/** The subject after changes: if another package name was meant, the request for that one. */
function subjectAfter(subject: Subject, changes: readonly Change[], { requests }: Problem): Subject {
  if (subject.kind !== "request") return subject;
  const meant = changes.find((one) => one.kind === "meant" && one.package === subject.request.package);
  const request = meant?.kind === "meant" ? requests.find((one) => one.package === meant.request.package) : undefined;
  return request === undefined ? subject : { kind: "request", request };
}

/**
 * The best answer to the changed problem, if it includes the subject and loses nothing. A subject without a request need
 * not be in the answer.
 */
export function confirmed({ solution, subject, achieved }: Trial, changes: readonly Change[]): Solution | undefined {
  if (subject.kind === "bundles") return solution;
  if (solution.isLate()) return undefined;
  const problem = changedProblem(solution.problem, changes, subject);
  const { isLate } = solution;
  const after = solved(problem, isLate);
  if (after.nothingFor.length > 0 || isBreaking(after, solution)) return undefined;
  if (after.unsatisfied.some(({ request }) => isServed(request, subject, achieved))) return undefined;
  const openBefore = new Set(solution.open.map(({ request }) => request.id));
  const isNewlyOpen = ({ id }: Request): boolean => id === subject.request.id || !openBefore.has(id);
  if (after.open.some(({ request }) => isNewlyOpen(request))) return undefined;
  const there = new Set(after.chosen.map(({ id }) => id));
  if (subject.kind === "better") return subject.nodes.some(({ id }) => there.has(id)) ? after : undefined;
  // A request that is only pending approval counts as satisfied; but nothing may be broken until then.
  const automatic = automaticProblem(problem);
  return automatic === problem || !isBreaking(solved(automatic, isLate), solution) ? after : undefined;
}

/** Does a removal break anything that held before? */
export function isBreaking(after: Solution, before: Solution): boolean {
  const known = new Set(before.stillBroken.map(({ rule }) => brokenKey(rule)));
  return after.stillBroken.some(({ byRemoval, rule }) => byRemoval && !known.has(brokenKey(rule)));
}

/** The best answer to a problem, within the budget of a trial. */
export function solved(problem: Problem, isLate: () => boolean): Solution {
  const maxConflicts = Math.min(CONFLICTS, problem.options.maxConflicts);
  const limited = { ...problem, options: { ...problem.options, maxConflicts } };
  return solve(new Encoding(limited), limited, isLate);
}

function isServed({ id }: Request, subject: Subject, { satisfied }: Achieved): boolean {
  return satisfied.has(id) || (subject.kind !== "bundles" && subject.request.id === id);
}
