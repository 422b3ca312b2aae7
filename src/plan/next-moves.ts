// What could happen next on the way to a target? The updates of those who could matter, what could be installed for them,
// and every smallest set of these that is safe.

import type { Installed, Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import { goneIn } from "../resolve/carried-out.ts";
import type { Candidate } from "../resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { generated } from "../resolve/operators.ts";
import { withMigrations } from "./migration.ts";
import type { PlannedChange } from "./planned.ts";
import { ownerOf, type RelevantPackages } from "./relevant-packages.ts";
import { brokenBy } from "./split.ts";
import { type Move, StepRules } from "./step-rules.ts";
import { takeSteps, violationsAfter } from "./take-steps.ts";

/** Sets that are tried for each update. */
const MAX_SETS = 2_000;

/** Changes that could be made next, and the state after them. */
export interface NextSet {
  readonly changes: readonly PlannedChange[];
  readonly after: Problem;
  /** The names of the definitions that they change. */
  readonly changed: ReadonlySet<string>;
}

/** Sets of changes that could be made next. */
export interface NextMoves {
  readonly sets: readonly NextSet[];
  /** So many changes were considered. */
  readonly considered: number;
  /** There may be more. */
  readonly isCut: boolean;
}

/**
 * Every smallest safe set around each update of somebody who could matter, or around an installation for the request. With
 * `early`, also around installations that nobody needs yet.
 */
export function nextMoves(problem: Problem, relevant: RelevantPackages, request: string, early: boolean): NextMoves {
  const world = catalogWorld(problem.catalogs, problem.options);
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
      const { after, postponed, changed } = takeSteps(problem, changes);
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
  const asking = problem.requests.map((one) => candidatesOf(one, problem, world));
  const updates = new Map<Candidate, PlannedChange>();
  for (const { request: one, installed, nodes, channels } of asking) {
    if (installed === undefined ? one.id !== request : !packages.has(ownerOf(installed, problem))) continue;
    for (const node of nodes) {
      if (updates.has(node)) continue;
      const claims = asking.filter((other) => other.installed !== undefined && other.nodes.includes(node));
      const gone = [...new Set(claims.flatMap((other) => other.installed ?? []))];
      // Whoever else keeps one of them up to date must be content with it, too.
      const isForAll = asking.every(
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
      const asking = problem.requests.map((one) => candidatesOf(one, problem, world));
      const wanted = asking.find(({ channels }) => channels.has(node));
      const asked = wanted?.request;
      const channel = wanted?.channels.get(node) ?? node.channelPosition?.channel ?? "";
      const change = { ...changeTo(node, channel, []), request: asked };
      return asked === undefined ? { ...change, generatedSubscription: generated(problem, node, channel) } : change;
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

/** Sets around a change that are safe, and of which no part around it is. */
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
          if (set.some((other) => excludeEachOther(rules, other, move))) continue;
          const grown = [...set, move].sort((a, b) => a - b);
          const key = grown.join();
          if (seen.has(key)) continue;
          seen.add(key);
          larger.push(grown);
        }
    }
    if (seen.size > MAX_SETS) return { sets: found, isCut: true };
    sets = larger;
  }
  return { sets: found, isCut: false };
}

/** Of one operator there is one update, of one package one bundle. */
function excludeEachOther({ changes }: StepRules, a: Move, b: Move): boolean {
  const [one, other] = [changes[a], changes[b]];
  if (one === undefined || other === undefined) return false;
  const gone = goneIn(other);
  return one.package === other.package || goneIn(one).some((operator) => gone.includes(operator));
}

/** What looks safe is asked of the checker, which also knows the rules about each bundle by itself. */
export function isAllowed(problem: Problem, changes: readonly PlannedChange[]): boolean {
  return violationsAfter(withMigrations(problem), changes).every(({ rule }) => rule === "claim");
}
