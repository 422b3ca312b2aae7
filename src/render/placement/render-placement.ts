// How does an answer of `place` look, in every form that it offers?

import { inForm } from "../report-form.ts";
import { safeText } from "../safe-text.ts";
import type { Style } from "../style.ts";
import { printYaml } from "../yaml.ts";
import { decisionManifests } from "./decisions.ts";
import { explanationLines } from "./explain-tree.ts";
import { matrixLines } from "./matrix.ts";
import { placementExplanation, placementReport } from "./report.ts";
import { placementReportText } from "./report-text.ts";
import { placementKey, type ShownPlacements } from "./shown.ts";
import { placementLines } from "./text.ts";

/** The forms of `place`; the first is the default. */
export const PLACEMENT_FORMS = ["text", "wide", "name", "json", "yaml", "matrix", "placementdecision"] as const;

/** The forms of `place --explain`; the first is the default. */
export const EXPLANATION_FORMS = ["text", "json", "yaml"] as const;

/** How an answer is to look. */
export interface PlacementLook {
  readonly output: string;
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut. `wide` never cuts. */
  readonly width: number | undefined;
}

/** Does a form say anything about single clusters beyond their names? */
export function needsReports(output: string): boolean {
  return output !== "name";
}

/** Does a form say of every cluster which values its expressions read? Text does so for the few that it names. */
export function needsValues(output: string): boolean {
  return output === "wide" || output === "json" || output === "yaml";
}

/** The whole answer, ending with a line end. */
export function renderPlacements(shown: ShownPlacements, { output, style, width }: PlacementLook): string {
  switch (output) {
    case "json":
      return placementReportText(shown);
    case "yaml":
      return printYaml(placementReport(shown));
    case "name":
      return linesText(nameLines(shown));
    case "matrix":
      return linesText(matrixLines(shown, { style, width, all: true }));
    case "placementdecision":
      return decisionManifests(shown);
    case "wide":
      return linesText(placementLines(shown, { style, width: undefined, all: true }));
    default:
      return linesText(placementLines(shown, { style, width, all: false }));
  }
}

/** What each Placement says of one cluster; the reports are those of this cluster. */
export function renderPlacementExplanation(
  shown: ShownPlacements,
  cluster: string,
  { output, style, width }: PlacementLook,
): string {
  return inForm(
    output,
    () => placementExplanation(shown, cluster),
    () => linesText(explanationLines(shown, cluster, { style, width, all: false })),
  );
}

/** One line for each selected cluster: `namespace/name cluster`. */
function nameLines({ placements }: ShownPlacements): string[] {
  return placements.flatMap(({ result: { placement, selected } }) =>
    selected.map((cluster) => safeText(`${placementKey(placement)} ${cluster}`)),
  );
}

function linesText(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
