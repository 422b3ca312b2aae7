// Does a "no" rest on something that was not read? A package that was left out of a catalog may be what is missing, and an
// operator that stays because nobody knows what its channel has may be what is in the way.

import type { Installed } from "../model/problem.ts";
import { type Candidates, isUnread } from "./candidates.ts";
import { type Node, providedApis } from "./catalog-index.ts";
import { predicatesIn } from "./limits-hit.ts";
import { type LostPart, lostDocument, lostPackage, lostParts } from "./lost-parts.ts";
import { propertiesOf, type Self } from "./member.ts";
import type { Providable } from "./predicate-key.ts";
import type { Round } from "./round.ts";
import type { Solution } from "./solution.ts";
import { providersFor } from "./walk.ts";

/** What was not read, and may be why a request is not satisfied. */
export interface Unread {
  /** What was left out of catalogs. */
  readonly lost: readonly LostPart[];
  /** Requests whose operators stay because their source was not read. */
  readonly stuck: readonly Candidates[];
}

/** May the "no" to a request be wrong for that reason? */
export function restsOnUnread(solution: Solution, candidates: Candidates): boolean {
  const { lost, stuck } = unreadFor(solution, candidates);
  return lost.length + stuck.length > 0;
}

/** What was not read, as far as it may concern a request that has candidates. */
export function unreadFor({ problem, round }: Solution, { nodes, request }: Candidates): Unread {
  const hasLosses = problem.catalogs.some((catalog) => lostParts(catalog).length > 0);
  const stuck = round.candidates.filter((one) => one.request !== request && one.installed && isUnread(one));
  if (!hasLosses && stuck.length === 0) return { lost: [], stuck: [] };
  const reached = reachOf(round, nodes);
  return {
    lost: hasLosses ? missingFrom(round, reached) : [],
    stuck: stuck.filter(({ installed }) => areConnected(round, reached, installed as Installed)),
  };
}

/** Some bundles, and everything that could meet their demands, and so on. */
function reachOf({ encoding, problem }: Round, first: readonly Node[]): ReadonlySet<Node> {
  const { universe, refusals } = encoding;
  const reached = new Set(first);
  for (const node of reached) {
    if (refusals.of(node) !== undefined) continue;
    for (const { predicate } of universe.leavesOf(node.bundle.properties))
      for (const provider of universe.providers(predicate, node.index.catalog, problem.namespace))
        reached.add(provider);
  }
  return reached;
}

/** What was left out and may be what one of these asks for: a package by its name; where nobody has it, whatever it was. */
function missingFrom(round: Round, reached: ReadonlySet<Node>): readonly LostPart[] {
  const { encoding, problem } = round;
  const found = new Map<string, LostPart>();
  for (const node of reached) {
    if (encoding.refusals.of(node) !== undefined) continue;
    for (const leaf of encoding.universe.leavesOf(node.bundle.properties))
      for (const part of problem.catalogs.flatMap((catalog) => whatMayMeet(round, leaf, node, catalog)))
        found.set(JSON.stringify([part.catalog, part.finding?.message]), part);
  }
  return [...found.values()];
}

function whatMayMeet(
  round: Round,
  leaf: Providable,
  node: Node,
  catalog: Round["problem"]["catalogs"][number],
): readonly LostPart[] {
  const { constraint } = leaf.predicate;
  if (constraint.kind === "package") {
    const own = lostPackage(catalog, constraint.name);
    if (own !== undefined) return [own];
  }
  if (providersFor(round, leaf, node).length > 0) return [];
  if (constraint.kind === "package") return [lostDocument(catalog) ?? []].flat();
  return lostParts(catalog);
}

/** Could an operator be in the way of one of these: by its package or an API, by what both need, or by what one says of the other? */
function areConnected(round: Round, reached: ReadonlySet<Node>, installed: Installed): boolean {
  const apis = new Set(providedApis(installed.properties));
  const { universe } = round.encoding;
  const names = (self: Self, other: Self): boolean =>
    universe
      .requirementsOf(propertiesOf(self))
      .requirements.flatMap(({ constraint }) => predicatesIn(constraint))
      .some((predicate) => universe.isMatch(predicate, propertiesOf(other)));
  const needed = reachOf(
    round,
    universe
      .leavesOf(installed.properties)
      .flatMap(({ predicate }) => universe.providers(predicate, undefined, round.problem.namespace)),
  );
  const families = new Set([...needed].map(({ family }) => family));
  return [...reached].some(
    (node) =>
      node.family.name === installed.package ||
      families.has(node.family) ||
      node.provides.some((api) => apis.has(api)) ||
      names(node, installed) ||
      names(installed, node),
  );
}
