// What is installed and requested in each namespace, and what is left when packages are removed?

import type { Catalog } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { addTo } from "../../model/grouped.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import type { Installed } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import { byNamespace } from "./by-namespace.ts";
import { holdByCondition } from "./hold.ts";
import { describeInstalled } from "./installed.ts";
import { packageOfName } from "./package-of-name.ts";

/** The Subscriptions and operators of a namespace, sorted by name. */
export interface NamespaceState {
  readonly subscriptions: readonly Subscription[];
  /** Without copied ClusterServiceVersions of other namespaces. */
  readonly operators: readonly InstalledOperator[];
  /** The same operators as resolution input. */
  readonly installed: readonly Installed[];
}

/** The state of every namespace that has one, by name. */
export function namespaceStates(
  objects: ClusterObjects,
  catalogs: readonly Catalog[],
  compat: boolean,
): ReadonlyMap<string, NamespaceState> {
  const operators = byNamespace(objects.installedOperators.filter(({ copied }) => !copied));
  const subscriptions = byNamespace(objects.subscriptions);
  const conditions = byNamespace(objects.operatorConditions);
  const packageOf = compat ? () => undefined : packageOfName(catalogs);
  const states = new Map<string, NamespaceState>();
  for (const namespace of [...new Set([...operators.keys(), ...subscriptions.keys()])].sort()) {
    const running = operators.get(namespace) ?? [];
    const asked = subscriptions.get(namespace) ?? [];
    const claims = new Map<string, Subscription[]>();
    for (const subscription of asked) {
      const name = subscription.installedCSV;
      if (name === undefined) continue;
      addTo(claims, name, subscription);
    }
    const conditionOf = new Map((conditions.get(namespace) ?? []).map((condition) => [condition.name, condition]));
    const installed = running.map((operator) => ({
      ...describeInstalled(operator, claims.get(operator.name) ?? [], packageOf),
      hold: holdByCondition(conditionOf.get(operator.name)),
    }));
    states.set(namespace, { subscriptions: asked, operators: running, installed });
  }
  return states;
}

/** What is left of a namespace, and the removed operators. */
export interface Removal {
  readonly left: NamespaceState;
  readonly gone: readonly Installed[];
}

/** Removes packages: their Subscriptions, their operators, and operators that those Subscriptions claim. */
export function removePackages(state: NamespaceState, removed: ReadonlySet<string>): Removal {
  if (removed.size === 0) return { left: state, gone: [] };
  const leaving = new Set<string | undefined>();
  for (const subscription of state.subscriptions)
    if (removed.has(subscription.package)) leaving.add(subscription.installedCSV);
  for (const { name, package: owner } of state.installed)
    if (owner !== undefined && removed.has(owner)) leaving.add(name);
  return {
    left: {
      subscriptions: state.subscriptions.filter((subscription) => !removed.has(subscription.package)),
      operators: state.operators.filter(({ name }) => !leaving.has(name)),
      installed: state.installed.filter(({ name }) => !leaving.has(name)),
    },
    gone: state.installed.filter(({ name }) => leaving.has(name)),
  };
}
