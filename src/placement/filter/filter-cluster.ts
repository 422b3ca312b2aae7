// How far does one cluster get in the filter? Predicates, then taints; the first predicate that holds is enough. The reports share
// the evaluation of a rule.
import { type Bindings, LimitError } from "../../cel/plan/frame.ts";
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import { holds } from "../../model/selector.ts";
import { evaluateOnCluster } from "../cel/placement-environment.ts";
import { type EvaluationInput, scoresFor } from "../evaluation.ts";
import type { FleetCluster } from "../fleet.ts";
import type { PredicateRule, PreparedPlacement } from "../prepare/prepare.ts";
import { valueUnder } from "../prepare/selector.ts";
import type { UnreadScore } from "../score/unread-scores.ts";
import { evaluateTaints } from "./taint-toleration.ts";

/** How far a cluster gets, as a small number; the feasible ones are the highest. */
export const STAGE = {
  outside: 0,
  terminating: 1,
  unmatched: 2,
  failed: 3,
  tainted: 4,
  /** It depends on a score that cannot be read, and is in no PlacementDecision: it is not newly selected. */
  withheld: 5,
  softTainted: 6,
  feasible: 7,
  /** It is in a PlacementDecision, and it or a score that it depends on cannot be read now: it keeps its place, before all others. */
  unread: 8,
} as const;

/** How far a cluster gets. */
export interface ClusterMatch {
  /** One of {@link STAGE}. */
  readonly stage: number;
  /** The position of the predicate that holds; or would hold, but for the unread score. */
  readonly matchedBy: number;
  /** The cost of all expressions. */
  readonly cost: number;
  /** Was an expression stopped at a limit? */
  readonly isLimited: boolean;
  /** When a toleration ends that the stage depends on. */
  readonly until: Timestamp | undefined;
  /** A score that cannot be read and that the stage depends on. */
  readonly unread: UnreadScore | undefined;
}

const NOT_EVALUATED = { matchedBy: 0, cost: 0, isLimited: false, until: undefined, unread: undefined };
const EVERY_CLUSTER: ClusterMatch = { stage: STAGE.feasible, ...NOT_EVALUATED };

/** Clusters for which no rule is evaluated. */
export const OUTSIDE: ClusterMatch = { stage: STAGE.outside, ...NOT_EVALUATED };
export const UNREAD: ClusterMatch = { stage: STAGE.unread, ...NOT_EVALUATED };
export const TERMINATING: ClusterMatch = { stage: STAGE.terminating, ...NOT_EVALUATED };
export const UNMATCHED: ClusterMatch = { stage: STAGE.unmatched, ...NOT_EVALUATED };

/**
 * Evaluates predicates and taints for a member of the eligible sets. If a score cannot be read, what does not depend on it still counts;
 * if that leaves the cluster feasible, it is unknown whether it would be selected.
 */
export function filterCluster(
  entry: FleetCluster,
  { predicates }: PreparedPlacement,
  input: EvaluationInput,
  decidingScores: ReadonlySet<string>,
): ClusterMatch {
  const { hub, decided } = input;
  const { cluster } = entry;
  if (cluster.terminating) return TERMINATING;
  const matched = predicates.length === 0 ? EVERY_CLUSTER : matchPredicates(predicates, entry, input);
  const match = withTaints(matched, entry, input);
  if (match.stage < STAGE.softTainted) return match;
  const unread = match.unread ?? hub.unreadScores.of(cluster.name, decidingScores);
  if (unread === undefined) return match;
  return { ...match, stage: decided.has(cluster.name) ? STAGE.unread : STAGE.withheld, unread };
}

function withTaints(match: ClusterMatch, { cluster }: FleetCluster, input: EvaluationInput): ClusterMatch {
  if (match.stage !== STAGE.feasible || cluster.taints.length === 0) return match;
  const { tolerated, isSoft, until } = evaluateTaints(cluster, input);
  const stage = !tolerated ? STAGE.tainted : isSoft ? STAGE.softTainted : STAGE.feasible;
  return { ...match, stage, until };
}

function matchPredicates(
  predicates: PreparedPlacement["predicates"],
  entry: FleetCluster,
  input: EvaluationInput,
): ClusterMatch {
  let stage: number = STAGE.unmatched;
  let isLimited = false;
  let cost = 0;
  let matchedBy = 0;
  let unread: UnreadScore | undefined;
  for (let position = 0; position < predicates.length; position++) {
    const run = predicateRun(entry, input);
    const result = evaluatePredicate(predicates[position] as readonly PredicateRule[], run);
    cost += run.cost;
    if (result === true)
      return { stage: STAGE.feasible, matchedBy: position, cost, isLimited, until: undefined, unread: undefined };
    if (result === false || unread !== undefined) continue;
    if (result instanceof CelError) {
      stage = STAGE.failed;
      isLimited ||= result instanceof LimitError;
    } else {
      stage = STAGE.feasible;
      matchedBy = position;
      unread = result;
    }
  }
  return { stage, matchedBy, cost, isLimited, until: undefined, unread };
}

/** True if all rules hold; otherwise the result of the first that does not, or the score that one of them depends on. */
function evaluatePredicate(rules: readonly PredicateRule[], run: PredicateRun): boolean | CelError | UnreadScore {
  let unread: UnreadScore | undefined;
  for (const rule of rules) {
    const lost = unreadBy(rule, run);
    unread ??= lost;
    const result = lost === undefined ? evaluateRule(rule, run) : true;
    if (result !== true) return result;
  }
  return unread ?? true;
}

/** A score that a rule may read, and that cannot be read: what the rule says of the cluster is unknown. */
export function unreadBy(rule: PredicateRule, { entry, input }: PredicateRun): UnreadScore | undefined {
  if (rule.kind !== "cel" || rule.program === undefined) return undefined;
  return input.hub.unreadScores.readBy(rule.program, entry.cluster.name);
}

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

/** What the expressions of a predicate are evaluated with. */
export function bindingsOf(run: PredicateRun): Bindings {
  if (run.bindings === undefined) {
    const { entry, input } = run;
    run.bindings = entry.bindings({ addOnScores: scoresFor(input, entry.cluster.name), wanted: input.hub.wanted });
  }
  return run.bindings;
}
