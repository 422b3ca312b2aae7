// What is this bundle? Its identity, the ways to it and from it in every channel, and what it says about itself.

import { deprecationOf } from "../../catalog/deprecation.ts";
import type { FoundBundle } from "../../catalog/find.ts";
import { channelsWith, neighboursOf } from "../../catalog/neighbours.ts";
import { catalogLabel } from "../../catalog/order.ts";
import { statementsOf } from "../../catalog/statements.ts";
import type { Channel, ChannelEntry } from "../../model/catalog.ts";
import { printPlace } from "../../model/place.ts";
import { printVersion } from "../../semver/version.ts";
import { padEnd, widestOf } from "../kit/display-width.ts";
import { fieldLines, type Look, marksText, section } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { otherLines, providedLines, requiredLines } from "./property-text.ts";
import { deprecationMessage, deprecationText } from "./statement-text.ts";

/** How many upgrade edges of one kind are shown, except in format `wide`. */
const MAX_EDGES = 10;

export function bundleLines(found: FoundBundle, look: Look): string[] {
  const { catalogs, catalog, package: owner, bundle, alsoIn } = found;
  const statements = statementsOf(bundle);
  const imageWidth = widestOf(bundle.relatedImages.map(({ name }) => safeText(name)));
  return [
    look.style.bold(safeText(bundle.name)),
    "",
    ...fieldLines(
      [
        ["Package", owner.name],
        ["Version", printVersion(bundle.version)],
        ["Release", bundle.release],
        ["Catalog", catalogLabel(catalog, catalogs)],
        ["Also in", alsoIn.map((other) => catalogLabel(other, catalogs)).join(", ")],
        ["Deprecated", deprecationText(deprecationMessage(deprecationOf(owner, bundle))), look.style.yellow],
        ["Image", bundle.image === "" ? "none" : bundle.image],
        ["Read from", printPlace(bundle.place)],
      ],
      look,
    ),
    ...channelsWith(owner, bundle).flatMap((channel) => channelSection(channel, found, look)),
    ...section("Provides", providedLines(statements), look, "nothing"),
    ...section("Requires", requiredLines(statements, look), look, "nothing"),
    ...section("Other properties", otherLines(statements, look), look),
    ...section(
      "Related images",
      bundle.relatedImages.map(({ name, image }) => `${padEnd(safeText(name), imageWidth)}  ${safeText(image)}`.trim()),
      look,
    ),
  ];
}

function channelSection(channel: Channel, { package: owner, bundle }: FoundBundle, look: Look): string[] {
  const { entry, replacedBy, skippedBy, inSkipRangeOf } = neighboursOf(channel, bundle);
  const marks = [
    ...(channel.name === owner.defaultChannel ? ["default"] : []),
    ...(channel.head === entry ? ["head"] : []),
    ...(owner.deprecations.channels.has(channel.name) ? ["deprecated"] : []),
  ];
  const way = (direction: "from" | "to", what: string, how: string): string =>
    `${look.style.dim(direction.padEnd(4))}  ${safeText(what)}  ${look.style.dim(safeText(`(${how})`))}`;
  const ways = (entries: readonly ChannelEntry[], how: (entry: ChannelEntry) => string): string[] => {
    const lines = entries.map((one) => way("to", one.name, how(one)));
    return shortened(lines, look);
  };
  const skipped = entry.skips.map((name) => way("from", name, "this skips it"));
  const lines = [
    ...(entry.replaces === undefined ? [] : [way("from", entry.replaces, "this replaces it")]),
    ...shortened(skipped, look),
    ...(entry.skipRange === undefined ? [] : [way("from", `any version in ${entry.skipRange.text}`, "skipRange")]),
    ...ways(replacedBy, () => "it replaces this"),
    ...ways(skippedBy, () => "it skips this"),
    ...ways(inSkipRangeOf, ({ skipRange }) => `its skipRange ${skipRange?.text}`),
  ];
  const none = "no upgrade leads to it or from it";
  return section(`Channel ${channel.name}${marksText(marks)}`, lines, look, none);
}

function shortened(lines: string[], { all, style }: Look): string[] {
  if (all || lines.length <= MAX_EDGES + 1) return lines;
  return [...lines.slice(0, MAX_EDGES), style.dim(`… ${lines.length - MAX_EDGES} more; -o wide shows all`)];
}
