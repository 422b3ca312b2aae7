// What do the catalogs hold, at a glance? A line for each catalog, and a row for each package.

import type { FoundOverview } from "../../catalog/find.ts";
import { catalogLabel, packagesInOrder } from "../../catalog/order.ts";
import { type Catalog, countCatalog, type Package } from "../../model/catalog.ts";
import { printVersion } from "../../semver/version.ts";
import { partsText } from "../finding/finding-text.ts";
import { type Look, marksText } from "../kit/look.ts";
import { safeLines, safeText } from "../kit/safe-text.ts";
import { type Cell, type Column, tableLines } from "../kit/table.ts";

/** The lines of the overview; with `all` also the descriptions of packages. */
export function overviewLines({ catalogs }: FoundOverview, look: Look): string[] {
  const lines = catalogs.map((catalog) => catalogLine(catalog, catalogs, look));
  const packages = packagesInOrder(catalogs);
  if (packages.length === 0) return lines;
  const severalCatalogs = catalogs.length > 1;
  const columns: Column[] = [
    { header: "PACKAGE" },
    { header: "DEFAULT CHANNEL" },
    { header: "HEAD" },
    { header: "CHANNELS", isNumber: true },
    { header: "BUNDLES", isNumber: true },
    ...(severalCatalogs ? [{ header: "CATALOG" }] : []),
    ...(look.all ? [{ header: "DESCRIPTION" }] : []),
  ];
  const rows = packages.map(({ catalog, package: one }): Cell[] => [
    nameCell(one, look),
    one.defaultChannel,
    headText(one),
    String(one.channels.size),
    String(one.bundles.size),
    ...(severalCatalogs ? [catalogLabel(catalog, catalogs)] : []),
    ...(look.all ? [safeLines(one.description)[0] ?? ""] : []),
  ]);
  return [...lines, "", ...tableLines(columns, rows, look)];
}

function catalogLine(catalog: Catalog, catalogs: readonly Catalog[], { style }: Look): string {
  const { channels, bundles } = countCatalog(catalog);
  const name = style.bold(safeText(catalogLabel(catalog, catalogs)));
  const marks = catalog.priority === 0 ? "" : ` (priority ${catalog.priority})`;
  const counts = partsText({ packages: catalog.packages.size, channels, bundles }, true);
  const left = partsText(catalog.dropped, false);
  return `${name}${marks}: ${counts}${left === "" ? "" : style.yellow(`; left out: ${left}`)}`;
}

function nameCell(one: Package, { style }: Look): Cell {
  if (one.deprecations.package === undefined) return one.name;
  return { text: `${one.name}${marksText(["deprecated"])}`, style: style.yellow };
}

function headText(one: Package): string {
  const head = one.channels.get(one.defaultChannel)?.head;
  if (head === undefined) return "";
  return head.bundle === undefined ? `${head.name} (no bundle)` : printVersion(head.bundle.version);
}
