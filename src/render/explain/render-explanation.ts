// How does an answer of `explain` look, in every form that it offers?

import { printDot } from "../kit/dot.ts";
import { printMermaid } from "../kit/mermaid.ts";
import { inForm } from "../kit/report-form.ts";
import type { Style } from "../kit/style.ts";
import { explanationDiagram } from "./diagram.ts";
import { subjectReport } from "./report.ts";
import type { ShownExplanation } from "./shown.ts";
import { explanationText } from "./text.ts";
import { treeText } from "./tree.ts";

/** How the answer is to look. */
export interface ExplainLook {
  readonly output: string;
  readonly style: Style;
  /** The width of the terminal; without it nothing is wrapped. */
  readonly width: number | undefined;
}

/** The whole answer, ending with a line end. */
export function renderExplanation(shown: ShownExplanation, { output, style, width }: ExplainLook): string {
  const look = { style, width, all: false };
  return inForm(
    output,
    () => subjectReport(shown),
    () => {
      switch (output) {
        case "tree":
          return linesText(treeText(shown, look));
        case "mermaid":
          return printMermaid(explanationDiagram(shown));
        case "dot":
          return printDot(explanationDiagram(shown));
        default:
          return linesText(explanationText(shown, look));
      }
    },
  );
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
