// What does each rule of a Placement say of one cluster, and because of which value? The long way of judge.ts.
import type { Program } from "../../cel/program.ts";
import { traceTree } from "../../cel/trace-tree.ts";
import { CelError } from "../../cel/value/value.ts";
import { textUnder } from "../../model/labels.ts";
import type { ManagedCluster } from "../../model/managed-cluster.ts";
import { inside } from "../../model/place.ts";
import { clusterBindings, evaluateOnCluster } from "../cel/placement-environment.ts";
import { valuesRead } from "../cel/values-read.ts";
import { type Eligibility, isMemberOf, type ReadSet, SET_LABEL } from "../eligible/eligibility.ts";
import type { FleetCluster } from "../fleet.ts";
import type { CelCheck, CelDetail, Check, SetCheck, TaintCheck, ValueCheck } from "../placement-result.ts";
import type { PlacedRequirement, PreparedPredicate } from "../prepare/prepare.ts";
import { claimOf, holds } from "../prepare/selector.ts";
import { ScoreError } from "../score/add-on-scores.ts";
import { type Judging, PREDICATE_COST_LIMIT } from "./judge.ts";
import { judgeTaint, toleranceOf } from "./taint-toleration.ts";

/** How much is reported. */
export interface CheckOptions {
  /** Also what need not be evaluated any more, because something before it has decided. */
  readonly allChecks?: boolean;
  /** Also the value of every part of an expression. */
  readonly trace?: boolean;
  /** Without the values that an expression read; of a selected cluster only its taints. */
  readonly isBrief?: boolean;
}

/** What is known already, so that no expression is evaluated for it again. */
export interface KnownOutcome {
  /** The position of the predicate that held; undefined if none did, or if none was evaluated. */
  readonly matchedBy?: number | undefined;
  /** Why no predicate was evaluated. */
  readonly notAsked?: "time" | "cost" | "placement" | undefined;
}

/** What every rule says of a cluster: sets, predicates, taints. */
export function checksOf(
  entry: FleetCluster,
  judging: Judging,
  eligibility: Eligibility,
  options: CheckOptions = {},
  known: KnownOutcome = {},
): readonly Check[] {
  const { prepared } = judging;
  const { cluster } = entry;
  const ofSets = setChecks(entry, eligibility);
  const own = ofSets.filter(({ outcome }) => outcome === "true");
  const isMember = own.length > 0;
  const all: Check[] = isMember ? own : ofSets;
  let isDecided = !isMember || cluster.terminating;
  let isMatched = prepared.predicates.length === 0;
  for (const [position, predicate] of prepared.predicates.entries()) {
    const checks = predicateChecks(entry, judging, predicate, position, options, known, isDecided || isMatched);
    if (checks.every(({ outcome }) => outcome === "true")) isMatched = true;
    for (const check of checks) all.push(check);
  }
  isDecided ||= !isMatched;
  for (const check of taintChecks(entry, judging, isDecided && options.allChecks !== true)) all.push(check);
  return all;
}

function setChecks({ cluster }: FleetCluster, { sets }: Eligibility): SetCheck[] {
  return sets.map((read, index) => {
    const { set, mistakes } = read;
    const isMember = isMemberOf(read, cluster);
    const outcome = isMember ? "true" : mistakes.length > 0 ? "error" : "false";
    const detail = isMember ? (cluster.terminating ? TERMINATING : undefined) : whyOutside(read, cluster);
    const check = { kind: "set", index, outcome, rule: set.name, place: set.place } as const;
    return detail === undefined ? check : { ...check, detail };
  });
}

const TERMINATING = { kind: "terminating" } as const;

function whyOutside({ isExclusive, mistakes: [first] }: ReadSet, { labels }: ManagedCluster): SetCheck["detail"] {
  if (!isExclusive) return first && { kind: "broken", fault: first.fault };
  const own = textUnder(labels, SET_LABEL);
  return own === undefined ? { kind: "unlabelled" } : { kind: "other-set", set: own };
}

function predicateChecks(
  entry: FleetCluster,
  judging: Judging,
  { labels, claims, expressions }: PreparedPredicate,
  predicate: number,
  options: CheckOptions,
  known: KnownOutcome,
  isDecided: boolean,
): readonly Check[] {
  const { cluster } = entry;
  const checks: Check[] = [];
  let isOver = isDecided;
  const add = (check: Check): void => {
    checks.push(check);
    if (check.outcome !== "true") isOver = true;
  };
  const isSkipped = (): boolean => isOver && options.allChecks !== true;
  const ask = (
    kind: "label" | "claim",
    requirements: readonly PlacedRequirement[],
    valueUnder: (key: string) => string | undefined,
  ) => {
    for (const [index, requirement] of requirements.entries()) {
      const { key, rule, place } = requirement;
      const value = isSkipped() ? undefined : valueUnder(key);
      const outcome = isSkipped() ? "skipped" : holds(requirement, value) ? "true" : "false";
      const check: ValueCheck = { kind, predicate, index, outcome, rule, key, place };
      add(value === undefined ? check : { ...check, value });
    }
  };
  ask("label", labels, (key) => textUnder(cluster.labels, key));
  ask("claim", claims, (key) => claimOf(cluster.claims, key));
  let spent = 0;
  for (const [index, { text, place, program }] of expressions.entries()) {
    const check = { kind: "cel", predicate, index, rule: text, place } as const;
    if (program === undefined) add({ ...check, outcome: "error", detail: { kind: "not-compiled" } });
    else if (isSkipped()) add({ ...check, outcome: "skipped" });
    else if (known.matchedBy === predicate && options.trace !== true) add({ ...check, outcome: "true" });
    else if (known.notAsked !== undefined && options.trace !== true)
      add({ ...check, outcome: "skipped", detail: { kind: "not-asked", why: known.notAsked } });
    else {
      const evaluated = evaluate(program, entry, judging, options);
      spent += program.cost;
      if (spent > PREDICATE_COST_LIMIT && evaluated.outcome === "true")
        add({ ...check, outcome: "error", detail: { kind: "predicate-cost", limit: PREDICATE_COST_LIMIT } });
      else add({ ...check, ...evaluated });
    }
  }
  return checks;
}

/** The outcome of an expression. The values that it read are reported where it is not true. */
function evaluate(
  program: Program,
  entry: FleetCluster,
  judging: Judging,
  { trace: isTraced, isBrief }: CheckOptions,
): Pick<CelCheck, "outcome" | "detail" | "trace"> {
  const addOnScores = judging.scoresFor(entry.cluster.name);
  const bindings = entry.bindings({ addOnScores, wanted: judging.wanted });
  const result = evaluateOnCluster(program, bindings);
  const error = result instanceof CelError ? errorOf(result) : undefined;
  const outcome = error !== undefined ? "error" : result === true ? "true" : "false";
  if (isTraced !== true && (isBrief === true || result !== false))
    return { outcome, ...(error !== undefined && { detail: error }) };
  // A trace shows all values of the cluster, not only those that expressions read.
  const shown = isTraced === true ? clusterBindings(entry.cluster.object, addOnScores) : bindings;
  const { trace } = program.trace(shown);
  const values = error === undefined ? valuesRead(trace, program.text) : [];
  const detail = error ?? (values.length === 0 ? undefined : ({ kind: "values", values } as const));
  return {
    outcome,
    ...(detail !== undefined && { detail }),
    ...(isTraced === true && { trace: traceTree(trace, program.text) }),
  };
}

function errorOf(error: CelError): CelDetail {
  return error instanceof ScoreError
    ? { kind: "score-error", why: error.why }
    : { kind: "error", message: error.message };
}

/** What the taints of a cluster mean for the Placement. */
export function taintChecks({ cluster }: FleetCluster, judging: Judging, isSkipped: boolean): readonly TaintCheck[] {
  const { prepared, mode, now, isDecided } = judging;
  const { tolerations } = prepared.placement;
  return cluster.taints.map((taint, index) => {
    const { key, value, effect } = taint;
    const place = inside(cluster.place, "spec", "taints", index);
    const check = { kind: "taint", index, taint: { key, value, effect }, place } as const;
    if (isSkipped) return { ...check, outcome: "skipped" };
    const judgement = judgeTaint(taint, { tolerations, mode, now, isDecided: isDecided(cluster.name) });
    const outcome = judgement.tolerated ? "true" : "false";
    return { ...check, outcome, tolerance: toleranceOf(taint, judgement) };
  });
}
