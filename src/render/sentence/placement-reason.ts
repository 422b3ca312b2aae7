// In one sentence: why was a cluster selected, or why not?

import type { Check, ClusterReason, ClusterReport } from "../../placement/placement-result.ts";
import { shortened, shortText } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { checkText, namedRuleText, ruleText } from "./placement-check.ts";
import { unreadScoreText, unreadText } from "./placement-fault.ts";

/** Why a cluster was selected, or why not: one sentence without a full stop. */
export function clusterReasonText(report: ClusterReport): string {
  return textOf(report.reason, report);
}

const textOf: (reason: ClusterReason, report: ClusterReport) => string = byKind({
  kept: (reason) =>
    reason.state === "ignored"
      ? "it was decided before, and the Placement is left alone"
      : "it was decided before, and is kept",
  terminating: () => "the cluster is being deleted",
  undecided: (reason) => {
    if (reason.state === "ignored") return "the Placement is left alone, and the cluster was not decided before";
    if (reason.state === "emptied") return "the Placement is misconfigured, and all decisions are removed";
    return "the Placement could not be decided, and the cluster was not decided before";
  },
  unmatched: (_reason, report) => unmatchedText(report.checks),
  tainted: (_reason, report) => {
    const taint = firstFalse(report.checks, "taint");
    return taint === undefined
      ? ""
      : `the taint ${shortText(ruleText(taint), MAX_RULE_LENGTH)} is not tolerated: ${checkText(taint)}`;
  },
  spread: (_reason, report) => {
    const spread = firstFalse(report.checks, "spread");
    return spread === undefined ? "" : `the spread forbids it: ${checkText(spread)}`;
  },
  selected: ({ predicate, of }, report) => {
    const matched = predicate === undefined ? "the Placement has no predicates" : `predicates[${predicate}] holds`;
    return of === undefined ? matched : `${matched}; rank ${report.rank} of ${of}`;
  },
  left: (reason, report) => {
    const count = `${reason.selected} ${reason.selected === 1 ? "is" : "are"} selected`;
    return `rank ${report.rank}, and ${count}${cutText(reason.cut, report.score)}`;
  },
  "no-room": () => "there is no room for it within numberOfClusters",
  withheld: () => "it was not selected before, and is not newly selected",
  outside: (reason) => outsideText(reason),
  unread: (reason, report) => {
    const { isSupposed, score } = reason;
    const lost = `the ${score === undefined ? `ManagedCluster ${unreadText(isSupposed)}` : unreadScoreText(score)}`;
    return reason.reason === undefined ? lost : `${lost}; ${textOf(reason.reason, report)}`;
  },
  "not-decided": () => "it was in none of the PlacementDecisions",
});

const cutText: (cut: Extract<ClusterReason, { readonly kind: "left" }>["cut"], score: number | undefined) => string =
  byKind({
    "soft-taint": () => "; a PreferNoSelect taint ranks it behind clusters without one",
    spread: () => "; Spread was counted for each of them when it was picked, and others came first",
    none: () => "",
    tie: (cut) => `; it has the same score as the last of them, and ties are broken by ${cut.tieBreak}`,
    score: (cut, score) => `; the last of them has a score of ${cut.lowest}, this one of ${score}`,
  });

/** In which sets a cluster is that is in no eligible one, and why these do not count. */
function outsideText({
  own,
  unbound,
  wanted,
  namespace,
}: Extract<ClusterReason, { readonly kind: "outside" }>): string {
  if (own.length === 0) return "it is in no ManagedClusterSet";
  const named = own.filter((name) => wanted.includes(name));
  if (named.length > 0) return `it is in ${named.join(", ")}, not bound to the namespace ${namespace}`;
  if (wanted.length > 0)
    return `the Placement selects only from ${wanted.join(", ")}; the cluster is in ${own.join(", ")}`;
  return `it is only in ${unbound.join(", ")}, not bound to the namespace ${namespace}`;
}

function firstFalse(checks: readonly Check[], wanted: Check["kind"]): Check | undefined {
  return checks.find(({ kind, outcome }) => kind === wanted && outcome === "false");
}

const MAX_REASONS = 3;
const MAX_RULE_LENGTH = 120;

/** The first rule of each predicate that does not hold. */
function unmatchedText(checks: readonly Check[]): string {
  const first = new Map<number, Check>();
  for (const check of checks) {
    const { predicate, outcome } = check;
    if (predicate !== undefined && !first.has(predicate) && (outcome === "false" || outcome === "error"))
      first.set(predicate, check);
  }
  const reasons = [...first.values()].map((check) => {
    const detail = checkText(check);
    const why = detail === "" ? "" : `: ${shortened(detail, 300)}`;
    const outcome = check.outcome === "error" ? "could not be evaluated" : "does not hold";
    return `${shortText(namedRuleText(check), MAX_RULE_LENGTH)} ${outcome}${why}`;
  });
  const left = reasons.length - MAX_REASONS;
  return [...reasons.slice(0, MAX_REASONS), ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}
