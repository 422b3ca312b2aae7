// What are the things called that are shown? Lines for other programs: `package/foo`, `bundle/foo.v1.2.3`.

import type { Found } from "../../catalog/find.ts";
import { entriesInOrder, newestFirst, packagesInOrder } from "../../catalog/order.ts";
import { byKind } from "../kit/by-kind.ts";
import { safeText } from "../kit/safe-text.ts";

/** All packages; a package and its bundles; the bundles of a channel; the bundle. */
export function nameLines(found: Found): string[] {
  return [...new Set(names(found))].map(safeText);
}

const names: (found: Found) => string[] = byKind({
  overview: (found) => packagesInOrder(found.catalogs).map(({ package: one }) => `package/${one.name}`),
  package: (found) => [
    `package/${found.package.name}`,
    ...newestFirst(found.package.bundles.values()).map(({ name }) => `bundle/${name}`),
  ],
  channel: (found) =>
    entriesInOrder(found.channel).flatMap(({ bundle }) => (bundle === undefined ? [] : [`bundle/${bundle.name}`])),
  bundle: (found) => [`bundle/${found.bundle.name}`],
});
