// Which changes would help? A change that helps removes at least one of the causes. So every change that could do
// that is tried; where it does not suffice, there are other causes, and a second change.

import { canonicalText, compareText, type Json } from "../../model/json.ts";
import type { Problem, Request } from "../../model/problem.ts";
import { compareVersions, type Version } from "../../semver/version.ts";
import { candidatesOf, lacksSource } from "../candidates.ts";
import { SINGLE_FACTS } from "../prepare/runtime-constraints.ts";
import type { Question } from "../question.ts";
import type { Fix } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { type Change, changed, namedRequestOf, problemIn } from "../what-if.ts";
import { fixOf } from "./advice.ts";
import type { Cause } from "./cause.ts";
import { changesFor, type Idea } from "./changes-for.ts";
import { type Work, workFor } from "./conflict-search.ts";
import type { Fact, Facts } from "./fact.ts";
import { FactFinder, Mentions } from "./facts.ts";
import { confirmed, isBreaking, solved, type Trial, tryChanges } from "./trial.ts";
import type { Subject } from "./why-not.ts";

/** Maximum number of changes in a fix. */
const MAX_CHANGES = 3;
/** Number of sets of changes tried; fewer in large problems, where each trial takes longer. */
const MAX_TRIALS = 40;
const TRIALS_TIMES_SIZE = 20_000;
/** Work limit of all trials: if a single one is hard, few are made. */
const MAX_WORK = 300_000;
const WORK_EACH = 1_000;
/** Number of other requests dropped, one at a time, when the causes are unknown. */
const MAX_DROPS = 5;
/** Number of fixes reported, and of one kind. */
const MAX_FIXES = 5;
const MAX_OF_KIND = 2;

/** The least intrusive first. */
const ORDER: readonly Change["kind"][] = [
  "approve",
  "release",
  "partly",
  "limit",
  "meant",
  "ask",
  "instead",
  "hold",
  "compound-constraints",
  "ignore-unavailable",
  "without-constraint",
  "declare",
  "correct",
  "elsewhere",
  "drop",
  "remove",
];

/** Causes found in a question. */
interface Obstacles {
  readonly causes: readonly Cause[];
  readonly question: Question;
}

/** Changes that were tried and do not suffice, and why. */
interface Tried extends Obstacles {
  readonly ideas: readonly Idea[];
  /** The obstacles found since the first change. */
  readonly because: readonly Obstacles[];
}

/** Changes that help. */
interface Helping {
  readonly changes: readonly Change[];
  readonly because: readonly Obstacles[];
  readonly version: Version | undefined;
  readonly isMeant: boolean;
}

/** The smallest changes that help. */
export function fixesFor(trial: Trial, causes: readonly Cause[]): readonly Fix[] {
  const { solution, subject } = trial;
  return solution.question.encoding.world.aside(() => [
    ...findFixes(trial, causes),
    ...(subject.kind === "request" ? fixesElsewhere(solution, subject.request, causes) : []),
  ]);
}

/**
 * Fixes that need no trial, for a request whose operator is installed and whose source is gone, when the budget is used up:
 * any existing source helps, because it is enough that the operator stays.
 */
export function fixesWithoutSearch({ solution, subject }: Trial, cause: Cause): readonly Fix[] {
  const { problem, question } = solution;
  // With --compat the problem may be unsatisfiable as a whole; with --all-or-nothing other requests may fail.
  if (subject.kind !== "request" || problem.options.compat || problem.options.allOrNothing) return [];
  const { id } = subject.request;
  const helping = changesFor(cause, subject, question).flatMap(({ change, isMeant = false }): Helping[] => {
    if (change.kind !== "instead") return [];
    const after = changed(problem, change);
    const request = after.requests.find((one) => one.id === id);
    const candidates = request && candidatesOf(request, after, question.encoding.world);
    if (candidates?.installed === undefined || lacksSource(candidates)) return [];
    return [{ changes: [change], because: [], version: undefined, isMeant }];
  });
  return chosenFrom(helping).map(({ changes }) => fixOf(changes, problem));
}

/** When the causes are unknown: drops other requests, one at a time, and keeps those drops that help. */
export function dropsThatHelp(trial: Trial): readonly Fix[] {
  const { solution, subject, achieved } = trial;
  if (subject.kind === "bundles") return [];
  const { problem } = solution;
  const others = problem.requests.filter(({ id }) => id !== subject.request.id && achieved.satisfied.has(id));
  const owners = new Set(others.map((request) => request.package).filter((owner) => owner !== subject.request.package));
  const found: Fix[] = [];
  for (const owner of [...owners].slice(0, MAX_DROPS)) {
    if (found.length === MAX_OF_KIND) break;
    const changes: readonly Change[] = [{ kind: "drop", package: owner }];
    if (confirmed(trial, changes) !== undefined) found.push(fixOf(changes, problem));
  }
  return found;
}

function findFixes(trial: Trial, causes: readonly Cause[]): readonly Fix[] {
  const { solution, subject } = trial;
  let open: readonly Tried[] = [{ ideas: [], causes, question: solution.question, because: [] }];
  const seen = new Set<string>();
  const { installed, elsewhere, requests } = solution.problem;
  const size = installed.length + elsewhere.length + requests.length + 1;
  const mostTrials = Math.min(MAX_TRIALS, Math.ceil(TRIALS_TIMES_SIZE / size));
  const work = workFor(solution, MAX_WORK + WORK_EACH * size);
  let trials = 0;
  for (let size = 1; size <= MAX_CHANGES; size++) {
    const helping = new Map<string, Helping>();
    const failing: Tried[] = [];
    for (const { ideas, causes: known, question, because } of open)
      for (const idea of ideasFor(known, subject, question)) {
        // A second value for a property that the cluster has only once replaces the first.
        const all = [...ideas.filter(({ change }) => aimOf([change]) !== aimOf([idea.change])), idea];
        const key = keyOf(all.map(({ change }) => change));
        if (seen.has(key)) continue;
        if (
          trials >= mostTrials ||
          work.left < 0 ||
          solution.isLate() ||
          helping.has(aimOf(all.map(({ change }) => change))) ||
          (!idea.isOpen && isNeedless(idea.change, packagesNamed([...helping.values()])))
        )
          continue;
        seen.add(key);
        trials++;
        const outcome = tryChanges(trial, all, work);
        if (outcome.kind === "helps") {
          const found = { ...outcome, because, isMeant: all.some((one) => one.isMeant) };
          const few = all.length === 1 ? found : withoutSuperfluous(trial, found, work);
          helping.set(aimOf(few.changes), few);
        } else if (outcome.causes.length > 0) failing.push({ ...outcome, ideas: all, because: [...because, outcome] });
      }
    if (helping.size > 0)
      return chosenFrom([...helping.values()]).map(({ changes, because }) =>
        fixOf(changes, solution.problem, factsBeyond({ causes, question: solution.question }, because)),
      );
    open = failing;
  }
  return [];
}

/** Removes changes that are not needed: each is left out once, the most intrusive first. */
function withoutSuperfluous(trial: Trial, helping: Helping, work: Work): Helping {
  let few = helping;
  for (const change of helping.changes.toSorted((a, b) => intrusion([b]) - intrusion([a]))) {
    const rest = few.changes.filter((one) => one !== change);
    const outcome = rest.length === 0 ? undefined : tryChanges(trial, asIdeas(rest), work);
    if (outcome?.kind === "helps") few = { ...few, changes: rest, version: outcome.version };
  }
  return few === helping ? few : { ...few, because: obstaclesOnTheWay(trial, few.changes, work) };
}

/** The causes before the last of the changes, beyond the first causes. */
function obstaclesOnTheWay(trial: Trial, changes: readonly Change[], work: Work): readonly Obstacles[] {
  return changes.slice(1).flatMap((_, index) => {
    const outcome = tryChanges(trial, asIdeas(changes.slice(0, index + 1)), work);
    return outcome.kind === "fails" ? [outcome] : [];
  });
}

function asIdeas(changes: readonly Change[]): readonly Idea[] {
  return changes.map((change) => ({ change }));
}

/** The changes that could remove one of the causes. Dropping another request is tried before the trials are used up. */
function ideasFor(causes: readonly Cause[], subject: Subject, question: Question): readonly Idea[] {
  const ideas = causes.flatMap((cause) => changesFor(cause, subject, question));
  return ideas.toSorted((a, b) => Number(isDrop(b.change)) - Number(isDrop(a.change)));
}

function isDrop({ kind }: Change): boolean {
  return kind === "drop";
}

/** The facts of obstacles, without the question itself and without known ones; each once. */
function factsBeyond(known: Obstacles, more: readonly Obstacles[]): Facts | undefined {
  if (more.length === 0) return undefined;
  const all = new Mentions();
  const keyOf = ({ cause, question }: Obstacle): string => factKey(new FactFinder(all, question).factOf(cause));
  const seen = new Set(obstaclesIn(known).map(keyOf));
  const fresh = more.flatMap(obstaclesIn).filter((obstacle) => {
    const { size } = seen;
    return seen.add(keyOf(obstacle)).size > size;
  });
  const mentions = new Mentions();
  const facts = fresh.map(({ cause, question }) => new FactFinder(mentions, question).factOf(cause));
  return { ...mentions.list(), facts };
}

interface Obstacle {
  readonly cause: Cause;
  readonly question: Question;
}

function obstaclesIn({ causes, question }: Obstacles): readonly Obstacle[] {
  const isRule = (cause: Cause): boolean => cause.kind !== "wanted" || cause.why !== "goal";
  return causes.filter(isRule).map((cause) => ({ cause, question }));
}

/** A key for facts of different questions: their statement, without the participants that meet it. */
function factKey(fact: Fact): string {
  if ("met" in fact)
    return JSON.stringify({ ...fact, met: undefined, demands: fact.demands.map(({ member }) => member) });
  return JSON.stringify(fact.kind === "one-bundle" ? { ...fact, members: undefined } : fact);
}

/** The fixes to report: the least intrusive first, few of a kind, and always one that drops another request. */
function chosenFrom(helping: readonly Helping[]): readonly Helping[] {
  // "Any channel" is advice only if no specific channel works.
  const named = packagesNamed(helping);
  const useful = helping.filter(({ changes }) => !changes.some((change) => isNeedless(change, named)));
  const packages = [...new Set(useful.map(({ changes }) => packageAsked(changes)))];
  const sorted = useful.toSorted(
    (a, b) =>
      intrusion(a.changes) - intrusion(b.changes) ||
      Number(b.isMeant) - Number(a.isMeant) ||
      packages.indexOf(packageAsked(a.changes)) - packages.indexOf(packageAsked(b.changes)) ||
      (a.version === undefined || b.version === undefined ? 0 : compareVersions(b.version, a.version)),
  );
  const counts = new Map<string, number>();
  const few = sorted.filter(({ changes }) => {
    const kind = kindOf(changes);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) as number) <= MAX_OF_KIND;
  });
  const first = few.slice(0, MAX_FIXES);
  const dropping = few.find(({ changes }) => changes.every(isDrop));
  if (dropping === undefined || first.some(({ changes }) => changes.every(isDrop))) return first;
  return [...first.slice(0, -1), dropping];
}

/** The package that is requested differently. */
function packageAsked(changes: readonly Change[]): string | undefined {
  return changes.flatMap((change) => (change.kind === "instead" ? [change.request.package] : []))[0];
}

/** Fixes of the same kind differ only in names and versions. */
function kindOf(changes: readonly Change[]): string {
  const kinds = changes.map((change) => {
    if (change.kind === "declare") return `declare ${SINGLE_FACTS.has(change.type)}`;
    if (change.kind !== "instead") return change.kind;
    const { catalog, channel, range } = change.request;
    if (range !== undefined) return "version";
    if (channel !== undefined) return "channel";
    return catalog === undefined ? "any" : "catalog";
  });
  return kinds.sort(compareText).join(" ");
}

function keyOf(changes: readonly Change[]): string {
  return changes
    .map((change) => canonicalText(change as unknown as Json))
    .sort()
    .join(" ");
}

/** The packages for which a specific channel or version is known to work. */
function packagesNamed(helping: readonly Helping[]): ReadonlySet<string> {
  const named = helping.filter(({ changes }) => !changes.some(isVague)).flatMap(({ changes }) => changes);
  return new Set(named.flatMap((change) => (change.kind === "instead" ? [change.request.package] : [])));
}

function isNeedless(change: Change, named: ReadonlySet<string>): boolean {
  return change.kind === "instead" && isVague(change) && named.has(change.request.package);
}

function isVague(change: Change): boolean {
  return change.kind === "instead" && change.request.channel === undefined && change.request.range === undefined;
}

/** Two cluster versions that both help are one fix: the older one, which is tried first. */
function aimOf(changes: readonly Change[]): string {
  return keyOf(
    changes.map((change) =>
      change.kind === "declare" && SINGLE_FACTS.has(change.type) ? { ...change, value: "" } : change,
    ),
  );
}

function intrusion(changes: readonly Change[]): number {
  return Math.max(...changes.map(({ kind }) => ORDER.indexOf(kind)));
}

/** Number of namespaces tried, and reported. */
const MAX_TRIED = 10;
const MAX_REPORTED = 2;

/** Other namespaces in which a request could be satisfied, if an install mode rules it out here. */
function fixesElsewhere({ problem, isLate }: Solution, request: Request, causes: readonly Cause[]): readonly Fix[] {
  const isMode = (cause: Cause): boolean =>
    cause.kind === "refusal" && cause.refused.some(({ refusal }) => refusal.detail.rule === "install-mode");
  if (request.installed !== undefined || !causes.some(isMode)) return [];
  const found: Fix[] = [];
  for (const neighbour of (problem.neighbours ?? []).slice(0, MAX_TRIED)) {
    if (found.length === MAX_REPORTED) break;
    if (neighbour.namespace === problem.namespace) continue;
    const change: Change = { kind: "elsewhere", namespace: neighbour.namespace, request: namedRequestOf(request) };
    const before = problemIn(problem, neighbour);
    if (isServedThere(before, changed(problem, change), isLate)) found.push(fixOf([change], problem));
  }
  return found;
}

/** Is the new request satisfied without taking an operator from another one? */
function isServedThere(before: Problem, after: Problem, isLate: Solution["isLate"]): boolean {
  const [then, now] = [solved(after, isLate), solved(before, isLate)];
  const had = new Set(now.satisfied.map(({ request }) => request.id));
  const mustBeServed = ({ id }: Request): boolean => had.has(id) || !before.requests.some((one) => one.id === id);
  return !then.unsatisfied.some(({ request }) => mustBeServed(request)) && !isBreaking(then, now);
}
