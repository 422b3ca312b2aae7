// Why is there no safe upgrade path to a version?

import type { ClosestState, ExplanationBody } from "../../resolve/explain/explanation-body.ts";
import type { NoWayFact } from "../../resolve/explain/fact.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import { counted } from "../../text/words.ts";
import { byVersion } from "./names.ts";

/** "No safe path leads to bell 2.0.0. The closest is bell 1.1.0, in 1 generation. From there:". */
export function noUpgradePathText({
  wish,
  besideOthers,
  closest,
}: Extract<ExplanationBody, { readonly kind: "no-way" }>): string {
  const around = besideOthers ? " while other namespaces stay as they are" : "";
  return `No safe path leads to ${goalText(wish)}${around}.${closest === undefined ? "" : ` ${closestText(closest)}`}`;
}

function closestText({ operator, generations, isUncertain }: ClosestState): string {
  const when = generations === 0 ? "which runs now." : `in ${counted(generations, "generation")}. From there:`;
  return `The closest${isUncertain ? " that was found" : ""} is ${byVersion(operator)}, ${when}`;
}

function goalText({ package: owner, range }: NamedRequest): string {
  return range === undefined ? `the newest version of ${owner}` : `${owner} ${range.text}`;
}

/** What is in the way, without a full stop. */
export function noUpgradePathFactText({ subject, wish, why, isUnread }: NoWayFact): string {
  const known = isUnread ? ", as far as the catalogs could be read" : "";
  switch (why.kind) {
    case "no-package":
      return `No catalog has a package ${subject}${known}`;
    case "no-version":
      return `No catalog has ${goalText(wish)}${known}: the newest is ${why.newest}`;
    case "no-beginning":
      return `No version of ${subject} that could be installed here leads to ${goalText(wish)}${known}`;
    case "no-update":
      return `No update leads from ${byVersion(why.from)} to ${goalText(wish)}${known}`;
    case "unsafe":
      return "Every state that can be reached was looked at: whatever else moves, the next update is not safe there";
    case "search-ended":
      return "The search ended before every state that can be reached was looked at: how far updates lead is not known";
  }
}
