// How is an answer of `resolve` printed, in each of its forms?

import type { Resolution } from "../../resolve/resolution.ts";
import { printDot } from "../kit/dot.ts";
import { printLines, printNames } from "../kit/lines.ts";
import { type OutputLook, textLook } from "../kit/look.ts";
import { printMermaid } from "../kit/mermaid.ts";
import { inForm } from "../kit/report-form.ts";
import { withComparison } from "../plan/lock-text.ts";
import { resolutionDiagram } from "./diagram.ts";
import { resolutionReport } from "./report.ts";
import type { ShownResolutions } from "./shown.ts";
import { subscriptionManifests } from "./subscriptions.ts";
import { resolutionLines } from "./text.ts";
import { resolutionTrees } from "./tree.ts";

/** The complete answer, ending with a line end. */
export function renderResolution(shown: ShownResolutions, look: OutputLook): string {
  const { output, style } = look;
  return inForm(
    output,
    () => withComparison(resolutionReport(shown), shown.lock),
    () => {
      switch (output) {
        case "name":
          return printNames(shown.resolutions.flatMap(bundleNames));
        case "tree":
          return printLines(resolutionTrees(shown, style));
        case "mermaid":
          return printMermaid(resolutionDiagram(shown));
        case "dot":
          return printDot(resolutionDiagram(shown));
        case "subscriptions":
          return subscriptionManifests(shown);
        default:
          return printLines(resolutionLines(shown, textLook(look)));
      }
    },
  );
}

/** `namespace/bundle` of every operator. */
function bundleNames({ namespace, operators }: Resolution): readonly string[] {
  return operators.map(({ name }) => `${namespace}/${name}`);
}
