// Which objects does the cluster refer to that were not given? Operators in Subscription statuses, catalogs, CRDs
// owned by operators. The answer is computed without them and may differ from the cluster's.

import { type Catalog, gvkOf, kindKey } from "../../model/catalog.ts";
import type { CatalogSource } from "../../model/catalog-source.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import { compareText } from "../../model/json.ts";
import { inside, plainPlace } from "../../model/place.ts";
import { type CatalogName, CLUSTER_SCOPE, type Installed, type Problem } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import type { Warning } from "../warning.ts";
import type { Given, PreparationWarning } from "./problem-inputs.ts";

/** Number of names in a sentence; CRD names are long. */
const MAX_NAMES = 10;
const MAX_CRDS = 3;

/**
 * Warnings about Subscriptions whose installed operator was not given, or could not be read.
 */
export function missingOperators(
  subscriptions: readonly Subscription[],
  operators: readonly InstalledOperator[],
  { rejected, lost }: Pick<ClusterObjects, "rejected" | "lost">,
): readonly PreparationWarning[] {
  const areUnread = lost.kinds?.has("ClusterServiceVersion") === true;
  const given = new Set(operators.map(({ name }) => name));
  return subscriptions.flatMap(({ namespace, name, installedCSV, place }) => {
    if (installedCSV === undefined || given.has(installedCSV)) return [];
    const isUnreadable =
      areUnread ||
      rejected.some(
        (one) => one.kind === "ClusterServiceVersion" && one.namespace === namespace && one.name === installedCSV,
      );
    const subscription = `${namespace}/${name}`;
    const written = plainPlace(inside(place, "status", "installedCSV"));
    return [
      { code: "missing-operator", subscription, operator: installedCSV, isUnreadable, place: written, namespace },
    ];
  });
}

/** The CatalogSources whose catalogs were not given. */
export function sourcesNotGiven({ catalogs, unavailable, objects }: Given): readonly CatalogSource[] {
  const known: readonly CatalogName[] = [...catalogs, ...unavailable];
  return objects.catalogSources.filter((source) => !known.some((catalog) => isOf(catalog, source)));
}

/** One warning about all of them; none if catalogs do not matter. */
export function missingCatalogs(given: Given): PreparationWarning[] {
  const { catalogs, unavailable, objects, namespaces } = given;
  if (namespaces.every((namespace) => namespace === CLUSTER_SCOPE)) return [];
  if (catalogs.length + unavailable.length + objects.subscriptions.length === 0) return [];
  const missing = sourcesNotGiven(given);
  const [first] = missing;
  if (first === undefined) return [];
  const names = missing.map(({ namespace, name }) => `${namespace}/${name}`);
  return [{ code: "catalog-not-given", catalogs: listed(names, MAX_NAMES), place: plainPlace(first.place) }];
}

/** One warning about all ClusterCatalogs whose content was not given. */
export function missingClusterCatalogs(missing: readonly CatalogName[]): readonly PreparationWarning[] {
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name);
  return [{ code: "catalog-not-given", catalogs: listed(names, MAX_NAMES), namespace: CLUSTER_SCOPE }];
}

/**
 * One warning about all unknown CustomResourceDefinitions that an update could change: they were not given, and no
 * catalog has the manifests of the operators that own them. The problems are those of one cluster; OLM does not check
 * this.
 */
export function missingDefinitions(problems: readonly Problem[]): readonly PreparationWarning[] {
  const [first] = problems;
  if (first === undefined || first.options.compat) return [];
  const planned = new Set(problems.map(({ namespace }) => namespace));
  const requested = new Set(problems.flatMap(({ requests }) => requests.map((request) => request.package)));
  const known = new Set(first.definitions?.map(({ definition }) => kindKey(definition)));
  // An operator elsewhere for one of them is elsewhere for all, or is planned.
  const others = first.elsewhere.filter((one) => !planned.has(one.namespace) && requested.has(one.package ?? ""));
  const missing = new Set<string>();
  for (const operator of [...problems.flatMap(({ installed }) => installed), ...others]) {
    const unknown = (operator.owned ?? []).map(gvkOf).filter((api) => !known.has(kindKey(api)));
    if (unknown.length === 0 || !isUpdatable(operator, first.catalogs)) continue;
    for (const { group, kind } of unknown) missing.add(`${kind} (${group})`);
  }
  if (missing.size === 0) return [];
  return [{ code: "crds-not-given", kinds: listed([...missing].sort(compareText), MAX_CRDS) }];
}

/** Does a catalog have another bundle of the package? */
function isUpdatable({ name, package: owner }: Installed, catalogs: readonly Catalog[]): boolean {
  return catalogs.some(({ packages }) => {
    const bundles = packages.get(owner ?? "")?.bundles;
    return bundles !== undefined && bundles.size > (bundles.has(name) ? 1 : 0);
  });
}

function listed(names: readonly string[], most: number): { readonly names: readonly string[]; readonly more: number } {
  return { names: names.slice(0, most), more: Math.max(0, names.length - most) };
}

function isOf(catalog: CatalogName, source: CatalogSource): boolean {
  return catalog.name === source.name && (catalog.namespace ?? source.namespace) === source.namespace;
}

/** A warning for each unavailable catalog of a problem. */
export function unavailableCatalogs({ unavailable, options }: Problem): readonly Warning[] {
  return unavailable.map(({ name, namespace, reason }) => ({
    code: "catalog-unavailable",
    catalog: { name, ...(namespace !== undefined && { namespace }) },
    reason,
    isIgnored: options.ignoreUnavailable,
  }));
}
