// How is an answer of `plan` printed, in each of its formats?

import type { PlanOptions } from "../../plan/plan.ts";
import { printLines, printNames } from "../kit/lines.ts";
import { type OutputLook, textLook } from "../kit/look.ts";
import { inFormat } from "../kit/report-format.ts";
import { qualified } from "../sentence/names.ts";
import { installPlanManifests } from "./install-plans.ts";
import { withComparison } from "./lock-text.ts";
import { planMermaid } from "./mermaid.ts";
import { planReport } from "./report.ts";
import type { ShownPlans } from "./shown.ts";
import { subscriptionManifests } from "./subscriptions.ts";
import { planSvg } from "./svg.ts";
import { planLines } from "./text.ts";

/** Which formats explain why operators are not updated further, and which operators. */
export function explanationsShown(output: string): PlanOptions["explanations"] {
  if (output === "json" || output === "yaml") return "all";
  return ["text", "wide", "mermaid", "svg"].includes(output) ? "beyond-approval" : undefined;
}

/** Which formats show what is done in a step, and how much of it. */
export function actionsShown(output: string): PlanOptions["actions"] {
  if (output === "installplan" || output === "subscriptions") return "whole";
  return output === "wide" || output === "json" || output === "yaml" ? "short" : undefined;
}

/** The complete answer, ending with a line end. */
export function renderPlans(shown: ShownPlans, look: OutputLook): string {
  const { output } = look;
  return inFormat(output, () => withComparison(planReport(shown), shown.lock), {
    text: () => printLines(planLines(shown, textLook(look))),
    name: () => printNames(bundleNames(shown)),
    mermaid: () => planMermaid(shown),
    svg: () => planSvg(shown),
    installplan: () => installPlanManifests(shown),
    subscriptions: () => subscriptionManifests(shown),
  });
}

/** `namespace/bundle`, or `bundle` in the cluster scope, of every new bundle, in the order of installation. */
function bundleNames({ plans }: ShownPlans): readonly string[] {
  const coming = plans.flatMap(({ namespace, generations }) =>
    generations.flatMap(({ number, steps }) =>
      steps.flatMap(({ changes }) =>
        changes.flatMap(({ to }) => (to === undefined ? [] : [{ number, name: qualified(namespace, to.name) }])),
      ),
    ),
  );
  // Generation 1 of all namespaces comes before generation 2 of any.
  return coming.toSorted((a, b) => a.number - b.number).map(({ name }) => name);
}
