// How is an answer of `resolve` printed, in each of its formats?

import { neededSubscription, subscriptionManifest } from "../../plan/actions/subscription-manifest.ts";
import { printDot } from "../kit/dot.ts";
import { printLines, printNames } from "../kit/lines.ts";
import { type OutputLook, textLook } from "../kit/look.ts";
import { printMermaid } from "../kit/mermaid.ts";
import { inFormat } from "../kit/report-format.ts";
import { printYaml } from "../kit/yaml.ts";
import { withComparison } from "../plan/lock-text.ts";
import { qualified } from "../sentence/names.ts";
import { resolutionDiagram } from "./diagram.ts";
import { resolutionReport } from "./report.ts";
import type { ShownResolutions } from "./shown.ts";
import { resolutionLines } from "./text.ts";
import { resolutionTrees } from "./tree.ts";

/** The complete answer, ending with a line end. */
export function renderResolution(shown: ShownResolutions, look: OutputLook): string {
  const { output, style } = look;
  return inFormat(output, () => withComparison(resolutionReport(shown), shown.lock), {
    text: () => printLines(resolutionLines(shown, textLook(look))),
    name: () => printNames(bundleNames(shown)),
    tree: () => printLines(resolutionTrees(shown, style)),
    mermaid: () => printMermaid(resolutionDiagram(shown)),
    dot: () => printDot(resolutionDiagram(shown)),
    subscriptions: () => subscriptionManifests(shown),
  });
}

function bundleNames({ resolutions }: ShownResolutions): readonly string[] {
  return resolutions.flatMap(({ namespace, operators }) => operators.map(({ name }) => qualified(namespace, name)));
}

/** Manifests for the packages named on the command line and for the operators that come with them, as YAML documents. */
function subscriptionManifests({ resolutions }: ShownResolutions): string {
  const needed = resolutions.flatMap(({ operators, namespace }) =>
    operators.flatMap(
      ({ from, name, ...operator }) =>
        neededSubscription({ ...operator, to: from && { ...from, name } }, namespace) ?? [],
    ),
  );
  return needed.map((subscription) => printYaml(subscriptionManifest(subscription))).join("---\n");
}
