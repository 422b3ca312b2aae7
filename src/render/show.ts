// How does a part of a catalog look, in every form that `show` offers?

import { printJson } from "../model/json.ts";
import type { Diagram } from "./diagram.ts";
import { printDot } from "./dot.ts";
import type { ShownFinding } from "./finding-text.ts";
import { printMermaid } from "./mermaid.ts";
import { safeJson } from "./safe-text.ts";
import { bundleLines } from "./show/bundle-text.ts";
import { channelLines } from "./show/channel-text.ts";
import type { Found } from "./show/find.ts";
import type { Look } from "./show/look.ts";
import { nameLines } from "./show/name-lines.ts";
import { overviewLines } from "./show/overview-text.ts";
import { packageLines } from "./show/package-text.ts";
import { catalogReport } from "./show/report.ts";
import { requirementDiagram } from "./show/requirement-diagram.ts";
import { upgradeDiagram } from "./show/upgrade-diagram.ts";
import type { Style } from "./style.ts";
import { printYaml } from "./yaml.ts";

export { type Found, find } from "./show/find.ts";

/** The forms of `show`. */
export type ShowOutput = "text" | "wide" | "json" | "yaml" | "name" | "mermaid" | "dot";

/** How the answer of `show` is to look. */
export interface ShowOptions {
  readonly output: ShowOutput;
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut. `wide` never cuts. */
  readonly width?: number | undefined;
  /** What was wrong with the input. */
  readonly inputFindings?: readonly ShownFinding[] | undefined;
}

/** The whole answer of `show`, ending with a line end. */
export function renderShow(found: Found, { output, style, width, inputFindings }: ShowOptions): string {
  switch (output) {
    case "text":
      return linesText(textLines(found, { style, width, all: false }));
    case "wide":
      return linesText(textLines(found, { style, width: undefined, all: true }));
    case "json":
      return `${safeJson(printJson(catalogReport(found, inputFindings)))}\n`;
    case "yaml":
      return printYaml(catalogReport(found, inputFindings));
    case "name":
      return linesText(nameLines(found));
    case "mermaid":
      return printMermaid(diagramOf(found));
    case "dot":
      return printDot(diagramOf(found));
  }
}

function textLines(found: Found, look: Look): string[] {
  switch (found.kind) {
    case "overview":
      return overviewLines(found, look);
    case "package":
      return packageLines(found, look);
    case "channel":
      return channelLines(found, look);
    case "bundle":
      return bundleLines(found, look);
  }
}

function diagramOf(found: Found): Diagram {
  return found.kind === "overview" ? requirementDiagram(found) : upgradeDiagram(found);
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
