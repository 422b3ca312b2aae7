// How is an answer of `place` printed, in each of its forms?

import { placementKey } from "../../placement/placement-name.ts";
import type { ReportOptions } from "../../placement/report/cluster-report.ts";
import { inForm } from "../kit/report-form.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { eachManifest } from "./decisions.ts";
import { explanationLines } from "./explain-tree.ts";
import { matrixBlocks } from "./matrix.ts";
import { placementExplanation } from "./report.ts";
import { placementReportText, placementReportYaml } from "./report-text.ts";
import type { ShownPlacements } from "./shown.ts";
import { placementBlocks } from "./text.ts";

/** How an answer is to look. */
export interface PlacementLook {
  readonly output: string;
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut. `wide` never cuts. */
  readonly width: number | undefined;
}

/** Does a form print more about single clusters than their names? */
export function needsReports(output: string): boolean {
  return output !== "name";
}

/**
 * How much of the reports a form shows. Text has nothing of a feasible cluster but its score, taints and spread, and the values
 * that expressions read only of the few clusters that it names.
 */
export function shownOf(output: string): Pick<ReportOptions, "isBrief" | "skipsMatched" | "isBare"> {
  return {
    isBrief: !["wide", "json", "yaml"].includes(output),
    skipsMatched: output === "text",
    isBare: output === "placementdecision",
  };
}

/** The complete answer, ending with a line end. */
export function renderPlacements(shown: ShownPlacements, look: PlacementLook): string {
  return [...placementPieces(shown, look)].join("");
}

/** The answer in pieces, made one after the other: the whole of it may be longer than any text. */
export function placementPieces(shown: ShownPlacements, { output, style, width }: PlacementLook): Iterable<string> {
  switch (output) {
    case "json":
      return placementReportText(shown);
    case "yaml":
      return placementReportYaml(shown);
    case "name":
      return inPieces(nameBlocks(shown));
    case "matrix":
      return inPieces(matrixBlocks(shown, { style, width, all: true }));
    case "placementdecision":
      return eachManifest(shown);
    case "wide":
      return inPieces(placementBlocks(shown, { style, width: undefined, all: true }));
    default:
      return inPieces(placementBlocks(shown, { style, width, all: false }));
  }
}

/** The explanation of one cluster for each Placement; the reports are those of this cluster. */
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
function* nameBlocks({ placements }: ShownPlacements): Generator<readonly string[]> {
  for (const { result, decisions } of placements)
    yield decisions.selected.map((cluster) => safeText(`${placementKey(result.placement)} ${cluster}`));
}

function* inPieces(blocks: Iterable<readonly string[]>): Generator<string> {
  for (const block of blocks) yield linesText(block);
}

function linesText(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
