// Why was a cluster selected, or why not? Every rule, every score, the rank and the cut.

import type { Place } from "../../model/place.ts";
import type { SpreadConstraint } from "../../model/placement.ts";
import type { ClusterDecision } from "../../model/placement-decision.ts";
import type { ReadSet } from "../eligible/eligibility.ts";
import { unreadText } from "../eligible/unread.ts";
import type { Evaluation } from "../evaluation.ts";
import { type CheckOptions, checksOf } from "../filter/cluster-checks.ts";
import { STAGE } from "../filter/judge.ts";
import type { FleetCluster } from "../fleet.ts";
import type { Check, ClusterReport, PlacementResult, ScorePart, Verdict } from "../placement-result.ts";
import type { PlacementState } from "../placement-state.ts";
import { quoted } from "../prepare/selector.ts";
import type { SpreadValue } from "../select/selection.ts";
import type { SpreadBlock } from "../select/spread.ts";
import { outsideReason, reasonOf } from "./cluster-reason.ts";

/** What is asked about clusters. */
export interface Asked {
  readonly state: PlacementState;
  /** All that exist, by name. */
  readonly sets: readonly ReadSet[];
  readonly options: CheckOptions;
}

/**
 * Everything there is to say about a cluster. There may be a hundred thousand of them at once: what is long is worked out when
 * somebody asks for it, which must be before the next change; and a brief report does not remember it.
 */
export function reportOf(asked: Asked, entry: FleetCluster): ClusterReport {
  return new LazyReport(asked, entry);
}

class LazyReport implements ClusterReport {
  readonly name: string;
  readonly verdict: Verdict;
  readonly selected: boolean;
  readonly score: number | undefined;
  readonly isSoftTainted: boolean;
  readonly #asked: Asked;
  readonly #entry: FleetCluster;
  #checks: readonly Check[] | undefined;
  #reason: string | undefined;

  constructor(asked: Asked, entry: FleetCluster) {
    const { state } = asked;
    const evaluation = state.evaluation();
    this.#asked = asked;
    this.#entry = entry;
    this.name = entry.cluster.name;
    this.verdict = verdictOf(state.result(), evaluation, entry, state);
    this.selected = this.verdict === "selected" || this.verdict === "kept";
    this.score = this.#hasRank ? evaluation.selection.total(entry.slot) : undefined;
    this.isSoftTainted = this.#hasRank && evaluation.match.stage[entry.slot] === STAGE.softTainted;
  }

  get parts(): readonly ScorePart[] {
    return this.#hasRank ? partsOf(this.#asked.state.evaluation(), this.#entry) : [];
  }

  get rank(): number | undefined {
    return this.#hasRank ? this.#asked.state.evaluation().selection.rank(this.#entry.slot) : undefined;
  }

  get checks(): readonly Check[] {
    if (this.#checks !== undefined) return this.#checks;
    const { state, options } = this.#asked;
    if (this.#entry.isUnread) return [];
    const checks = allChecks(state.evaluation(), state.result(), this.#entry, this.#hasRank, options);
    if (options.isBrief !== true) this.#checks = checks;
    return checks;
  }

  get reason(): string {
    if (this.#reason !== undefined) return this.#reason;
    const { state, sets, options } = this.#asked;
    const { verdict, score, isSoftTainted } = this;
    const { unread } = this.#entry;
    const lost = unread && `the ManagedCluster ${unreadText(unread)}`;
    if (lost !== undefined && !this.selected && verdict !== "unread") return lost;
    const facts = { verdict, score, isSoftTainted, slot: this.#entry.slot, checks: () => this.checks };
    const judged =
      verdict === "outside"
        ? outsideReason(this.#entry, state.evaluation(), sets, state.result())
        : reasonOf(facts, state.evaluation(), state.result(), state.tieBreak);
    const reason = lost === undefined ? judged : `${lost}; ${judged}`;
    if (options.isBrief !== true) this.#reason = reason;
    return reason;
  }

  get decision(): ClusterDecision | undefined {
    return this.selected ? this.#asked.state.entries()(this.name) : undefined;
  }

  get #hasRank(): boolean {
    return this.verdict === "left" || this.verdict === "selected";
  }
}

/** The same report with everything worked out, which no change can touch. */
export function wholeReport(report: ClusterReport): ClusterReport {
  const { name, verdict, selected, score, parts, rank, isSoftTainted, checks, reason, decision } = report;
  return { name, verdict, selected, score, parts, rank, isSoftTainted, checks, reason, decision };
}

/** Where the rules stand that a report may speak of, but for taints, which stand in their clusters. */
export function rulePlaces({ prepared, eligibility, selection }: Evaluation): readonly Place[] {
  const { predicates, placement } = prepared;
  return [
    ...eligibility.sets.map(({ set }) => set.place),
    ...predicates.flatMap(({ labels, claims, expressions }) =>
      [...labels, ...claims, ...expressions].map(({ place }) => place),
    ),
    ...(selection.isSpread ? placement.spreadConstraints.map(({ place }) => place) : []),
  ];
}

function partsOf({ scoring, selection, prepared }: Evaluation, entry: FleetCluster): readonly ScorePart[] {
  const spread = selection.spread(entry.slot);
  const parts = scoring.parts(entry);
  if (spread === undefined) return parts;
  return [...parts, { name: "Spread", score: spread, weight: prepared.spreadWeight, detail: "" }];
}

function allChecks(
  evaluation: Evaluation,
  result: PlacementResult,
  entry: FleetCluster,
  hasRank: boolean,
  options: CheckOptions,
): readonly Check[] {
  const { judging, eligibility, match } = evaluation;
  const { slot } = entry;
  const checks = checksOf(entry, judging, eligibility, options, {
    matchedBy: !match.exceedsCostLimit && (match.stage[slot] ?? 0) >= STAGE.tainted ? match.matchedBy(slot) : undefined,
    unasked: match.exceedsCostLimit
      ? match.isLate
        ? "the time was over"
        : "the expressions of the placement cost too much"
      : match.isJudged
        ? undefined
        : "the placement is misconfigured or left alone",
  });
  return result.state === "placed" ? [...checks, ...spreadChecks(evaluation, entry, hasRank)] : checks;
}

/** Were clusters ranked? With broken decision groups OCM still does so. */
function isRanked({ state, mistakes }: PlacementResult): boolean {
  return state === "placed" || (state === "emptied" && mistakes.every(({ plugin }) => plugin === "DecisionGroup"));
}

function verdictOf(
  result: PlacementResult,
  { match, selection }: Evaluation,
  { slot, cluster }: FleetCluster,
  state: PlacementState,
): Verdict {
  if (result.state === "kept" || result.state === "ignored") {
    const stays = state.decided.has(cluster.name) && (result.state === "ignored" || !cluster.terminating);
    if (stays) return "kept";
  }
  const got = match.stage[slot];
  if (got === STAGE.unread && isRanked(result)) return selection.isChosen(slot) ? "kept" : "unread";
  if (got === undefined || got === STAGE.outside) return "outside";
  if (got === STAGE.terminating) return "terminating";
  if (!isRanked(result)) return "undecided";
  if (got === STAGE.unmatched) return "unmatched";
  if (got === STAGE.failed) return "failed";
  if (got === STAGE.tainted) return "tainted";
  return selection.isChosen(slot) ? "selected" : "left";
}

/** What the spread constraints say: true, unless one of them stands against a cluster that was left. */
function spreadChecks(
  { prepared, selection }: Evaluation,
  { slot }: FleetCluster,
  isRanked: boolean,
): readonly Check[] {
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
