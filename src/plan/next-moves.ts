// Which changes can come next on the path to a target? Updates of the relevant packages, installations for them, and
// every smallest safe set of these.

import type { Installed, Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import type { Candidate } from "../resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { generated } from "../resolve/operators.ts";
import { goneIn } from "../resolve/state-after.ts";
import { applySteps, violationsAfter } from "./apply-steps.ts";
import { withMigrations } from "./migration.ts";
import type { PlannedChange } from "./plan-draft.ts";
import { ownerOf, type RelevantPackages } from "./relevant-packages.ts";
import { brokenBy, grown } from "./split.ts";
import { type Move, StepRules } from "./step-rules.ts";

/** Number of sets tried for each update. */
const MAX_SETS = 2_000;

/** Changes that can come next, and the state after them. */
export interface NextSet {
  readonly changes: readonly PlannedChange[];
  readonly after: Problem;
  /** The names of the changed definitions. */
  readonly changed: ReadonlySet<string>;
}

/** Sets of changes that could be made next. */
export interface NextMoves {
  readonly sets: readonly NextSet[];
  /** Number of changes considered. */
  readonly considered: number;
  /** There may be more. */
  readonly isCut: boolean;
}

/**
 * Every smallest safe set around each update of a relevant package, or around an installation for the request. With
 * `early`, also around installations that are not required yet.
 */
export function nextMoves(problem: Problem, relevant: RelevantPackages, request: string, early: boolean): NextMoves {
  const world = catalogWorld(problem);
  const updates = updatesIn(problem, world, relevant, request);
  const installs = installsFor(problem, world, relevant, updates);
  const rules = new StepRules(problem, [...updates, ...installs]);
  const sets: NextSet[] = [];
  const seen = new Set<string>();
  let isCut = false;
  for (const first of (early ? rules.changes : updates).keys()) {
    const around = setsAround(rules, first);
    isCut ||= around.isCut;
    for (const set of around.sets) {
      const key = set.join();
      if (seen.has(key)) continue;
      seen.add(key);
      const changes = set.map((move) => rules.changes[move] as PlannedChange);
      if (!isAllowed(problem, changes)) continue;
      const { after, postponed, changed } = applySteps(problem, changes);
      if (postponed.length === 0) sets.push({ changes, after, changed });
    }
  }
  return { sets, considered: rules.changes.length, isCut };
}

function updatesIn(
  problem: Problem,
  world: CatalogWorld,
  { packages }: RelevantPackages,
  request: string,
): readonly PlannedChange[] {
  const candidates = problem.requests.map((one) => candidatesOf(one, problem, world));
  const updates = new Map<Candidate, PlannedChange>();
  for (const { request: one, installed, nodes, channels } of candidates) {
    if (installed === undefined ? one.id !== request : !packages.has(ownerOf(installed, problem))) continue;
    for (const node of nodes) {
      if (updates.has(node)) continue;
      const claims = candidates.filter((other) => other.installed !== undefined && other.nodes.includes(node));
      const gone = [...new Set(claims.flatMap((other) => other.installed ?? []))];
      // Every other request that claims one of them must accept it, too.
      const isForAll = candidates.every(
        (other) => !gone.includes(other.installed as Installed) || other.nodes.includes(node),
      );
      if (!isForAll || gone.some(({ hold }) => hold !== undefined)) continue;
      const kind = one.id === request ? "way" : "along";
      updates.set(node, { ...changeTo(node, channels.get(node) ?? "", gone), request: one, reason: { kind } });
    }
  }
  return [...updates.values()];
}

function installsFor(
  problem: Problem,
  world: CatalogWorld,
  { installable }: RelevantPackages,
  updates: readonly PlannedChange[],
): readonly PlannedChange[] {
  const here = new Set(problem.installed.map(({ package: owner }) => owner));
  const known = new Set(updates.map(({ to }) => to?.bundle));
  return installable
    .filter(({ bundle }) => !here.has(bundle.package) && !known.has(bundle))
    .map((node) => {
      const candidates = problem.requests.map((one) => candidatesOf(one, problem, world));
      const wanted = candidates.find(({ channels }) => channels.has(node));
      const request = wanted?.request;
      const channel = wanted?.channels.get(node) ?? node.channelPosition?.channel ?? "";
      const change = { ...changeTo(node, channel, []), request };
      // Nothing generates a ClusterExtension.
      if (request !== undefined || problem.scope === "cluster") return change;
      return { ...change, generatedSubscription: generated(problem, node, channel) };
    });
}

function changeTo({ bundle, index }: Candidate, channel: string, gone: readonly Installed[]): PlannedChange {
  return {
    package: bundle.package,
    from: gone[0],
    alsoFrom: gone.slice(1),
    to: { catalog: index.catalog, channel, bundle },
    request: undefined,
    generatedSubscription: undefined,
    requiredBy: [],
    reason: { kind: "along" },
  };
}

/** Safe sets around a change of which no smaller set around it is safe. */
function setsAround(
  rules: StepRules,
  first: Move,
): { readonly sets: readonly (readonly Move[])[]; readonly isCut: boolean } {
  const found: (readonly Move[])[] = [];
  const seen = new Set<string>();
  let sets: readonly (readonly Move[])[] = [[first]];
  while (sets.length > 0) {
    const larger: (readonly Move[])[] = [];
    for (const set of sets) {
      if (found.some((safe) => safe.every((move) => set.includes(move)))) continue;
      const broken = brokenBy(rules, new Set(), set);
      if (broken === undefined) found.push(set);
      else
        for (const move of broken.moves) {
          if (!set.some((other) => excludeEachOther(rules, other, move))) larger.push(...grown(set, move, seen));
        }
    }
    if (seen.size > MAX_SETS) return { sets: found, isCut: true };
    sets = larger;
  }
  return { sets: found, isCut: false };
}

/** One update per operator, one bundle per package. */
function excludeEachOther({ changes }: StepRules, a: Move, b: Move): boolean {
  const [one, other] = [changes[a], changes[b]];
  if (one === undefined || other === undefined) return false;
  const gone = goneIn(other);
  return one.package === other.package || goneIn(one).some((operator) => gone.includes(operator));
}

/** Sets that look safe are verified by the checker, which also has the rules about single bundles. */
export function isAllowed(problem: Problem, changes: readonly PlannedChange[]): boolean {
  return violationsAfter(withMigrations(problem), changes).every(({ rule }) => rule === "claim");
}
