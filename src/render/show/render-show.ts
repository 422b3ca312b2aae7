// How is a part of a catalog printed, in each of the formats of `show`?

import type { Found } from "../../catalog/find.ts";
import { entriesInOrder, newestFirst, packagesInOrder } from "../../catalog/order.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import { byKind } from "../kit/by-kind.ts";
import type { Diagram } from "../kit/diagram.ts";
import { printDot } from "../kit/dot.ts";
import { printLines, printNames } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { printMermaid } from "../kit/mermaid.ts";
import type { Style } from "../kit/style.ts";
import type { Format } from "../output-formats.ts";
import { channelLines } from "./channel-text.ts";
import { overviewLines } from "./overview-text.ts";
import { upgradeDiagram } from "./upgrade-diagram.ts";

export interface ShowOptions {
  readonly output: Format<"show">;
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut. `wide` never cuts. */
  readonly width?: number | undefined;
  /** What was wrong with the input. */
  readonly inputFindings?: readonly ShownFinding[] | undefined;
}

/** The complete answer of `show`, ending with a line end. What reads constraints is loaded only where they are shown. */
export async function renderShow(found: Found, { output, style, width, inputFindings }: ShowOptions): Promise<string> {
  switch (output) {
    case "text":
      return printLines(await textLines(found, { style, width, all: false }));
    case "wide":
      return printLines(await textLines(found, { style, width: undefined, all: true }));
    case "json":
    case "yaml": {
      const { catalogReport, inFormat } = await import("./in-full.ts");
      return inFormat(output, () => catalogReport(found, inputFindings), { text: () => "" });
    }
    case "name":
      return printNames([...new Set(namesOf(found))]);
    case "mermaid":
      return printMermaid(await diagramOf(found));
    case "dot":
      return printDot(await diagramOf(found));
  }
}

async function textLines(found: Found, look: Look): Promise<string[]> {
  switch (found.kind) {
    case "overview":
      return overviewLines(found, look);
    case "package":
      return (await import("./in-full.ts")).packageLines(found, look);
    case "channel":
      return channelLines(found, look);
    case "bundle":
      return (await import("./in-full.ts")).bundleLines(found, look);
  }
}

async function diagramOf(found: Found): Promise<Diagram> {
  if (found.kind !== "overview") return upgradeDiagram(found);
  return (await import("./in-full.ts")).requirementDiagram(found);
}

/** Names for other programs: all packages; a package and its bundles; the bundles of a channel; the bundle. */
const namesOf: (found: Found) => string[] = byKind({
  overview: (found) => packagesInOrder(found.catalogs).map(({ package: one }) => `package/${one.name}`),
  package: (found) => [
    `package/${found.package.name}`,
    ...newestFirst(found.package.bundles.values()).map(({ name }) => `bundle/${name}`),
  ],
  channel: (found) =>
    entriesInOrder(found.channel).flatMap(({ bundle }) => (bundle === undefined ? [] : [`bundle/${bundle.name}`])),
  bundle: (found) => [`bundle/${found.bundle.name}`],
});
