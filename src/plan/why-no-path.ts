// Why does no safe path lead to a version? No upgrade edge leads there; or the closest state cannot make the next
// update, for the reasons of an explanation.

import type { Bundle } from "../model/catalog.ts";
import type { Installed, Problem, Request } from "../model/problem.ts";
import { type Candidates, candidatesOf, hasNothing } from "../resolve/candidates.ts";
import type { Candidate } from "../resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { whyRefused } from "../resolve/explain/explain-answer.ts";
import { type ClosestState, withoutFacts } from "../resolve/explain/explanation-body.ts";
import type { NoWayFact } from "../resolve/explain/fact.ts";
import { answerTo } from "../resolve/explain/found-answer.ts";
import { explain, type SubjectExplanation } from "../resolve/explain/subject.ts";
import { uncertainties, whatIsUnread } from "../resolve/explain/unread-notes.ts";
import { refOf } from "../resolve/member.ts";
import type { NamedRequest } from "../resolve/prepare/problem-inputs.ts";
import type { Explanation, Fix } from "../resolve/resolution.ts";
import { unreadOf } from "../resolve/unread.ts";
import { inRange, rangeFrom } from "../semver/blang-range.ts";
import { compareVersions, printVersion } from "../semver/version.ts";
import { withMigrations } from "./migration.ts";
import type { Walked } from "./path-to.ts";
import type { TargetSearch } from "./target.ts";

/** The path to the closest state; unless `isClosest`, a nearer one may be reachable. */
export interface Closest extends Walked {
  readonly isClosest: boolean;
}

/** Why there is no path. */
export interface NoPath {
  readonly explanation: Explanation;
  /** Unread input may have a path. */
  readonly isUnread: boolean;
}

/** The reason. `isHelping` tries the fixes of a request: is there a path then? */
export function whyNoPath(
  { request, distanceOf }: TargetSearch,
  target: NamedRequest,
  closest: Closest,
  isHelping: (fix: Fix) => boolean,
  stop?: () => boolean,
): NoPath {
  const problem = withMigrations(closest.after);
  const world = catalogWorld(problem);
  const wanted = problem.requests.find(({ id }) => id === request) as Request;
  const candidates = candidatesOf(wanted, problem, world);
  const { nodes, installed } = candidates;
  const distance = distanceOf(installed?.name);
  if (distance === undefined)
    return noSource(problem, candidates, isHelping, stop) ?? noEdge(problem, target, installed, world);
  const body = {
    kind: "no-way",
    target,
    ...(problem.elsewhere.length > 0 && { besideOthers: true as const }),
    ...(installed !== undefined && { closest: closestState(installed, closest) }),
  } as const;
  const isNearer = ({ bundle }: Candidate): boolean => (distanceOf(bundle.name) ?? Number.POSITIVE_INFINITY) < distance;
  const next = nodes.find(isNearer)?.bundle;
  const found = next && whyNotNext(problem, target.package, next, stop);
  if (found !== undefined) {
    const { explanation, undecided } = found;
    return {
      explanation: { ...explanation, body: { ...body, next: explanation.body } },
      isUnread: undecided && stop?.() !== true,
    };
  }
  const explanation = oneFact(target, { kind: closest.isClosest ? "unsafe" : "search-ended" });
  return { explanation: { ...explanation, body: { ...body, next: explanation.body } }, isUnread: false };
}

function closestState(installed: Installed, { generations, isClosest }: Closest): ClosestState {
  return { operator: refOf(installed), generations: generations.length, ...(!isClosest && { isUncertain: true }) };
}

/** The request has no source for the package: why, and which of its fixes lead to the target. */
function noSource(
  problem: Problem,
  candidates: Candidates,
  isHelping: (fix: Fix) => boolean,
  stop: (() => boolean) | undefined,
): NoPath | undefined {
  const { request, none } = candidates;
  const isNowhere = none?.kind === "no-package" && unreadOf(problem, request.package).away.length === 0;
  if (!hasNothing(candidates) || isNowhere) return undefined;
  const found = answerTo(problem, stop);
  const refused = found.resolution.unsatisfied.find((one) => one.request.id === request.id);
  if (refused === undefined) return undefined;
  const { undecided } = refused;
  const explanation = whyRefused(found, refused);
  return { explanation: { ...explanation, fixes: explanation.fixes.filter(isHelping) }, isUnread: undecided };
}

/** Why a package cannot be updated to a bundle; undefined if it could, as far as one answer shows. */
function whyNotNext(
  problem: Problem,
  owner: string,
  next: Bundle,
  stop: (() => boolean) | undefined,
): Pick<SubjectExplanation, "explanation" | "undecided"> | undefined {
  const options = { ...(stop && { stop }) };
  const held = explain(problem, { package: owner }, options);
  const isAbout = held.verdict === "heldBack" && held.available.some(({ name }) => name === next.name);
  const explained = isAbout ? held : explain(problem, { package: owner, version: next.version }, options);
  return explained.verdict === "chosen" ? undefined : explained;
}

/** No upgrade edge leads to the target, regardless of other operators; uncertain if a part of the package was not read. */
function noEdge(problem: Problem, target: NamedRequest, installed: Installed | undefined, world: CatalogWorld): NoPath {
  const { package: owner, range } = target;
  const bundles = world.catalogs.flatMap((catalog) => [...(catalog.packages.get(owner)?.bundles.values() ?? [])]);
  const wanted = range && rangeFrom(range);
  const goals = bundles.filter(({ version }) => wanted === undefined || inRange(wanted, version));
  const newest = bundles.toSorted((a, b) => compareVersions(b.version, a.version))[0];
  const unread = unreadOf(problem, owner);
  const isUnread = unread.lost.length + unread.away.length > 0;
  const whyNoUpdate = (): NoWayFact["why"] => {
    if (newest === undefined) return { kind: "no-package" };
    if (goals.length === 0) return { kind: "no-version", newest: printVersion(newest.version) };
    return installed === undefined ? { kind: "no-beginning" } : { kind: "no-update", from: refOf(installed) };
  };
  const explanation = oneFact(target, whyNoUpdate(), isUnread);
  const notes = uncertainties(problem, unread, []);
  return { explanation: { ...explanation, notes, fixes: whatIsUnread(problem, unread) }, isUnread };
}

function oneFact(target: NamedRequest, why: NoWayFact["why"], isUnread = false): Explanation {
  const about = { kind: "no-way", rule: "upgrade-edge", subject: target.package, target, why } as const;
  const fact: NoWayFact = { ...about, ...(isUnread && { isUnread }) };
  return { ...withoutFacts({ kind: "sentences" }), facts: [fact] };
}
