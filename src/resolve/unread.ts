// Does a "no" depend on input that was not read? A package that was left out of a catalog may be what is missing, and
// an operator that stays because its channel was not read may be in the way.

import type { Constraint } from "../constraint/constraint.ts";
import { providedApis } from "../constraint/provided-apis.ts";
import type { Catalog } from "../model/catalog.ts";
import type { Installed, Problem, Request, UnavailableCatalog } from "../model/problem.ts";
import { type Candidates, isUnread } from "./candidates.ts";
import type { Candidate } from "./catalog-index.ts";
import { hidingCatalogs } from "./catalog-order.ts";
import { isOfCluster, type LostPart, lostFor, lostOf, lostPackage, lostParts } from "./lost-parts.ts";
import { type Operator, propertiesOf } from "./member.ts";
import { providersFor } from "./provider-walk.ts";
import type { Question } from "./question.ts";
import type { Solution } from "./solution.ts";

/** Unread input that may be why something is not possible. */
export interface Unread {
  /** Parts left out of catalogs. */
  readonly lost: readonly LostPart[];
  /** Unavailable catalogs, if something is missing that no other catalog has. */
  readonly away: readonly UnavailableCatalog[];
  /** Requests whose operators stay because their source was not read. */
  readonly stuck: readonly Candidates[];
}

/** Bundles that cannot be chosen, and the request for them, if any. */
export interface Denied {
  readonly nodes: readonly Candidate[];
  readonly request: Request | undefined;
}

/** Something is missing that an unavailable catalog may have. */
const AWAY = "away";

/** Could the "no" be wrong for that reason? */
export function restsOnUnread(solution: Solution, denied: Denied): boolean {
  const { problem, question } = solution;
  const first = hasLosses(problem) ? missingFrom(question, possibleOf(question, denied)).next() : undefined;
  return first?.done === false || stuckBeside(solution, denied).length > 0;
}

/** Unread input that may concern bundles that cannot be chosen. */
export function unreadFor(solution: Solution, denied: Denied): Unread {
  const { problem, question } = solution;
  const missing = hasLosses(problem) ? [...missingFrom(question, possibleOf(question, denied))] : [];
  const lost = new Map(
    missing.flatMap((part) => (part === AWAY ? [] : [[JSON.stringify([part.catalog, part.finding?.message]), part]])),
  );
  return {
    lost: [...lost.values()],
    away: missing.includes(AWAY) ? hidingCatalogs(problem) : [],
    stuck: stuckBeside(solution, denied),
  };
}

/** Was anything of the input of a problem not read that may be what is missing? */
export function hasLosses(problem: Problem): boolean {
  return hidingCatalogs(problem).length > 0 || problem.catalogs.some((catalog) => lostParts(catalog).length > 0);
}

/** The bundles that are not refused on their own. */
function possibleOf({ encoding }: Question, { nodes }: Denied): readonly Candidate[] {
  return nodes.filter((node) => encoding.refusals.of(node) === undefined);
}

/** Requests whose source was not read, and whose operators may be in the way. */
function stuckBeside({ question }: Solution, denied: Denied): readonly Candidates[] {
  const stuck = question.candidates.filter((one) => one.request !== denied.request && one.installed && isUnread(one));
  if (stuck.length === 0) return [];
  const reached = new Set(reachOf(question, possibleOf(question, denied)));
  return stuck.filter(({ installed }) => areConnected(question, reached, installed as Installed));
}

/**
 * The requests whose operator stays although there is a better candidate, and whose "no" is uncertain because of
 * unread input.
 */
export function heldByUnread(solution: Solution): readonly Candidates[] {
  const { satisfied, open, members, nothingFor } = solution;
  if (nothingFor.length > 0) return [];
  return satisfied.filter((one) => {
    const { installed, nodes } = one;
    if (installed === undefined || !members.has(installed) || installed.hold !== undefined) return false;
    return nodes.length > 0 && !open.includes(one) && restsOnUnread(solution, one);
  });
}

/** Unread input that may be of a package. */
export function unreadOf(problem: Problem, owner: string): Unread {
  const lost = problem.catalogs.flatMap((catalog) => lostOf(catalog, owner));
  return { lost, away: hidingCatalogs(problem), stuck: [] };
}

/** Could unread input meet a requirement? For requirements without a provider. */
export function mayBeUnread(problem: Problem, constraint: Constraint): boolean {
  if (isOfCluster(constraint)) return false;
  return (
    hidingCatalogs(problem).length > 0 || problem.catalogs.some((catalog) => lostFor(catalog, constraint).length > 0)
  );
}

/** Some bundles, and transitively all providers of their requirements. */
function* reachOf({ encoding, problem }: Question, first: readonly Candidate[]): Iterable<Candidate> {
  const { world, refusals } = encoding;
  const reached = new Set(first);
  for (const node of reached) {
    yield node;
    if (refusals.of(node) !== undefined) continue;
    for (const { predicate } of world.leavesOf(node.bundle.properties))
      for (const provider of world.providers(predicate, node.index.catalog, problem.namespace)) reached.add(provider);
  }
}

/**
 * Unread input that may be what some bundles, or their providers, require: a package by its name; if no catalog has
 * it, any unread document. Each once, nearest first.
 */
function* missingFrom(question: Question, first: readonly Candidate[]): Generator<LostPart | typeof AWAY, void> {
  const { encoding, problem } = question;
  const isHidden = hidingCatalogs(problem).length > 0;
  const seen = new Set<LostPart["finding"] | typeof AWAY>();
  for (const node of reachOf(question, first)) {
    if (encoding.refusals.of(node) !== undefined) continue;
    for (const leaf of encoding.world.leavesOf(node.bundle.properties)) {
      const { constraint } = leaf.predicate;
      const isMet = providersFor(question, leaf, node).length > 0;
      if (!isMet && isHidden && !isOfCluster(constraint) && !seen.has(AWAY)) {
        seen.add(AWAY);
        yield AWAY;
      }
      for (const catalog of problem.catalogs)
        for (const part of isMet ? ownLoss(catalog, constraint) : lostFor(catalog, constraint)) {
          if (seen.has(part.finding)) continue;
          seen.add(part.finding);
          yield part;
        }
    }
  }
}

/** A required package that another catalog has was left out of this one. */
function ownLoss(catalog: Catalog, constraint: Constraint): readonly LostPart[] {
  const own = constraint.kind === "package" ? lostPackage(catalog, constraint.name) : undefined;
  return own === undefined ? [] : [own];
}

/**
 * Could an operator be in the way of one of these: by its package or an API, by what both require, or by what one
 * requires of the other?
 */
function areConnected(question: Question, reached: ReadonlySet<Candidate>, installed: Installed): boolean {
  const apis = new Set(providedApis(installed.properties));
  const { world } = question.encoding;
  const names = (self: Operator, other: Operator): boolean =>
    world.predicatesOf(propertiesOf(self)).some((predicate) => world.isMatch(predicate, propertiesOf(other)));
  const needed = reachOf(
    question,
    world
      .leavesOf(installed.properties)
      .flatMap(({ predicate }) => world.providers(predicate, undefined, question.problem.namespace)),
  );
  const packageNames = new Set([...needed].map(({ packageName }) => packageName));
  return [...reached].some(
    (node) =>
      node.packageName.name === installed.package ||
      packageNames.has(node.packageName) ||
      node.provides.some((api) => apis.has(api)) ||
      names(node, installed) ||
      names(installed, node),
  );
}
