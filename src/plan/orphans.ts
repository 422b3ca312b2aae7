// Which operators were installed as dependencies and are no longer needed? Those without a request that nothing else
// requires, optionally or not, directly or not. And which of them does `--prune` remove?

import { outlineOf } from "../constraint/outline.ts";
import { kindKey } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { Installed, KindInUse, Problem, Request } from "../model/problem.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { type Participant, propertiesOf, refOf, requestRef } from "../resolve/member.ts";
import { resolve } from "../resolve/resolve.ts";
import { ownsKind } from "../rule/crd/api-needs.ts";
import { holdsOver } from "../rule/shape/holds.ts";
import { applySteps } from "./apply-steps.ts";
import { changesOf } from "./changes.ts";
import { withMigrations } from "./migration.ts";
import type { Orphan, OrphanNeed, PlanOptions } from "./plan.ts";
import type { PlannedChange } from "./plan-draft.ts";

/** The orphans of a namespace, by package; operators of `wanted` packages are never orphans. */
export function orphansIn(problem: Problem, wanted: ReadonlySet<string> = new Set()): readonly Orphan[] {
  const generated = problem.installed.filter(
    (one) => isGenerated(one, problem.requests) && !wanted.has(one.package ?? one.name),
  );
  if (generated.length === 0) return [];
  const world = catalogWorld(problem);
  const others = problem.installed.filter((one) => !generated.includes(one));
  const needed = neededAmong(generated, [...others, ...problem.elsewhere], [problem.node], world);
  const unneeded = new Set(generated.filter((one) => !needed.has(one)));
  // Requirements may be met in combinations that the walk does not see: then there are no orphans.
  if (!isWhole(problem, world, unneeded)) return [];
  const inUse = new Map([...unneeded].map((one) => [one, inUseOf(one, problem)]));
  const used = [...unneeded].filter((one) => (inUse.get(one) ?? []).length > 0);
  const unused = [...unneeded].filter((one) => !used.includes(one));
  const staying = [...problem.installed.filter((one) => !unneeded.has(one)), ...problem.elsewhere, problem.node];
  const neededByUsed = neededAmong(unused, used, staying, world);
  return [...unneeded]
    .map((one) => {
      const neededBy = neededByUsed.get(one);
      return {
        ...refOf(one),
        package: one.package ?? one.name,
        requests: claimsOf(one, problem.requests).map(requestRef),
        inUse: inUse.get(one) ?? [],
        ...(neededBy !== undefined && { neededBy }),
      };
    })
    .sort((a, b) => compareText(a.package, b.package) || compareText(a.name, b.name));
}

/** The kinds of an operator with objects in the input. */
function inUseOf(operator: Installed, { definitions = [], inUse = [] }: Problem): readonly KindInUse[] {
  const known = definitions.flatMap(({ definition: { group, kind }, objects = [], isPartial }) =>
    // Unreadable objects count, too.
    objects.length > 0 || isPartial ? [{ group, kind, count: Math.max(1, objects.length) }] : [],
  );
  return [...known, ...inUse].filter((one) => ownsKind(operator, kindKey(one)));
}

function claimsOf({ name }: Installed, requests: readonly Request[]): readonly Request[] {
  return requests.filter((request) => request.installed === name);
}

/** Was it installed as a dependency? A held operator counts as wanted. */
function isGenerated(operator: Installed, requests: readonly Request[]): boolean {
  if (operator.hold !== undefined) return false;
  const claims = claimsOf(operator, requests);
  return claims.length > 0 && claims.every((claim) => claim.isGenerated === true);
}

/**
 * The removable operators that others require, directly or not, and why. First the requirements of `requirers`, then
 * of the operators they need; requirements that a needed one or one of `others` meets are done.
 */
function neededAmong(
  removable: readonly Installed[],
  requirers: readonly Installed[],
  others: readonly Participant[],
  world: CatalogWorld,
): ReadonlyMap<Installed, OrphanNeed> {
  const needed = new Map<Installed, OrphanNeed>();
  const needing = [...requirers];
  const staying: Participant[] = [...requirers, ...others];
  // Needed operators are appended, and their requirements follow.
  for (const requirer of needing)
    for (const { predicate, requirement } of world.walkedLeavesOf(requirer.properties)) {
      const meets = (one: Participant): boolean => world.isMatch(predicate, propertiesOf(one));
      if (staying.some(meets)) continue;
      const provider = removable.find((one) => !needed.has(one) && meets(one));
      if (provider === undefined) continue;
      const demand = outlineOf(predicate.constraint);
      needed.set(provider, { operator: refOf(requirer), demand, isOptional: requirement.optional });
      needing.push(provider);
      staying.push(provider);
    }
  return needed;
}

/** Are all requirements of the remaining operators still met once these are gone? */
function isWhole({ installed, elsewhere, node }: Problem, world: CatalogWorld, gone: ReadonlySet<Installed>): boolean {
  const before = [...installed, ...elsewhere, node];
  const after = before.filter((one) => !gone.has(one as Installed));
  return [...installed, ...elsewhere].every(
    (one) =>
      gone.has(one) ||
      world
        .requirementsOf(one.properties)
        .requirements.every(
          ({ constraint, optional }) =>
            optional || holdsOver(world, constraint, after, one) || !holdsOver(world, constraint, before, one),
        ),
  );
}

/**
 * The changes that remove the orphans of a namespace, except those of requested packages, those that would be
 * reinstalled at once, and those whose kinds have objects: they may still be in use.
 */
export function removals(
  problem: Problem,
  prune: PlanOptions["prune"],
  requested: readonly string[] = [],
): readonly PlannedChange[] {
  const wanted = new Set(requested);
  for (;;) {
    const orphans = orphansIn(problem, wanted);
    const used = prune === "with-objects" ? [] : orphans.filter(({ inUse }) => inUse.length > 0);
    if (used.length > 0) {
      // What they require stays with them.
      for (const orphan of used) wanted.add(orphan.package);
      continue;
    }
    const changes = orphans.map((orphan) => removalOf(orphan, problem));
    if (changes.length === 0) return [];
    const without = withMigrations(applySteps(problem, changes).after);
    const gone = new Set(changes.map((change) => change.package));
    const back = changesOf(resolve(without), without).filter((change) => gone.has(change.package));
    if (back.length === 0) return changes;
    for (const change of back) wanted.add(change.package);
  }
}

/** The change that removes an orphan. */
function removalOf({ package: owner, name }: Orphan, { installed, requests }: Problem): PlannedChange {
  return {
    package: owner,
    from: installed.find((one) => one.name === name),
    alsoFrom: [],
    to: undefined,
    request: requests.find((request) => request.installed === name),
    generatedSubscription: undefined,
    requiredBy: [],
    reason: { kind: "orphan" },
  };
}
