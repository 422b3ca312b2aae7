// In which steps does a cluster get from what runs to the newest state that it can reach? Generation after generation: each
// is the best answer for the state before it, cut into steps of which each is safe.

import { plainPlace } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import { ClusterState } from "../resolve/cluster-state.ts";
import { explainAnswer } from "../resolve/explain/explain-answer.ts";
import type { Resolution } from "../resolve/resolution.ts";
import { Resolver } from "../resolve/resolve.ts";
import { type Warning, warningKey } from "../resolve/warning.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import { orphansIn, removals } from "./orphans.ts";
import type { Generation, Plan, PlanEnd, PlanOptions } from "./plan.ts";
import { type PlannedChange, type PlannedStep, type PlannedWay, planValues } from "./planned.ts";
import { lossWarnings, takeSteps } from "./take-steps.ts";
import { wayTo } from "./way-to.ts";

/** One namespace on its way. */
interface Lane {
  readonly before: Problem;
  now: Problem;
  readonly resolver: Resolver;
  /** The answer about what it is now, if it has one. */
  last: Resolution | undefined;
  readonly generations: Generation<PlannedStep>[];
  /** The namespaces of the plan, as they are now. */
  readonly cluster: ClusterState;
  /** How many changes of the cluster it has seen. */
  seen: number;
  readonly warnings: Map<string, Warning>;
  proven: boolean;
}

/**
 * The plans of some namespaces, in their order. They are made together: in each generation one namespace after the other
 * moves, on top of what those before it have become. Only a way to a target is looked for in each by itself. `stop` is asked
 * now and then; once it says so, the plan ends.
 */
export function makePlan(problems: readonly Problem[], options: PlanOptions, stop?: () => boolean): readonly Plan[] {
  return planValues(planWays(problems, options, stop), options.actions);
}

/** The same, with the states that the plans lead from and to. */
export function planWays(
  problems: readonly Problem[],
  options: PlanOptions,
  stop?: () => boolean,
): readonly PlannedWay[] {
  const { to } = options;
  if (to !== undefined) return problems.map((problem) => wayTo(problem, to, options, stop));
  const resolver = new Resolver();
  const cluster = new ClusterState(problems);
  const lanes = problems.map((problem): Lane => {
    const state = { before: problem, now: problem, resolver, last: undefined };
    return { ...state, generations: [], cluster, seen: 0, warnings: new Map(), proven: true };
  });
  const end = moveAll(lanes, options, stop);
  return lanes.map((lane) => planOf(lane, end, options, stop));
}

/** What nobody needs goes before anything moves, and again once nothing does. */
function moveAll(lanes: readonly Lane[], { maxGenerations, prune }: PlanOptions, stop?: () => boolean): PlanEnd {
  let isPruning = prune !== false;
  for (let number = 1; ; number++) {
    let hasMoved = false;
    const busy = new Set<string>();
    for (const lane of isPruning ? [] : lanes) {
      const changes = isSettled(lane) ? [] : answer(lane, stop);
      if (changes.length === 0) continue;
      if (number > maxGenerations) return "generations";
      hasMoved = move(lane, number, changes, busy) || hasMoved;
    }
    if (hasMoved && stop?.()) return "search";
    if (hasMoved) continue;
    for (const lane of prune ? lanes : []) {
      lookAround(lane);
      const changes = removals(lane.now, prune);
      if (changes.length === 0) continue;
      if (number > maxGenerations) return "generations";
      hasMoved = move(lane, number, changes, busy) || hasMoved;
    }
    if (isPruning && !hasMoved) number--;
    else if (!hasMoved) return stop?.() ? "search" : "done";
    isPruning = false;
  }
}

/** Is everything there as new as it can be, and wants nothing more, so that whatever others do makes no difference? */
function isSettled({ last, now }: Lane): boolean {
  if (last === undefined || last.operators.some(({ from }) => from !== undefined)) return false;
  const { reader } = catalogWorld(now.catalogs, now.options);
  const wishes = now.installed.flatMap(({ properties }) => reader.of(properties).requirements);
  if (wishes.some(({ optional }) => optional)) return false;
  const open = [last.heldBack, last.unsatisfied, last.pendingApproval, last.broken, last.optionalNotMet];
  return open.every(({ length }) => length === 0) && last.warnings.every(({ code }) => code !== "already-broken");
}

/** What the next generation of a namespace changes. */
function answer(lane: Lane, stop: (() => boolean) | undefined): readonly PlannedChange[] {
  lookAround(lane);
  const problem = withMigrations(lane.now);
  const resolution = lane.resolver.resolve(problem, stop);
  lane.last = resolution;
  lane.proven &&= resolution.proven;
  // Of the states in between, only what happens to custom kinds is worth knowing.
  for (const warning of resolution.warnings)
    if (lane.generations.length === 0 || warning.code.startsWith("crd-")) keep(lane, warning);
  return changesOf(resolution, problem);
}

/**
 * A namespace makes its changes, and all others see them. Is any of them made? Definitions that are `busy` were changed in
 * this generation by another namespace: whoever would change them again waits for the next.
 */
function move(lane: Lane, number: number, changes: readonly PlannedChange[], busy: Set<string>): boolean {
  const { steps, after, postponed, changed } = takeSteps(lane.now, changes, busy);
  for (const warning of steps.flatMap(lossWarnings)) keep(lane, warning);
  if (steps.length === 0 && busy.size === 0) keep(lane, clash(postponed));
  if (steps.length === 0) return false;
  for (const name of changed) busy.add(name);
  lane.generations.push({ number, steps });
  lane.now = after;
  lane.last = undefined;
  lane.cluster.become(after);
  // Its own change is not news to it; where others changed before, it has still to look around.
  if (lane.seen === lane.cluster.changes - 1) lane.seen++;
  return true;
}

/** Changes that can only be made together, and that make different things of one custom kind: nobody can say which. */
function clash(changes: readonly PlannedChange[]): Warning {
  return { code: "crd-clash", bundles: changes.flatMap(({ to }) => to?.bundle.name ?? []) };
}

function keep(lane: Lane, warning: Warning): void {
  const key = warningKey(warning);
  if (!lane.warnings.has(key)) lane.warnings.set(key, warning);
}

/** Takes over what the other namespaces have become; that costs something, so only before the next answer. */
function lookAround(lane: Lane): void {
  if (lane.seen === lane.cluster.changes) return;
  lane.now = lane.cluster.beside(lane.now);
  lane.seen = lane.cluster.changes;
}

function planOf(lane: Lane, end: PlanEnd, options: PlanOptions, stop: (() => boolean) | undefined): PlannedWay {
  const { prune, explanations } = options;
  const isKnown = lane.seen === lane.cluster.changes || isSettled(lane);
  lookAround(lane);
  const problem = withMigrations(lane.now);
  const last = (isKnown ? lane.last : undefined) ?? lane.resolver.resolve(problem, stop);
  for (const warning of [...last.warnings, ...circles(lane.now)]) keep(lane, warning);
  return {
    namespace: lane.before.namespace,
    generations: lane.generations,
    end,
    prune,
    last: explanations ? explainAnswer({ problem, answer: last, stop, heldBack: explanations }) : last,
    orphans: orphansIn(lane.now),
    warnings: [...lane.warnings.values()],
    proven: lane.proven,
    before: lane.before,
    after: lane.now,
  };
}

/** A warning for each request whose channels lead back to a bundle that it had before: OLM would go round for ever. */
function circles(problem: Problem): readonly Warning[] {
  const world = catalogWorld(problem.catalogs, problem.options);
  return problem.requests.flatMap((request) => {
    const { left = [], ...free } = request;
    if (left.length === 0) return [];
    const back = candidatesOf(free, problem, world).nodes.find(({ bundle }) => left.includes(bundle.name));
    if (back === undefined) return [];
    const { package: owner, installed: from = "", id, place } = request;
    const circle = { package: owner, from, to: back.bundle.name, request: id };
    return [{ code: "upgrade-circle", ...circle, ...(place && { place: plainPlace(place) }) }];
  });
}
