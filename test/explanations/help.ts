// Does a change help, and is there a smaller one? Changes are tried by answering the changed problem; the vocabulary is
// everything that a person could change in a small world.

import { Matcher } from "../../src/check/match.ts";
import { bundleFacts } from "../../src/constraint/bundle-facts.ts";
import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Property } from "../../src/model/catalog.ts";
import { canonicalText } from "../../src/model/json.ts";
import type { Problem, Request } from "../../src/model/problem.ts";
import { brokenText } from "../../src/render/sentence/rule.ts";
import type { Resolution } from "../../src/resolve/resolution.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { type Change, changedByAll } from "../../src/resolve/what-if.ts";
import { declaredProperty, declaring } from "../../src/rule/shape/lift.ts";
import { parseRange, type Range, rangeOutline } from "../../src/semver/blang-range.ts";
import { parseClusterVersion } from "../../src/semver/tolerant.ts";
import { printVersion } from "../../src/semver/version.ts";
import type { Explained } from "./explained.ts";
import { Population } from "./population.ts";

/** What is still wrong after changes, in sentences; nothing if they help. */
export function shortcomings(explained: Explained, changes: readonly Change[]): readonly string[] {
  const problem = changedByAll(explained.problem, changes);
  return stillWrong(explained, changes, problem, outcomeOf(resolve(problem)));
}

/** As much of an answer as is needed to see whether something helped. */
export interface Outcome {
  /** Of each bundle that is installed or updated to: `CATALOG/BUNDLE`. */
  readonly chosen: readonly string[];
  /** The ids of the requests without an operator. */
  readonly refused: readonly string[];
  /** Rules that a removal breaks. */
  readonly broken: readonly string[];
}

function outcomeOf({ operators, unsatisfied, broken }: Resolution): Outcome {
  return {
    chosen: operators.flatMap(({ from, name }) => (from === undefined ? [] : [`${from.catalog.name}/${name}`])),
    refused: unsatisfied.map(({ request }) => request.id),
    broken: broken.map((rule) => brokenText(rule)),
  };
}

/** What is still wrong in the answer to a problem that was changed. */
export function stillWrong(
  explained: Explained,
  changes: readonly Change[],
  then: Pick<Problem, "requests">,
  answer: Outcome,
): readonly string[] {
  const { problem, resolution, item } = explained;
  const wrong: string[] = [];
  const isThere = new Set(then.requests.map(({ id }) => id));
  const isRefused = new Set(answer.refused);
  if ("request" in item) {
    const { id } = item.request;
    if (!isThere.has(id)) wrong.push(`${id} is not asked for any more`);
    else if (isRefused.has(id)) wrong.push(`${id} still has no operator`);
  } else {
    const { request, better } = betterThan(explained);
    if (request !== undefined && !isThere.has(request.id)) wrong.push(`${request.id} is not asked for any more`);
    else if (!answer.chosen.some((id) => better.has(id))) wrong.push(`${item.name} is still held back`);
  }
  const given = new Set(changes.flatMap((one) => (one.kind === "drop" || one.kind === "remove" ? [one.package] : [])));
  const before = new Set(resolution.unsatisfied.map(({ request }) => request.id));
  for (const { id, package: owner } of problem.requests)
    if (!before.has(id) && !given.has(owner) && (!isThere.has(id) || isRefused.has(id)))
      wrong.push(`${id} loses its operator`);
  const wasBroken = new Set(resolution.broken.map((rule) => brokenText(rule)));
  return [...wrong, ...answer.broken.filter((text) => !wasBroken.has(text)).map((text) => `it breaks: ${text}`)];
}

/** The request for an operator that is held back, and the candidates that are more preferred, as `CATALOG/BUNDLE`. */
function betterThan({ population, item, answer }: Explained): {
  readonly request: Request | undefined;
  readonly better: ReadonlySet<string>;
} {
  const isThere = population.after(answer);
  for (const request of population.problem.requests) {
    const ladder = population.ladder(request);
    const rank = ladder.findIndex((one) => isThere.has(one));
    if (rank > 0 && "name" in item && ladder[rank]?.name === item.name) {
      const better = ladder.slice(0, rank).map(({ chosen, name }) => `${chosen?.catalog.name}/${name}`);
      return { request, better: new Set(better) };
    }
  }
  return { request: undefined, better: new Set() };
}

/**
 * The sets of `size` changes that help, of those that a person could make. One that helps only by excluding an operator that
 * waits for approval, or that leaves more broken than before, is no advice.
 */
export function helpfulSets(explained: Explained, size: 1 | 2): readonly (readonly Change[])[] {
  const single = vocabulary(explained.problem);
  const sets =
    size === 1
      ? single.map((change) => [change])
      : single.flatMap((one, index) => single.slice(index + 1).map((other) => [one, other]));
  const broken = brokenIn(explained.resolution);
  return sets.filter((changes) => {
    const problem = changedByAll(explained.problem, changes);
    const resolution = resolve(problem);
    if (resolution.warnings.some(({ code }) => code === "approval-excludes") || brokenIn(resolution) > broken)
      return false;
    return stillWrong(explained, changes, problem, outcomeOf(resolution)).length === 0;
  });
}

/** How many rules are violated that were before. */
function brokenIn({ objectives }: Resolution): number {
  return Number(objectives.find(({ name }) => name === "repaired")?.value ?? 0);
}

/** Every change of a problem that a person could make. */
export function vocabulary(problem: Problem): readonly Change[] {
  const { requests, installed, runtime, options, unavailable, removed } = problem;
  const asked = [...new Set(requests.map((request) => request.package))];
  const running = [...new Set(installed.map((one) => one.package).filter((name) => name !== undefined))];
  const manual = new Set(requests.filter(({ approval }) => approval === "Manual").map((request) => request.package));
  const held = new Set(installed.filter(({ hold }) => hold?.by === "flag").map((one) => one.package ?? one.name));
  const unclaimed = installed.filter(({ name }) => requests.every((request) => request.installed !== name));
  const orphans = [...new Set(unclaimed.flatMap((one) => one.package ?? []))];
  return [
    ...orphans.map((name): Change => ({ kind: "ask", request: { package: name } })),
    ...asked.map((name): Change => ({ kind: "drop", package: name })),
    ...running.filter((name) => !held.has(name)).map((name): Change => ({ kind: "hold", package: name })),
    ...[...held].map((name): Change => ({ kind: "release", package: name, flag: "hold" })),
    ...removed.map((name): Change => ({ kind: "release", package: name, flag: "remove" })),
    ...[...manual].map((name): Change => ({ kind: "approve", package: name })),
    ...running.map((name): Change => ({ kind: "remove", package: name })),
    ...asked.flatMap((name) => otherRequests(problem, name)),
    ...declarations(problem),
    ...runtime.entries.map((_, index): Change => ({ kind: "without-constraint", number: index + 1 })),
    ...(options.compoundConstraints ? [] : [{ kind: "compound-constraints" } as const]),
    ...(unavailable.length === 0 || options.ignoreUnavailable ? [] : [{ kind: "ignore-unavailable" } as const]),
    ...(options.allOrNothing ? [{ kind: "partly" } as const] : []),
  ];
}

/** The package from anywhere, from each channel, and at each version that is not skipped. */
function otherRequests({ catalogs }: Problem, name: string): readonly Change[] {
  const owners = catalogs.flatMap(({ packages }) => packages.get(name) ?? []);
  const channels = new Set(owners.flatMap((owner) => [...owner.channels.keys()]));
  const chains = owners.flatMap((owner) => [...owner.channels.values()].flatMap(({ chain }) => chain));
  const versions = new Set(
    chains.flatMap(({ bundle }) => (bundle === undefined ? [] : [printVersion(bundle.version)])),
  );
  return [
    { kind: "instead", request: { package: name } },
    ...[...channels].map((channel): Change => ({ kind: "instead", request: { package: name, channel } })),
    ...[...versions].map((version): Change => {
      const range = parseRange(version) as Range;
      return { kind: "instead", request: { package: name, range: rangeOutline(range) } };
    }),
  ];
}

/** What is demanded, what no catalog offers and the cluster could have; and newer versions of Kubernetes. */
function declarations(problem: Problem): readonly Change[] {
  const population = new Population(problem);
  const offered = population.participants.filter(
    (one) => one.role === "bundle" && population.faultsOf(one).length === 0,
  );
  const matcher = new Matcher();
  const isOffered = (constraint: Constraint): boolean =>
    offered.some(({ properties }) => matcher.match(constraint, properties) === true);
  const demanded = population.participants.flatMap((participant) => [
    ...version("kubernetes.version", bundleFacts(participant.properties).minKubeVersion),
    ...population.demandsOf(participant).flatMap(({ constraint }) => propertiesFor(constraint, isOffered)),
  ]);
  const known = new Map(demanded.map((property) => [canonicalText([property.type, property.value]), property]));
  return [...known.values()].map(declaring);
}

function version(type: string, text: string | undefined): readonly Property[] {
  const isRead = text !== undefined && typeof parseClusterVersion(text) !== "string";
  return isRead ? [{ type, value: text.replace(/^v/, "") }] : [];
}

/**
 * Could a reader of the explanation think of the change? A property that the causes require; by chance another
 * one may suit a CEL rule. Another channel, if a request in the causes names a channel.
 */
export function isMeant(change: Change, { problem, causes }: Explained): boolean {
  if (change.kind === "instead" && change.request.channel !== undefined) {
    const { package: owner } = change.request;
    const isMentioned = (one: Request): boolean =>
      causes.some((cause) =>
        cause.kind === "wanted"
          ? cause.request?.id === one.id
          : "installed" in cause && cause.installed.name === one.installed,
      );
    return problem.requests.some((one) => one.package === owner && one.channel !== undefined && isMentioned(one));
  }
  if (change.kind !== "declare" || change.type === "kubernetes.version") return true;
  const { type, value } = declaredProperty(change);
  return causes.some(
    (cause) =>
      cause.kind === "demand" &&
      cause.demands.some(({ requirement }) =>
        propertiesFor(requirement.constraint, () => false).some(
          (one) => canonicalText([one.type, one.value]) === canonicalText([type, value]),
        ),
      ),
  );
}

function propertiesFor(constraint: Constraint, isOffered: (constraint: Constraint) => boolean): readonly Property[] {
  if (!("constraints" in constraint) && isOffered(constraint)) return [];
  switch (constraint.kind) {
    case "gvk":
      return [{ type: "olm.gvk", value: { ...constraint.gvk } }];
    case "label":
      return [{ type: "olm.label", value: { label: constraint.label } }];
    case "propertyEquals":
      return [{ type: constraint.name, value: constraint.value }];
    case "package":
    case "cel":
      return [];
    default:
      return constraint.scope === "bundle"
        ? []
        : constraint.constraints.flatMap((child) => propertiesFor(child, isOffered));
  }
}
