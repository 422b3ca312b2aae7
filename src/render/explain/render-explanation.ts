// How is an answer of `explain` printed, in each of its formats?

import { printDot } from "../kit/dot.ts";
import { printLines } from "../kit/lines.ts";
import { type OutputLook, textLook } from "../kit/look.ts";
import { printMermaid } from "../kit/mermaid.ts";
import { inFormat } from "../kit/report-format.ts";
import { explanationDiagram } from "./diagram.ts";
import { subjectReport } from "./report.ts";
import type { ShownExplanation } from "./shown.ts";
import { explanationText } from "./text.ts";
import { treeText } from "./tree.ts";

/** The complete answer, ending with a line end. */
export function renderExplanation(shown: ShownExplanation, look: OutputLook): string {
  return inFormat(look.output, () => subjectReport(shown), {
    text: () => printLines(explanationText(shown, textLook(look))),
    tree: () => printLines(treeText(shown, textLook(look))),
    mermaid: () => printMermaid(explanationDiagram(shown)),
    dot: () => printDot(explanationDiagram(shown)),
  });
}
