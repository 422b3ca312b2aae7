// Why does an operator move in a plan, and why not before others? In a few words, without a full stop.

import type { Breach, OperatorChange } from "../../plan/plan.ts";
import type { Naming } from "./names.ts";
import { reasonText } from "./reason.ts";
import { brokenText } from "./rule.ts";

export function changeReasonText({ package: owner, reason }: Pick<OperatorChange, "package" | "reason">): string {
  switch (reason.kind) {
    case "way":
      return "it is on the path";
    case "along":
      return "the path is not safe without it";
    case "orphan":
      return "it came as a dependency, and nothing needs it any more";
    default:
      return reasonText({ package: owner, reason });
  }
}

export function breachText(breach: Breach, naming: Naming): string {
  return breach.kind === "rule"
    ? brokenText(breach.rule, naming)
    : "what they make of custom kinds would break one of them";
}
