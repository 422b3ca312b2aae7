// Why is there no safe upgrade path to a version?

import type { ClosestState, ExplanationBody } from "../../resolve/explain/explanation-body.ts";
import type { NoWayFact } from "../../resolve/explain/fact.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import { counted } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { byVersion } from "./names.ts";

/** "No safe path leads to bell 2.0.0. The closest is bell 1.1.0, in 1 generation. From there:". */
export function noUpgradePathText({
  target,
  besideOthers,
  closest,
}: Extract<ExplanationBody, { readonly kind: "no-way" }>): string {
  const around = besideOthers ? " while other namespaces stay as they are" : "";
  return `No safe path leads to ${goalText(target)}${around}.${closest === undefined ? "" : ` ${closestText(closest)}`}`;
}

function closestText({ operator, generations, isUncertain }: ClosestState): string {
  const when = generations === 0 ? "which runs now." : `in ${counted(generations, "generation")}. From there:`;
  return `The closest${isUncertain ? " that was found" : ""} is ${byVersion(operator)}, ${when}`;
}

function goalText({ package: owner, range }: NamedRequest): string {
  return range === undefined ? `the newest version of ${owner}` : `${owner} ${range.text}`;
}

/** What is in the way, without a full stop. */
export function noUpgradePathFactText(fact: NoWayFact): string {
  return whyText(fact.why, fact, fact.isUnread ? ", as far as the catalogs could be read" : "");
}

const whyText: (why: NoWayFact["why"], fact: NoWayFact, known: string) => string = byKind({
  "no-package": (_why, { subject }, known) => `No catalog has a package ${subject}${known}`,
  "no-version": (why, { target }, known) => `No catalog has ${goalText(target)}${known}: the newest is ${why.newest}`,
  "no-beginning": (_why, { subject, target }, known) =>
    `No version of ${subject} that could be installed here leads to ${goalText(target)}${known}`,
  "no-update": (why, { target }, known) => `No update leads from ${byVersion(why.from)} to ${goalText(target)}${known}`,
  unsafe: () => "Every reachable state was visited: in none of them is the next update safe",
  "search-ended": () => "The search ended before every reachable state was visited: how far updates lead is not known",
});
