// Which steps lead a cluster from its installed operators to the newest reachable state? Generation after generation:
// each is the best answer for the state before it, split into safe steps.

import { at } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import { ClusterState } from "../resolve/cluster-state.ts";
import { explainAnswer } from "../resolve/explain/explain-answer.ts";
import type { Resolution } from "../resolve/resolution.ts";
import { Resolver } from "../resolve/resolve.ts";
import { type Warning, warningKey } from "../resolve/warning.ts";
import { applySteps, lossWarnings } from "./apply-steps.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import { orphansIn, removals } from "./orphans.ts";
import { pathTo } from "./path-to.ts";
import type { Generation, Plan, PlanEnd, PlanOptions } from "./plan.ts";
import { type FoundPlan, type PlannedChange, type PlannedStep, planValues } from "./plan-draft.ts";

/** The progress of one namespace. */
interface Lane {
  readonly before: Problem;
  now: Problem;
  readonly resolver: Resolver;
  /** The answer for its present state, if computed. */
  last: Resolution | undefined;
  readonly generations: Generation<PlannedStep>[];
  /** The present state of the namespaces of the plan. */
  readonly cluster: ClusterState;
  /** The number of changes of the cluster it has seen. */
  seen: number;
  readonly warnings: Map<string, Warning>;
  proven: boolean;
}

/**
 * The plans of some namespaces, in order. They are made together: in each generation the namespaces change one after
 * the other, on top of the changes of those before. Only paths to a target are searched per namespace. `stop` is
 * polled; once it returns true, the plan ends.
 */
export function makePlan(problems: readonly Problem[], options: PlanOptions, stop?: () => boolean): readonly Plan[] {
  return planValues(findPlans(problems, options, stop), options);
}

/** The same, with the states before and after the plans. */
export function findPlans(
  problems: readonly Problem[],
  options: PlanOptions,
  stop?: () => boolean,
): readonly FoundPlan[] {
  const { to } = options;
  if (to !== undefined) return problems.map((problem) => pathTo(problem, to, options, stop));
  const resolver = new Resolver();
  const cluster = new ClusterState(problems);
  const lanes = problems.map((problem): Lane => {
    const state = { before: problem, now: problem, resolver, last: undefined };
    return { ...state, generations: [], cluster, seen: 0, warnings: new Map(), proven: true };
  });
  const end = moveAll(lanes, options, stop);
  return lanes.map((lane) => planOf(lane, end, options, stop));
}

/** Orphans are removed before anything is updated, and again once nothing is. */
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
      refresh(lane);
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

/** Is everything up to date and without unmet optional requirements, so that changes elsewhere make no difference? */
function isSettled({ last, now }: Lane): boolean {
  if (last === undefined || last.operators.some(({ from }) => from !== undefined)) return false;
  const { reader } = catalogWorld(now);
  const requirements = now.installed.flatMap(({ properties }) => reader.of(properties).requirements);
  if (requirements.some(({ optional }) => optional)) return false;
  const open = [last.heldBack, last.unsatisfied, last.pendingApproval, last.broken, last.optionalNotMet];
  return open.every(({ length }) => length === 0) && last.warnings.every(({ code }) => code !== "already-broken");
}

/** The changes of the next generation of a namespace. */
function answer(lane: Lane, stop: (() => boolean) | undefined): readonly PlannedChange[] {
  refresh(lane);
  const problem = withMigrations(lane.now);
  const resolution = lane.resolver.resolve(problem, stop);
  lane.last = resolution;
  lane.proven &&= resolution.proven;
  for (const warning of resolution.warnings)
    if (lane.generations.length === 0 || isAboutStep(warning)) keep(lane, warning);
  return changesOf(resolution, problem);
}

/** Of a state in between, only warnings about CRDs matter, and about what OLM v1 does not install. */
function isAboutStep({ code }: Warning): boolean {
  return code.startsWith("crd-") || code === "olmv1-refuses";
}

/**
 * Applies the changes of a namespace; returns whether any was applied. Definitions that are `busy` were changed in
 * this generation by another namespace: further changes to them wait for the next.
 */
function move(lane: Lane, number: number, changes: readonly PlannedChange[], busy: Set<string>): boolean {
  const { steps, after, postponed, changed } = applySteps(lane.now, changes, busy);
  for (const warning of steps.flatMap(lossWarnings)) keep(lane, warning);
  if (steps.length === 0 && busy.size === 0) keep(lane, definitionConflict(postponed));
  if (steps.length === 0) return false;
  for (const name of changed) busy.add(name);
  lane.generations.push({ number, steps });
  lane.now = after;
  lane.last = undefined;
  lane.cluster.become(after);
  // A namespace has seen its own change; if others changed before, it still has to look at them.
  if (lane.seen === lane.cluster.changes - 1) lane.seen++;
  return true;
}

/** Changes that can only be applied together but define one CRD differently: the result is undefined. */
function definitionConflict(changes: readonly PlannedChange[]): Warning {
  return { code: "crd-clash", bundles: changes.flatMap(({ to }) => to?.bundle.name ?? []) };
}

function keep(lane: Lane, warning: Warning): void {
  const key = warningKey(warning);
  if (!lane.warnings.has(key)) lane.warnings.set(key, warning);
}

/** Takes over the changes of other namespaces; this is expensive, so only before the next answer. */
function refresh(lane: Lane): void {
  if (lane.seen === lane.cluster.changes) return;
  lane.now = lane.cluster.beside(lane.now);
  lane.seen = lane.cluster.changes;
}

function planOf(lane: Lane, end: PlanEnd, options: PlanOptions, stop: (() => boolean) | undefined): FoundPlan {
  const { prune, explanations } = options;
  const isKnown = lane.seen === lane.cluster.changes || isSettled(lane);
  refresh(lane);
  const problem = withMigrations(lane.now);
  const last = (isKnown ? lane.last : undefined) ?? lane.resolver.resolve(problem, stop);
  for (const warning of [...last.warnings, ...upgradeCycles(lane.now)]) keep(lane, warning);
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

/** A warning for each request whose channels lead back to an earlier bundle: OLM would loop forever. */
function upgradeCycles(problem: Problem): readonly Warning[] {
  const world = catalogWorld(problem);
  return problem.requests.flatMap((request) => {
    const { left = [], ...free } = request;
    if (left.length === 0) return [];
    const back = candidatesOf(free, problem, world).nodes.find(({ bundle }) => left.includes(bundle.name));
    if (back === undefined) return [];
    const { package: owner, installed: from = "", id, place } = request;
    const cycle = { package: owner, from, to: back.bundle.name, request: id };
    return [{ code: "upgrade-circle", ...cycle, ...at(place) }];
  });
}
