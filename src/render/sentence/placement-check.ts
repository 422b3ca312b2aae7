// What does a rule of a Placement say of a cluster, in words? The rule, why it is what it is, and the parts of a score.

import type {
  CelDetail,
  Check,
  ScoreDetail,
  SpreadCheck,
  TaintCheck,
  Tolerance,
  ValueCheck,
} from "../../placement/placement-result.ts";
import { counted, quoted } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { faultMessage, unreadScoreText } from "./placement-fault.ts";

/** The rule: `cloud In (Amazon, Azure)`, the text of an expression, `key=value:NoSelect`. */
export function ruleText(check: Check): string {
  switch (check.kind) {
    case "taint":
      return `${taintText(check.taint)}:${check.taint.effect}`;
    case "spread":
      return spreadRuleText(check, check.constraint.topologyKeyType);
    default:
      return check.rule;
  }
}

/** The rule with its kind: `label env In (prod)`, `CEL managedCluster.…`. */
export function namedRuleText(check: Check): string {
  return `${check.kind === "cel" ? "CEL" : check.kind} ${ruleText(check)}`;
}

/** A taint without its effect: `key=value`. */
export function taintText({ key, value }: Pick<TaintCheck["taint"], "key" | "value">): string {
  return value === "" ? key : `${key}=${value}`;
}

/** "label region, maxSkew 1, DoNotSchedule". */
export function spreadRuleText(
  { constraint: { topologyKey, topologyKeyType, maxSkew, whenUnsatisfiable } }: SpreadCheck,
  type: string = topologyKeyType.toLowerCase(),
): string {
  return `${type} ${topologyKey}, maxSkew ${maxSkew}, ${whenUnsatisfiable}`;
}

/** Why a rule is what it is: the value that made it so, or the error; empty if there is nothing to say. */
export const checkText: (check: Check) => string = byKind({
  set: (check) => (check.detail === undefined ? "" : setText(check.detail)),
  label: valueText,
  claim: valueText,
  cel: (check) => (check.detail === undefined ? "" : celText(check.detail)),
  taint: (check) => (check.tolerance === undefined ? "" : toleranceText(check.tolerance)),
  spread: spreadText,
});

function valueText(check: ValueCheck): string {
  if (check.outcome === "skipped") return "";
  return check.value === undefined ? absentText(check) : `${check.key} is ${quoted(check.value)}`;
}

/** "no label env". */
export function absentText({ kind, key }: Pick<ValueCheck, "kind" | "key">): string {
  return `no ${kind} ${key}`;
}

const setText: (detail: NonNullable<Extract<Check, { readonly kind: "set" }>["detail"]>) => string = byKind({
  unlabelled: () => "no label cluster.open-cluster-management.io/clusterset",
  terminating: () => "the cluster is being deleted",
  "other-set": (detail) => `the cluster is in the set ${quoted(detail.set)}`,
  broken: (detail) => faultMessage(detail.fault),
});

export const celText: (detail: CelDetail) => string = byKind({
  values: (detail) => detail.values.map(({ expression, value }) => `${expression} is ${value}`).join(", "),
  error: (detail) => detail.message,
  "score-error": (detail) => `failed to get score: ${detail.why}`,
  "unread-score": (detail) => `the ${unreadScoreText(detail.score)}`,
  "not-compiled": () => "it does not compile",
  "predicate-cost": (detail) => `the expressions of the predicate cost more than ${detail.limit} together`,
  "not-asked": (detail) =>
    detail.why === "time"
      ? "the time limit was reached"
      : detail.why === "cost"
        ? "the expressions of the Placement cost too much"
        : "the Placement is misconfigured or left alone",
});

const toleranceText: (tolerance: Tolerance) => string = byKind({
  "no-effect": () => "PreferNoSelect has no effect",
  "selected-before": () => "the cluster was selected before",
  tolerated: ({ by, until }) => `tolerated by tolerations[${by}]${until === undefined ? "" : ` until ${until}`}`,
  untolerated: (tolerance) => {
    const soft = tolerance.isSoft ? "does not exclude the cluster, but ranks it behind clusters without one: " : "";
    return `${soft}${expiryText(tolerance) ?? "no toleration matches"}${ifNewText(tolerance)}`;
  },
});

type Untolerated = Extract<Tolerance, { readonly kind: "untolerated" }>;

/** The toleration that has ended; nothing if none matches. */
export function expiryText({ expired }: Untolerated): string | undefined {
  if (expired === undefined) return undefined;
  const name = `tolerations[${expired.by}]`;
  return expired.endedAt === undefined
    ? `${name} is for a time, and the taint does not say when it was added`
    : `${name} ended at ${expired.endedAt}`;
}

/** What is added for a taint that concerns new clusters only. */
export function ifNewText({ ifNew }: Untolerated): string {
  return ifNew ? ", and the cluster was not selected before" : "";
}

function spreadText({ constraint, counts }: SpreadCheck): string {
  if (counts === undefined) return "";
  const { topologyKey: key, topologyKeyType, maxSkew } = constraint;
  const { value, count, least } = counts;
  if (least === undefined) return `${value === undefined ? `no ${key}` : `${key} ${quoted(value)}`}: ${count} selected`;
  if (value === undefined) return `no ${topologyKeyType.toLowerCase()} ${key}`;
  const others = least.value === undefined ? "others have" : `${key} ${quoted(least.value)} has`;
  return `${key} ${quoted(value)} has ${count} selected already, and ${others} only ${least.count}: one more would exceed maxSkew ${maxSkew}`;
}

/** What a score was made of; empty if there is nothing to say. */
export const scoreText: (detail: ScoreDetail) => string = byKind({
  steady: (detail) => (detail.isDecided ? "selected before" : "not selected before"),
  balance: (detail) => `${counted(detail.count, "decision")} of other Placements (maximum ${detail.most})`,
  expired: (detail) => `expired${detail.validUntil === undefined ? "" : ` at ${detail.validUntil}`}: counts as 0`,
  missing: () => "no such score: counts as 0",
  allocatable: (detail) => `${detail.amount} can be allocated`,
  "add-on": () => "",
  spread: () => "",
});
