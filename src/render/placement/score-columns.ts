// How are the parts of scores shown in columns? Before their weights, which are in the headers; a score that does not exist
// is not shown as 0.

import type { ClusterReport, ScorePart } from "../../placement/placement-result.ts";
import type { Look } from "../kit/look.ts";
import { type Cell, type Column, tableLines } from "../kit/table.ts";
import { scoresOf, weightsOf } from "./report.ts";

interface ScoreRow {
  readonly report: ClusterReport;
  readonly before: readonly Cell[];
  readonly behind: readonly Cell[];
}

/** A table of clusters with their scores and the parts of these. */
export function scoreTable(
  before: readonly Column[],
  rows: readonly ScoreRow[],
  behind: readonly Column[],
  look: Look,
): string[] {
  const reports = rows.map(({ report }) => report);
  const parts = partHeaders(reports);
  const weights = weightLine(reports);
  const headers = ["SCORE", ...parts.values()].map((header) => ({ header, isNumber: true }));
  const cells = rows.map((row) => {
    const { score, parts: own } = row.report;
    return [...row.before, numberText(score), ...partCells(own, parts), ...row.behind];
  });
  return [
    ...tableLines([...before, ...headers, ...behind], cells, look),
    ...(weights === undefined ? [] : [look.style.dim(weights)]),
  ];
}

/** The headers of all parts by name, in the order in which they first appear, with the weights that are not 1. */
function partHeaders(reports: readonly ClusterReport[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const { parts } of reports)
    for (const [name, weight] of weightsOf(parts)) headers.set(name, weight === 1 ? name : `${weight}×${name}`);
  return headers;
}

function partCells(parts: readonly ScorePart[], headers: ReadonlyMap<string, string>): string[] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  return [...headers.keys()].map((name) => partText(byName.get(name)));
}

/** The part of a prioritizer, as far as there is one. */
function partText(part: ScorePart | undefined): string {
  if (part === undefined || part.detail.kind === "missing") return NOTHING;
  return part.detail.kind === "expired" ? "expired" : String(part.score);
}

const NOTHING = "–";

/** A number, or a dash if there is none. */
export function numberText(value: number | undefined): string {
  return value === undefined ? NOTHING : String(value);
}

/** What a weight means, by an example; nothing where all weights are 1. */
function weightLine(reports: readonly ClusterReport[]): string | undefined {
  let example: string | undefined;
  for (const { parts } of reports)
    for (const [name, weight] of weightsOf(parts)) {
      if (weight === 1) continue;
      const score = scoresOf(parts).get(name) ?? 0;
      // Twice nothing explains nothing.
      if (score === 0 && example !== undefined) continue;
      example = `The columns are before the weight: ${weight}× ${score} counts as ${weight * score}.`;
      if (score !== 0) return example;
    }
  return example;
}

/** "Balance 100, 2× Spread 100, no AddOn/sea/calm". */
export function partsText(parts: readonly ScorePart[]): string {
  const weights = weightsOf(parts);
  const texts = new Map<string, string>();
  for (const part of parts) {
    const weight = weights.get(part.name);
    texts.set(part.name, `${weight === 1 ? "" : `${weight}× `}${part.name} ${partText(part)}`);
  }
  return [...texts.values()].join(", ");
}
