// What does each rule of a Placement say of one cluster, and because of which value?
import { traceTree } from "../../cel/trace-tree.ts";
import { CelError } from "../../cel/value/value.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { textUnder } from "../../model/labels.ts";
import type { ManagedCluster } from "../../model/managed-cluster.ts";
import { inside } from "../../model/place.ts";
import { clusterBindings } from "../cel/placement-environment.ts";
import { valuesRead } from "../cel/values-read.ts";
import { type Eligibility, isMemberOf, type ReadSet, SET_LABEL } from "../eligible/eligibility.ts";
import { type Evaluation, type EvaluationInput, scoresFor } from "../evaluation.ts";
import {
  bindingsOf,
  evaluateRule,
  PREDICATE_COST_LIMIT,
  PREDICATE_TOO_COSTLY,
  type PredicateRun,
  predicateRun,
  unreadBy,
} from "../filter/filter-cluster.ts";
import { evaluateTaint, toleranceOf } from "../filter/taint-toleration.ts";
import type { FleetCluster } from "../fleet.ts";
import type { CelCheck, CelDetail, Check, SetCheck, TaintCheck, ValueCheck } from "../placement-result.ts";
import type { ExpressionRule, PredicateRule, RequirementRule } from "../prepare/prepare.ts";
import { valueUnder } from "../prepare/selector.ts";
import { ScoreError } from "../score/add-on-scores.ts";
import { identityOf } from "../score/unread-scores.ts";

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
  /** Those of other clusters. */
  readonly shared?: SharedChecks | undefined;
}

/**
 * Checks that a hundred thousand clusters share, by rule: of a label or claim by its value, of an expression without details by its
 * outcome.
 */
export class SharedChecks {
  readonly #values = new Map<RequirementRule, Map<string | undefined, ValueCheck>>();
  readonly #outcomes = new Map<ExpressionRule, Map<string, CelCheck>>();

  ofValue(rule: RequirementRule, value: string | undefined, make: () => ValueCheck): ValueCheck {
    return getOrAdd(
      getOrAdd(this.#values, rule, () => new Map()),
      value,
      make,
    );
  }

  ofOutcome(rule: ExpressionRule, check: CelCheck): CelCheck {
    return getOrAdd(
      getOrAdd(this.#outcomes, rule, () => new Map()),
      check.outcome,
      () => check,
    );
  }
}

/** What every rule says of a cluster: sets, predicates, taints. */
export function checksOf(
  entry: FleetCluster,
  evaluation: Pick<Evaluation, "input" | "prepared" | "eligibility">,
  options: CheckOptions = {},
  known: KnownOutcome = {},
): readonly Check[] {
  const { input, prepared, eligibility } = evaluation;
  const { cluster } = entry;
  const ofSets = setChecks(entry, eligibility);
  const own = ofSets.filter(({ outcome }) => outcome === "true");
  const isMember = own.length > 0;
  const all: Check[] = isMember ? own : ofSets;
  let isDecided = !isMember || cluster.terminating;
  let isMatched = prepared.predicates.length === 0;
  let mayMatch = isMatched;
  for (const [position, rules] of prepared.predicates.entries()) {
    const checks = predicateChecks(entry, input, rules, position, options, known, isDecided || isMatched);
    if (checks.every(({ outcome }) => outcome === "true")) isMatched = true;
    if (checks.every((check) => check.outcome === "true" || isUnknown(check))) mayMatch = true;
    for (const check of checks) all.push(check);
  }
  isDecided ||= !mayMatch;
  for (const check of taintChecks(entry, input, isDecided && options.allChecks !== true)) all.push(check);
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
  input: EvaluationInput,
  rules: readonly PredicateRule[],
  predicate: number,
  options: CheckOptions,
  known: KnownOutcome,
  isDecided: boolean,
): readonly (ValueCheck | CelCheck)[] {
  const run = predicateRun(entry, input);
  let isOver = isDecided;
  return rules.map((rule) => {
    const isSkipped = isOver && options.allChecks !== true;
    const check =
      rule.kind === "cel"
        ? expressionCheck(rule, predicate, run, options, known, isSkipped)
        : requirementCheck(rule, predicate, run, isSkipped, known.shared);
    if (check.outcome !== "true" && !isUnknown(check)) isOver = true;
    return check;
  });
}

/** Does it depend on a score that cannot be read? */
function isUnknown(check: ValueCheck | CelCheck): boolean {
  return check.kind === "cel" && check.detail?.kind === "unread-score";
}

function requirementCheck(
  rule: RequirementRule,
  predicate: number,
  run: PredicateRun,
  isSkipped: boolean,
  shared = new SharedChecks(),
): ValueCheck {
  const { kind, index, rule: text, key, place } = rule;
  const check = { kind, predicate, index, rule: text, key, place } as const;
  if (isSkipped) return { ...check, outcome: "skipped" };
  const value = valueUnder(rule, run.entry.cluster);
  return shared.ofValue(rule, value, () => {
    const outcome = evaluateRule(rule, run) === true ? "true" : "false";
    return { ...check, outcome, ...(value !== undefined && { value }) };
  });
}

/** The check of an expression. The values that it read are reported where it is not true. */
function expressionCheck(
  rule: ExpressionRule,
  predicate: number,
  run: PredicateRun,
  { trace: isTraced, isBrief }: CheckOptions,
  known: KnownOutcome,
  isSkipped: boolean,
): CelCheck {
  const { index, text, place, program } = rule;
  const check = { kind: "cel", predicate, index, rule: text, place } as const;
  if (program === undefined) return { ...check, outcome: "error", detail: { kind: "not-compiled" } };
  if (isSkipped) return { ...check, outcome: "skipped" };
  const unread = unreadBy(rule, run);
  if (unread !== undefined)
    return { ...check, outcome: "skipped", detail: { kind: "unread-score", score: identityOf(unread) } };
  if (known.matchedBy === predicate && isTraced !== true) return { ...check, outcome: "true" };
  if (known.notAsked !== undefined && isTraced !== true)
    return { ...check, outcome: "skipped", detail: { kind: "not-asked", why: known.notAsked } };
  const result = evaluateRule(rule, run);
  const error = result instanceof CelError ? errorOf(result) : undefined;
  const outcome = error !== undefined ? "error" : result === true ? "true" : "false";
  const isShown = isTraced === true || (isBrief !== true && result === false);
  if (!isShown || result === PREDICATE_TOO_COSTLY) {
    if (error !== undefined) return { ...check, outcome, detail: error };
    const bare: CelCheck = { ...check, outcome };
    return known.shared?.ofOutcome(rule, bare) ?? bare;
  }
  // A trace shows all values of the cluster, not only those that expressions read.
  const { cluster } = run.entry;
  const all = isTraced === true ? clusterBindings(cluster.object, scoresFor(run.input, cluster.name)) : bindingsOf(run);
  const { trace } = program.trace(all);
  const values = error === undefined ? valuesRead(trace, text) : [];
  const detail = error ?? (values.length === 0 ? undefined : ({ kind: "values", values } as const));
  return {
    ...check,
    outcome,
    ...(detail !== undefined && { detail }),
    ...(isTraced === true && { trace: traceTree(trace, text) }),
  };
}

function errorOf(error: CelError): CelDetail {
  if (error === PREDICATE_TOO_COSTLY) return { kind: "predicate-cost", limit: PREDICATE_COST_LIMIT };
  return error instanceof ScoreError
    ? { kind: "score-error", why: error.why }
    : { kind: "error", message: error.message };
}

/** What the taints of a cluster mean for the Placement. */
export function taintChecks(
  { cluster }: FleetCluster,
  input: EvaluationInput,
  isSkipped: boolean,
): readonly TaintCheck[] {
  return cluster.taints.map((taint, index) => {
    const { key, value, effect } = taint;
    const place = inside(cluster.place, "spec", "taints", index);
    const check = { kind: "taint", index, taint: { key, value, effect }, place } as const;
    if (isSkipped) return { ...check, outcome: "skipped" };
    const evaluated = evaluateTaint(taint, cluster.name, input);
    return { ...check, outcome: evaluated.tolerated ? "true" : "false", tolerance: toleranceOf(taint, evaluated) };
  });
}
