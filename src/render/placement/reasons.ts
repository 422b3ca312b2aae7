// Why are clusters not selected? Clusters with the same reason are grouped, with the values of each.

import { groupedBy } from "../../model/grouped.ts";
import type { ClusterReport, PlacementResult, Verdict } from "../../placement/placement-result.ts";
import { padEnd, widestOf } from "../kit/display-width.ts";
import { type Look, namesText } from "../kit/look.ts";
import { type Cut, keyOf, plainWords, type Words, wordsOf } from "../sentence/placement-why-not.ts";
import { paragraph } from "./paragraph.ts";
import type { ListedPlacement, ShownPlacements } from "./shown.ts";

export interface Reason {
  readonly verdict: Verdict | undefined;
  /** Those of the first cluster. */
  readonly words: Words;
  readonly cut: Cut;
  readonly clusters: NotSelected[];
}

/** A cluster and its report; or why there is no report. */
export interface NotSelected {
  readonly name: string;
  readonly report: ClusterReport | string;
}

/** A cluster with the values that expressions read. */
export type Closely = (cluster: string) => ClusterReport | undefined;

/** How many reasons are printed. */
export const MAX_REASONS = 12;
/** No more clusters than these are named. */
const MAX_NAMED = 5;
/** How many different errors of one rule are printed. */
const MAX_ERRORS = 5;
/** Names that take more room than this do not make a column. */
const MAX_NAMES_WIDTH = 30;

const ORDER: readonly (Verdict | undefined)[] = [
  undefined,
  "undecided",
  "outside",
  "failed",
  "unmatched",
  "tainted",
  "terminating",
  "unread",
  "left",
];

/** The section about clusters that are not selected. If nothing was decided, the only reason is printed elsewhere. */
export function whyNotLines(
  { result, clusters, closely }: ListedPlacement,
  { tieBreak }: Pick<ShownPlacements, "tieBreak">,
  look: Look,
): string[] {
  if (result.state !== "placed") return [];
  const others = clusters.filter(({ selected }) => !selected).map((report) => ({ name: report.name, report }));
  const reasons = reasonsOf(others, { ...cutOf(result, clusters), tieBreak });
  if (reasons.length === 0) return [];
  const shown = reasons.slice(0, MAX_REASONS);
  const left = reasons.slice(shown.length);
  return [
    look.style.bold(result.tally.selected === 0 ? "Why none" : "Why not the others"),
    ...shown.flatMap((reason) => reasonLines(reason, countWidth(shown), look, closely)),
    ...(left.length === 0
      ? []
      : [look.style.dim(`  … ${clusterCount(left)} more for ${left.length} other reasons; -o wide lists each`)]),
  ];
}

function cutOf({ placement, tally }: PlacementResult, clusters: readonly ClusterReport[]): Cut {
  const asked = placement.numberOfClusters ?? tally.selected;
  let last: ClusterReport | undefined;
  for (const report of clusters) if (report.selected && (report.rank ?? 0) > (last?.rank ?? 0)) last = report;
  return { tooMany: `${asked === 0 ? "none is" : asked === 1 ? "only 1 is" : `only ${asked} are`} requested`, last };
}

/** The reasons, errors first, and then as clusters pass from rule to rule; of one kind, the most frequent first.
 * Feasible clusters are ordered by rank. */
export function reasonsOf(clusters: readonly NotSelected[], cut: Cut): readonly Reason[] {
  const reasons = new Map<string, Reason>();
  for (const cluster of clusters) {
    const { report } = cluster;
    const key = typeof report === "string" ? report : keyOf(report, cut);
    const reason = reasons.get(key);
    if (reason !== undefined) reason.clusters.push(cluster);
    else {
      const verdict = typeof report === "string" ? undefined : report.verdict;
      reasons.set(key, { verdict, cut, words: wordsFor(report, cut), clusters: [cluster] });
    }
  }
  for (const { verdict, clusters: some } of reasons.values())
    if (verdict === "left") some.sort((a, b) => rankOf(a) - rankOf(b));
  return [...reasons.values()].sort(
    (a, b) =>
      ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) ||
      (a.verdict === "left" ? firstRank(a) - firstRank(b) : b.clusters.length - a.clusters.length),
  );
}

function wordsFor(report: ClusterReport | string, cut: Cut): Words {
  return typeof report === "string" ? plainWords(report) : wordsOf(report, cut);
}

function rankOf({ report }: NotSelected): number {
  return typeof report === "string" ? 0 : (report.rank ?? 0);
}

function firstRank({ clusters: [first] }: Reason): number {
  return first === undefined ? 0 : rankOf(first);
}

/** How many clusters have one of these reasons. */
export function clusterCount(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { clusters }) => sum + clusters.length, 0);
}

/** How many columns the numbers of clusters take. */
function countWidth(reasons: readonly Reason[]): number {
  return reasons.reduce((widest, { clusters }) => Math.max(widest, String(clusters.length).length), 1);
}

/** A reason behind the number of its clusters, with their names below it. */
function reasonLines(reason: Reason, width: number, look: Look, closely?: Closely): string[] {
  const { verdict, words, clusters } = reason;
  const paint = verdict === "failed" ? look.style.red : (line: string) => line;
  const text = clusters.length === 1 ? (words.one ?? words.text) : words.text;
  const inner = `${" ".repeat(width)}      `;
  return [
    ...paragraph(`  ${String(clusters.length).padStart(width)}  `, text, look).map(paint),
    ...(words.rules ?? []).flatMap((rule) => paragraph(inner, rule, look)),
    ...(words.error === undefined
      ? paragraph(inner, namedText(reason, look, closely), look).map(look.style.dim)
      : errorLines(reason, inner, look)),
  ];
}

/** The names of the clusters, each listed one with its own value. */
export function namedText(reason: Reason, look: Look, closely?: Closely): string {
  const most = look.all ? reason.clusters.length : MAX_NAMED;
  const names = reason.clusters.map((cluster, index) => (index < most ? nameText(cluster, reason.cut, closely) : ""));
  return namesText(names, look);
}

function nameText({ name, report }: NotSelected, cut: Cut, closely: Closely | undefined): string {
  const brief = wordsFor(report, cut).note;
  const isKnown = brief !== "" || typeof report === "string" || report.verdict !== "unmatched";
  const close = isKnown ? undefined : closely?.(name);
  const note = close === undefined ? brief : wordsOf(close, cut).note;
  return note === "" ? name : `${name} (${note})`;
}

/** A line for each error, preceded by the clusters that have it. */
function errorLines({ clusters, cut }: Reason, inner: string, look: Look): string[] {
  const byError = groupedBy(clusters, ({ report }) => wordsFor(report, cut).error ?? "");
  const shown = [...byError].slice(0, MAX_ERRORS).map(([error, own]) => {
    const names = own.map(({ name }) => name);
    return [namesText(names, look), error] as const;
  });
  const widest = widestOf(shown.map(([names]) => names));
  const left = byError.size - shown.length;
  return [
    ...shown.flatMap(([names, error]) =>
      paragraph(inner, widest <= MAX_NAMES_WIDTH ? `${padEnd(names, widest)}  ${error}` : `${names}: ${error}`, look),
    ),
    ...(left === 0 ? [] : [`${inner}… and ${left} more errors; -o wide lists each`]),
  ].map(look.style.dim);
}
