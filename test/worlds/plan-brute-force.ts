// Is a plan as good as it can be? On small worlds everything is tried: each generation must be the best of all answers, no
// step may fall into smaller ones, and no way to a target may be shorter.

import type { Bundle } from "../../src/model/catalog.ts";
import type { Installed, Problem, Request } from "../../src/model/problem.ts";
import type { FoundPlan, PlannedChange } from "../../src/plan/plan-draft.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { inRange, parseRange, type Range, rangeFrom, rangeOutline } from "../../src/semver/blang-range.ts";
import { printVersion } from "../../src/semver/version.ts";
import { actionsIn, type Cluster, clusterOf, problemIn, replayed, stateAfter } from "./api-server.ts";
import { withoutApprovals } from "./approvals.ts";
import { allowedAnswers, bruteForce } from "./brute-force.ts";
import { Judge } from "./judge.ts";
import { brokenRules, differingDefinitions, stepFaults } from "./plan-rules.ts";
import type { Moment } from "./replay.ts";
import { missedBy } from "./served.ts";
import { channelOrder, idOf, type Mask, Table } from "./table.ts";
import { migratable } from "./with-migrations.ts";

/** What a generation brings, in the same words. */
function broughtBy({ generation }: Moment): readonly string[] {
  const changes = generation.steps.flatMap((step) => step.changes);
  return changes.flatMap(({ to }) => (to === undefined ? [] : [idOf(to)])).sort();
}

/**
 * What is wrong with a generation: it must be the best answer. It may put off what is not safe after what its own steps have
 * made of a custom kind, and nothing else.
 */
export function notBest(starts: readonly Problem[], moment: Moment): readonly string[] {
  const { start, generation, cluster } = moment;
  const table = new Table(askedOf(problemIn(cluster, start)));
  const best = bruteForce(table.problem);
  const wanted = changesFor(table, table.bundles(best?.answer.chosen ?? []));
  const brought = new Set(broughtBy(moment));
  const isBrought = ({ to }: PlannedChange): boolean => to !== undefined && brought.has(idOf(to));
  if (wanted.filter(isBrought).length < brought.size) return [`${[...brought]} came instead of ${best?.chosen}`];
  const broken = brokenRules(cluster, starts);
  const after = generation.steps.reduce(
    (now, step) => replayed(now, start, step.changes, actionsIn(step), () => undefined),
    cluster,
  );
  const left = wanted.filter((change) => !isBrought(change));
  return [left, ...properParts(left)]
    .filter((part) => part.length > 0 && isRight(starts, moment, after, part, broken))
    .map((part) => `${part.map(({ to }) => to?.bundle.name).join(" and ")} could have come as well`);
}

/** What could still be done in a namespace. */
export function leftAtEnd(starts: readonly Problem[], cluster: Cluster): readonly string[] {
  return starts.flatMap((start) => notBest(starts, { start, cluster, generation: { number: 0, steps: [] } }));
}

/** Could these changes be made on top of what is there now? */
function isRight(
  starts: readonly Problem[],
  { start, cluster: began }: Moment,
  now: Cluster,
  changes: readonly PlannedChange[],
  broken: ReadonlySet<string>,
): boolean {
  const refusals: string[] = [];
  const after = stateAfter(now, start, changes, (text) => refusals.push(text));
  return refusals.length === 0 && stepFaults(now, after, start, changes, starts, broken, began).length === 0;
}

/** Nothing that needs approval happens, and a plan may rewrite objects. */
function askedOf(problem: Problem): Problem {
  return migratable(withoutApprovals(problem));
}

/** Parts of joint steps that could have been made alone. */
export function needlessJoints(starts: readonly Problem[], moment: Moment): readonly string[] {
  const { start, generation, cluster } = moment;
  const found: string[] = [];
  const broken = brokenRules(cluster, starts);
  let before = cluster;
  for (const step of generation.steps) {
    for (const part of properParts(step.changes))
      if (isRight(starts, moment, before, part, broken)) found.push(part.map((one) => one.package).join(" and "));
    before = replayed(before, start, step.changes, actionsIn(step), () => undefined);
  }
  return found;
}

function properParts(changes: readonly PlannedChange[]): readonly (readonly PlannedChange[])[] {
  const numbers = Array.from({ length: Math.max(0, 2 ** changes.length - 2) }, (_, index) => index + 1);
  return numbers.map((number) => changes.filter((_, position) => (number & (1 << position)) !== 0));
}

/** A way to a target: how many generations and changes it takes. */
export interface Length {
  readonly generations: number;
  readonly changes: number;
}

/** How long a plan is. While something is unknown, "no way" cannot be concluded. */
export function lengthOf({ generations, end }: FoundPlan, problem: Problem): Length | string {
  const { unavailable, options, runtime, requests } = problem;
  // A request that names an unavailable catalog waits for it, even if others do not.
  const hiding = unavailable.filter(
    (one) => !options.ignoreUnavailable || requests.some(({ catalog }) => catalog?.name === one.name),
  );
  const isUnknown = hiding.length > 0 || runtime.problems.length > 0;
  if (end !== "done") return end === "no-way" || ((end === "search" || end === "unread") && isUnknown) ? "none" : end;
  const changes = generations.flatMap(({ steps }) => steps.flatMap((step) => step.changes));
  return { generations: generations.length, changes: changes.length };
}

/** The bundles of packages that a plan may move: one request at most asks for the package, and what it names is installed. */
export function movableBundles(
  { catalogs, requests, installed }: Problem,
  isMovable: (claim: Request | undefined, here: Installed | undefined) => boolean,
): readonly Bundle[] {
  return catalogs
    .flatMap(({ packages }) => [...packages.values()])
    .filter(({ name }) => {
      const [claim, ...moreClaims] = requests.filter((one) => one.package === name);
      const [here, ...moreHere] = installed.filter((one) => one.package === name);
      const isOne = moreClaims.length === 0 && moreHere.length === 0 && claim?.installed === here?.name;
      return isOne && isMovable(claim, here);
    })
    .flatMap(({ bundles }) => [...bundles.values()]);
}

/** The request for exactly the version of a bundle. */
export function exactly({ package: owner, version }: Bundle): NamedRequest {
  return { package: owner, range: rangeOutline(parseRange(printVersion(version)) as Range) };
}

/**
 * What requests for the target package accept on the way: any version of it; or what the range of a ClusterExtension allows;
 * or only the target, which need not be preferred to what is installed.
 */
export type Accepted = "any" | "allowed" | "target";

/** The problem in which requests for the target package accept this. */
export function withTarget(problem: Problem, target: NamedRequest, accepted: Accepted = "any"): Problem {
  const requests = problem.requests.map((one) => {
    if (one.package !== target.package) return one;
    const { extension } = one;
    return {
      ...one,
      range: accepted === "target" && target.range !== undefined ? rangeFrom(target.range) : undefined,
      extension: extension && { ...extension, versions: accepted === "allowed" ? extension.versions : undefined },
    };
  });
  return { ...problem, requests };
}

/** The shortest way of all; nothing if there are too many states to try. */
export function shortestWay(
  given: Problem,
  target: NamedRequest,
  mostStates: number,
  accepted: Accepted = "any",
): Length | "none" | undefined {
  const start = withTarget(given, target, accepted);
  let layer = new Map<string, Reached>();
  const first = clusterOf([start]);
  layer.set(keyOf(first), { cluster: first, changes: 0 });
  const seen = new Set(layer.keys());
  for (let generations = 0; layer.size > 0; generations++) {
    const arrived = [...layer.values()].filter(({ cluster }) => isThere(cluster, start, target));
    if (arrived.length > 0) return { generations, changes: Math.min(...arrived.map(({ changes }) => changes)) };
    const next = new Map<string, Reached>();
    for (const { cluster, changes } of layer.values())
      for (const move of movesFrom(cluster, start)) {
        const key = keyOf(move.cluster);
        if (seen.has(key)) continue;
        const known = next.get(key);
        const cost = changes + move.changes;
        if (known === undefined || cost < known.changes) next.set(key, { cluster: move.cluster, changes: cost });
      }
    for (const key of next.keys()) seen.add(key);
    if (seen.size > mostStates) return undefined;
    layer = next;
  }
  return "none";
}

interface Reached {
  readonly cluster: Cluster;
  readonly changes: number;
}

/** Do the requests for the package have it in this version? Without a request it only has to be there. */
export function isThere(
  { operators, subscriptions }: Cluster,
  start: Problem,
  { package: owner, range }: NamedRequest,
): boolean {
  const { namespace } = start;
  const own = (subscriptions.get(namespace) ?? []).filter((one) => one.package === owner);
  const asking = own.filter(({ id }) => start.requests.some((one) => one.id === id));
  const kept = (asking.length > 0 ? asking : own).map((one) => one.installed);
  return operators.some(
    (one) =>
      one.namespace === namespace &&
      one.package === owner &&
      kept.includes(one.name) &&
      (range === undefined || (one.version !== undefined && inRange(rangeFrom(range), one.version))),
  );
}

/** What distinguishes one state from another. */
function keyOf({ operators, subscriptions, definitions }: Cluster): string {
  return JSON.stringify([
    operators.map(({ namespace, name }) => `${namespace}/${name}`).sort(),
    [...subscriptions.values()].map((list) => list.map(({ id, installed }) => [id, installed]).sort()),
    [...definitions].map(([name, { manifest, recorded }]) => [name, manifest, recorded]),
  ]);
}

/** Everything that could be made of a namespace in one generation. */
function movesFrom(cluster: Cluster, start: Problem): readonly Reached[] {
  const table = new Table(askedOf(problemIn(cluster, start)));
  return allowedAnswers(new Judge(table)).flatMap((members) => {
    const changes = changesFor(table, members);
    let isRefused = false;
    const after = stateAfter(cluster, start, changes, () => {
      isRefused = true;
    });
    const isServed = (one: Installed): boolean =>
      cluster.operators.includes(one) || missedBy(one, after, start).length === 0;
    if (isRefused || changes.length === 0 || !after.operators.every(isServed)) return [];
    if (differingDefinitions(changes).length > 0 && !canBeTaken(cluster, start, changes)) return [];
    return [{ cluster: after, changes: changes.length }];
  });
}

/** Can changes that bring different definitions of one kind be made in some order, step by step? */
function canBeTaken(began: Cluster, start: Problem, changes: readonly PlannedChange[]): boolean {
  const broken = brokenRules(began, [start]);
  const moment = { start, cluster: began, generation: { number: 0, steps: [] } };
  const goOn = (now: Cluster, left: readonly PlannedChange[]): boolean =>
    left.length === 0 ||
    [left, ...properParts(left)].some((part) => {
      if (!isRight([start], moment, now, part, broken)) return false;
      const rest = left.filter((one) => !part.includes(one));
      return goOn(
        stateAfter(now, start, part, () => undefined),
        rest,
      );
    });
  return goOn(began, changes);
}

function changesFor(table: Table, members: Mask): readonly PlannedChange[] {
  const { namespace, scope } = table.problem;
  return table.in(members).flatMap(({ chosen, bit }): readonly PlannedChange[] => {
    if (chosen === undefined) return [];
    const { catalog, bundle } = chosen;
    const left = table.in(table.installed).filter((one) => (table.targetsOf(one.bit) & bit) !== 0);
    const [from, ...alsoFrom] = left.map(({ installed }) => installed as Installed);
    const channel = channelOrder(catalog).find(
      ({ package: owner, chain, entries }) =>
        owner === bundle.package &&
        (scope === "cluster" ? [...entries.values()] : chain).some((entry) => entry.bundle === bundle),
    );
    const to = { catalog, bundle, channel: channel?.name ?? "" };
    const generatedSubscription = {
      name: `${bundle.package}-${to.channel}-${catalog.name}`,
      namespace,
      package: bundle.package,
      channel: to.channel,
      source: catalog.name,
      sourceNamespace: catalog.namespace ?? namespace,
      startingCSV: bundle.name,
    };
    return [
      {
        package: bundle.package,
        from,
        alsoFrom,
        to,
        request: undefined,
        generatedSubscription: (table.wanted & bit) === 0 && scope !== "cluster" ? generatedSubscription : undefined,
        requiredBy: [],
        reason: { kind: "way" },
      },
    ];
  });
}
