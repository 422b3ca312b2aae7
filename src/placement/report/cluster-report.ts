// Why was a cluster selected, or why not? Every rule, every score, the rank and the cut.

import type { Place } from "../../model/place.ts";
import type { ClusterDecision } from "../../model/placement-decision.ts";
import { isMemberOf, type ReadSet } from "../eligible/eligibility.ts";
import type { Evaluation } from "../evaluation.ts";
import { STAGE } from "../filter/filter-cluster.ts";
import type { FleetCluster } from "../fleet.ts";
import type {
  Check,
  ClusterReason,
  ClusterReport,
  Cut,
  PlacementResult,
  ScorePart,
  SpreadCheck,
  SpreadCounts,
  Verdict,
} from "../placement-result.ts";
import { identityOf } from "../score/unread-scores.ts";
import type { SpreadValue } from "../select/spread.ts";
import { decisionEntries } from "../write/entries.ts";
import { type CheckOptions, checksOf, SharedChecks, taintChecks } from "./cluster-checks.ts";

/** How much a report says. */
export interface ReportOptions extends CheckOptions {
  /**
   * Only what text shows: of a feasible cluster its taints, of any cluster the checks that exclude it, the parts of the scores
   * of selected clusters, and no decisions.
   */
  readonly isDecisive?: boolean;
  /** Neither rules nor scores and ranks: only what became of the cluster, and what its PlacementDecision says of it. */
  readonly isBare?: boolean;
}

/** Makes the report of a cluster. What all clusters of the Placement share is computed once. */
export function reporterOf(
  evaluation: Evaluation,
  result: PlacementResult,
  options: ReportOptions,
): (entry: FleetCluster) => ClusterReport {
  const { input, match, selection } = evaluation;
  const sets = input.hub.setsByName();
  const decisionOf = decisionEntries(evaluation, result.state);
  const checking = { evaluation, result, options, shared: new SharedChecks() };
  return (entry) => {
    const { slot, unread, cluster } = entry;
    const verdict = verdictOf(result, evaluation, entry);
    const selected = verdict === "selected" || verdict === "kept";
    const unreadScore = selected || verdict === "unread" ? match.unreadScores.get(slot) : undefined;
    const hasRank = verdict === "left" || verdict === "selected";
    const checks =
      unread !== undefined || unreadScore !== undefined || options.isBare === true
        ? []
        : options.isDecisive === true
          ? decisiveChecks(checking, entry, hasRank)
          : allChecks(checking, entry, hasRank);
    const score = hasRank ? selection.total(slot) : undefined;
    const isScored = hasRank && options.isBare !== true;
    const rank = isScored ? selection.rank(slot) : undefined;
    const isSoftTainted = hasRank && match.stage[slot] === STAGE.softTainted;
    const reason = (): ClusterReason =>
      verdict === "outside"
        ? outsideReason(entry, evaluation, sets)
        : reasonOf(verdict, slot, checks, evaluation, result);
    return {
      name: cluster.name,
      verdict,
      selected,
      ...(score !== undefined && { score }),
      parts: isScored && (selected || options.isDecisive !== true) ? partsOf(evaluation, entry) : NO_PARTS,
      ...(rank !== undefined && { rank }),
      isSoftTainted,
      checks,
      reason:
        unread === undefined && unreadScore === undefined
          ? reason()
          : {
              kind: "unread",
              isSupposed: unread?.isSupposed === true,
              ...(unreadScore !== undefined && { score: identityOf(unreadScore) }),
              ...((selected || verdict === "unread") && { reason: reason() }),
            },
      ...(selected && options.isDecisive !== true && { decision: plainDecision(decisionOf(cluster.name)) }),
    };
  };
}

function plainDecision({ clusterName, reason, score }: ClusterDecision): ClusterDecision {
  return { clusterName, reason, ...(score !== undefined && { score }) };
}

/** The places of the rules that a report may refer to, without taints, which are in their clusters. */
export function rulePlaces({ prepared, eligibility, selection }: Evaluation): readonly Place[] {
  const { predicates, placement } = prepared;
  return [
    ...eligibility.sets.map(({ set }) => set.place),
    ...predicates.flat().map(({ place }) => place),
    ...(selection.isSpread ? placement.spreadConstraints.map(({ place }) => place) : []),
  ];
}

const NO_PARTS: readonly ScorePart[] = [];

/** Most clusters of a fleet share one of these. */
const [TERMINATING, TAINTED, UNMATCHED] = [
  { kind: "terminating" },
  { kind: "tainted" },
  { kind: "unmatched" },
] as const;

function reasonOf(
  verdict: Exclude<Verdict, "outside">,
  slot: number,
  checks: readonly Check[],
  { input, selection, match, prepared }: Evaluation,
  { placement, state, tally }: PlacementResult,
): ClusterReason {
  switch (verdict) {
    case "kept":
    case "undecided":
      return { kind: verdict, state };
    case "terminating":
      return TERMINATING;
    case "tainted":
      return TAINTED;
    case "failed":
    case "unmatched":
      return UNMATCHED;
    case "unread":
      return { kind: match.stage[slot] === STAGE.withheld ? "withheld" : "no-room" };
    case "selected": {
      const wanted = placement.numberOfClusters;
      return {
        kind: "selected",
        ...(prepared.predicates.length > 0 && { predicate: match.matchedBy(slot) }),
        ...(wanted !== undefined && match.feasibleCount > wanted && { of: match.feasibleCount }),
      };
    }
    case "left": {
      if (checks.some(({ kind, outcome }) => kind === "spread" && outcome === "false")) return { kind: "spread" };
      return { kind: "left", selected: tally.selected, cut: cut() };
    }
  }

  function cut(): Cut {
    if (match.stage[slot] === STAGE.softTainted) return { kind: "soft-taint" };
    if (selection.isSpread && prepared.spreadWeight !== 0) return { kind: "spread" };
    if (selection.last === undefined) return { kind: "none" };
    const lowest = selection.total(selection.last);
    return lowest === selection.total(slot) ? { kind: "tie", tieBreak: input.hub.tieBreak } : { kind: "score", lowest };
  }
}

/** In which sets a cluster is that is in no eligible one, and why these do not count. */
function outsideReason(
  { cluster }: FleetCluster,
  { eligibility, prepared: { placement } }: Evaluation,
  sets: readonly ReadSet[],
): ClusterReason {
  const own = sets.filter((read) => isMemberOf(read, cluster)).map(({ set }) => set.name);
  const bound = new Set(eligibility.bound);
  return {
    kind: "outside",
    own,
    unbound: own.filter((name) => !bound.has(name)),
    wanted: placement.clusterSets,
    namespace: placement.namespace,
  };
}

function partsOf({ scores, selection, prepared }: Evaluation, entry: FleetCluster): readonly ScorePart[] {
  const spread = selection.spread(entry.slot);
  const parts = scores.parts(entry);
  if (spread === undefined) return parts;
  return [...parts, { name: "Spread", score: spread, weight: prepared.spreadWeight, detail: { kind: "spread" } }];
}

/** What the checks of all clusters of a Placement have in common. */
interface Checking {
  readonly evaluation: Evaluation;
  readonly result: PlacementResult;
  readonly options: CheckOptions;
  readonly shared: SharedChecks;
}

function allChecks(checking: Checking, entry: FleetCluster, hasRank: boolean): readonly Check[] {
  const { evaluation, result, options, shared } = checking;
  const { match } = evaluation;
  const { slot } = entry;
  const checks = checksOf(entry, evaluation, options, {
    matchedBy: !match.exceedsCostLimit && (match.stage[slot] ?? 0) >= STAGE.tainted ? match.matchedBy(slot) : undefined,
    notAsked: match.exceedsCostLimit ? (match.isLate ? "time" : "cost") : match.isEvaluated ? undefined : "placement",
    shared,
  });
  return joined(checks, spreadChecks(evaluation, result, entry, hasRank));
}

function decisiveChecks(checking: Checking, entry: FleetCluster, hasRank: boolean): readonly Check[] {
  const { evaluation, result } = checking;
  if (!hasRank) return excluding(allChecks(checking, entry, hasRank));
  const spread = spreadChecks(evaluation, result, entry, hasRank);
  return joined(taintChecks(entry, evaluation.input, false), spread.length === 0 ? spread : excluding(spread));
}

function excluding(checks: readonly Check[]): readonly Check[] {
  // A list that grew has room for many more; its copy has none.
  return checks.filter(({ outcome }) => outcome === "false" || outcome === "error").slice();
}

function joined(checks: readonly Check[], more: readonly Check[]): readonly Check[] {
  return more.length === 0 ? checks : checks.concat(more);
}

/** Were clusters ranked? With broken decision groups OCM still does so. */
function isRanked({ state, mistakes }: PlacementResult): boolean {
  return state === "placed" || (state === "emptied" && mistakes.every(({ plugin }) => plugin === "DecisionGroup"));
}

function verdictOf(
  result: PlacementResult,
  { input, match, selection }: Evaluation,
  { slot, cluster }: FleetCluster,
): Verdict {
  if (result.state === "kept" || result.state === "ignored") {
    const stays = input.decided.has(cluster.name) && (result.state === "ignored" || !cluster.terminating);
    if (stays) return "kept";
  }
  const stage = match.stage[slot];
  if (stage === STAGE.unread && isRanked(result)) return selection.isSelected(slot) ? "kept" : "unread";
  if (stage === STAGE.withheld && isRanked(result)) return "unread";
  if (stage === undefined || stage === STAGE.outside) return "outside";
  if (stage === STAGE.terminating) return "terminating";
  if (!isRanked(result)) return "undecided";
  if (stage === STAGE.unmatched) return "unmatched";
  if (stage === STAGE.failed) return "failed";
  if (stage === STAGE.tainted) return "tainted";
  return selection.isSelected(slot) ? "selected" : "left";
}

/** What the spread constraints say: true, unless one of them forbids a cluster that was left. */
function spreadChecks(
  { prepared, selection }: Evaluation,
  { state }: PlacementResult,
  { slot }: FleetCluster,
  isRanked: boolean,
): readonly SpreadCheck[] {
  if (!selection.isSpread || state !== "placed") return [];
  const { spreadConstraints } = prepared.placement;
  const block = isRanked && !selection.isSelected(slot) ? selection.block(slot) : undefined;
  return spreadConstraints.map(({ topologyKey, topologyKeyType, maxSkew, whenUnsatisfiable, place }, index) => {
    const constraint = { topologyKey, topologyKeyType, maxSkew, whenUnsatisfiable };
    const check = { kind: "spread", index, constraint, place } as const;
    if (!isRanked) return { ...check, outcome: "skipped" };
    if (block?.constraint !== index)
      return { ...check, outcome: "true", counts: countsOf(selection.spreadOver(index, slot)) };
    const { leastValue, leastCount } = block;
    const least = { ...(leastValue !== undefined && { value: leastValue }), count: leastCount };
    return { ...check, outcome: "false", counts: { ...countsOf(block), least } };
  });
}

function countsOf({ value, count }: SpreadValue): SpreadCounts {
  return { ...(value !== undefined && { value }), count };
}
