// How does an answer of `resolve` look, in every form that it offers?

import { printDot } from "../kit/dot.ts";
import { printMermaid } from "../kit/mermaid.ts";
import { inForm } from "../kit/report-form.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { withComparison } from "../plan/lock-text.ts";
import { resolutionDiagram } from "./diagram.ts";
import { resolutionReport } from "./report.ts";
import type { ShownResolutions } from "./shown.ts";
import { subscriptionManifests } from "./subscriptions.ts";
import { resolutionLines } from "./text.ts";
import { treeLines } from "./tree.ts";

/** How the answer is to look. */
export interface ResolveLook {
  readonly output: string;
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut. `wide` never cuts. */
  readonly width: number | undefined;
}

/** The whole answer, ending with a line end. */
export function renderResolution(shown: ShownResolutions, { output, style, width }: ResolveLook): string {
  return inForm(
    output,
    () => withComparison(resolutionReport(shown), shown.lock),
    () => {
      switch (output) {
        case "wide":
          return linesText(resolutionLines(shown, { style, width: undefined, all: true }));
        case "name":
          return linesText(nameLines(shown));
        case "tree":
          return linesText(treeLines(shown, style));
        case "mermaid":
          return printMermaid(resolutionDiagram(shown));
        case "dot":
          return printDot(resolutionDiagram(shown));
        case "subscriptions":
          return subscriptionManifests(shown);
        default:
          return linesText(resolutionLines(shown, { style, width, all: false }));
      }
    },
  );
}

/** `namespace/bundle` of every operator. */
function nameLines({ resolutions }: ShownResolutions): string[] {
  return resolutions.flatMap(({ namespace, operators }) =>
    operators.map(({ name }) => safeText(`${namespace}/${name}`)),
  );
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
