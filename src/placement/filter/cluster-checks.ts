// What does each rule of a Placement say of one cluster, and because of which value? The long way of judge.ts.
import type { TraceRecord } from "../../cel/plan/frame.ts";
import type { Program } from "../../cel/program.ts";
import { CelError } from "../../cel/value/value.ts";
import { textUnder } from "../../model/labels.ts";
import { inside } from "../../model/place.ts";
import { clusterBindings, evaluateOnCluster } from "../cel/placement-environment.ts";
import { valuesRead } from "../cel/values-read.ts";
import { type Eligibility, isMemberOf, SET_LABEL } from "../eligible/eligibility.ts";
import type { FleetCluster } from "../fleet.ts";
import type { Check, Outcome } from "../placement-result.ts";
import type { PlacedRequirement, PreparedPredicate } from "../prepare/prepare.ts";
import { claimOf, holds, quoted } from "../prepare/selector.ts";
import { type Judging, PREDICATE_COST_LIMIT } from "./judge.ts";
import { judgeTaint } from "./taint-toleration.ts";

/** How much is wanted. */
export interface CheckOptions {
  /** Also what would not have to be asked any more. */
  readonly allChecks?: boolean;
  /** Also the value of every part of an expression. */
  readonly trace?: boolean;
  /** Without the values that an expression read. */
  readonly isBrief?: boolean;
}

/** What is known already, so that nothing is evaluated for it again. */
export interface KnownOutcome {
  /** The position of the predicate that held; undefined if none did, or if nobody was asked. */
  readonly matchedBy?: number | undefined;
  /** Why nobody was asked. */
  readonly unasked?: string | undefined;
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
  const told: (readonly Check[])[] = [isMember ? own : ofSets];
  let isDecided = !isMember || cluster.terminating;
  let isMatched = prepared.predicates.length === 0;
  for (const [position, predicate] of prepared.predicates.entries()) {
    const checks = predicateChecks(entry, judging, predicate, position, options, known, isDecided || isMatched);
    told.push(checks);
    if (checks.every(({ outcome }) => outcome === "true")) isMatched = true;
  }
  isDecided ||= !isMatched;
  told.push(taintChecks(entry, judging, isDecided && options.allChecks !== true));
  return told.flat();
}

function setChecks({ cluster }: FleetCluster, { sets }: Eligibility): Check[] {
  return sets.map((read, index) => {
    const { set, isExclusive, mistakes } = read;
    const own = textUnder(cluster.labels, SET_LABEL);
    const isMember = isMemberOf(read, cluster);
    const detail = isExclusive
      ? own === undefined
        ? `no label ${SET_LABEL}`
        : isMember
          ? ""
          : `the cluster is in the set ${quoted(own)}`
      : (mistakes[0]?.message ?? "");
    return {
      kind: "set",
      predicate: undefined,
      index,
      outcome: isMember ? "true" : mistakes.length > 0 ? "error" : "false",
      rule: set.name,
      detail: isMember && cluster.terminating ? "the cluster is being deleted" : detail,
      place: set.place,
    };
  });
}

function predicateChecks(
  entry: FleetCluster,
  judging: Judging,
  predicate: PreparedPredicate,
  position: number,
  options: CheckOptions,
  known: KnownOutcome,
  isDecided: boolean,
): readonly Check[] {
  const { labels, claims } = entry.cluster;
  let isOver = isDecided;
  const checks: Check[] = [];
  const add = (check: Omit<Check, "predicate">): void => {
    checks.push({ ...check, predicate: position });
    if (check.outcome !== "true") isOver = true;
  };
  const ask = (
    kind: "label" | "claim",
    requirements: readonly PlacedRequirement[],
    value: (key: string) => string | undefined,
  ) => {
    for (const [index, requirement] of requirements.entries()) {
      const { key, rule, place } = requirement;
      if (isOver && options.allChecks !== true) {
        add({ kind, index, rule, place, outcome: "skipped", detail: "" });
        continue;
      }
      const has = value(key);
      const detail = has === undefined ? `no ${kind} ${key}` : `${key} is ${quoted(has)}`;
      add({ kind, index, rule, place, outcome: holds(requirement, has) ? "true" : "false", detail });
    }
  };
  ask("label", predicate.labels, (key) => textUnder(labels, key));
  ask("claim", predicate.claims, (key) => claimOf(claims, key));
  let spent = 0;
  for (const [index, { text, place, program }] of predicate.expressions.entries()) {
    const check = { kind: "cel", index, rule: text, place } as const;
    if (program === undefined) add({ ...check, outcome: "error", detail: "it does not compile" });
    else if (isOver && options.allChecks !== true) add({ ...check, outcome: "skipped", detail: "" });
    else if (known.matchedBy === position && options.trace !== true) add({ ...check, outcome: "true", detail: "" });
    else if (known.unasked !== undefined && options.trace !== true)
      add({ ...check, outcome: "skipped", detail: known.unasked });
    else {
      const told = evaluate(program, entry, judging, options);
      spent += program.cost;
      if (spent > PREDICATE_COST_LIMIT && told.outcome === "true") {
        const detail = `the expressions of the predicate cost more than ${PREDICATE_COST_LIMIT} together`;
        add({ ...check, outcome: "error", detail });
      } else add({ ...check, ...told });
    }
  }
  return checks;
}

/** The outcome of an expression. What it read is told where that is not plain: for whatever is not true. */
function evaluate(
  program: Program,
  entry: FleetCluster,
  judging: Judging,
  { trace: isTraced, isBrief }: CheckOptions,
): { outcome: Outcome; detail: string; error?: CelError; trace?: TraceRecord } {
  const addOnScores = judging.scoresFor(entry.cluster.name);
  const bindings = entry.bindings({ addOnScores, wanted: judging.wanted });
  const result = evaluateOnCluster(program, bindings);
  if (isTraced !== true && (isBrief === true || result !== false)) {
    if (result instanceof CelError) return { outcome: "error", detail: result.message, error: result };
    return { outcome: result ? "true" : "false", detail: "" };
  }
  // Whoever wants to see the values is to see all of them, not only those that expressions read.
  const shown = isTraced === true ? clusterBindings(entry.cluster.object, addOnScores) : bindings;
  const { trace } = program.trace(shown);
  const traced = isTraced === true ? { trace } : {};
  if (result instanceof CelError) return { outcome: "error", detail: result.message, error: result, ...traced };
  return { outcome: result ? "true" : "false", detail: valuesRead(trace, program.text), ...traced };
}

function taintChecks({ cluster }: FleetCluster, judging: Judging, isSkipped: boolean): readonly Check[] {
  const { prepared, mode, now, isDecided } = judging;
  return cluster.taints.map((taint, index) => {
    const rule = `${taint.key}${taint.value === "" ? "" : `=${taint.value}`}:${taint.effect}`;
    const place = inside(cluster.place, "spec", "taints", index);
    const check = { kind: "taint", predicate: undefined, index, rule, place } as const;
    if (isSkipped) return { ...check, outcome: "skipped", detail: "" };
    const { tolerated, detail } = judgeTaint(taint, {
      tolerations: prepared.placement.tolerations,
      mode,
      now,
      isDecided: isDecided(cluster.name),
    });
    return { ...check, outcome: tolerated ? "true" : "false", detail };
  });
}
