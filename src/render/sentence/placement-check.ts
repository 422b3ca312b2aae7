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
import { quoted } from "../../text/words.ts";
import { faultMessage } from "./placement-fault.ts";

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

/** Why a rule is what it is: the value that made it so, or the error; empty where there is nothing to say. */
export function checkText(check: Check): string {
  switch (check.kind) {
    case "set":
      return setText(check.detail);
    case "label":
    case "claim":
      if (check.outcome === "skipped") return "";
      return check.value === undefined ? absentText(check) : `${check.key} is ${quoted(check.value)}`;
    case "cel":
      return check.detail === undefined ? "" : celText(check.detail);
    case "taint":
      return check.tolerance === undefined ? "" : toleranceText(check.tolerance);
    case "spread":
      return spreadText(check);
  }
}

/** "no label env". */
export function absentText({ kind, key }: Pick<ValueCheck, "kind" | "key">): string {
  return `no ${kind} ${key}`;
}

function setText(detail: Extract<Check, { readonly kind: "set" }>["detail"]): string {
  switch (detail?.kind) {
    case undefined:
      return "";
    case "unlabelled":
      return "no label cluster.open-cluster-management.io/clusterset";
    case "terminating":
      return "the cluster is being deleted";
    case "other-set":
      return `the cluster is in the set ${quoted(detail.set)}`;
    case "broken":
      return faultMessage(detail.fault);
  }
}

/** Why an expression is what it is. */
export function celText(detail: CelDetail): string {
  switch (detail.kind) {
    case "values":
      return detail.values.map(({ expression, value }) => `${expression} is ${value}`).join(", ");
    case "error":
      return detail.message;
    case "score-error":
      return `failed to get score: ${detail.why}`;
    case "not-compiled":
      return "it does not compile";
    case "predicate-cost":
      return `the expressions of the predicate cost more than ${detail.limit} together`;
    case "not-asked":
      return detail.why === "time"
        ? "the time was over"
        : detail.why === "cost"
          ? "the expressions of the placement cost too much"
          : "the placement is misconfigured or left alone";
  }
}

function toleranceText(tolerance: Tolerance): string {
  switch (tolerance.kind) {
    case "no-effect":
      return "PreferNoSelect has no effect";
    case "selected-before":
      return "the cluster was selected before";
    case "tolerated": {
      const { by, until } = tolerance;
      return `tolerated by tolerations[${by}]${until === undefined ? "" : ` until ${until}`}`;
    }
    case "untolerated": {
      const soft = tolerance.isSoft ? "it does not keep the cluster out, but puts it behind all others: " : "";
      return `${soft}${expiryText(tolerance) ?? "no toleration matches"}${ifNewText(tolerance)}`;
    }
  }
}

type Untolerated = Extract<Tolerance, { readonly kind: "untolerated" }>;

/** The toleration that does not hold any more; nothing if none matches. */
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
  return `${key} ${quoted(value)} has ${count} selected already, and ${others} only ${least.count}: one more would be beyond maxSkew ${maxSkew}`;
}

/** What a score was made of; empty where there is nothing to say. */
export function scoreText(detail: ScoreDetail): string {
  switch (detail.kind) {
    case "steady":
      return detail.isDecided ? "selected before" : "not selected before";
    case "balance":
      return `${detail.count} decisions of other placements, where ${detail.most} is the most`;
    case "expired":
      return `expired${detail.validUntil === undefined ? "" : ` at ${detail.validUntil}`}: counts as 0`;
    case "missing":
      return "no such score: counts as 0";
    case "allocatable":
      return `${detail.amount} can be allocated`;
    case "add-on":
    case "spread":
      return "";
  }
}
