// What are the things called that are shown? Lines for other programs: `package/foo`, `bundle/foo.v1.2.3`.

import type { Found } from "../../catalog/find.ts";
import { entriesInOrder, newestFirst, packagesInOrder } from "../../catalog/order.ts";
import { safeText } from "../kit/safe-text.ts";

/** All packages; a package and its bundles; the bundles of a channel; the bundle. */
export function nameLines(found: Found): string[] {
  return [...new Set(names(found))].map(safeText);
}

function names(found: Found): string[] {
  switch (found.kind) {
    case "overview":
      return packagesInOrder(found.catalogs).map(({ package: one }) => `package/${one.name}`);
    case "package":
      return [
        `package/${found.package.name}`,
        ...newestFirst(found.package.bundles.values()).map(({ name }) => `bundle/${name}`),
      ];
    case "channel":
      return entriesInOrder(found.channel).flatMap(({ bundle }) =>
        bundle === undefined ? [] : [`bundle/${bundle.name}`],
      );
    case "bundle":
      return [`bundle/${found.bundle.name}`];
  }
}
