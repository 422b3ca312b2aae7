// How is the reason written why a cluster is not selected? The part that it has in common with others, and its own value.

import type { CelCheck, Check, ClusterReport, TaintCheck } from "../../placement/placement-result.ts";
import { quoted, shortText } from "../../text/words.ts";
import {
  absentText,
  celText,
  checkText,
  expiryText,
  ifNewText,
  namedRuleText,
  ruleText,
  spreadRuleText,
} from "./placement-check.ts";
import { clusterReasonText } from "./placement-reason.ts";

/** The cut in the ranking between selected clusters and feasible ones that are not selected. */
export interface Cut {
  /** "only 3 are requested". */
  readonly tooMany: string;
  /** The last selected cluster; undefined if it is not informative. */
  readonly last?: ClusterReport | undefined;
  readonly tieBreak?: "name" | "hash" | undefined;
  /** Is it about the earlier state? Then the reason is in the past tense. */
  readonly isPast?: boolean;
}

export interface Words {
  readonly text: string;
  /** The wording for a single cluster, if it differs. */
  readonly one?: string;
  /** One for each predicate, if there are several. */
  readonly rules?: readonly string[];
  /** What is special about the cluster; empty if nothing is. */
  readonly note: string;
  /** The error that the cluster could not be evaluated for. */
  readonly error?: string;
}

/** A rule or a message that is longer is cut, a longer note left out. */
const MAX_RULE_LENGTH = 160;
const MAX_NOTE_LENGTH = 40;
/** How many predicates are listed one by one. */
const MAX_PREDICATES = 5;

export function wordsOf(report: ClusterReport, cut: Cut): Words {
  return ownWords(report, cut) ?? plainWords(clusterReasonText(report));
}

/** The words for verdicts with a wording of their own. */
function ownWords(report: ClusterReport, cut: Cut): Words | undefined {
  switch (report.verdict) {
    case "failed":
      return failedWords(report, cut);
    case "unmatched":
      return unmatchedWords(report, cut);
    case "tainted": {
      const taint = firstTaint(report.checks);
      return taint && taintedWords(taint);
    }
    case "terminating":
      return plainWords("being deleted");
    case "left":
      return leftWords(report, cut);
    default:
      return undefined;
  }
}

/** What clusters with the same words have in common, as a text; cheaper than the words themselves. */
export function keyOf(report: ClusterReport, cut: Cut): string {
  const { verdict } = report;
  const at = ({ predicate, kind, index }: Check): string => `${predicate} ${kind} ${index}`;
  switch (verdict) {
    case "failed": {
      const failed = firstError(report.checks);
      return failed === undefined ? clusterReasonText(report) : `${verdict} ${at(failed)}`;
    }
    case "unmatched": {
      const failures = firstFailures(report.checks);
      return failures.length === 0 ? clusterReasonText(report) : `${verdict} ${failures.map(at).join(" ")}`;
    }
    case "tainted": {
      const taint = firstTaint(report.checks);
      return taint === undefined ? clusterReasonText(report) : `${verdict} ${taintedWords(taint).text}`;
    }
    case "terminating":
      return verdict;
    case "left":
      return `${verdict} ${leftWords(report, cut).text}`;
    default:
      return clusterReasonText(report);
  }
}

/** A reason that is a text of its own. */
export function plainWords(text: string, note = ""): Words {
  return { text: shortText(text, MAX_RULE_LENGTH), note };
}

/**
 * The first expression whose error decided: no rule before it in its predicate is false. A set that cannot be read does not
 * count.
 */
export function firstError(checks: readonly Check[]): CelCheck | undefined {
  let excluded: number | undefined;
  for (const check of checks) {
    if (check.kind === "cel" && check.outcome === "error" && check.predicate !== excluded) return check;
    if (check.outcome === "false") excluded = check.predicate;
  }
  return undefined;
}

function firstTaint(checks: readonly Check[]): TaintCheck | undefined {
  return checks.find((check): check is TaintCheck => check.kind === "taint" && check.outcome === "false");
}

function failedWords({ checks }: ClusterReport, { isPast }: Cut): Words | undefined {
  const failed = firstError(checks);
  if (failed === undefined) return undefined;
  const isOnly = checks.every(({ predicate }) => predicate === undefined || predicate === 0);
  const where = isOnly ? "" : `predicates[${failed.predicate}], `;
  const text = `could not be evaluated${isPast ? "" : ", which counts as no match"}: ${where}${shortRule(failed)}`;
  return { text, note: "", error: errorText(failed) };
}

/** What went wrong; that it is about a score is clear from the rule. */
export function errorText({ detail }: CelCheck): string {
  const text = detail === undefined ? "" : detail.kind === "score-error" ? detail.why : celText(detail);
  return shortText(text, MAX_RULE_LENGTH);
}

function unmatchedWords({ checks }: ClusterReport, { isPast }: Cut): Words | undefined {
  const failures = firstFailures(checks);
  const [first] = failures;
  if (first === undefined) return undefined;
  const not = isPast ? "did not hold" : "does not hold";
  if (failures.length === 1) return { text: `${shortRule(first)} ${not}`, note: noteOf(first) };
  const left = failures.length - MAX_PREDICATES;
  const fails = isPast ? "failed" : "fails";
  return {
    text: `none of the ${failures.length} predicates ${isPast ? "held" : "holds"}`,
    rules: [
      ...failures
        .slice(0, MAX_PREDICATES)
        .map((check) => `predicates[${check.predicate}] ${fails} at ${shortRule(check)}`),
      ...(left > 0 ? [`… and ${left} more predicates`] : []),
    ],
    note: "",
  };
}

/** When a toleration ended is each cluster's own. */
function taintedWords(check: TaintCheck): Words {
  const start = `tainted: ${shortText(ruleText(check), MAX_RULE_LENGTH)}`;
  const { tolerance } = check;
  if (tolerance?.kind !== "untolerated") return { text: start, note: "" };
  const { expired } = tolerance;
  if (expired?.endedAt !== undefined) {
    const text = `${start}, no longer tolerated by tolerations[${expired.by}]${ifNewText(tolerance)}`;
    return { text, note: `ended at ${expired.endedAt}` };
  }
  return { text: `${start}, ${expiryText(tolerance) ?? "not tolerated"}${ifNewText(tolerance)}`, note: "" };
}

/** It could be selected. */
function leftWords(
  { checks, rank, score, isSoftTainted }: ClusterReport,
  { tooMany, last, tieBreak, isPast }: Cut,
): Words {
  const spread = checks.find(({ kind, outcome }) => kind === "spread" && outcome === "false");
  if (spread?.kind === "spread")
    return {
      text: `kept out by the spread over ${shortText(spreadRuleText(spread), MAX_RULE_LENGTH)}`,
      note: shortText(checkText(spread), MAX_RULE_LENGTH),
    };
  const place = rank === undefined ? "" : `rank ${rank}`;
  const both = rank === undefined || score === undefined ? "" : `rank ${rank}, score ${score}`;
  const match = (why: string, note: string): Words => ({
    text: `${isPast ? "matched" : "match"}, but ${tooMany}${why}`,
    one: `${isPast ? "matched" : "matches"}, but ${tooMany}${why}`,
    note,
  });
  if (last === undefined || score === undefined) return match("", both);
  if (last.parts.some(({ name }) => name === "Spread"))
    return match("; Spread counts when a cluster is picked, and others came first", place);
  if (isSoftTainted && !last.isSoftTainted) return match("; those with a PreferNoSelect taint come last", place);
  if (last.score !== score) return match(`; the last selected has ${last.score}`, both);
  const decider = tieBreak === "hash" ? "a hash" : "the name";
  return match(`; same score as the last selected, so ${decider} decides (--tie-break)`, place);
}

/** The first rule of each predicate that does not hold; the rules of a predicate are grouped. */
function firstFailures(checks: readonly Check[]): readonly Check[] {
  const failures: Check[] = [];
  for (const check of checks)
    if (check.predicate !== undefined && check.outcome === "false" && failures.at(-1)?.predicate !== check.predicate)
      failures.push(check);
  return failures;
}

function shortRule(check: Check): string {
  return shortText(namedRuleText(check), MAX_RULE_LENGTH);
}

/** The value that a rule was evaluated on; the rule names its key. */
function noteOf(check: Check, longest: number = MAX_NOTE_LENGTH): string {
  const note = shortText(valueText(check), 4 * MAX_RULE_LENGTH);
  return note.length <= longest ? note : "";
}

function valueText(check: Check): string {
  if (check.kind === "label" || check.kind === "claim")
    return check.value === undefined ? absentText(check) : quoted(check.value);
  const values = check.kind === "cel" && check.detail?.kind === "values" ? check.detail.values : [];
  const [only, ...more] = values;
  if (only === undefined || more.length > 0) return checkText(check);
  // A long part of an expression is cut: then the rule does not show it.
  return shortText(ruleText(check), 4 * MAX_RULE_LENGTH).includes(only.expression) ? only.value : checkText(check);
}

/** The reason on its own line, without repeating its subject. */
export function reasonInShort(report: ClusterReport): string {
  const { verdict, checks } = report;
  const taint = verdict === "tainted" ? firstTaint(checks) : undefined;
  if (taint !== undefined) {
    const { text, note } = taintedWords(taint);
    return note === "" ? text : `${text} (${note})`;
  }
  const [only, ...others] = verdict === "unmatched" ? firstFailures(checks) : [];
  if (only === undefined || others.length > 0) return clusterReasonText(report);
  const note = noteOf(only, MAX_RULE_LENGTH);
  return `${shortRule(only)} does not hold${note === "" ? "" : `: ${note}`}`;
}
