// Is everything in order at a moment of a plan? What every operator demands, one operator for each package, one provider for
// each API, what the definitions serve; and whether a step may be taken at all. src/resolve and src/plan are not asked.

import { Matcher } from "../../src/check/match.ts";
import { unchoosable, unfit } from "../../src/check/single-operator.ts";
import type { Member } from "../../src/check/state.ts";
import type { Constraint } from "../../src/constraint/constraint.ts";
import { matches } from "../../src/constraint/predicate.ts";
import { readRuntimeConstraint } from "../../src/constraint/read-runtime-constraint.ts";
import type { Property } from "../../src/model/catalog.ts";
import type { Installed, Problem } from "../../src/model/problem.ts";
import type { PlannedChange } from "../../src/plan/plan-draft.ts";
import type { ChosenBundle } from "../../src/resolve/state-after.ts";
import { type Cluster, problemIn } from "./api-server.ts";
import { needsApproval, withoutApprovals } from "./approvals.ts";
import { definitionsIn, providedIn, specOf } from "./bundle-manifests.ts";
import { forbiddenChanges } from "./crd-rules.ts";
import { begins, isOnWay, leadsTo } from "./edges.ts";
import { lostApis } from "./served.ts";
import { readerFor } from "./table.ts";
import { migratable } from "./with-migrations.ts";

/** The rules that are broken on a cluster, each by a name of its own. */
export function brokenRules(cluster: Cluster, starts: readonly Problem[]): ReadonlySet<string> {
  return new Set([...unmetDemands(cluster, starts), ...sharedPlaces(cluster), ...unfitOperators(cluster, starts)]);
}

/**
 * What is wrong with a step that leads from one state to another; `broken` are the rules that were broken when the generation
 * began, `began` is what was there then: an owner of a kind at that time counts as its owner.
 */
export function stepFaults(
  before: Cluster,
  after: Cluster,
  start: Problem,
  changes: readonly PlannedChange[],
  starts: readonly Problem[],
  broken: ReadonlySet<string>,
  began: Cluster,
): readonly string[] {
  const problem = problemIn(before, start);
  const { installed } = problemIn(began, start);
  return [
    ...changes.flatMap((change) => wrongMove(problem, change)),
    ...changes.flatMap(({ to }) => (to === undefined ? [] : wrongDefinitions({ ...problem, installed }, to))),
    ...differingDefinitions(changes),
    ...[...brokenRules(after, starts)].filter((rule) => !broken.has(rule)),
    ...lostApis(before, after, start),
  ];
}

function* unmetDemands(cluster: Cluster, starts: readonly Problem[]): Iterable<string> {
  const [first] = starts;
  if (first === undefined) return;
  const allProperties = [first.node.properties, ...cluster.operators.map(({ properties }) => properties)];
  for (const { namespace, name, properties } of cluster.operators)
    for (const { optional, constraint, property } of readerFor(first).of(properties).requirements)
      if (!optional && !holds(constraint, allProperties, properties))
        yield `${namespace}/${name} does not have what its property ${property + 1} demands (${constraint.kind})`;
}

type PropertyLists = readonly (readonly Property[])[];

/** Beneath a `none` the requirer does not count. Two operators of one bundle are the same list of properties. */
function holds(constraint: Constraint, allProperties: PropertyLists, self: readonly Property[]): boolean {
  if (!("scope" in constraint) || constraint.scope === "bundle")
    return allProperties.some((properties) => isMatch(constraint, properties));
  const { constraints, kind } = constraint;
  if (kind === "all") return constraints.every((child) => holds(child, allProperties, self));
  if (kind === "any") return constraints.some((child) => holds(child, allProperties, self));
  const position = allProperties.indexOf(self);
  const others = allProperties.filter((_, index) => index !== position);
  return !constraints.some((child) => holds(child, others, self));
}

const known = new WeakMap<Constraint, WeakMap<readonly Property[], boolean>>();

function isMatch(constraint: Constraint, properties: readonly Property[]): boolean {
  const answers = known.get(constraint) ?? new WeakMap<readonly Property[], boolean>();
  known.set(constraint, answers);
  const answer = answers.get(properties) ?? matches(constraint, properties) === true;
  answers.set(properties, answer);
  return answer;
}

/** Pairs of which one is too many. */
function* sharedPlaces({ operators }: Cluster): Iterable<string> {
  for (const [position, a] of operators.entries())
    for (const b of operators.slice(position + 1)) {
      const isNear = a.namespace === b.namespace;
      const isSamePackage = a.package !== undefined && a.package === b.package;
      const names = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`].sort().join(" and ");
      if (isNear && isSamePackage) yield `${names} are of one package`;
      if (!isNear && isSamePackage) continue;
      const apis = providedIn(a.properties).filter((api) => providedIn(b.properties).includes(api));
      for (const api of apis) yield `${names} both provide ${api}`;
    }
}

function* unfitOperators({ operators }: Cluster, starts: readonly Problem[]): Iterable<string> {
  for (const start of starts)
    for (const one of operators.filter(({ namespace }) => namespace === start.namespace))
      for (const { rule, text } of unfit(start, runningMember(one), readerFor(start).of(one.properties)))
        yield `${start.namespace}: ${rule}: ${text}`;
}

function runningMember(installed: Installed): Member {
  const { name, package: owner, properties } = installed;
  return { role: "kept", name, package: owner, properties, installed, bundle: undefined, catalog: undefined };
}

/** The faults of a single change. */
function wrongMove(problem: Problem, change: PlannedChange): readonly string[] {
  const { from, alsoFrom, to, request: asked, generatedSubscription } = change;
  const faults: string[] = [];
  const leaving = from === undefined ? alsoFrom : [from, ...alsoFrom];
  const claimsOf = ({ name }: Installed) => problem.requests.filter(({ installed }) => installed === name);
  for (const old of leaving) {
    const claims = claimsOf(old);
    const claimed = `${old.name} becomes ${to?.bundle.name ?? "nothing"}`;
    const own = problem.installed.find(({ name }) => name === old.name);
    if (own?.hold !== undefined) faults.push(`${claimed}, but it is held`);
    const free = claims.filter(({ approval }) => approval !== "Manual");
    if (claims.length > 0 && free.length === 0) faults.push(`${claimed}, but it is not approved`);
    if (to === undefined) {
      if (claims.length === 0) faults.push(`${claimed}, but it did not come as a dependency`);
    } else if (!claims.some((request) => leadsTo(problem, request, old, to)))
      faults.push(`${claimed}, but no edge leads there`);
  }
  if (to === undefined) return faults;
  const { name } = to.bundle;
  const isWaiting = ({ installed }: { readonly installed?: string | undefined }): boolean =>
    !problem.installed.some((one) => one.name === installed);
  // It may have been requested on the command line.
  const requests = asked === undefined ? problem.requests : [...problem.requests, asked];
  if (leaving.length === 0 && needsApproval(withoutApprovals({ ...problem, requests }), to))
    faults.push(`${name} comes, but it is not approved`);
  const isAskedFor = requests.some((one) => isWaiting(one) && begins(problem, one, to));
  if (leaving.length === 0 && !isAskedFor && !isOnWay(to)) faults.push(`${name} is on no way from a head`);
  if (leaving.length === 0 && !isAskedFor && generatedSubscription === undefined && problem.scope !== "cluster")
    faults.push(`${name} comes without a Subscription`);
  if (generatedSubscription !== undefined && problem.scope === "cluster")
    faults.push(`${name} gets a Subscription, but it is for a ClusterExtension`);
  const entry = to.catalog.packages.get(to.bundle.package)?.channels.get(to.channel)?.entries.get(name);
  if (entry?.bundle !== to.bundle) faults.push(`${name} is not in channel ${to.channel}`);
  const member: Member = { ...runningMember({} as Installed), role: "chosen", name, package: to.bundle.package };
  const coming = { ...member, properties: to.bundle.properties, installed: undefined, ...to };
  const reader = readerFor(problem);
  const runtime = problem.runtime.entries.map(({ property }) => readRuntimeConstraint(property, reader).constraint);
  const objections = [
    ...unfit(problem, coming, reader.of(coming.properties)),
    ...unchoosable(problem, coming, true, runtime, new Matcher()),
  ];
  return [...faults, ...objections.map(({ rule, text }) => `${rule}: ${text}`)];
}

function wrongDefinitions(problem: Problem, { bundle }: ChosenBundle): readonly string[] {
  return forbiddenChanges(migratable(problem), bundle).map(
    (code) => `${bundle.name} may not change its kinds: ${code}`,
  );
}

/** Kinds of which a step brings two definitions: it is unknown which of them stays. */
export function differingDefinitions(changes: readonly PlannedChange[]): readonly string[] {
  const texts = new Map<string, Set<string>>();
  for (const manifest of changes.flatMap(({ to }) => definitionsIn(to?.bundle.properties ?? []))) {
    const { group, names } = specOf(manifest);
    const kind = `${names.kind} (${group})`;
    texts.set(kind, (texts.get(kind) ?? new Set()).add(JSON.stringify(manifest)));
  }
  const differing = [...texts].filter(([, different]) => different.size > 1);
  return differing.map(([kind]) => `the step brings different definitions of ${kind}`);
}
