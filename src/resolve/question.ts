// What does one question to a reused solver consist of? Its requests as literals: their clauses are in force only while
// the literal of the question is assumed.

import { groupedByAll } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { oneOf } from "../rule/shape/clauses.ts";
import { stayOrMove } from "../rule/shape/stay-or-move.ts";
import { type Literal, negate } from "../sat/literal.ts";
import { type Candidates, candidatesOf, membersOf, stayOrMoveOf } from "./candidates.ts";
import type { Candidate } from "./catalog-index.ts";
import { hidingCatalogs } from "./catalog-order.ts";
import type { Encoding } from "./encoding.ts";
import { InstalledState } from "./installed-state.ts";
import type { Operator } from "./member.ts";
import type { Provider } from "./provider-walk.ts";
import { manualPackages } from "./without-approval.ts";

/** A request and its candidates, in order of preference. */
export interface Wanted {
  readonly candidates: Candidates;
  /** The candidates; the installed operator is the last. */
  readonly members: readonly Operator[];
  readonly literals: readonly Literal[];
  /** Can be true only if one of them is. */
  readonly satisfied: Literal;
}

/** One question. */
export interface Question {
  readonly problem: Problem;
  readonly encoding: Encoding;
  readonly state: InstalledState;
  /** Assumed throughout. */
  readonly base: readonly Literal[];
  /** All requests, by priority. */
  readonly candidates: readonly Candidates[];
  /** Requests that have candidates. */
  readonly wanted: readonly Wanted[];
  /** For each installed operator that may move: it stays. */
  readonly movable: readonly Literal[];
  /** Bundles that are a candidate of some request. */
  readonly requested: ReadonlySet<Candidate>;
  /** The requests of each, in order. */
  readonly requestsFor: ReadonlyMap<Candidate, readonly Candidates[]>;
  /** The requests that claim each operator. */
  readonly claims: ReadonlyMap<Installed, readonly Candidates[]>;
  /** The providers of requirements, filled on demand. */
  readonly providers: Map<string, readonly Provider[]>;
}

/** Adds the clauses about requests and installed operators. */
export function newQuestion(encoding: Encoding, problem: Problem): Question {
  const candidates = problem.requests.map((request) => candidatesOf(request, problem, encoding.world));
  const requestsFor = groupedByAll(candidates, ({ nodes }) => nodes);
  const claims = groupedByAll(candidates, ({ installed }) => (installed === undefined ? [] : [installed]));
  const requested = new Set(requestsFor.keys());
  const state = contextFor(encoding, problem, requested);
  const question = encoding.newLiteral();
  const wanted = candidates.filter((one) => membersOf(one).length > 0).map((one) => want(encoding, one));
  const movable: Literal[] = [];
  for (const installed of problem.installed) {
    const { kind, targets } = stayOrMoveOf(installed, claims.get(installed) ?? []);
    const stays = kind === "stays";
    stayOrMove<Operator>(encoding, [negate(question)], { installed, targets, stays });
    if (!stays) movable.push(encoding.keptOf(installed));
  }
  for (const literal of unapproved(encoding, problem, candidates)) encoding.clause([negate(question), negate(literal)]);
  const base = [state.literal, question];
  return {
    problem,
    encoding,
    state,
    base,
    candidates,
    wanted,
    movable,
    requested,
    requestsFor,
    claims,
    providers: new Map(),
  };
}

/**
 * Literals that must be false without approval: packages, or bundles that are not candidates of an Automatic request.
 */
function unapproved(encoding: Encoding, problem: Problem, candidates: readonly Candidates[]): readonly Literal[] {
  if (problem.unapproved === undefined) return [];
  const free = freeNodes(candidates);
  return [...manualPackages(problem).keys()].flatMap((owner) => {
    const packageName = encoding.world.packageNameOf(owner);
    if (![...free].some((node) => node.packageName === packageName)) return [encoding.packageOf(packageName).present];
    const requested = candidates.flatMap(({ nodes }) => nodes.filter((node) => node.packageName === packageName));
    const nodes = new Set([...encoding.world.chainsOf(packageName), ...requested]);
    return [...nodes].filter((node) => !free.has(node)).map((node) => encoding.literalOf(node));
  });
}

/** Candidates of requests that need no approval. */
export function freeNodes(candidates: readonly Candidates[]): ReadonlySet<Candidate> {
  return new Set(candidates.flatMap(({ request, nodes }) => (request.approval === "Manual" ? [] : nodes)));
}

function contextFor(encoding: Encoding, problem: Problem, requested: ReadonlySet<Candidate>): InstalledState {
  const isOffChain = ({ channelPosition }: Candidate): boolean => channelPosition === undefined;
  const extras = [...requested].filter(isOffChain).sort((a, b) => compareText(a.id, b.id));
  const wanted = hidingCatalogs(problem).length > 0 ? requested : new Set<Candidate>();
  const present = encoding.state;
  if (present?.isFor(problem.installed, extras, wanted)) return present;
  return new InstalledState(encoding, problem.installed, extras, wanted);
}

function want(encoding: Encoding, candidates: Candidates): Wanted {
  const members = membersOf(candidates);
  const literals = members.map((one) => encoding.there(one));
  const satisfied = encoding.newLiteral();
  oneOf(encoding, [negate(satisfied)], members);
  return { candidates, members, literals, satisfied };
}
