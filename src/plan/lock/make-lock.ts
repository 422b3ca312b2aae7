// What does a lock file keep of a plan? Its inputs, and a short form of the plan.

import type { Catalog } from "../../model/catalog.ts";
import { compareText } from "../../model/json.ts";
import type {
  Lock,
  LockedBundle,
  LockedChange,
  LockedGeneration,
  LockedPackage,
  LockedPlan,
} from "../../model/lock.ts";
import type { Problem } from "../../model/problem.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import type { OperatorChange, Plan } from "../plan.ts";
import { bundleInChannelDigest, packageDigest } from "./digest.ts";
import { inputsOf } from "./inputs.ts";

/** The lock of the plans of problems, in order; `engine` is the version of plimsoll that made them. */
export function makeLock(problems: readonly Problem[], plans: readonly Plan[], engine: string): Lock {
  const locked = plans.map((plan, index) => lockedPlan(problems[index] as Problem, plan));
  return { engine, plans: locked.sort((a, b) => compareText(a.namespace, b.namespace)) };
}

function lockedPlan(problem: Problem, plan: Plan): LockedPlan {
  const changes = changesOf(plan);
  const { namespace, end, target } = plan;
  return {
    namespace,
    inputs: inputsOf(problem, target?.request),
    packages: packagesOf(problem.catalogs, packageNames(problem, changes)),
    bundles: bundlesOf(problem.catalogs, changes),
    generations: generationsOf(problem, plan),
    end,
  };
}

function changesOf({ generations }: Plan): readonly OperatorChange[] {
  return generations.flatMap(({ steps }) => steps.flatMap((step) => step.changes));
}

/** The packages of a plan: requested, installed or changed. */
function packageNames({ requests, installed }: Problem, changes: readonly OperatorChange[]): ReadonlySet<string> {
  return new Set([...requests, ...installed, ...changes].flatMap((one) => one.package ?? []));
}

/** These packages, in every catalog that has them. */
export function packagesOf(catalogs: readonly Catalog[], names: ReadonlySet<string>): readonly LockedPackage[] {
  const found = catalogs.flatMap((catalog) =>
    [...names].flatMap((name) => {
      const one = catalog.packages.get(name);
      if (one === undefined) return [];
      const bundles = [...one.bundles.keys()].sort(compareText);
      return [{ catalog: wholeName(catalog), package: name, digest: packageDigest(one), bundles }];
    }),
  );
  return found.sort((a, b) => compareText(a.catalog, b.catalog) || compareText(a.package, b.package));
}

function bundlesOf(catalogs: readonly Catalog[], changes: readonly OperatorChange[]): readonly LockedBundle[] {
  const found = new Map<string, LockedBundle>();
  const byId = new Map(catalogs.map((catalog) => [wholeName(catalog), catalog]));
  for (const { to } of changes) {
    const catalog = to && byId.get(wholeName(to.catalog));
    const locked = catalog && lockedBundle(catalog, to.package, to.name, to.channel);
    if (locked !== undefined)
      found.set(JSON.stringify([locked.catalog, locked.package, locked.name, locked.channel]), locked);
  }
  return sortedEntries(found).map(([, locked]) => locked);
}

/** A bundle of a catalog in a channel; undefined if it is not there. */
export function lockedBundle(catalog: Catalog, owner: string, name: string, channel: string): LockedBundle | undefined {
  const bundle = catalog.packages.get(owner)?.bundles.get(name);
  if (bundle === undefined) return undefined;
  const entry = catalog.packages.get(owner)?.channels.get(channel)?.entries.get(name);
  return { catalog: wholeName(catalog), package: owner, name, channel, digest: bundleInChannelDigest(bundle, entry) };
}

/** The generations of a plan as a lock stores them; a generation that changes only other namespaces is empty. */
export function generationsOf({ requests }: Problem, { namespace, generations }: Plan): readonly LockedGeneration[] {
  /** The Subscriptions of each package at that point. */
  const names = new Map<string, string[]>();
  const add = (owner: string, name: string): void => {
    const others = names.get(owner);
    if (others === undefined) names.set(owner, [name]);
    else if (!others.includes(name)) others.push(name);
  };
  for (const { package: owner, id, name } of requests) if (id === `${namespace}/${name}`) add(owner, name);
  const locked = (change: OperatorChange): LockedChange => {
    const { package: owner, from, alsoFrom, to, generatedSubscription: generated } = change;
    if (generated !== undefined) add(owner, generated.name);
    const removed = to === undefined ? [...(names.get(owner) ?? [])].sort(compareText) : [];
    if (to === undefined) names.delete(owner);
    return {
      package: owner,
      from: from?.name,
      alsoFrom: alsoFrom.map(({ name }) => name).sort(compareText),
      to: to?.name,
      catalog: to && wholeName(to.catalog),
      channel: to?.channel,
      subscriptions: generated === undefined ? removed : [generated.name],
    };
  };
  const made: LockedGeneration[] = [];
  for (const { number, steps } of generations) {
    while (made.length < number - 1) made.push({ steps: [] });
    made.push({ steps: steps.map(({ changes }) => changes.map(locked)) });
  }
  return made;
}
