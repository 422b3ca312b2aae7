// Is the answer the locked one, and if not, what has changed? An answer is compared with the locked generation that
// follows the present operators, so that a plan can be applied generation by generation.

import { distinct } from "../../model/json.ts";
import type {
  ChangeDifference,
  InputKind,
  Lock,
  LockComparison,
  LockDifference,
  LockedChange,
  LockedGeneration,
  LockedInput,
  LockedPlan,
} from "../../model/lock.ts";
import type { Problem } from "../../model/problem.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import { catalogWorld } from "../../resolve/catalog-world.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { makePlan } from "../make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan } from "../plan.ts";
import { catalogDifferences } from "./compare-catalogs.ts";
import { inputDifferences } from "./compare-inputs.ts";
import { inputsOf } from "./inputs.ts";
import { generationsOf } from "./make-lock.ts";
import { minus, nearestGenerations, stateBefore, subscriptionsBefore } from "./states.ts";

/** Compares the plans of problems with those of a lock; `engine` is the version of plimsoll that made them. */
export function compareWithLock(
  lock: Lock,
  problems: readonly Problem[],
  plans: readonly Plan[],
  engine: string,
): LockComparison {
  const answers = problems.map((problem, index) => {
    const plan = plans[index] as Plan;
    return { problem, target: plan.target?.request, generations: generationsOf(problem, plan), end: plan.end };
  });
  return compare(lock, answers, engine);
}

/**
 * Compares answers with a generation of a lock. `problems` are those before the answers of other namespaces were
 * applied; a problem without an answer is skipped. A plan checks CRDs more closely than an answer: where that could
 * matter, the next step of the plan counts. `stop` ends the search for it.
 */
export function compareWithLockedGeneration(
  lock: Lock,
  problems: readonly Problem[],
  resolutions: readonly Resolution[],
  engine: string,
  stop?: () => boolean,
): LockComparison {
  if (resolutions.length === problems.length && problems.some(hasDefinitions)) {
    const plans = makePlan(problems, { ...DEFAULT_PLAN_OPTIONS, maxGenerations: 1 }, stop);
    const next = problems.map((problem, at) => ({ problem, generations: generationsOf(problem, plans[at] as Plan) }));
    return compare(lock, next, engine);
  }
  const answers = resolutions.flatMap((resolution) => {
    const problem = problems.find(({ namespace }) => namespace === resolution.namespace);
    return problem === undefined ? [] : [{ problem, generations: [generationOf(resolution)] }];
  });
  return compare(lock, answers, engine);
}

/** Could bundles change CRDs? Then a plan may migrate, or postpone one of two changes. */
function hasDefinitions(problem: Problem): boolean {
  return !problem.options.compat && catalogWorld(problem).hasManifests;
}

/** The changes of an answer; the steps are unknown. */
function generationOf({ operators }: Resolution): LockedGeneration {
  const changes = operators.flatMap(
    ({ package: owner, name: to, from, installed, generatedSubscription: generated }) => {
      if (from === undefined) return [];
      const subscriptions = generated === undefined ? [] : [generated.name];
      const source = { catalog: wholeName(from.catalog), channel: from.channel };
      return [{ package: owner, from: installed?.name, alsoFrom: [], to, ...source, subscriptions }];
    },
  );
  return { steps: [changes] };
}

/** The present answer for a namespace. */
interface Answer {
  readonly problem: Problem;
  readonly target?: NamedRequest | undefined;
  readonly generations: readonly LockedGeneration[];
  /** Why the plan ends; undefined if only the next generation was computed. */
  readonly end?: string | undefined;
}

/** An answer, and the locked plan. */
interface Pair {
  readonly answer: Answer;
  readonly locked: LockedPlan;
}

function compare(lock: Lock, answers: readonly Answer[], engine: string): LockComparison {
  const pairs = answers.flatMap((answer): Pair[] => {
    const locked = lock.plans.find(({ namespace }) => namespace === answer.problem.namespace);
    return locked === undefined ? [] : [{ answer, locked }];
  });
  const namespaces = pairs.map(({ answer, locked }) => ({ running: runningOf(answer), locked }));
  const { indexes, isExact } = nearestGenerations(namespaces);
  const movesAt = (index: number): LockDifference[] => pairs.flatMap((pair) => answerDifferences(pair, index));
  const index = bestOf(indexes, movesAt);
  const ofAnswer = [
    ...answers.flatMap(({ problem: { namespace } }) =>
      lock.plans.some((one) => one.namespace === namespace) ? [] : [{ kind: "unlocked" as const, subject: namespace }],
    ),
    ...(isExact ? [] : pairs.flatMap((pair) => stateDifferences(pair, index))),
    ...movesAt(index),
  ];
  const planned = new Set(lock.plans.map(({ namespace }) => namespace));
  const ofInputs = [
    ...(lock.engine === engine ? [] : [{ kind: "engine" as const, subject: engine, was: lock.engine }]),
    ...notRequested(lock, answers),
    ...pairs.flatMap((pair) => dependenceDifferences(pair, index, isExact, planned)),
  ];
  return {
    same: ofAnswer.length === 0,
    generation: index + 1,
    generations: Math.max(0, ...pairs.map(({ locked }) => locked.generations.length)),
    // Namespaces share catalogs and the cluster.
    differences: distinct([...ofAnswer, ...ofInputs]),
  };
}

function notRequested({ plans }: Lock, answers: readonly Answer[]): readonly LockDifference[] {
  const requested = new Set(answers.map(({ problem }) => problem.namespace));
  const others = plans.map(({ namespace }) => namespace).filter((namespace) => !requested.has(namespace));
  return others.length === 0 ? [] : [{ kind: "namespace", subject: others.join(", "), namespaces: others }];
}

/** Generations that fit equally well and are tried. */
const MAX_TRIED = 100;

/**
 * If only other namespaces change, a namespace looks the same before several generations: the one that fits the
 * answer is used.
 */
function bestOf(indexes: readonly number[], movesAt: (index: number) => readonly LockDifference[]): number {
  const tried = indexes.slice(0, MAX_TRIED).map((index) => ({ index, count: movesAt(index).length }));
  return tried.reduce((best, one) => (one.count < best.count ? one : best)).index;
}

function runningOf({ problem: { installed } }: Answer): ReadonlySet<string> {
  return new Set(installed.map(({ name }) => name));
}

/** The differences between the answer and the locked plan, from a generation on. */
function answerDifferences({ answer, locked }: Pair, index: number): readonly LockDifference[] {
  const { namespace } = locked;
  const { end } = answer;
  const moves = { namespace, first: index + 1, locked: locked.generations.slice(index), now: answer.generations };
  // Only the next generation was requested; it never removes an operator.
  if (end === undefined) return changeDifferences({ ...moves, locked: moves.locked.slice(0, 1).map(withoutRemovals) });
  const changes = changeDifferences(moves);
  const found = changes.length > 0 ? changes : stepDifferences(moves);
  if (found.length > 0 || end === locked.end) return found;
  return [{ kind: "end", subject: namespace, was: locked.end, is: end }];
}

function withoutRemovals({ steps }: LockedGeneration): LockedGeneration {
  return { steps: steps.map((changes) => changes.filter(({ to }) => to !== undefined)) };
}

function stateDifferences({ answer, locked }: Pair, index: number): readonly LockDifference[] {
  const { namespace } = locked;
  const state = stateBefore(locked, index);
  const running = runningOf(answer);
  const [missing, extra] = [minus(state, running), minus(running, state)];
  if (missing.length + extra.length === 0) return [];
  return [{ kind: "state", subject: namespace, generation: index + 1, missing, extra }];
}

/** Inputs that change with every step: later they are known only by name, or not at all. */
const CHANGING: ReadonlySet<InputKind> = new Set(["claim", "installed", "definition", "orphan"]);

/** The changed inputs of an answer, as far as they are known before a generation. */
function dependenceDifferences(
  { answer, locked }: Pair,
  index: number,
  isExact: boolean,
  planned: ReadonlySet<string>,
): readonly LockDifference[] {
  const now = inputsOf(answer.problem, answer.target);
  const running = runningOf(answer);
  const stayed = stateBefore(locked, 0);
  const { come, gone } = subscriptionsBefore(locked, index);
  const counts = ({ kind, subject }: LockedInput, others: ReadonlySet<string>): boolean => {
    // Differences of installed operators have been reported already.
    if (kind === "installed") return index === 0 && (isExact || others.has(subject));
    if (index === 0) return true;
    if (kind === "request") return !come.has(subject) && !gone.has(subject);
    if (kind === "elsewhere") return !planned.has(subject.slice(0, subject.indexOf("/")));
    return !CHANGING.has(kind);
  };
  const present = new Set(now.filter(({ kind }) => kind === "request").map(({ subject }) => subject));
  const lost = [...come].filter((id) => !present.has(id));
  return [
    ...inputDifferences(
      locked.inputs.filter((one) => counts(one, running)),
      now.filter((one) => counts(one, stayed)),
    ),
    ...lost.map((subject) => ({ kind: "request" as const, subject, cameWithPlan: true as const })),
    ...catalogDifferences(locked, answer.problem.catalogs),
  ];
}

/** Generations of a namespace, the first of which has a number. */
export interface Moves {
  readonly namespace: string;
  /** The number of the first generation, from 1. */
  readonly first: number;
  readonly locked: readonly LockedGeneration[];
  readonly now: readonly LockedGeneration[];
}

/** For each package that changes differently, the first generation in which it does. */
function changeDifferences({ namespace, first, locked, now }: Moves): readonly ChangeDifference[] {
  const found = new Map<string, ChangeDifference>();
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const before = changesOf(locked[index]);
    const after = changesOf(now[index]);
    for (const subject of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(subject), after.get(subject)];
      if (found.has(subject) || keyOf(was) === keyOf(is)) continue;
      const about = { kind: "change", subject, namespace, generation: first + index } as const;
      found.set(subject, { ...about, ...(was !== undefined && { was }), ...(is !== undefined && { is }) });
    }
  }
  return sortedEntries(found).map(([, difference]) => difference);
}

function changesOf(generation: LockedGeneration | undefined): ReadonlyMap<string, LockedChange> {
  return new Map((generation?.steps.flat() ?? []).map((change) => [change.package, change]));
}

/** The key of a change. */
function keyOf(change: LockedChange | undefined): string {
  if (change === undefined) return "";
  const { from, to, channel, catalog } = change;
  return JSON.stringify(to === undefined ? [from] : [from, to, channel, catalog]);
}

/** The first generation with the same changes in different steps. */
function stepDifferences({ namespace, first, locked, now }: Moves): readonly LockDifference[] {
  for (let index = 0; index < Math.max(locked.length, now.length); index++) {
    const [was, is] = [packagesOf(locked[index]), packagesOf(now[index])];
    if (JSON.stringify(was) !== JSON.stringify(is))
      return [{ kind: "steps", subject: namespace, generation: first + index, was, is }];
  }
  return [];
}

/** The packages of each step. */
function packagesOf(generation: LockedGeneration | undefined): readonly (readonly string[])[] {
  return (generation?.steps ?? []).map((changes) => changes.map((change) => change.package));
}
