// How is an answer of `place` printed, in each of its formats?

import { placementKey } from "../../placement/placement-name.ts";
import type { ReportOptions } from "../../placement/report/cluster-report.ts";
import { printLines } from "../kit/lines.ts";
import { type OutputLook, textLook } from "../kit/look.ts";
import { inFormat } from "../kit/report-format.ts";
import { safeText } from "../kit/safe-text.ts";
import { eachManifest } from "./decisions.ts";
import { explanationLines } from "./explain-tree.ts";
import { matrixBlocks } from "./matrix.ts";
import { placementExplanation } from "./report.ts";
import { placementReportText, placementReportYaml } from "./report-text.ts";
import type { ShownPlacements } from "./shown.ts";
import { placementBlocks } from "./text.ts";

/** Does a format say anything about single clusters beyond their names? */
export function needsReports(output: string): boolean {
  return output !== "name";
}

/**
 * How much of the reports a format shows. Text has nothing of a feasible cluster but its score and taints, of any other
 * one only what excludes it, and the values that expressions read only of the few clusters that it names.
 */
export function shownOf(output: string): Pick<ReportOptions, "isBrief" | "isDecisive" | "isBare"> {
  return {
    isBrief: !["wide", "json", "yaml"].includes(output),
    isDecisive: output === "text",
    isBare: output === "placementdecision",
  };
}

/** The whole answer, ending with a line end. */
export function renderPlacements(shown: ShownPlacements, look: OutputLook): string {
  return [...placementPieces(shown, look)].join("");
}

/** The answer in pieces, made one after the other: the whole of it may be longer than any text. */
export function placementPieces(shown: ShownPlacements, look: OutputLook): Iterable<string> {
  switch (look.output) {
    case "json":
      return placementReportText(shown);
    case "yaml":
      return placementReportYaml(shown);
    case "name":
      return inPieces(nameBlocks(shown));
    case "matrix":
      return inPieces(matrixBlocks(shown, { ...textLook(look), all: true }));
    case "placementdecision":
      return eachManifest(shown);
    default:
      return inPieces(placementBlocks(shown, textLook(look)));
  }
}

/** What each Placement says of one cluster; the reports are those of this cluster. */
export function renderPlacementExplanation(shown: ShownPlacements, cluster: string, look: OutputLook): string {
  return inFormat(look.output, () => placementExplanation(shown, cluster), {
    text: () => printLines(explanationLines(shown, cluster, textLook(look))),
  });
}

/** One line for each selected cluster: `namespace/name cluster`. */
function* nameBlocks({ placements }: ShownPlacements): Generator<readonly string[]> {
  for (const { result, decisions } of placements)
    yield decisions.selected.map((cluster) => safeText(`${placementKey(result.placement)} ${cluster}`));
}

function* inPieces(blocks: Iterable<readonly string[]>): Generator<string> {
  for (const block of blocks) yield printLines(block);
}
