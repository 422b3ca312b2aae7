// What about this package, or this version of it? Why it is in the answer, why not, why it is not newer, what
// requires it, and which request would bring it.

import { compareText } from "../../model/json.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { compareWithBuild, printVersion } from "../../semver/version.ts";
import { rankOf } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import { nameOf, type Operator, refOf } from "../member.ts";
import type { Explanation, Fix, HeldBack, PendingApproval, ResolvedOperator, Unsatisfied } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { changed } from "../what-if.ts";
import { whyHeldBack, whyRefused } from "./explain-answer.ts";
import {
  type AskedAbout,
  answerTo,
  askedAbout,
  type Found,
  isTopic,
  isVersion,
  ofPackage,
  type Stop,
  type Topic,
} from "./found-answer.ts";
import { type Preferred, whyPreferred } from "./preferred.ts";
import { type Loss, lossBetween, type NeedingOperator, whoNeeds } from "./who-needs.ts";
import { explainAbsent, explainHeldBack } from "./why.ts";
import { fixesThatBring, pendingOf, type Try, waitingFor, whyAbsent } from "./why-absent.ts";
import { whyChosen } from "./why-chosen.ts";

/**
 * - `chosen`: it is in the answer.
 * - `heldBack`: it is in the answer, but a better candidate exists; or it is pending approval; or its source is gone
 *   or was not read.
 * - `refused`: it is requested, or another version of it is installed, and it is not possible.
 * - `replaced`: it is installed, and an operator of another package replaces it.
 * - `notRequested`: it is neither requested nor required; or another version is preferred.
 */
export type Verdict = "chosen" | "heldBack" | "refused" | "replaced" | "notRequested";

/** Why something is as it is. */
export interface SubjectExplanation {
  readonly namespace: string;
  readonly subject: AskedAbout;
  readonly verdict: Verdict;
  /** A limit or an unavailable catalog prevents a definite answer. */
  readonly undecided: boolean;
  /** The operators of the package in the answer; or the operator of another package that replaces it. */
  readonly operators: readonly ResolvedOperator[];
  /** More preferred bundles, the best first. */
  readonly available: readonly OperatorRef[];
  readonly explanation: Explanation;
  /** Why an operator without a request is not newer; or why one pending approval would not be newer once approved. */
  readonly notNewer?: Explanation | undefined;
  /** What would be worse with it, or with a newer one that is not requested, if no rule excludes it. */
  readonly preferred?: Preferred | undefined;
  /** Changes of the package that are pending approval. */
  readonly pending: readonly PendingApproval[];
  /** Requests that would bring it. */
  readonly tries: readonly Try[];
  /** Fixes that bring another version than the subject. */
  readonly instead: readonly Fix[];
  /** Deprecations of the versions concerned. */
  readonly deprecations: readonly Deprecated[];
  /**
   * Requests for the package that are not satisfied, although an operator of it is in the answer for another reason.
   */
  readonly unsatisfied: readonly (Unsatisfied & { readonly explanation: Explanation })[];
  /** The operators that require it, up to the requested ones. */
  readonly whoNeeds: readonly NeedingOperator[];
  /** What is lost without it; only if requested. */
  readonly loss?: Loss | undefined;
  /** The answer is proven to be optimal. */
  readonly proven: boolean;
}

/** What else to compute. */
export interface ExplainOptions {
  /** Also what would be lost without it. */
  readonly withLoss?: boolean;
  readonly stop?: Stop;
}

/** Why a package, or a version of it, is in the answer or not. */
export function explain(
  problem: Problem,
  subject: Topic,
  { withLoss = false, stop }: ExplainOptions = {},
): SubjectExplanation {
  const found = answerTo(problem, stop);
  const { automatic, resolution } = found;
  const successor = successorOf(found, subject);
  const present = successor === undefined ? ofPackage(automatic, subject) : [successor.node];
  const self = present.find((one) => isTopic(one === successor?.node ? successor.installed : one, subject));
  const names = new Set(present.map(nameOf));
  const result = resultFor(found, subject, self);
  const operators = resolution.operators.filter(({ name }) => names.has(name));
  const available = result.available ?? [];
  const unsatisfied =
    self === undefined
      ? []
      : resolution.unsatisfied
          .filter(({ request, kept }) => request.package === subject.package && kept !== nameOf(self))
          .map((item) => ({ ...item, explanation: whyRefused(found, item) }));
  return {
    namespace: problem.namespace,
    subject: askedAbout(subject),
    verdict: result.verdict,
    undecided:
      result.undecided ??
      (unsatisfied.some(({ undecided }) => undecided) || (isWithoutReason(result.explanation) && !resolution.proven)),
    operators,
    available,
    explanation: result.explanation,
    ...(result.notNewer !== undefined && { notNewer: result.notNewer }),
    ...(result.preferred !== undefined && { preferred: result.preferred }),
    pending: pendingOf(resolution, subject),
    tries: result.tries ?? [],
    instead: result.instead ?? [],
    deprecations: deprecationsOf(problem, subject, [...names, ...available.map(({ name }) => name)]),
    unsatisfied,
    whoNeeds: whoNeeds(automatic, present),
    ...(withLoss && { loss: lossWithout(found, subject) }),
    proven: resolution.proven,
  };
}

/** Did the time run out before the reason was found? */
function isWithoutReason({ facts, isCutOff }: Explanation): boolean {
  return facts.length === 0 && isCutOff === true;
}

/** The fields that differ from case to case. */
export type SubjectResult = Pick<SubjectExplanation, "verdict" | "explanation"> &
  Partial<Pick<SubjectExplanation, "undecided" | "available" | "notNewer" | "preferred" | "tries" | "instead">>;

/** An installed operator, and the one of another package that replaces it. */
interface Succession {
  readonly installed: Installed;
  readonly node: Operator;
}

function successorOf({ automatic, resolution, problem }: Found, { package: owner }: Topic): Succession | undefined {
  const operator = resolution.operators.find((one) => one.installed?.package === owner && one.package !== owner);
  const node = operator && [...automatic.members].find((one) => nameOf(one) === operator.name);
  const installed = problem.installed.find(({ name }) => name === operator?.installed?.name);
  return installed === undefined || node === undefined ? undefined : { installed, node };
}

/** `self` is the operator of the subject, or the one that replaces it. */
function resultFor(found: Found, subject: Topic, self: Operator | undefined): SubjectResult {
  if (self === undefined) return whyAbsent(found, subject);
  if (isTopic(self, subject)) return whyThere(found, self);
  return { verdict: "replaced", ...whyChosen(found, self) };
}

function whyThere(found: Found, self: Operator): SubjectResult {
  const { automatic, resolution, stop } = found;
  const held = resolution.heldBack.find(({ name }) => name === nameOf(self));
  if (held !== undefined) return whyWaiting(found, held);
  const open = resolution.unsatisfied.find(({ kept }) => kept === nameOf(self));
  if (open !== undefined)
    return { verdict: "heldBack", explanation: whyRefused(found, open), undecided: open.undecided };
  const newer = newerThan(automatic, self);
  const notNewer = newer.length === 0 ? undefined : whyNotNewer(found, newer);
  return {
    verdict: "chosen",
    ...whyChosen(found, self),
    available: newer.map(refOf),
    notNewer,
    preferred: newer.length === 0 || notNewer !== undefined ? undefined : whyPreferred(automatic, newer, stop),
  };
}

/** An operator pending approval is reported so; if approval would not bring the best candidate, with the reason. */
function whyWaiting(found: Found, held: HeldBack): SubjectResult {
  const { free, resolution } = found;
  const { package: owner, available } = held;
  const pending = pendingOf(resolution, { package: owner });
  if (pending.length === 0) return { verdict: "heldBack", available, explanation: whyHeldBack(found, held) };
  const candidates = free.satisfied.find(({ request }) => request.package === owner);
  const rank = candidates === undefined ? 0 : rankOf(candidates, free.members);
  return {
    verdict: "heldBack",
    available,
    explanation: waitingFor(pending, free.problem),
    notNewer: candidates === undefined || rank === 0 ? undefined : explainHeldBack(free, candidates, rank),
  };
}

/** Why none of these is chosen; undefined if no rule excludes them. */
function whyNotNewer(found: Found, newer: readonly Candidate[]): Explanation | undefined {
  const absent = explainAbsent(found.automatic, newer);
  if (absent === undefined) return undefined;
  const isNewer = (self: Operator): boolean => newer.some(({ bundle }) => bundle.name === nameOf(self));
  return { ...absent, fixes: fixesThatBring(found, absent.fixes, isNewer) };
}

/** The bundles of its catalog that come before an operator without a request. */
function newerThan({ question }: Solution, self: Operator): readonly Candidate[] {
  if (!("bundle" in self) || question.requested.has(self)) return [];
  const chain = question.encoding.world.indexOf(self.index.catalog).chainOf(self.packageName.name);
  return chain.slice(0, Math.max(0, chain.indexOf(self)));
}

function lossWithout({ problem, resolution, stop }: Found, { package: owner }: Topic): Loss {
  const without = answerTo(changed(problem, { kind: "remove", package: owner }), stop);
  return lossBetween(resolution, without.resolution, owner);
}

/** A deprecation in a catalog. */
export interface Deprecated {
  readonly package: string;
  /** The deprecated channel or bundle version; undefined for the whole package. */
  readonly channel?: string | undefined;
  readonly version?: string | undefined;
  /** The author's message. */
  readonly message: string;
}

/** Deprecations of a package, of the subject, and of some of its bundles by name; newest first. */
function deprecationsOf(problem: Problem, topic: Topic, names: readonly string[]): readonly Deprecated[] {
  const { package: owner, version } = topic;
  const channels = new Set(problem.requests.flatMap((one) => (one.package === owner ? (one.channel ?? []) : [])));
  const found = new Map<string, Deprecated>();
  const add = (what: Pick<Deprecated, "channel" | "version">, message: string | undefined): void => {
    if (message === undefined) return;
    const deprecated = { package: owner, ...what, message: message.trim() };
    found.set(JSON.stringify(deprecated), deprecated);
  };
  for (const { packages } of problem.catalogs) {
    const known = packages.get(owner);
    if (known === undefined) continue;
    const deprecations = known.deprecations;
    add({}, deprecations.package);
    for (const channel of [...channels].sort(compareText)) add({ channel }, deprecations.channels.get(channel));
    const bundles = [...known.bundles.values()]
      .filter((one) => names.includes(one.name) || (version !== undefined && isVersion(one.version, version)))
      .sort((a, b) => compareWithBuild(b.version, a.version));
    for (const bundle of bundles) add({ version: printVersion(bundle.version) }, deprecations.bundles.get(bundle.name));
  }
  return [...found.values()];
}
