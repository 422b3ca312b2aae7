// What is installed and requested in each namespace, what does its OperatorGroup state, and what is left when packages
// are removed?

import type { Catalog } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { groupedBy } from "../../model/grouped.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import { compareText } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import type { OperatorGroup } from "../../model/operator-group.ts";
import { compareNamespaced, type Installed, type TargetNamespaces } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import { FAIL_FORWARD } from "./fail-forward.ts";
import { holdByCondition } from "./hold.ts";
import { describeInstalled, packageOfName } from "./installed.ts";

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
    const claims = groupedBy(asked, ({ installedCSV }) => installedCSV);
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

/** An object of a namespace. */
export interface Namespaced {
  readonly namespace: string;
  readonly name: string;
}

/** Objects by namespace, in the order of namespaces and names. */
export function byNamespace<Item extends Namespaced>(items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  return groupedBy(items.toSorted(compareNamespaced), (item) => item.namespace);
}

const OWN_CATALOGS_ONLY = "olm.operatorframework.io/exclude-global-namespace-resolution";

/** What is known about a namespace from its OperatorGroup. */
export interface GroupFacts {
  readonly targets: TargetNamespaces | undefined;
  /** Only catalogs of the namespace itself are used. */
  readonly ownCatalogsOnly: boolean;
  readonly failForward: boolean;
}

const NOTHING_KNOWN: GroupFacts = { targets: undefined, ownCatalogsOnly: false, failForward: false };

/** The facts of the OperatorGroups of one namespace; empty unless there is exactly one, as OLM requires (case E42). */
export function groupFacts(groups: readonly OperatorGroup[]): GroupFacts {
  const [group, another] = groups;
  if (group === undefined || another !== undefined) return NOTHING_KNOWN;
  return {
    targets: targetsOf(group),
    ownCatalogsOnly: textUnder(group.annotations, OWN_CATALOGS_ONLY) === "true",
    failForward: group.upgradeStrategy === FAIL_FORWARD,
  };
}

/** OLM's status takes precedence over the spec. */
function targetsOf(group: OperatorGroup): TargetNamespaces | undefined {
  const found = group.namespaces ?? [];
  const names = found.length > 0 ? found : group.targetNamespaces;
  if (names.includes("")) return { all: true, names: [] };
  if (names.length > 0) return { all: false, names: [...new Set(names)].sort(compareText) };
  const { selector } = group;
  const selectsAll =
    selector === undefined ||
    (selector.matchExpressions.length === 0 && Object.keys(selector.matchLabels).length === 0);
  return selectsAll ? { all: true, names: [] } : undefined;
}
