// Does a rule of a predicate hold for a cluster? One evaluation, which the filter and the reports share.
import { type Bindings, LimitError } from "../../cel/plan/frame.ts";
import { CelError } from "../../cel/value/value.ts";
import { textUnder } from "../../model/labels.ts";
import type { ManagedCluster } from "../../model/managed-cluster.ts";
import { evaluateOnCluster } from "../cel/placement-environment.ts";
import { type EvaluationInput, scoresFor } from "../evaluation.ts";
import type { FleetCluster } from "../fleet.ts";
import type { PredicateRule, RequirementRule } from "../prepare/prepare.ts";
import { claimOf, holds } from "../prepare/selector.ts";

/** Limit for the cost of all expressions of a predicate for one cluster: as in OCM. */
export const PREDICATE_COST_LIMIT = 10_000_000;

/** The result of an expression that does not compile. */
export const NOT_COMPILED: CelError = new CelError("the expression does not compile");

/** The result of a true expression with which its predicate exceeds the cost limit. */
export const PREDICATE_TOO_COSTLY: LimitError = new LimitError(
  "cost",
  "the expressions of the predicate cost too much",
);

/** The evaluation of one predicate for one cluster. */
export interface PredicateRun {
  readonly entry: FleetCluster;
  readonly input: EvaluationInput;
  /** The cost of its expressions so far. */
  cost: number;
  /** What its expressions are evaluated with; undefined until needed. */
  bindings: Bindings | undefined;
}

/** Starts the evaluation of a predicate for a cluster. */
export function predicateRun(entry: FleetCluster, input: EvaluationInput): PredicateRun {
  return { entry, input, cost: 0, bindings: undefined };
}

/** Does the rule hold for the cluster? */
export function evaluateRule(rule: PredicateRule, run: PredicateRun): boolean | CelError {
  const { entry } = run;
  if (rule.kind !== "cel") return holds(rule, valueUnder(rule, entry.cluster));
  const { program } = rule;
  if (program === undefined) return NOT_COMPILED;
  const result = evaluateOnCluster(program, bindingsOf(run));
  run.cost += program.cost;
  return result === true && run.cost > PREDICATE_COST_LIMIT ? PREDICATE_TOO_COSTLY : result;
}

/** The label or claim that a requirement is about. */
export function valueUnder({ kind, key }: RequirementRule, { labels, claims }: ManagedCluster): string | undefined {
  return kind === "label" ? textUnder(labels, key) : claimOf(claims, key);
}

/** What the expressions of a predicate are evaluated with. */
export function bindingsOf(run: PredicateRun): Bindings {
  if (run.bindings === undefined) {
    const { entry, input } = run;
    run.bindings = entry.bindings({ addOnScores: scoresFor(input, entry.cluster.name), wanted: input.hub.wanted });
  }
  return run.bindings;
}
