// What is the shortest safe way to a version of a package, or why is there none? The fewest generations, and among those ways
// the fewest changes.

import { compareText } from "../model/json.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { automaticProblem } from "../resolve/automatic-problem.ts";
import { carriedOut, goneIn } from "../resolve/carried-out.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import { explainAnswer } from "../resolve/explain/explain-answer.ts";
import { refOf } from "../resolve/member.ts";
import { generated } from "../resolve/operators.ts";
import type { NamedRequest } from "../resolve/prepare/given.ts";
import type { Fix, Resolution, Unsatisfied } from "../resolve/resolution.ts";
import { resolve } from "../resolve/resolve.ts";
import { changedByAll } from "../resolve/what-if.ts";
import { withMigrations } from "./migration.ts";
import { isAllowed } from "./next-moves.ts";
import { orphansIn, removals } from "./orphans.ts";
import { plainWay } from "./plain-way.ts";
import type { Generation, PlanEnd, PlanOptions } from "./plan.ts";
import type { PlannedChange, PlannedStep, PlannedWay } from "./planned.ts";
import { findWay, type GenerationSets, type Way } from "./search-way.ts";
import { lossWarnings, type Taken, takeSteps } from "./take-steps.ts";
import { type Quest, questsFor } from "./target.ts";
import { type Closest, type NoWay, whyNoWay } from "./why-no-way.ts";

/** The plan that leads there and no further. */
export function wayTo(given: Problem, wish: NamedRequest, options: PlanOptions, stop?: () => boolean): PlannedWay {
  const { maxGenerations, prune } = options;
  const { quest, way, walked } = bestWay(questsFor(given, wish), maxGenerations, stop);
  const isReached = way.end === "done";
  const hasRoom = walked.generations.length < maxGenerations;
  const { generations, after } = isReached && prune && hasRoom ? pruned(walked, wish, prune) : walked;
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
    bestWay(questsFor(changedByAll(given, changes), wish), maxGenerations, stop).way.end === "done";
  const noWay = way.end === "no-way" ? whyNoWay(quest, wish, closestOf(quest, way), isHelping, stop) : undefined;
  return {
    namespace: given.namespace,
    generations,
    end: noWay === undefined ? way.end : endOf(noWay, quest.problem),
    prune,
    last: isReached ? contentWith(last) : aimedAt(explained(), wish, isHelping),
    orphans: orphansIn(after),
    warnings: [
      ...generations.flatMap(({ steps }) => steps.flatMap(lossWarnings)),
      ...(isReached ? resolve(withMigrations(standing(after)), stop) : last).warnings,
    ],
    target: { wish, isReached, ...(noWay !== undefined && { explanation: noWay.explanation }) },
    proven: way.isShortest,
    before: given,
    after,
  };
}

/** A way that was looked for. */
interface Tried {
  readonly quest: Quest;
  readonly way: Way;
  readonly walked: Walked;
}

/** The shortest of all ways; if there is none, what came of the first quest, or of the first about which nobody knows. */
function bestWay(quests: readonly Quest[], maxGenerations: number, stop: (() => boolean) | undefined): Tried {
  const tried: Tried[] = [];
  let best: Tried | undefined;
  for (const quest of quests) {
    const least = quest.start ?? Number.MAX_SAFE_INTEGER;
    if (best !== undefined && least > best.walked.generations.length) break;
    const one = { quest, ...safeWay(quest, maxGenerations, stop) };
    tried.push(one);
    if (one.way.end === "done" && (best === undefined || isShorter(one.walked, best.walked))) best = one;
  }
  return best ?? tried.find(({ way }) => way.end !== "no-way") ?? (tried[0] as Tried);
}

function isShorter(one: Walked, other: Walked): boolean {
  const changesOf = ({ generations }: Walked): number =>
    generations.reduce((sum, { steps }) => sum + steps.reduce((count, { changes }) => count + changes.length, 0), 0);
  const difference = one.generations.length - other.generations.length;
  return difference < 0 || (difference === 0 && changesOf(one) < changesOf(other));
}

/**
 * The shortest way; where none was found, the way of the ordinary plan, if it leads there against all expectation. A way is
 * looked for among those who could matter, and taken only if it is safe for everybody.
 */
function safeWay(
  quest: Quest,
  maxGenerations: number,
  stop: (() => boolean) | undefined,
): { readonly way: Way; readonly walked: Walked } {
  const nothing = { generations: [], after: quest.problem, isWhole: true };
  const automatic = { ...quest, problem: automaticProblem(quest.problem) };
  if (quest.blockedAt !== undefined) return { way: blockedWay(automatic, quest.blockedAt, stop), walked: nothing };
  const way = findWay(automatic, maxGenerations, stop);
  const walked = walk(quest.problem, way.end === "done" ? way.generations : []);
  if ((way.end === "done" && walked.isWhole) || way.end === "generations") return { way, walked };
  const plain = plainWay(automatic, maxGenerations, stop);
  const other = plain && walk(quest.problem, plain);
  if (plain !== undefined && other?.isWhole)
    return { way: { ...way, end: "done", generations: plain, isShortest: false }, walked: other };
  if (way.end === "done") return { way: { ...way, end: "search", isShortest: false }, walked: nothing };
  return { way, walked: nothing };
}

/**
 * That there is no way is known before the search, which only says how far one gets: at best to `nearest` updates before.
 * Nothing of it is planned, so that it may take any number of generations.
 */
function blockedWay(quest: Quest, nearest: number, stop: (() => boolean) | undefined): Way {
  const distanceOf = (name: string | undefined): number | undefined => {
    const distance = quest.distanceOf(name);
    return distance === undefined ? undefined : Math.max(0, distance - nearest);
  };
  const way = findWay({ ...quest, distanceOf }, Number.POSITIVE_INFINITY, stop);
  const found = way.end === "done" ? { closest: way.generations, isClosest: true } : way;
  return { end: "no-way", generations: [], closest: found.closest, isClosest: found.isClosest, isShortest: true };
}

/** The state that came closest. */
function closestOf({ problem }: Quest, { closest, isClosest }: Way): Closest {
  return { ...walk(problem, closest), isClosest };
}

/** Everybody stays: what is to be said about this state is not about what could be next. */
function standing(problem: Problem): Problem {
  const installed = problem.installed.map((one): Installed => ({ ...one, hold: one.hold ?? { by: "flag", text: "" } }));
  return { ...problem, installed, requests: problem.requests.filter((request) => request.installed !== undefined) };
}

/** A generation more, in which the orphans go. */
function pruned(walked: Walked, wish: NamedRequest, prune: PlanOptions["prune"]): Walked {
  const { generations, after } = walked;
  const changes = removals(after, prune, [wish.package]);
  if (changes.length === 0) return walked;
  const taken = takeSteps(after, changes);
  const last = { number: generations.length + 1, steps: taken.steps };
  return { ...walked, generations: [...generations, last], after: taken.after };
}

/** The generations of a way, and what is there at its end. */
export interface Walked {
  readonly generations: readonly Generation<PlannedStep>[];
  readonly after: Problem;
  /** Every step of it is safe for everybody. */
  readonly isWhole: boolean;
}

/** Could a rule that was too expensive to evaluate hide the way, or something that was not read have it? */
function endOf({ isUnread }: NoWay, { unavailable, catalogs, options }: Problem): PlanEnd {
  if (catalogWorld(catalogs, options).hasLimits) return "search";
  return isUnread || (unavailable.length > 0 && !options.ignoreUnavailable) ? "unread" : "no-way";
}

/** A way is found where nothing happens that needs approval; it is walked where things are as they are, while it is safe. */
function walk(problem: Problem, found: readonly GenerationSets[]): Walked {
  const generations: Generation<PlannedStep>[] = [];
  let now = problem;
  for (const [index, sets] of found.entries()) {
    const steps: PlannedStep[] = [];
    for (const set of sets) {
      const taken = takeSet(now, set);
      if (taken === undefined) return { generations, after: now, isWhole: false };
      steps.push(...taken.steps);
      now = taken.after;
    }
    generations.push({ number: index + 1, steps });
  }
  return { generations, after: now, isWhole: true };
}

/** The steps of a set of changes; nothing if it is not safe. */
function takeSet(problem: Problem, set: readonly PlannedChange[]): Taken | undefined {
  const taken = new Set(problem.requests.map(({ name }) => name));
  const own = set
    .toSorted((a, b) => compareText(a.package, b.package))
    .map((change) => {
      const now = asItIs(change, problem, taken);
      if (now.generatedSubscription !== undefined) taken.add(now.generatedSubscription.name);
      return now;
    });
  if (!isAllowed(problem, own)) return undefined;
  const after = carriedOut(problem, own);
  const steps = takeSteps(
    problem,
    own.map((change) => ({ ...change, requiredBy: thoseNeeding(change, after) })),
  );
  return steps.postponed.length === 0 ? steps : undefined;
}

/** A change with those whose place it takes, and a Subscription whose name is not taken. */
function asItIs(change: PlannedChange, problem: Problem, taken: ReadonlySet<string>): PlannedChange {
  const { to } = change;
  const names = goneIn(change).map(({ name }) => name);
  const [from, ...alsoFrom] = problem.installed.filter(({ name }) => names.includes(name));
  const now = { ...change, from, alsoFrom };
  if (to === undefined || change.generatedSubscription === undefined) return now;
  const world = catalogWorld(problem.catalogs, problem.options);
  const node = world.indexOf(to.catalog).nodeOf(to.bundle);
  return { ...now, generatedSubscription: generated(problem, node, to.channel, taken) };
}

/** Those in the namespace of whom a change meets a demand. */
function thoseNeeding({ to }: PlannedChange, { installed, catalogs, options }: Problem): readonly OperatorRef[] {
  const world = catalogWorld(catalogs, options);
  return installed
    .filter(
      ({ name, properties }) =>
        to !== undefined &&
        name !== to.bundle.name &&
        world.leavesOf(properties).some(({ predicate }) => world.isMatch(predicate, to.bundle.properties)),
    )
    .map(refOf);
}

/** Of what would help requests for the package, only that which leads to the target. */
function aimedAt(
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

/** Who only wants to get somewhere does not ask what else could be done. */
function contentWith(resolution: Resolution): Resolution {
  return { ...resolution, outcome: "Resolved", heldBack: [], unsatisfied: [], pendingApproval: [] };
}
