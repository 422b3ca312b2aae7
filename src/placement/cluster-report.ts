// Why was a cluster selected, or why not? Every rule, every score, the rank and the cut.

import type { SpreadConstraint } from "../model/placement.ts";
import { type CheckOptions, checksOf } from "./cluster-checks.ts";
import { outsideReason, reasonOf } from "./cluster-reason.ts";
import type { ReadSet } from "./eligibility.ts";
import type { FleetCluster } from "./fleet.ts";
import type { HeldPlacement } from "./held-placement.ts";
import { GOT } from "./judge.ts";
import { once } from "./once.ts";
import type { Check, ClusterReport, PlacementResult, ScorePart, Verdict } from "./placement-result.ts";
import type { SpreadValue } from "./selection.ts";
import { quoted } from "./selector.ts";
import type { Worked } from "./situation.ts";
import type { SpreadBlock } from "./spread.ts";

/**
 * Everything there is to say about a cluster; `sets` are all that exist, by name. What is long is worked out when somebody
 * asks for it: that must be before the next change.
 */
export function reportOf(
  state: HeldPlacement,
  entry: FleetCluster,
  sets: readonly ReadSet[],
  options: CheckOptions,
): ClusterReport {
  const worked = state.worked();
  const result = state.result();
  const { match, selection } = worked;
  const { slot, cluster } = entry;
  const verdict = verdictOf(result, worked, entry, state);
  const selected = verdict === "selected" || verdict === "kept";
  const hasRank = verdict === "left" || verdict === "selected";
  const score = hasRank ? selection.total(slot) : undefined;
  const isLastResort = hasRank && match.got[slot] === GOT.lastResort;
  const parts = once(() => (hasRank ? partsOf(worked, entry) : []));
  const checks = once(() => allChecks(worked, result, entry, hasRank, options));
  const reason = once(() => {
    if (verdict === "outside") return outsideReason(entry, worked, sets, result);
    return reasonOf({ verdict, score, isLastResort, slot, checks }, worked, result, state.tieBreak);
  });
  return {
    name: cluster.name,
    verdict,
    selected,
    score,
    get parts() {
      return parts();
    },
    get rank() {
      return hasRank ? selection.rank(slot) : undefined;
    },
    isLastResort,
    get checks() {
      return checks();
    },
    get reason() {
      return reason();
    },
    get decision() {
      return selected ? state.entries()(cluster.name) : undefined;
    },
  };
}

function partsOf({ scoring, selection, prepared }: Worked, entry: FleetCluster): readonly ScorePart[] {
  const spread = selection.spread(entry.slot);
  const parts = scoring.parts(entry);
  if (spread === undefined) return parts;
  return [...parts, { name: "Spread", score: spread, weight: prepared.spreadWeight, detail: "" }];
}

function allChecks(
  worked: Worked,
  result: PlacementResult,
  entry: FleetCluster,
  hasRank: boolean,
  options: CheckOptions,
): readonly Check[] {
  const { judging, eligibility, match } = worked;
  const { slot } = entry;
  const checks = checksOf(entry, judging, eligibility, options, {
    matchedBy: !match.isTooDear && (match.got[slot] ?? 0) >= GOT.tainted ? match.matchedBy(slot) : undefined,
    unasked: match.isTooDear
      ? "the expressions of the placement cost too much"
      : match.isJudged
        ? undefined
        : "the placement is misconfigured or left alone",
  });
  return result.state === "placed" ? [...checks, ...spreadChecks(worked, entry, hasRank)] : checks;
}

/** Were clusters ranked? With broken decision groups OCM still does so. */
function isRanked({ state, mistakes }: PlacementResult): boolean {
  return state === "placed" || (state === "emptied" && mistakes.every(({ plugin }) => plugin === "DecisionGroup"));
}

function verdictOf(
  result: PlacementResult,
  { match, selection }: Worked,
  { slot, cluster }: FleetCluster,
  state: HeldPlacement,
): Verdict {
  if (result.state === "kept" || result.state === "ignored") {
    const stays = state.decided.has(cluster.name) && (result.state === "ignored" || !cluster.terminating);
    if (stays) return "kept";
  }
  const got = match.got[slot];
  if (got === undefined || got === GOT.outside) return "outside";
  if (got === GOT.terminating) return "terminating";
  if (!isRanked(result)) return "undecided";
  if (got === GOT.unmatched) return "unmatched";
  if (got === GOT.failed) return "failed";
  if (got === GOT.tainted) return "tainted";
  return selection.isChosen(slot) ? "selected" : "left";
}

/** What the spread constraints say: true, unless one of them stands against a cluster that was left. */
function spreadChecks({ prepared, selection }: Worked, { slot }: FleetCluster, isRanked: boolean): readonly Check[] {
  const spreadConstraints = selection.isSpread ? prepared.placement.spreadConstraints : [];
  const block = isRanked && !selection.isChosen(slot) ? selection.block(slot) : undefined;
  return spreadConstraints.map((constraint, index): Check => {
    const isBlock = block?.constraint === index;
    return {
      kind: "spread",
      predicate: undefined,
      index,
      outcome: !isRanked ? "skipped" : isBlock ? "false" : "true",
      rule: `${constraint.topologyKeyType} ${constraint.topologyKey}, maxSkew ${constraint.maxSkew}, ${constraint.whenUnsatisfiable}`,
      detail: !isRanked
        ? ""
        : isBlock
          ? blockText(block, constraint)
          : spreadText(selection.spreadOver(index, slot), constraint),
      place: constraint.place,
    };
  });
}

function spreadText({ value, count }: SpreadValue, { topologyKey: key }: SpreadConstraint): string {
  const told = value === undefined ? `no ${key}` : `${key} ${quoted(value)}`;
  return `${told}: ${count} selected`;
}

function blockText(
  { value, count, leastValue, leastCount, maxSkew }: SpreadBlock,
  constraint: SpreadConstraint,
): string {
  const key = constraint.topologyKey;
  if (value === undefined) return `no ${constraint.topologyKeyType.toLowerCase()} ${key}`;
  const least = leastValue === undefined ? "others have" : `${key} ${quoted(leastValue)} has`;
  return `${key} ${quoted(value)} has ${count} selected already, and ${least} only ${leastCount}: one more would be beyond maxSkew ${maxSkew}`;
}
