// What is this package? Its channels and their heads, and what a new user of it gets and needs.

import { deprecationOf } from "../../catalog/deprecation.ts";
import type { FoundPackage } from "../../catalog/find.ts";
import { channelsWith } from "../../catalog/neighbours.ts";
import { catalogLabel, newestFirst } from "../../catalog/order.ts";
import { statementsOf } from "../../catalog/statements.ts";
import { printPlace } from "../../model/place.ts";
import { printVersion } from "../../semver/version.ts";
import { fieldLines, type Look, marksText, section } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { type Cell, tableLines } from "../kit/table.ts";
import { providedLines, requiredLines } from "./property-text.ts";
import { deprecationText, entryTitle } from "./statement-text.ts";

/** The lines about a package; with `all` also every bundle of it. */
export function packageLines(found: FoundPackage, look: Look): string[] {
  const { catalogs, catalog, package: one, alsoIn } = found;
  const { style } = look;
  return [
    style.bold(safeText(one.name)),
    "",
    ...fieldLines(
      [
        ["Description", one.description],
        ["Catalog", catalogLabel(catalog, catalogs)],
        ["Also in", alsoIn.map((other) => catalogLabel(other, catalogs)).join(", ")],
        ["Default channel", one.defaultChannel],
        ["Deprecated", deprecationText(one.deprecations.package), style.yellow],
        ["Read from", printPlace(one.place)],
      ],
      look,
    ),
    "",
    ...channelTable(found, look),
    ...(look.all ? ["", ...bundleTable(found, look)] : []),
    ...headLines(found, look),
  ];
}

function channelTable({ package: one }: FoundPackage, look: Look): string[] {
  const rows = [...one.channels.values()].map(({ name, head, entries }): Cell[] => {
    const isDeprecated = one.deprecations.channels.has(name);
    const marks = [...(name === one.defaultChannel ? ["default"] : []), ...(isDeprecated ? ["deprecated"] : [])];
    const text = `${name}${marksText(marks)}`;
    return [
      isDeprecated ? { text, style: look.style.yellow } : text,
      `${entryTitle(head)}${head.bundle === undefined ? " (no bundle)" : ""}`,
      String(entries.size),
    ];
  });
  return tableLines([{ header: "CHANNEL" }, { header: "HEAD" }, { header: "ENTRIES", isNumber: true }], rows, look);
}

function bundleTable({ package: one }: FoundPackage, look: Look): string[] {
  const rows = newestFirst(one.bundles.values()).map((bundle): Cell[] => {
    const isDeprecated = deprecationOf(one, bundle) !== undefined;
    const text = `${bundle.name}${marksText(isDeprecated ? ["deprecated"] : [])}`;
    return [
      isDeprecated ? { text, style: look.style.yellow } : text,
      printVersion(bundle.version),
      channelsWith(one, bundle)
        .map(({ name }) => name)
        .join(", "),
    ];
  });
  return tableLines([{ header: "BUNDLE" }, { header: "VERSION" }, { header: "CHANNELS" }], rows, look);
}

function headLines({ package: one }: FoundPackage, look: Look): string[] {
  const head = one.channels.get(one.defaultChannel)?.head;
  if (head?.bundle === undefined) return [];
  const statements = statementsOf(head.bundle);
  return [
    ...section(`${head.name} provides`, providedLines(statements), look, "nothing"),
    ...section(`${head.name} requires`, requiredLines(statements, look), look, "nothing"),
  ];
}
