// In which words is it told why a cluster is not selected? What it has in common with others, and what is its own.

import type { Check, ClusterReport } from "../../placement/placement-result.ts";
import { shortText } from "./paragraph.ts";

/** Where the line was drawn between clusters that are selected and those that could be. */
export interface Cut {
  /** "only 3 are asked for". */
  readonly tooMany: string;
  /** The last cluster that is selected; nothing if that says nothing. */
  readonly last?: ClusterReport | undefined;
  readonly tieBreak?: "name" | "hash" | undefined;
  /** Is it told of a time that is over? */
  readonly isPast?: boolean;
}

/** Why a cluster is not selected. */
export interface Words {
  readonly text: string;
  /** The same for one cluster, where that reads otherwise. */
  readonly one?: string;
  /** One for each predicate, where there are several. */
  readonly rules?: readonly string[];
  /** What is special about the cluster; empty where nothing is. */
  readonly note: string;
  /** The error that the cluster could not be judged for. */
  readonly error?: string;
}

/** A rule or a message that is longer is cut, a longer note left out. */
const MAX_RULE_LENGTH = 160;
const MAX_NOTE_LENGTH = 40;
/** So many predicates are told one by one. */
const MAX_PREDICATES = 5;

/** The reason of a cluster that is not selected. */
export function wordsOf(report: ClusterReport, cut: Cut): Words {
  switch (report.verdict) {
    case "failed":
      return failedWords(report, cut) ?? plainWords(report.reason);
    case "unmatched":
      return unmatchedWords(report, cut) ?? plainWords(report.reason);
    case "tainted":
      return taintedWords(report) ?? plainWords(report.reason);
    case "terminating":
      return plainWords("being deleted");
    case "left":
      return leftWords(report, cut);
    default:
      return plainWords(report.reason);
  }
}

/** What clusters with the same words have in common, as a text; cheaper than the words themselves. */
export function keyOf(report: ClusterReport, cut: Cut): string {
  // The reason is asked for only where it is needed: it costs as much as the checks.
  const { verdict } = report;
  const at = ({ predicate, kind, index }: Check): string => `${predicate} ${kind} ${index}`;
  switch (verdict) {
    case "failed": {
      const failed = firstError(report.checks);
      return failed === undefined ? report.reason : `${verdict} ${at(failed)}`;
    }
    case "unmatched": {
      const failures = firstFailures(report.checks);
      return failures.length === 0 ? report.reason : `${verdict} ${failures.map(at).join(" ")}`;
    }
    case "tainted": {
      const taint = firstTaint(report.checks);
      return taint === undefined
        ? report.reason
        : `${verdict} ${taint.rule} ${taint.detail.replace(/ ended at [^ ,;]+/, "")}`;
    }
    case "terminating":
      return verdict;
    case "left":
      return `${verdict} ${leftWords(report, cut).text}`;
    default:
      return report.reason;
  }
}

/** A reason that is a text of its own. */
export function plainWords(text: string, note = ""): Words {
  return { text: shortText(text, MAX_RULE_LENGTH), note };
}

/** The first expression that ended with an error; a set that cannot be read is none. */
export function firstError(checks: readonly Check[]): Check | undefined {
  return checks.find(({ predicate, outcome }) => predicate !== undefined && outcome === "error");
}

function firstTaint(checks: readonly Check[]): Check | undefined {
  return checks.find(({ kind, outcome }) => kind === "taint" && outcome === "false");
}

function failedWords({ checks }: ClusterReport, { isPast }: Cut): Words | undefined {
  const failed = firstError(checks);
  if (failed === undefined) return undefined;
  const isOnly = checks.every(({ predicate }) => predicate === undefined || predicate === 0);
  const where = isOnly ? "" : `predicates[${failed.predicate}], `;
  const text = `could not be judged${isPast ? "" : ", which counts as no"}: ${where}${ruleText(failed)}`;
  return { text, note: "", error: errorText(failed) };
}

/** What went wrong; that it went wrong with a score the rule says already. */
export function errorText({ detail }: Check): string {
  return shortText(detail.replace(/^failed to get score: /, ""), MAX_RULE_LENGTH);
}

function unmatchedWords({ checks }: ClusterReport, { isPast }: Cut): Words | undefined {
  const failures = firstFailures(checks);
  const [first] = failures;
  if (first === undefined) return undefined;
  const not = isPast ? "did not hold" : "does not hold";
  if (failures.length === 1) return { text: `${ruleText(first)} ${not}`, note: noteOf(first) };
  const left = failures.length - MAX_PREDICATES;
  const fails = isPast ? "failed" : "fails";
  return {
    text: `none of the ${failures.length} predicates ${isPast ? "held" : "holds"}`,
    rules: [
      ...failures
        .slice(0, MAX_PREDICATES)
        .map((check) => `predicates[${check.predicate}] ${fails} at ${ruleText(check)}`),
      ...(left > 0 ? [`… and ${left} more predicates`] : []),
    ],
    note: "",
  };
}

/** When a toleration ended is each cluster's own. */
function taintedWords({ checks }: ClusterReport): Words | undefined {
  const taint = firstTaint(checks);
  if (taint === undefined) return undefined;
  const start = `tainted: ${shortText(taint.rule, MAX_RULE_LENGTH)}`;
  const [, toleration, ended, more = ""] = /^(tolerations\[\d+\]) (ended at [^ ,;]+)(.*)$/.exec(taint.detail) ?? [];
  if (toleration !== undefined)
    return { text: `${start}, no longer tolerated by ${toleration}${more}`, note: ended ?? "" };
  const detail = taint.detail.replace(/^no toleration matches/, "not tolerated");
  return { text: `${start}, ${shortText(detail, MAX_RULE_LENGTH)}`, note: "" };
}

/** It could be selected. */
function leftWords(
  { checks, rank, score, isSoftTainted }: ClusterReport,
  { tooMany, last, tieBreak, isPast }: Cut,
): Words {
  const spread = checks.find(({ kind, outcome }) => kind === "spread" && outcome === "false");
  if (spread !== undefined)
    return {
      text: `kept out by the spread over ${spreadText(spread)}`,
      note: shortText(spread.detail, MAX_RULE_LENGTH),
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

/** Of each predicate the first rule that does not hold; the rules of a predicate stand together. */
function firstFailures(checks: readonly Check[]): readonly Check[] {
  const failures: Check[] = [];
  for (const check of checks)
    if (check.predicate !== undefined && check.outcome === "false" && failures.at(-1)?.predicate !== check.predicate)
      failures.push(check);
  return failures;
}

/** "label env In (prod)", "CEL managedCluster.…". */
export function ruleText({ kind, rule }: Check): string {
  return `${kind === "cel" ? "CEL" : kind} ${shortText(rule, MAX_RULE_LENGTH)}`;
}

/** "label region, maxSkew 1, DoNotSchedule". */
export function spreadText({ rule }: Check): string {
  return `${rule.slice(0, 1).toLowerCase()}${shortText(rule.slice(1), MAX_RULE_LENGTH)}`;
}

/** The value that a rule met; whose value it is need not be said again. */
export function noteOf({ rule, detail }: Check, longest: number = MAX_NOTE_LENGTH): string {
  if (detail === "") return "";
  const text = shortText(detail, 4 * MAX_RULE_LENGTH);
  const [subject = "", value, ...more] = text.split(" is ");
  const isSaid = value !== undefined && more.length === 0 && shortText(rule, 4 * MAX_RULE_LENGTH).includes(subject);
  const note = isSaid ? value : text;
  return note.length <= longest ? note : "";
}

/** The reason in a line of its own, without saying twice what it is about. */
export function reasonInShort(report: ClusterReport): string {
  const { verdict, reason, checks } = report;
  if (verdict === "tainted") {
    const { text, note } = taintedWords(report) ?? plainWords(reason);
    return note === "" ? text : `${text} (${note})`;
  }
  const [only, ...others] = verdict === "unmatched" ? firstFailures(checks) : [];
  if (only === undefined || others.length > 0) return reason;
  const note = noteOf(only, MAX_RULE_LENGTH);
  return `${ruleText(only)} is false${note === "" ? "" : `: ${note}`}`;
}
