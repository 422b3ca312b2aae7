// How does a part of a catalog look, in every form that `show` offers?

import type { Found } from "../../catalog/find.ts";
import { printJson } from "../../model/json.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import type { Form } from "../forms.ts";
import type { Diagram } from "../kit/diagram.ts";
import { printDot } from "../kit/dot.ts";
import type { Look } from "../kit/look.ts";
import { printMermaid } from "../kit/mermaid.ts";
import { safeJson } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { printYaml } from "../kit/yaml.ts";
import { bundleLines } from "./bundle-text.ts";
import { channelLines } from "./channel-text.ts";
import { nameLines } from "./name-lines.ts";
import { overviewLines } from "./overview-text.ts";
import { packageLines } from "./package-text.ts";
import { catalogReport } from "./report.ts";
import { requirementDiagram } from "./requirement-diagram.ts";
import { upgradeDiagram } from "./upgrade-diagram.ts";

/** How the answer of `show` is to look. */
export interface ShowOptions {
  readonly output: Form<"show">;
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
