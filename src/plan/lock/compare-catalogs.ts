// What has changed in the catalogs? For packages of the plan, the lock lists the bundles; for bundles that it uses,
// their digests; for everything else, only a digest of the whole.

import type { Catalog } from "../../model/catalog.ts";
import type { CatalogDifference, LockedBundle, LockedPackage, LockedPlan } from "../../model/lock.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import { lockedBundle, packagesOf } from "./make-lock.ts";

/** The changes of packages and bundles of a locked plan, in catalogs that still exist. */
export function catalogDifferences(locked: LockedPlan, catalogs: readonly Catalog[]): readonly CatalogDifference[] {
  const names = new Set(locked.packages.map((one) => one.package));
  const before = new Map(locked.packages.map((one) => [keyOf(one), one]));
  const now = new Map(packagesOf(catalogs, names).map((one) => [keyOf(one), one]));
  const catalogOf = new Map(catalogs.map((catalog) => [wholeName(catalog), catalog]));
  const wereThere = new Set(locked.inputs.filter(({ kind }) => kind === "catalog").map(({ subject }) => subject));
  const differences: CatalogDifference[] = [];
  for (const [key, one] of before) {
    const catalog = catalogOf.get(one.catalog);
    const after = now.get(key);
    if (catalog === undefined || after?.digest === one.digest) continue;
    if (after === undefined) differences.push(aboutPackage(one, "gone"));
    else differences.push(...packageDifferences(one, after, locked.bundles, catalog));
  }
  for (const [key, one] of now)
    if (!before.has(key) && wereThere.has(one.catalog)) differences.push(aboutPackage(one, "new"));
  return differences;
}

function keyOf({ catalog, package: name }: LockedPackage): string {
  return JSON.stringify([catalog, name]);
}

type Became = CatalogDifference["became"];

function aboutPackage({ package: subject, catalog }: LockedPackage, became: Became): CatalogDifference {
  return { kind: "package", subject, catalog, became };
}

function packageDifferences(
  before: LockedPackage,
  after: LockedPackage,
  used: readonly LockedBundle[],
  catalog: Catalog,
): readonly CatalogDifference[] {
  const were = new Set(before.bundles);
  const are = new Set(after.bundles);
  const { catalog: from } = before;
  const about = (subject: string, became: Became): CatalogDifference => ({
    kind: "bundle",
    subject,
    catalog: from,
    became,
  });
  const differences = [
    ...before.bundles.filter((name) => !are.has(name)).map((name) => about(name, "gone")),
    ...after.bundles.filter((name) => !were.has(name)).map((name) => about(name, "new")),
    ...used.flatMap((one) => {
      if (one.catalog !== before.catalog || one.package !== before.package) return [];
      const { name, channel, digest } = one;
      const found = lockedBundle(catalog, one.package, name, channel);
      return found === undefined || found.digest === digest ? [] : [{ ...about(name, "other"), channel }];
    }),
  ];
  return differences.length > 0 ? differences : [aboutPackage(before, "other")];
}
