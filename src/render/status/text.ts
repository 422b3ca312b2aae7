// How is the state of a cluster printed for people? The table; in `wide` a line for each item that needs attention and for each broken
// condition; and what there is in all.

import { adviceCounts, doubtsOf, isOfCluster, type ResolutionAdvice } from "../../model/resolution-advice.ts";
import type { AdvisedHold } from "../../model/resolution-object.ts";
import { counted, listed } from "../../text/words.ts";
import { sentenceLines } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { type Cell, tableLines } from "../kit/table.ts";
import { changesText, phrase } from "../sentence/advice.ts";
import { OUTCOME_WORDS } from "../sentence/outcome.ts";
import { nameText, statusTable } from "./status-table.ts";

/** What is printed: the Resolutions, by namespace and name, and commands that show more of one of them. */
export interface ShownStatus {
  readonly resolutions: readonly ResolutionAdvice[];
  readonly more: readonly string[];
}

/** The lines of the report. */
export function statusLines({ resolutions, more }: ShownStatus, look: Look): string[] {
  const table = statusTable(resolutions, look);
  return [
    ...table.header,
    ...resolutions.flatMap(table.row),
    ...(look.all ? detailLines(resolutions, look) : []),
    ...(resolutions.length > 1 ? ["", ...sentenceLines(summaryText(resolutions), look)] : []),
    ...(more.length === 0 ? [] : ["", look.style.bold("To read more"), ...more.map((line) => `  ${line}`)]),
  ];
}

/** A line for each item of the lists, and for each condition that casts doubt on the advice. */
function detailLines(resolutions: readonly ResolutionAdvice[], look: Look): string[] {
  const rows = resolutions.flatMap((resolution) =>
    resolution.mode === "Off" ? [] : detailsOf(resolution, look).map((cells) => [nameText(resolution), ...cells]),
  );
  if (rows.length === 0) return [];
  const columns = ["NAMESPACE", "WHAT", "ABOUT", "WHY"].map((header) => ({ header }));
  return ["", ...tableLines(columns, rows, look)];
}

function detailsOf(resolution: ResolutionAdvice, { style }: Look): readonly (readonly Cell[])[] {
  const { status } = resolution;
  if (status === undefined) return [];
  const { unsatisfied, heldBack, pendingApproval, cut } = status;
  const conditions = doubtsOf(resolution).flatMap((doubt) => (doubt.kind === "condition" ? [doubt.condition] : []));
  return [
    ...conditions.map(({ type, status: value, reason, message }) => [
      { text: "condition", style: style.yellow },
      type,
      textOf([value, reason, message]),
    ]),
    ...unsatisfied.map(({ package: name, undecided, summary }) => [
      undecided ? { text: "undecided", style: style.magenta } : { text: "refused", style: style.red },
      name,
      phrase(summary),
    ]),
    ...heldBack.map((one) => [{ text: "held back", style: style.yellow }, one.package, heldText(one)]),
    ...pendingApproval.map((approval) => [
      { text: "waiting", style: style.yellow },
      listed(approval.changes.map((change) => change.package)),
      `${changesText(approval)}${ofText(approval.subscriptions)}${withText(approval.awaiting)}`,
    ]),
    ...cut.map((what) => [{ text: "left out", style: style.dim }, "", phrase(what)]),
  ];
}

/** The summary names the best version that is available. */
function heldText({ bundle, available, summary }: Pick<AdvisedHold, "bundle" | "available" | "summary">): string {
  const text = phrase(summary);
  const others = available.slice(1);
  if (text === "") return `now ${bundle}${available.length === 0 ? "" : `; available: ${listed(available)}`}`;
  return `${text}${others.length === 0 ? "" : ` (also available: ${listed(others)})`}`;
}

function textOf(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part ? [phrase(part)] : [])).join(": ");
}

function ofText(subscriptions: readonly string[]): string {
  if (subscriptions.length === 0) return "";
  return ` (${subscriptions.length === 1 ? "Subscription" : "Subscriptions"} ${listed(subscriptions)})`;
}

function withText(awaiting: readonly string[] = []): string {
  return awaiting.length === 0 ? "" : `; can only move with it: ${listed(awaiting)}`;
}

/** "3 namespaces: 1 resolved, 1 partly resolved, 1 undecided; 2 to install or update, 1 held back; in doubt: 1". */
export function summaryText(resolutions: readonly ResolutionAdvice[]): string {
  const groups = new Map<string, number>([...Object.values(OUTCOME_WORDS), ...OTHER_GROUPS].map((word) => [word, 0]));
  for (const resolution of resolutions) {
    const group = groupOf(resolution);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const outcomes = [...groups].filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  const open = openText(resolutions);
  const doubted = resolutions.filter(
    (resolution) => groupOf(resolution) !== "not advised yet" && doubtsOf(resolution).length > 0,
  ).length;
  return [
    `${whereText(resolutions)}: ${outcomes.join(", ")}`,
    ...(open === "" ? [] : [open]),
    ...(doubted === 0 ? [] : [`the advice of ${doubted} is in doubt`]),
  ].join("; ");
}

const OTHER_GROUPS = ["not advised yet", "unknown", "off"];

function groupOf({ mode, status, unread }: ResolutionAdvice): string {
  if (mode === "Off") return "off";
  if (status?.outcome !== undefined) return OUTCOME_WORDS[status.outcome];
  return unread.length > 0 ? "unknown" : "not advised yet";
}

/** What there is to do in all of them, as far as it is counted. */
function openText(resolutions: readonly ResolutionAdvice[]): string {
  const counts = resolutions.flatMap(({ mode, status }) =>
    mode === "Off" || status === undefined ? [] : [adviceCounts(status)],
  );
  const total = (of: (one: (typeof counts)[number]) => number | undefined): number =>
    counts.reduce((sum, one) => sum + Math.max(0, of(one) ?? 0), 0);
  const refused = total((one) => one.refused);
  const undecided = total((one) => one.undecided);
  const words: readonly (readonly [number, string])[] = [
    [total(({ updates }) => updates), "to install or update"],
    [total(({ heldBack }) => heldBack), "held back"],
    [refused, refused === 1 ? "request refused" : "requests refused"],
    [undecided, undecided === 1 ? "request undecided" : "requests undecided"],
    [total(({ waiting }) => waiting), "waiting for approval"],
  ];
  return words.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ");
}

/** "3 namespaces", "1 namespace and the cluster scope". */
function whereText(resolutions: readonly ResolutionAdvice[]): string {
  const isCluster = resolutions.some(isOfCluster);
  const count = new Set(resolutions.filter((one) => !isOfCluster(one)).map(({ namespace }) => namespace)).size;
  const namespaces = counted(count, "namespace");
  return !isCluster ? namespaces : count === 0 ? "the cluster scope" : `${namespaces} and the cluster scope`;
}
