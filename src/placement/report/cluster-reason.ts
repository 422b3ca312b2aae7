// In one sentence: why was a cluster selected, or why not?
import { isMemberOf, type ReadSet } from "../eligible/eligibility.ts";
import type { Evaluation } from "../evaluation.ts";
import type { FleetCluster } from "../fleet.ts";
import type { Check, ClusterReport, PlacementResult } from "../placement-result.ts";
import { shortened } from "../prepare/selector.ts";
import type { TieBreak } from "../select/tie-break.ts";

/** What the reason is made of. */
export interface ReasonFacts extends Pick<ClusterReport, "verdict" | "score" | "isSoftTainted"> {
  readonly slot: number;
  readonly checks: () => readonly Check[];
}

/** One sentence: why a cluster is selected, or why not. */
export function reasonOf(
  { verdict, score, isSoftTainted, slot, checks }: ReasonFacts,
  { selection, match, judging }: Evaluation,
  { placement, state, selected }: PlacementResult,
  tieBreak: TieBreak,
): string {
  switch (verdict) {
    case "kept":
      return state === "ignored"
        ? "it was decided before, and the placement is left alone"
        : "it was decided before, and is kept";
    case "terminating":
      return "the cluster is being deleted";
    case "undecided":
      if (state === "ignored") return "the placement is left alone, and the cluster was not decided before";
      if (state === "emptied") return "the placement is misconfigured, and everything is taken back";
      return "the placement could not be decided, and the cluster was not decided before";
    case "failed":
    case "unmatched":
      return whyUnmatched(checks());
    case "tainted": {
      const taint = checks().find(({ kind, outcome }) => kind === "taint" && outcome === "false");
      return `the taint ${inShort(taint?.rule ?? "")} is not tolerated: ${taint?.detail}`;
    }
    case "selected": {
      const matched =
        judging.prepared.predicates.length === 0
          ? "the placement has no predicates"
          : `predicates[${match.matchedBy(slot)}] holds`;
      const wanted = placement.numberOfClusters;
      return wanted === undefined || match.feasibleCount <= wanted
        ? matched
        : `${matched}; rank ${selection.rank(slot)} of ${match.feasibleCount}`;
    }
    case "left": {
      const spread = checks().find(({ kind, outcome }) => kind === "spread" && outcome === "false");
      if (spread !== undefined) return `the spread forbids it: ${spread.detail}`;
      const count = `${selected.length} ${selected.length === 1 ? "is" : "are"} selected`;
      if (isSoftTainted)
        return `rank ${selection.rank(slot)}, and ${count}; a PreferNoSelect taint puts it behind all others`;
      if (selection.isSpread && judging.prepared.spreadWeight !== 0)
        return `rank ${selection.rank(slot)}, and ${count}; Spread was counted for each of them when it was picked, and others came first`;
      const lowest = selection.last === undefined ? undefined : selection.total(selection.last);
      const cut =
        lowest === undefined
          ? ""
          : lowest === score
            ? `; it has the same score as the last of them, and ties are broken by ${tieBreak}`
            : `; the last of them has a score of ${lowest}, this one of ${score}`;
      return `rank ${selection.rank(slot)}, and ${count}${cut}`;
    }
    case "unread":
      return "there is no room for it within numberOfClusters";
    case "outside":
      return "it is in none of the sets that the placement may use";
  }
}

/** The first rule of each predicate that does not hold. */
function whyUnmatched(checks: readonly Check[]): string {
  const first = new Map<number, Check>();
  for (const check of checks) {
    const { predicate, outcome } = check;
    if (predicate !== undefined && !first.has(predicate) && (outcome === "false" || outcome === "error"))
      first.set(predicate, check);
  }
  const reasons = [...first.values()].map(({ rule, detail, outcome }) => {
    const told = detail === "" ? "" : `: ${shortened(detail, 300)}`;
    return outcome === "error" ? `${inShort(rule)} ends with an error${told}` : `${inShort(rule)} is false${told}`;
  });
  return reasons.length <= MAX_REASONS
    ? reasons.join("; ")
    : `${reasons.slice(0, MAX_REASONS).join("; ")}; and ${reasons.length - MAX_REASONS} more`;
}

const MAX_REASONS = 3;

function inShort(rule: string): string {
  return shortened(rule.replace(/\s+/g, " ").trim(), 120);
}

/** In which sets a cluster is that is in no eligible one, and why these do not count. */
export function outsideReason(
  { cluster }: FleetCluster,
  { eligibility, prepared }: Evaluation,
  sets: readonly ReadSet[],
  { placement }: PlacementResult,
): string {
  const own = sets.filter((read) => isMemberOf(read, cluster)).map(({ set }) => set.name);
  const isBound = new Set(eligibility.bound);
  const wanted = prepared.placement.clusterSets;
  if (own.length === 0) return "it is in no ManagedClusterSet";
  if (wanted.length > 0)
    return `the placement takes clusters of ${wanted.join(", ")} only, and it is in ${own.join(", ")}`;
  const unbound = own.filter((name) => !isBound.has(name));
  return `it is only in ${unbound.join(", ")}, not bound to the namespace ${placement.namespace}`;
}
