// What must be resolved in each namespace, and by the ClusterExtensions? Builds a problem for each from catalogs and
// objects, independent of the order of the input.

import type { Catalog } from "../../model/catalog.ts";
import { compareText } from "../../model/json.ts";
import type { OperatorGroup } from "../../model/operator-group.ts";
import { plainPlace } from "../../model/place.ts";
import {
  type CatalogName,
  CLUSTER_SCOPE,
  compareNamespaced,
  type Installed,
  type Neighbour,
  type Problem,
  type ResolveOptions,
} from "../../model/problem.ts";
import { ClusterState } from "../cluster-state.ts";
import { nothingToHold, nothingToRemove } from "../no-effect.ts";
import { compareWarnings } from "../warning.ts";
import { inReach, rankCatalogs } from "./catalogs-in-reach.ts";
import { requestsOf } from "./claims.ts";
import {
  type ClusterScopeCatalogs,
  clusterScopeCatalogs,
  installedBundles,
  isOnlyOfClusterScope,
} from "./cluster-scope.ts";
import { clusterDefinitions, kindsInUse, orphanApis } from "./definitions.ts";
import { extensionRequests } from "./extension-requests.ts";
import { failForward } from "./fail-forward.ts";
import { heldByFlag } from "./hold.ts";
import { failedPlan, latestPlan } from "./install-plans.ts";
import { unreadableProperties } from "./installed.ts";
import {
  byNamespace,
  groupFacts,
  type NamespaceState,
  namespaceStates,
  type Removal,
  removePackages,
} from "./namespace-state.ts";
import {
  missingCatalogs,
  missingClusterCatalogs,
  missingDefinitions,
  missingOperators,
  sourcesNotGiven,
} from "./not-given.ts";
import type { Given, PreparationWarning, Prepared } from "./problem-inputs.ts";
import { misplacedLists, readDemands } from "./runtime-constraints.ts";

const EMPTY: NamespaceState = { subscriptions: [], operators: [], installed: [] };

/** Builds a problem for each namespace to resolve; that of the ClusterExtensions is the last. */
export function prepareProblems(given: Given): Prepared {
  const { objects, options } = given;
  const warnings: PreparationWarning[] = [];
  const isOfNamespaces = (catalog: CatalogName & Pick<Catalog, "onlyFor">): boolean =>
    !isOnlyOfClusterScope(catalog, given);
  const ranked = rankCatalogs(
    given.catalogs.filter(isOfNamespaces),
    given.unavailable.filter(isOfNamespaces),
    objects.catalogSources,
  );
  const catalogs = given.catalogs.toSorted(compareNamespaced);
  const ofScope = clusterScopeCatalogs(given);
  const { runtime, node } = readDemands(given);
  const groups = byNamespace(objects.operatorGroups);
  const states = namespaceStates(objects, ranked.catalogs, options.compat);
  const bundles = installedBundles(objects.clusterExtensions, ofScope, catalogs);
  const operators = [...[...states.values()].flatMap(({ installed }) => installed), ...bundles.installed];
  const removed = [...new Set(given.removed)].sort(compareText);
  const held = [...new Set(given.held)].sort(compareText);
  const removals = new Map<string, Removal>();
  const asked = [...new Set(given.namespaces)].sort(compareText);
  for (const namespace of asked)
    if (namespace !== CLUSTER_SCOPE)
      removals.set(namespace, removePackages(states.get(namespace) ?? EMPTY, new Set(removed)));
  if (asked.includes(CLUSTER_SCOPE))
    removals.set(CLUSTER_SCOPE, removePackages({ ...EMPTY, installed: bundles.installed }, new Set(removed)));
  const notGiven = sourcesNotGiven(given).map(({ name, namespace }) => ({ name, namespace }));
  const orphans = orphanApis(given.objects, bundles.installed);
  const definitions = clusterDefinitions(given.objects, options.compat ? [] : operators, catalogs);
  const inUse = kindsInUse(given.objects, definitions);
  const gone = new Set([...removals.values()].flatMap((removal) => removal.gone));
  const elsewhere = operators.filter(({ namespace }) => !removals.has(namespace));
  const neighbours = neighboursOf(groups, states, ranked, options);
  const shared = { elsewhere, node, runtime, removed, gone: [...gone], orphans, definitions, inUse, options };
  const each: Problem[] = [];
  for (const [namespace, { left }] of removals) {
    if (namespace === CLUSTER_SCOPE) {
      const { requests, ...scope } = scopeProblem(given, ofScope, left.installed, removed);
      each.push({
        ...shared,
        ...scope,
        requests,
        installed: left.installed.map((one) => heldByFlag(one, held, requests)),
      });
      continue;
    }
    const ownGroups = groups.get(namespace) ?? [];
    const group = groupFacts(ownGroups);
    const before = states.get(namespace) ?? EMPTY;
    const hasSubscriptions = before.subscriptions.length > 0;
    const areGroupsKnown = objects.lost.kinds?.has("OperatorGroup") !== true;
    if (ownGroups.length > 1 || (ownGroups.length === 0 && hasSubscriptions && areGroupsKnown))
      warnings.push({ code: "operator-groups", in: namespace, count: ownGroups.length, namespace });
    warnings.push(...missingOperators(left.subscriptions, before.operators, objects));
    const installed = group.failForward ? afterFailures(namespace, left, warnings) : left.installed;
    const latest = latestPlan(objects.installPlans, namespace);
    warnings.push(...failedPlan(latest, installed, group.failForward));
    const running = { operators: left.operators, installed };
    const requests = requestsOf(namespace, left.subscriptions, given.named, running, !options.compat);
    each.push({
      namespace,
      catalogs: inReach(ranked.catalogs, namespace, group.ownCatalogsOnly),
      unavailable: inReach(ranked.unavailable, namespace, group.ownCatalogsOnly),
      notGiven: inReach(notGiven, namespace, group.ownCatalogsOnly),
      ...(objects.lost.kinds?.has("CatalogSource") && { areCatalogsUnread: true as const }),
      requests,
      installed: installed.map((one) => heldByFlag(one, held, requests)),
      ...shared,
      targets: group.targets,
      ...(neighbours.some((one) => one.namespace !== namespace) && { neighbours }),
      ...(latest !== undefined && { installPlans: latest.generation }),
    });
  }
  const problems = besideEachOther(each);
  warnings.push(
    ...ranked.warnings,
    ...missingCatalogs(given),
    ...ofScope.warnings,
    ...missingClusterCatalogs(ofScope.notGiven),
    ...bundles.warnings,
    ...misplacedLists(given),
    ...missingDefinitions(problems),
    ...unreadableOnes(given, removals),
    ...withoutEffect(given, states, problems),
  );
  return { problems, warnings: warnings.sort(inOrder) };
}

type ScopePart =
  | "namespace"
  | "scope"
  | "catalogs"
  | "unavailable"
  | "notGiven"
  | "areCatalogsUnread"
  | "requests"
  | "targets";

/** What the problem of the ClusterExtensions has of its own. What OLM v1 installs works for all namespaces. */
function scopeProblem(
  { objects, named }: Given,
  { catalogs, unavailable, notGiven, labelled }: ClusterScopeCatalogs,
  installed: readonly Installed[],
  removed: readonly string[],
): Pick<Problem, ScopePart> {
  const extensions = objects.clusterExtensions.filter((one) => !removed.includes(one.packageName));
  return {
    namespace: CLUSTER_SCOPE,
    scope: "cluster",
    catalogs,
    unavailable,
    notGiven,
    ...(objects.lost.kinds?.has("ClusterCatalog") && { areCatalogsUnread: true as const }),
    requests: extensionRequests(extensions, named, installed, labelled),
    targets: { all: true, names: [] },
  };
}

/** The namespaces whose operators' target namespaces are known. */
function neighboursOf(
  groups: ReadonlyMap<string, readonly OperatorGroup[]>,
  states: ReadonlyMap<string, NamespaceState>,
  ranked: ReturnType<typeof rankCatalogs>,
  { compat }: ResolveOptions,
): readonly Neighbour[] {
  return [...groups.keys()].sort(compareText).flatMap((namespace) => {
    const { targets, ownCatalogsOnly, failForward: isForward } = groupFacts(groups.get(namespace) ?? []);
    if (targets === undefined) return [];
    const state = states.get(namespace) ?? EMPTY;
    const installed = isForward ? afterFailures(namespace, state, []) : state.installed;
    const running = { operators: state.operators, installed };
    return [
      {
        namespace,
        targets,
        catalogs: inReach(ranked.catalogs, namespace, ownCatalogsOnly),
        unavailable: inReach(ranked.unavailable, namespace, ownCatalogsOnly),
        requests: requestsOf(namespace, state.subscriptions, [], running, !compat),
        installed,
      },
    ];
  });
}

/** The problems, each with the operators of the others. */
function besideEachOther(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length < 2) return problems;
  const cluster = new ClusterState(problems);
  return problems.map((problem) => ({ ...problem, elsewhere: cluster.elsewhere(problem.namespace) }));
}

/** The operators that count where a failed update does not block the next one. */
function afterFailures(
  namespace: string,
  { operators, installed }: NamespaceState,
  warnings: PreparationWarning[],
): readonly Installed[] {
  const { dropped, problems } = failForward(operators);
  for (const { fault, operator } of problems) {
    const place = plainPlace(operator.place);
    warnings.push({ code: "fail-forward", operator: operator.name, why: fault, place, namespace });
  }
  return installed.filter(({ name }) => !dropped.has(name));
}

/** Warnings about unreadable properties; those of a namespace that is not resolved concern all that are. */
function unreadableOnes({ objects }: Given, resolved: ReadonlyMap<string, unknown>): PreparationWarning[] {
  return objects.installedOperators.flatMap((operator) => {
    const warning = operator.copied ? undefined : unreadableProperties(operator);
    if (warning === undefined) return [];
    return resolved.has(operator.namespace) ? [{ ...warning, namespace: operator.namespace }] : [warning];
  });
}

/** Warnings about packages that are to be removed or held and do not exist. */
function withoutEffect(
  { objects, removed, held }: Given,
  states: ReadonlyMap<string, NamespaceState>,
  problems: readonly Problem[],
): PreparationWarning[] {
  const before = problems.map(({ namespace, installed: left, gone }) => {
    if (namespace === CLUSTER_SCOPE) {
      const requests = objects.clusterExtensions.map((one) => ({ package: one.packageName }));
      return { namespace, requests, installed: [...left, ...gone.filter((one) => one.namespace === namespace)] };
    }
    const { subscriptions, installed } = states.get(namespace) ?? EMPTY;
    const requests = subscriptions.map((one) => ({ package: one.package, installed: one.installedCSV }));
    return { namespace, requests, installed };
  });
  return [
    ...[...new Set(removed)].flatMap((owner) => nothingToRemove(owner, before) ?? []),
    ...[...new Set(held)].flatMap((owner) => nothingToHold(owner, problems) ?? []),
  ];
}

function inOrder(a: PreparationWarning, b: PreparationWarning): number {
  return compareText(a.namespace ?? "", b.namespace ?? "") || compareWarnings(a, b);
}
