// What does a cluster speak of that was not given? Operators that are said to run, and catalogs that it has. The answer
// is made without them, and may be another one than the cluster's.

import type { CatalogSource } from "../../model/catalog-source.ts";
import type { RejectedObject } from "../../model/cluster-objects.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import { inside } from "../../model/place.ts";
import type { CatalogName, Problem } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import type { Warning } from "../resolution.ts";
import type { Given, PreparationWarning } from "./given.ts";

/** So many names stand in a sentence. */
const MOST_NAMES = 10;

/**
 * Warnings about Subscriptions of a namespace whose operator is said to run and is not among those that were given;
 * `rejected` are objects that could not be used.
 */
export function missingOperators(
  subscriptions: readonly Subscription[],
  operators: readonly InstalledOperator[],
  rejected: readonly RejectedObject[],
): readonly PreparationWarning[] {
  const given = new Set(operators.map(({ name }) => name));
  return subscriptions.flatMap(({ namespace, name, installedCSV, place }) => {
    if (installedCSV === undefined || given.has(installedCSV)) return [];
    const isUnreadable = rejected.some(
      (one) => one.kind === "ClusterServiceVersion" && one.namespace === namespace && one.name === installedCSV,
    );
    const why = isUnreadable
      ? "and that ClusterServiceVersion cannot be used: it is treated as new"
      : "and no such ClusterServiceVersion was given: it is treated as new; give the installed operators too (kubectl get subscriptions,csv -o yaml)";
    const message = `Subscription ${namespace}/${name} says that ${installedCSV} is installed, ${why}`;
    return [{ code: "missing-operator", message, place: inside(place, "status", "installedCSV"), namespace }];
  });
}

/** A warning about all CatalogSources whose catalogs were not given; nothing where no catalogs matter. */
export function missingCatalogs({ catalogs, unavailable, objects }: Given): PreparationWarning[] {
  const known: readonly CatalogName[] = [...catalogs, ...unavailable];
  if (known.length + objects.subscriptions.length === 0) return [];
  const missing = objects.catalogSources.filter((source) => !known.some((catalog) => isOf(catalog, source)));
  const [first] = missing;
  if (first === undefined) return [];
  const names = missing.map(({ namespace, name }) => `${namespace}/${name}`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const message = `the cluster has catalogs that were not given: ${names.slice(0, MOST_NAMES).join(", ")}${more}; what they offer is not known (--catalog NAME=PATH)`;
  return [{ code: "catalog-not-given", message, place: first.place }];
}

function isOf(catalog: CatalogName, source: CatalogSource): boolean {
  return catalog.name === source.name && (catalog.namespace ?? source.namespace) === source.namespace;
}

/** A warning for each catalog of a problem that could not be had. */
export function unavailableCatalogs({ unavailable, options }: Problem): readonly Warning[] {
  const what = options.ignoreUnavailable
    ? "the answer is made as if it did not exist"
    : "what it might offer is not known";
  return unavailable.map(({ name, namespace, reason }) => ({
    code: "catalog-unavailable",
    message: `catalog ${namespace === undefined ? name : `${namespace}/${name}`} is not available: ${reason}; ${what}`,
  }));
}
