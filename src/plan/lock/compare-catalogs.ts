// What is not as it was in the catalogs? Of the packages that the plan is about, the lock knows which bundles there were;
// of the bundles that it uses, what they were; of everything else, only whether it is still the same.

import type { Catalog } from "../../model/catalog.ts";
import type { LockDifference, LockedBundle, LockedPackage, LockedPlan } from "../../model/lock.ts";
import { catalogId } from "./inputs.ts";
import { lockedBundle, packagesOf } from "./make-lock.ts";

/** What became of the packages and bundles of a locked plan, in catalogs that are still there. */
export function catalogDifferences(locked: LockedPlan, catalogs: readonly Catalog[]): readonly LockDifference[] {
  const names = new Set(locked.packages.map((one) => one.package));
  const before = new Map(locked.packages.map((one) => [keyOf(one), one]));
  const now = new Map(packagesOf(catalogs, names).map((one) => [keyOf(one), one]));
  const catalogOf = new Map(catalogs.map((catalog) => [catalogId(catalog), catalog]));
  const wereThere = new Set(locked.inputs.filter(({ kind }) => kind === "catalog").map(({ subject }) => subject));
  const differences: LockDifference[] = [];
  for (const [key, one] of before) {
    const catalog = catalogOf.get(one.catalog);
    const after = now.get(key);
    if (catalog === undefined || after?.digest === one.digest) continue;
    if (after === undefined) differences.push(aboutPackage(one, `is no longer in catalog ${one.catalog}`));
    else differences.push(...packageDifferences(one, after, locked.bundles, catalog));
  }
  for (const [key, one] of now)
    if (!before.has(key) && wereThere.has(one.catalog))
      differences.push(aboutPackage(one, `is new in catalog ${one.catalog}`));
  return differences;
}

function keyOf({ catalog, package: name }: LockedPackage): string {
  return JSON.stringify([catalog, name]);
}

function aboutPackage(one: LockedPackage, what: string): LockDifference {
  return { kind: "package", subject: one.package, text: `package ${one.package} ${what}` };
}

function packageDifferences(
  before: LockedPackage,
  after: LockedPackage,
  used: readonly LockedBundle[],
  catalog: Catalog,
): readonly LockDifference[] {
  const were = new Set(before.bundles);
  const are = new Set(after.bundles);
  const about = (name: string, what: string): LockDifference => ({
    kind: "bundle",
    subject: name,
    text: `bundle ${name} ${what} catalog ${before.catalog}`,
  });
  const differences = [
    ...before.bundles.filter((name) => !are.has(name)).map((name) => about(name, "is no longer in")),
    ...after.bundles.filter((name) => !were.has(name)).map((name) => about(name, "is new in")),
    ...used.flatMap((one) => {
      if (one.catalog !== before.catalog || one.package !== before.package) return [];
      const { name, channel, digest } = one;
      const found = lockedBundle(catalog, one.package, name, channel);
      return found === undefined || found.digest === digest
        ? []
        : [about(name, `(or what leads to it in channel ${channel}) is not the same in`)];
    }),
  ];
  if (differences.length > 0) return differences;
  const what = "its channels, what is said about it, or bundles that the plan does not use";
  return [aboutPackage(before, `is not the same in catalog ${before.catalog}: ${what}`)];
}
