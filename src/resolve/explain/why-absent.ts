// Why is it not in the answer, and which request would bring it? A rule excludes it, another answer is better, it is
// pending approval, or it is not requested.

import type { Bundle, ChannelEntry, Package } from "../../model/catalog.ts";
import { given } from "../../model/json.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Problem, Request } from "../../model/problem.ts";
import { parseRange, rangeOutline } from "../../semver/blang-range.ts";
import { printVersion, type Version } from "../../semver/version.ts";
import type { Candidate } from "../catalog-index.ts";
import { type Operator, refOf } from "../member.ts";
import type { NamedRequest } from "../prepare/problem-inputs.ts";
import type { Explanation, Fix, PackageChange, PendingApproval, Resolution } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { restsOnUnread } from "../unread.ts";
import { type Change, changed, changedByAll } from "../what-if.ts";
import { fixOf } from "./advice.ts";
import { whyRefused } from "./explain-answer.ts";
import { type ExplanationBody, type Note, withoutFacts } from "./explanation-body.ts";
import type { Fact } from "./fact.ts";
import { requestFact } from "./facts.ts";
import {
  type AskedAbout,
  answerTo,
  askedAbout,
  type Found,
  isTopic,
  isVersion,
  ofPackage,
  type Topic,
} from "./found-answer.ts";
import { whyPreferred } from "./preferred.ts";
import type { SubjectResult } from "./subject.ts";
import { isHarmless, type Loss, lossBetween } from "./who-needs.ts";
import { explainAbsent } from "./why.ts";

/** A request to try. */
export interface Try {
  /** In addition to the present requests, or in place of those for the package. */
  readonly how: "add" | "instead";
  readonly request: NamedRequest;
  /** Further changes that are needed; undefined if the request is enough. */
  readonly after?: Fix | undefined;
  /** The operators that would be new. */
  readonly brings: readonly OperatorRef[];
  /** What other requests would lose. */
  readonly loss: Loss;
}

/** Why the package, or the version of it, is not in the answer. */
export function whyAbsent(found: Found, topic: Topic): SubjectResult {
  const { problem, automatic, free, resolution } = found;
  const { package: owner, version } = topic;
  const pending = pendingOf(resolution, topic);
  if (pending.length > 0 && isThere(found, topic))
    return { verdict: "heldBack", explanation: waitingFor(pending, problem), available: targetsIn(pending, topic) };
  const isRequested = problem.requests.some((request) => request.package === owner);
  const isKnown = isRequested || problem.installed.some((one) => one.package === owner);
  if (!isKnown && ofPackage(automatic, topic).length === 0) return notRequested(found, topic);
  const refused = resolution.unsatisfied.find(({ request }) => request.package === owner);
  const isStuck = free.impossible || free.nothingFor.length > 0;
  const undecided = refused?.undecided ?? false;
  if (version === undefined && refused !== undefined)
    return { verdict: "refused", explanation: whyRefused(found, refused), undecided };
  if (version === undefined) return notRequested(found, topic);
  if (isStuck) {
    // Nothing changes: --all-or-nothing failed, or the installed operators break rules that OLM insists on.
    const item = refused ?? resolution.unsatisfied[0];
    const explanation = item === undefined ? withoutFacts({ kind: "stuck" }) : whyRefused(found, item);
    return { verdict: "refused", undecided, ...withHelp(found, topic, explanation) };
  }
  const absence = notThisVersion(found, topic, version);
  if (refused === undefined) return absence;
  const instead = fixesForAnother(found, whyRefused(found, refused).fixes, topic);
  return { ...absence, instead, ...(undecided && { undecided }) };
}

/** The pending changes of a package, including those to another package. */
export function pendingOf(resolution: Resolution, topic: Topic): readonly PendingApproval[] {
  return resolution.pendingApproval.filter(({ changes }) =>
    changes.some((one) => isChangeOf(one, askedAbout(topic), resolution)),
  );
}

/** Is it a change to the package, or of an operator of it? */
export function isChangeOf(
  change: PackageChange,
  { package: owner }: AskedAbout,
  { operators }: Pick<Resolution, "operators">,
): boolean {
  return change.package === owner || operators.some((one) => one.package === owner && one.name === change.from?.name);
}

function targetsIn(pending: readonly PendingApproval[], { package: owner }: Topic): readonly OperatorRef[] {
  return pending.flatMap(({ changes }) => changes.filter((one) => one.package === owner).map(({ to }) => to));
}

/** Why something is pending approval, and what would help. */
export function waitingFor(pending: readonly PendingApproval[], problem: Problem): Explanation {
  const requests = [...new Set(pending.flatMap((one) => one.requests))];
  const packages = [...new Set(requests.map((request) => request.package))];
  return {
    ...withoutFacts({ kind: "waits", requests }),
    facts: requests.map((request) => requestFact("waits", request)),
    fixes: packages.map((owner) => fixOf([{ kind: "approve", package: owner }], problem)),
  };
}

/** Another version is there, or none. */
function notThisVersion(found: Found, topic: Topic, version: Version): SubjectResult {
  const { free } = found;
  const all = bundlesOf(free, topic.package, version);
  const possible = all.filter((node) => isOnOffer(free, node));
  const absent = possible.length === 0 ? undefined : explainAbsent(free, possible);
  if (absent !== undefined)
    return {
      verdict: "refused",
      undecided: isUncertain(free, possible, absent),
      ...withHelp(found, topic, absent),
    };
  const preferred = possible.length === 0 ? undefined : whyPreferred(free, possible, found.stop);
  const body: ExplanationBody =
    preferred === undefined ? { kind: "off-chain", bundles: all.map(offChain) } : { kind: "preferred", preferred };
  const tries = tryFor(found, topic, undefined);
  return { verdict: "notRequested", explanation: withoutFacts(body), preferred, tries };
}

/** A "no" with fixes: those that bring it, and those that bring it together with a request for it. */
function withHelp(found: Found, topic: Topic, explanation: Explanation): Pick<SubjectResult, "explanation" | "tries"> {
  const fixes = fixesThatBring(found, explanation.fixes, (one) => isTopic(one, topic));
  const others = explanation.fixes.filter((fix) => !fixes.includes(fix));
  return {
    explanation: { ...explanation, fixes },
    tries: others.flatMap((fix) => tryFor(found, topic, fix)),
  };
}

/** The fixes that also bring it and cost no other request its operator. */
export function fixesThatBring(
  { problem, resolution, stop }: Found,
  fixes: readonly Fix[],
  isIt: (self: Operator) => boolean,
): readonly Fix[] {
  return fixes.filter(({ changes }) => {
    // Advice without changes cannot be tried.
    if (changes.length === 0) return true;
    const then = answerTo(changedByAll(problem, changes), stop);
    return [...then.free.members].some(isIt) && isHarmless(lossBetween(resolution, then.resolution, undefined));
  });
}

/** The request to make, after some other changes, if that brings it and loses nothing. */
function tryFor(found: Found, topic: Topic, after: Fix | undefined): readonly Try[] {
  const { problem, resolution, stop } = found;
  const changes = after?.changes ?? [];
  const asked = requestFor(askedAbout(topic));
  const { requests } = changedByAll(problem, changes);
  const isRequested = requests.some((request) => request.package === topic.package);
  const change: Change = { kind: isRequested ? "instead" : "ask", request: asked };
  const then = answerTo(changedByAll(problem, [...changes, change]), stop);
  const loss = lossBetween(resolution, then.resolution, topic.package);
  if (!isThere(then, topic) || !isHarmless(loss)) return [];
  return [
    {
      how: isRequested ? "instead" : "add",
      request: asked,
      ...(after && { after }),
      brings: broughtBy(found, then),
      loss,
    },
  ];
}

/** Is the subject in an answer, or will it be once approved? */
function isThere({ free }: Found, topic: Topic): boolean {
  return ofPackage(free, topic).some((one) => isTopic(one, topic));
}

/** Can it be chosen: is it on a chain, or requested? */
function isOnOffer({ question }: Solution, node: Candidate): boolean {
  return node.channelPosition !== undefined || question.requested.has(node);
}

/** The bundles of a version, of all catalogs. */
function bundlesOf({ question }: Solution, owner: string, version: Version): readonly Candidate[] {
  const { world } = question.encoding;
  return world.catalogs.flatMap((catalog) =>
    [...(catalog.packages.get(owner)?.bundles.values() ?? [])]
      .filter((bundle) => isVersion(bundle.version, version))
      .map((bundle) => world.indexOf(catalog).nodeOf(bundle)),
  );
}

function offChain({ index, bundle }: Candidate): readonly SkippedIn[] {
  const owner = index.catalog.packages.get(bundle.package);
  return owner === undefined ? [] : skippersOf(owner, bundle);
}

/** Does a "no" depend on something unknown? */
function isUncertain(solution: Solution, nodes: readonly Candidate[], { facts }: Explanation): boolean {
  return (
    solution.problem.runtime.problems.length > 0 ||
    facts.length === 0 ||
    facts.some(({ kind }) => kind === "unavailable") ||
    restsOnUnread(solution, { nodes, request: undefined })
  );
}

/** The new operators of another answer. */
function broughtBy({ resolution }: Found, then: Found): readonly OperatorRef[] {
  const before = new Set(resolution.operators.map(({ name }) => name));
  return then.resolution.operators
    .filter(({ name }) => !before.has(name))
    .map(({ name, package: owner, version }) => given({ name, ...(owner !== "" && { package: owner }), version }));
}

/** It is not requested: what if it were? */
function notRequested(found: Found, topic: Topic): SubjectResult {
  const { problem } = found;
  const asked = requestFor(askedAbout(topic));
  const requested = changed(problem, { kind: "ask", request: asked });
  const request = requested.requests.find((one) => !problem.requests.includes(one)) as Request;
  const then = answerTo(requested, found.stop);
  const refused = then.resolution.unsatisfied.find((one) => one.request.id === request.id);
  if (refused !== undefined) {
    const { undecided } = refused;
    const explanation = asQuestion(whyRefused(then, refused), request);
    const instead = fixesForAnother(then, explanation.fixes, topic);
    // Dropping a request that does not exist does not help.
    const fixes = explanation.fixes.filter((fix) => !instead.includes(fix) && !isDrop(fix, topic));
    return { verdict: "notRequested", explanation: { ...explanation, fixes }, undecided, instead };
  }
  const loss = lossBetween(found.resolution, then.resolution, topic.package);
  const displacing = loss.requests.length === 0 ? undefined : onlyInsteadOf(found, topic, then, request);
  if (displacing !== undefined) return displacing;
  const elsewhere = problem.elsewhere.filter((one) => one.package === topic.package).map(refOf);
  const isEmpty = problem.requests.length === 0 && problem.installed.length === 0;
  const brings = broughtBy(found, then);
  return {
    verdict: "notRequested",
    explanation: withoutFacts({
      kind: "not-requested",
      ...(problem.scope && { scope: problem.scope }),
      elsewhere,
      isEmpty,
    }),
    tries: [{ how: "add", request: asked, brings, loss }],
  };
}

/** An explanation in which the request made only for this question is the goal, not a fact. */
function asQuestion(explanation: Explanation, { id }: Request): Explanation {
  const facts = explanation.facts.map((fact): Fact => {
    // Without members it states that there are no candidates.
    if (fact.kind !== "wanted" || fact.request?.id !== id || fact.members.length === 0) return fact;
    const { kind, why, rule, members } = fact;
    return { kind, why, rule, members, subject: explanation.operators[members[0] as number]?.name ?? "" };
  });
  return { ...explanation, facts };
}

/** A request for it would take an operator from others: why it is not possible next to them. */
function onlyInsteadOf(
  found: Found,
  topic: Topic,
  { automatic, resolution }: Found,
  request: Request,
): SubjectResult | undefined {
  const { free } = found;
  const { world } = free.question.encoding;
  const candidates = automatic.question.candidates.find((one) => one.request.id === request.id)?.nodes ?? [];
  const nodes = candidates
    .map(({ index, bundle }) => world.indexOf(index.catalog).nodeOf(bundle))
    .filter((node) => isOnOffer(free, node));
  const absent = nodes.length === 0 ? undefined : explainAbsent(free, nodes);
  if (absent === undefined) return undefined;
  const before = new Set(found.resolution.unsatisfied.map((one) => one.request.id));
  const lost = resolution.unsatisfied.filter((one) => !before.has(one.request.id));
  const requests = lost.filter((one) => !one.undecided).map((one) => one.request);
  const notes: readonly Note[] = requests.length === 0 ? [] : [{ kind: "displaces", requests }];
  return {
    verdict: "notRequested",
    undecided: isUncertain(free, nodes, absent) || lost.some((one) => one.undecided),
    explanation: { ...absent, notes: [...absent.notes, ...notes], fixes: [] },
    tries: absent.fixes.flatMap((fix) => tryFor(found, topic, fix)),
  };
}

/** The fixes of a request that give it another version than the subject. */
function fixesForAnother({ problem, stop }: Found, fixes: readonly Fix[], topic: Topic): readonly Fix[] {
  if (topic.version === undefined) return [];
  return fixes.filter(
    (fix) =>
      fix.changes.length > 0 &&
      !isDrop(fix, topic) &&
      !isThere(answerTo(changedByAll(problem, fix.changes), stop), topic),
  );
}

function isDrop({ changes }: Fix, { package: owner }: Topic): boolean {
  return changes.some((change) => change.kind === "drop" && change.package === owner);
}

/** A request for exactly the subject. */
export function requestFor({ package: owner, version }: AskedAbout): NamedRequest {
  const range = version === undefined ? "" : parseRange(version);
  return typeof range === "string" ? { package: owner } : { package: owner, range: rangeOutline(range) };
}

/** A channel with a bundle off its chain, and the entries that skip it. */
export interface SkippedIn {
  readonly channel: string;
  readonly by: readonly OperatorRef[];
}

/**
 * For each channel with the bundle, the entries that skip it. A chain goes from the head along `replaces` and ends
 * before the first entry that another one skips; any other entry off the chain is rejected when it is read.
 */
function skippersOf(owner: Package, { name }: Bundle): readonly SkippedIn[] {
  return [...owner.channels.values()]
    .filter(({ entries }) => entries.has(name))
    .map((channel) => ({
      channel: channel.name,
      by: [...channel.entries.values()].filter(({ skips }) => skips.includes(name)).map(entryRef),
    }));
}

function entryRef({ name, bundle }: ChannelEntry): OperatorRef {
  return bundle === undefined ? { name } : { name, package: bundle.package, version: printVersion(bundle.version) };
}
