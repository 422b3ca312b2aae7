// What is the shortest safe path to a version of a package, or why is there none? The fewest generations, and among
// those the fewest changes.

import { compareText } from "../model/json.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { hidingCatalogs } from "../resolve/catalog-order.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import { explainAnswer } from "../resolve/explain/explain-answer.ts";
import { catalogRef, refOf } from "../resolve/member.ts";
import { generated } from "../resolve/operators.ts";
import type { NamedRequest } from "../resolve/prepare/problem-inputs.ts";
import type { Fix, Resolution, Unsatisfied } from "../resolve/resolution.ts";
import { Resolver, resolve } from "../resolve/resolve.ts";
import { goneIn, stateAfter } from "../resolve/state-after.ts";
import type { Warning } from "../resolve/warning.ts";
import { refusedForDependencies } from "../resolve/warnings.ts";
import { changedByAll } from "../resolve/what-if.ts";
import { automaticProblem } from "../resolve/without-approval.ts";
import { printVersion } from "../semver/version.ts";
import { type Applied, applySteps, lossWarnings } from "./apply-steps.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import { isAllowed } from "./next-moves.ts";
import { orphansIn, removals } from "./orphans.ts";
import type { Generation, PlanEnd, PlanOptions } from "./plan.ts";
import type { FoundPlan, PlannedChange, PlannedStep } from "./plan-draft.ts";
import { ownerOf, relevantPackages } from "./relevant-packages.ts";
import { findPath, type GenerationSets, operatorOf, type Path, packagesOf } from "./search-path.ts";
import { type TargetSearch, targetSearches } from "./target.ts";
import { type Closest, type NoPath, whyNoPath } from "./why-no-path.ts";

/** The plan that reaches the target and stops there. */
export function pathTo(given: Problem, target: NamedRequest, options: PlanOptions, stop?: () => boolean): FoundPlan {
  const { maxGenerations, prune } = options;
  const { search, path, walked } = bestPath(targetSearches(given, target), maxGenerations, stop);
  const isReached = path.end === "done";
  const hasRoom = walked.generations.length < maxGenerations;
  const { generations, after } = isReached && prune && hasRoom ? pruned(walked, target, prune) : walked;
  const last = resolve(withMigrations(after), stop);
  const explained = (): Resolution =>
    options.explanations
      ? explainAnswer({
          problem: withMigrations(after),
          answer: last,
          stop,
          heldBack: options.explanations === "all" ? "all" : "none",
        })
      : last;
  const isHelping = ({ changes }: Fix): boolean =>
    changes.length === 0 ||
    bestPath(targetSearches(changedByAll(given, changes), target), maxGenerations, stop).path.end === "done";
  const noPath =
    path.end === "no-way" ? whyNoPath(search, target, closestOf(search, path), isHelping, stop) : undefined;
  return {
    namespace: given.namespace,
    generations,
    end: noPath === undefined ? path.end : endOf(noPath, search.problem),
    prune,
    last: isReached ? withoutFurtherChanges(last) : withFixesTowards(explained(), target, isHelping),
    orphans: orphansIn(after),
    warnings: [
      ...generations.flatMap(({ steps }) => steps.flatMap((step) => [...lossWarnings(step), ...refusedIn(step)])),
      ...(isReached ? resolve(withMigrations(withAllHeld(after)), stop) : last).warnings,
    ],
    target: { request: target, isReached, ...(noPath !== undefined && { explanation: noPath.explanation }) },
    proven: path.isShortest,
    before: given,
    after,
  };
}

/** The warnings about bundles of a step that OLM v1 does not install. */
function refusedIn({ changes, problem: { scope } }: PlannedStep): readonly Warning[] {
  if (scope !== "cluster") return [];
  return changes.flatMap(({ to }) => {
    if (to === undefined) return [];
    const { name, package: owner, version } = to.bundle;
    const operator = { name, package: owner, version: printVersion(version), catalog: catalogRef(to.catalog) };
    return refusedForDependencies(operator, to.bundle);
  });
}

/** A search and its result. */
interface Tried {
  readonly search: TargetSearch;
  readonly path: Path;
  readonly walked: Walked;
}

/** The shortest of all paths; if there is none, the result of the first search, or of the first undecided one. */
function bestPath(searches: readonly TargetSearch[], maxGenerations: number, stop: (() => boolean) | undefined): Tried {
  const tried: Tried[] = [];
  let best: Tried | undefined;
  for (const search of searches) {
    const least = search.start ?? Number.MAX_SAFE_INTEGER;
    if (best !== undefined && least > best.walked.generations.length) break;
    const one = { search, ...safePath(search, maxGenerations, stop) };
    tried.push(one);
    if (one.path.end === "done" && (best === undefined || isShorter(one.walked, best.walked))) best = one;
  }
  return best ?? tried.find(({ path }) => path.end !== "no-way") ?? (tried[0] as Tried);
}

function isShorter(one: Walked, other: Walked): boolean {
  const changesOf = ({ generations }: Walked): number =>
    generations.reduce((sum, { steps }) => sum + steps.reduce((count, { changes }) => count + changes.length, 0), 0);
  const difference = one.generations.length - other.generations.length;
  return difference < 0 || (difference === 0 && changesOf(one) < changesOf(other));
}

/**
 * The shortest path; if none was found, that of the ordinary plan, if it reaches the target. A path is searched among
 * relevant packages, and used only if it is safe for all operators.
 */
function safePath(
  search: TargetSearch,
  maxGenerations: number,
  stop: (() => boolean) | undefined,
): { readonly path: Path; readonly walked: Walked } {
  const nothing = { generations: [], after: search.problem, isWhole: true };
  const automatic = { ...search, problem: automaticProblem(search.problem) };
  if (search.blockedAt !== undefined) return { path: blockedPath(automatic, search.blockedAt, stop), walked: nothing };
  const path = findPath(automatic, maxGenerations, stop);
  const walked = walk(search.problem, path.end === "done" ? path.generations : []);
  if ((path.end === "done" && walked.isWhole) || path.end === "generations") return { path, walked };
  const plain = plainPath(automatic, maxGenerations, stop);
  const other = plain && walk(search.problem, plain);
  if (plain !== undefined && other?.isWhole)
    return { path: { ...path, end: "done", generations: plain, isShortest: false }, walked: other };
  if (path.end === "done") return { path: { ...path, end: "search", isShortest: false }, walked: nothing };
  return { path, walked: nothing };
}

/**
 * It is known before the search that there is no path; the search only finds how close one gets: at best `nearest`
 * updates before the goal. Nothing of it is planned, so that generations are not limited.
 */
function blockedPath(search: TargetSearch, nearest: number, stop: (() => boolean) | undefined): Path {
  const distanceOf = (name: string | undefined): number | undefined => {
    const distance = search.distanceOf(name);
    return distance === undefined ? undefined : Math.max(0, distance - nearest);
  };
  const path = findPath({ ...search, distanceOf }, Number.POSITIVE_INFINITY, stop);
  const found = path.end === "done" ? { closest: path.generations, isClosest: true } : path;
  return { end: "no-way", generations: [], closest: found.closest, isClosest: found.isClosest, isShortest: true };
}

/** The closest state. */
function closestOf({ problem }: TargetSearch, { closest, isClosest }: Path): Closest {
  return { ...walk(problem, closest), isClosest };
}

/** All operators are held: the report is about this state, not about its possible changes. */
function withAllHeld(problem: Problem): Problem {
  const installed = problem.installed.map((one): Installed => ({ ...one, hold: one.hold ?? { by: "flag", text: "" } }));
  return { ...problem, installed, requests: problem.requests.filter((request) => request.installed !== undefined) };
}

/** One more generation, which removes the orphans. */
function pruned(walked: Walked, target: NamedRequest, prune: PlanOptions["prune"]): Walked {
  const { generations, after } = walked;
  const changes = removals(after, prune, [target.package]);
  if (changes.length === 0) return walked;
  const taken = applySteps(after, changes);
  const last = { number: generations.length + 1, steps: taken.steps };
  return { ...walked, generations: [...generations, last], after: taken.after };
}

/** The generations of a path, and its final state. */
export interface Walked {
  readonly generations: readonly Generation<PlannedStep>[];
  readonly after: Problem;
  /** Every step is safe for all operators. */
  readonly isWhole: boolean;
}

/** Could a predicate that was too expensive, or unread input, hide a path? */
function endOf({ isUnread }: NoPath, problem: Problem): PlanEnd {
  if (catalogWorld(problem).hasLimits) return "search";
  return isUnread || hidingCatalogs(problem).length > 0 ? "unread" : "no-way";
}

/** The path is searched without pending approvals; it is applied to the real state as far as it is safe. */
function walk(problem: Problem, found: readonly GenerationSets[]): Walked {
  const generations: Generation<PlannedStep>[] = [];
  let now = problem;
  for (const [index, sets] of found.entries()) {
    const steps: PlannedStep[] = [];
    for (const set of sets) {
      const taken = applySet(now, set);
      if (taken === undefined) return { generations, after: now, isWhole: false };
      steps.push(...taken.steps);
      now = taken.after;
    }
    generations.push({ number: index + 1, steps });
  }
  return { generations, after: now, isWhole: true };
}

/** The steps of a set of changes; undefined if it is not safe. */
function applySet(problem: Problem, set: readonly PlannedChange[]): Applied | undefined {
  const taken = new Set(problem.requests.map(({ name }) => name));
  const own = set
    .toSorted((a, b) => compareText(a.package, b.package))
    .map((change) => {
      const now = inState(change, problem, taken);
      if (now.generatedSubscription !== undefined) taken.add(now.generatedSubscription.name);
      return now;
    });
  if (!isAllowed(problem, own)) return undefined;
  const after = stateAfter(problem, own);
  const steps = applySteps(
    problem,
    own.map((change) => ({ ...change, requiredBy: requirersOf(change, after) })),
  );
  return steps.postponed.length === 0 ? steps : undefined;
}

/** A change with the operators it replaces, and a free Subscription name. */
function inState(change: PlannedChange, problem: Problem, taken: ReadonlySet<string>): PlannedChange {
  const { to } = change;
  const names = goneIn(change).map(({ name }) => name);
  const [from, ...alsoFrom] = problem.installed.filter(({ name }) => names.includes(name));
  const now = { ...change, from, alsoFrom };
  if (to === undefined || change.generatedSubscription === undefined) return now;
  const world = catalogWorld(problem);
  const node = world.indexOf(to.catalog).nodeOf(to.bundle);
  return { ...now, generatedSubscription: generated(problem, node, to.channel, taken) };
}

/** The operators of the namespace whose requirements a change meets. */
function requirersOf({ to }: PlannedChange, problem: Problem): readonly OperatorRef[] {
  const world = catalogWorld(problem);
  return problem.installed
    .filter(
      ({ name, properties }) =>
        to !== undefined &&
        name !== to.bundle.name &&
        world.leavesOf(properties).some(({ predicate }) => world.isMatch(predicate, to.bundle.properties)),
    )
    .map(refOf);
}

/** The fixes of requests for the package that lead to the target. */
function withFixesTowards(
  resolution: Resolution,
  { package: owner }: NamedRequest,
  isHelping: (fix: Fix) => boolean,
): Resolution {
  const unsatisfied = resolution.unsatisfied.map((one): Unsatisfied => {
    const { request, explanation } = one;
    if (request.package !== owner || explanation === undefined) return one;
    return { ...one, explanation: { ...explanation, fixes: explanation.fixes.filter(isHelping) } };
  });
  return { ...resolution, unsatisfied };
}

/** Once the target is reached, further possible changes are not reported. */
function withoutFurtherChanges(resolution: Resolution): Resolution {
  return { ...resolution, outcome: "Resolved", heldBack: [], unsatisfied: [], pendingApproval: [] };
}

/**
 * The generations of the ordinary plan until the target is reached, for a search that was too large; undefined if they
 * do not reach it. Only relevant packages change, all others are held.
 */
function plainPath(
  { problem, request, distanceOf }: TargetSearch,
  most: number,
  stop?: () => boolean,
): readonly GenerationSets[] | undefined {
  if (distanceOf(operatorOf(problem, request)) === undefined) return undefined;
  const { packages } = relevantPackages(problem, packagesOf(problem, request));
  const resolver = new Resolver();
  const generations: GenerationSets[] = [];
  let now = withOthersHeld(problem, packages);
  for (;;) {
    if (distanceOf(operatorOf(now, request)) === 0) return generations;
    if (generations.length === most || stop?.()) return undefined;
    const migrated = withMigrations(now);
    const changes = changesOf(resolver.resolve(migrated, stop), migrated);
    const { steps, after } = applySteps(now, changes);
    if (steps.length === 0) return undefined;
    generations.push([steps.flatMap((step) => step.changes)]);
    now = after;
  }
}

/** All other packages are held; nothing else is requested. */
function withOthersHeld(problem: Problem, packages: ReadonlySet<string>): Problem {
  const installed = problem.installed.map(
    (one): Installed =>
      packages.has(ownerOf(one, problem)) ? one : { ...one, hold: one.hold ?? { by: "flag", text: "" } },
  );
  return { ...problem, installed };
}
