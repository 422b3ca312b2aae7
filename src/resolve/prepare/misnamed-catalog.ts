// Was the only catalog given under a name that the cluster does not use? Then no Subscription finds anything in it,
// and the name that was probably meant is reported first.

import type { Catalog } from "../../model/catalog.ts";
import { addTo } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { CatalogName } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import { catalogsCalled, wholeName } from "../catalog-order.ts";
import type { Given, PreparationWarning } from "./given.ts";

/** The warning, with the flag to use; `path` is where the catalog was found. */
export function misnamedCatalog(given: Given, path: string): PreparationWarning | undefined {
  const { catalogs, unavailable, objects, namespaces } = given;
  const [catalog] = catalogs;
  if (catalog === undefined || catalogs.length + unavailable.length > 1) return undefined;
  const subscribed = objects.subscriptions.filter(({ namespace }) => namespaces.includes(namespace));
  const isUsed = [...objects.catalogSources, ...subscribed.map(sourceOf)].some(
    (one) => catalogsCalled([catalog], one).length > 0,
  );
  const meant = isUsed ? undefined : sourceMeant(subscribed, catalog);
  if (meant === undefined) return undefined;
  const [first, ...more] = meant.subscriptions as readonly [Subscription, ...Subscription[]];
  return {
    code: "catalog-name",
    subscription: `${first.namespace}/${first.name}`,
    more: more.length,
    meant: meant.source,
    given: wholeName(catalog),
    path,
    place: plainPlace(inside(first.place, "spec", "source")),
  };
}

function sourceOf({ source, sourceNamespace }: Subscription): CatalogName {
  return { name: source, namespace: sourceNamespace };
}

/**
 * The source of most Subscriptions whose package the catalog has, with its namespace if the catalog was given with
 * one; the first by name among equals.
 */
function sourceMeant(
  subscribed: readonly Subscription[],
  { packages, namespace }: Catalog,
): { readonly source: string; readonly subscriptions: readonly Subscription[] } | undefined {
  const found = new Map<string, Subscription[]>();
  for (const subscription of subscribed) {
    if (!packages.has(subscription.package)) continue;
    const source = namespace === undefined ? subscription.source : wholeName(sourceOf(subscription));
    addTo(found, source, subscription);
  }
  const [best] = [...found].sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b));
  return best && { source: best[0], subscriptions: best[1] };
}
