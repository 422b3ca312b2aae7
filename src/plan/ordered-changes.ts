// Which changes of a plan depend on each other? Their order matters, so that they must be listed in order: one
// requires what another removes or provides, or an API or a CRD moves between them.

import { type Predicate, predicatesIn } from "../constraint/predicate-key.ts";
import type { Property } from "../model/catalog.ts";
import { getOrAdd, groupedByAll } from "../model/grouped.ts";
import type { Problem } from "../model/problem.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { goneIn } from "../resolve/state-after.ts";
import { kindsIn } from "../rule/crd/api-needs.ts";
import type { FoundPlan, PlannedChange } from "./plan-draft.ts";

/** An operator that changes, under any package name. */
interface Mover {
  readonly changes: PlannedChange[];
  /** The properties of every version it passes. */
  readonly versions: (readonly Property[])[];
  /** It is not installed all the time. */
  isAddedOrRemoved: boolean;
}

/** A plan, as far as it matters here. */
type Moves = Pick<FoundPlan, "before" | "generations">;

/** The changes that depend on other changes, in any namespace. */
export function orderedChanges(plans: readonly Moves[]): ReadonlySet<PlannedChange> {
  const movers = plans.map((plan) => ({ plan, own: moversIn(plan) }));
  const all = movers.flatMap(({ own }) => own);
  const ordered = new Set<Mover>();
  const addGroup = (some: Iterable<Mover>): void => {
    const group = new Set(some);
    if (group.size > 1) for (const mover of group) ordered.add(mover);
  };
  for (const { plan, own } of movers) {
    const world = catalogWorld(plan.before);
    for (const { predicates, owners } of demandsOf(plan.before, own, world)) {
      const varying = all.filter((mover) =>
        predicates.some((predicate) => isVarying(mover, (one) => world.isMatch(predicate, one))),
      );
      if (varying.length > 0) addGroup([...owners, ...varying]);
    }
  }
  for (const group of groupedByAll(all, (mover) => mover.versions.flatMap(kindsIn)).values()) addGroup(group);
  return new Set([...ordered].flatMap(({ changes }) => changes));
}

function moversIn({ generations }: Moves): readonly Mover[] {
  const byPackage = new Map<string, Mover>();
  const movers = new Set<Mover>();
  for (const change of generations.flatMap(({ steps }) => steps.flatMap(({ changes }) => changes))) {
    const gone = goneIn(change);
    const names = [change.package, ...gone.flatMap(({ package: owner }) => owner ?? [])];
    const known = names.map((name) => byPackage.get(name)).find((mover) => mover !== undefined);
    const mover: Mover = known ?? { changes: [], versions: [], isAddedOrRemoved: false };
    movers.add(mover);
    for (const name of names) byPackage.set(name, mover);
    mover.changes.push(change);
    mover.versions.push(...gone.map(({ properties }) => properties));
    if (change.to !== undefined) mover.versions.push(change.to.bundle.properties);
    if (gone.length === 0 || change.to === undefined) mover.isAddedOrRemoved = true;
  }
  return [...movers];
}

/** A requirement during the plan, and the changing operators that have it. */
interface Demand {
  readonly predicates: readonly Predicate[];
  readonly owners: Set<Mover>;
}

function demandsOf({ installed, elsewhere }: Problem, movers: readonly Mover[], world: CatalogWorld): Iterable<Demand> {
  const demands = new Map<string, Demand>();
  const add = (properties: readonly Property[], owner: Mover | undefined): void => {
    for (const { constraint, optional } of world.requirementsOf(properties).requirements) {
      if (optional) continue;
      const predicates = predicatesIn(constraint);
      const key = JSON.stringify(predicates.map((predicate) => predicate.key));
      const demand = getOrAdd(demands, key, () => ({ predicates, owners: new Set() }));
      if (owner !== undefined) demand.owners.add(owner);
    }
  };
  for (const { properties } of [...installed, ...elsewhere]) add(properties, undefined);
  for (const mover of movers) for (const properties of mover.versions) add(properties, mover);
  return demands.values();
}

function isVarying(
  { versions, isAddedOrRemoved }: Mover,
  matches: (properties: readonly Property[]) => boolean,
): boolean {
  const found = versions.filter(matches).length;
  return found > 0 && (isAddedOrRemoved || found < versions.length);
}
