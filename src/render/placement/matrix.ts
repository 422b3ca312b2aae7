// What does every check say of every cluster? A matrix: a row for each cluster, a column for each check, above them how
// often each outcome occurs, below them the meaning of each column.

import type { ClusterReport, Outcome } from "../../placement/placement-result.ts";
import { shortText } from "../../text/words.ts";
import { cutMiddle, displayWidth, padEnd, widestOf } from "../kit/display-width.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { headline } from "./headline.ts";
import { columnsOf, MAX_COLUMNS, type MatrixColumn, outcomesOf, predicatesLegend } from "./matrix-columns.ts";
import { paragraph } from "./paragraph.ts";
import { changeOf, compatLines, type ListedPlacement, listed, type ShownPlacements } from "./shown.ts";

const GAP = "  ";
const MAX_NAME_WIDTH = 40;
/** The heading of the counts of outcomes. */
const COUNTS = "how many:";

/** The symbol of an outcome, so that nothing depends on colour. */
const SIGNS: Readonly<Record<Outcome, string>> = { true: "✓", false: "✗", error: "!", skipped: "·" };
const OUTCOMES: readonly Outcome[] = ["true", "false", "error", "skipped"];

export function* matrixBlocks(shown: ShownPlacements, look: Look): Generator<readonly string[]> {
  let isEmpty = true;
  for (const placed of shown.placements) {
    yield [...oneMatrix(listed(placed), shown, look), ""];
    isEmpty = false;
  }
  const legend = OUTCOMES.map((outcome) => `${SIGNS[outcome]} ${outcome}`).join(GAP);
  const signs = `${legend} (an earlier check had already decided; --all-checks evaluates it too)`;
  if (!isEmpty) yield [...paragraph("", signs, look), ...compatLines(shown, look)];
}

function oneMatrix(placed: ListedPlacement, shown: ShownPlacements, look: Look): string[] {
  const title = headline(placed, look, changeOf(placed.result, shown));
  const { clusters } = placed;
  const { columns, left } = columnsOf(placed);
  if (clusters.length === 0) return title;
  const names = clusters.map(({ name }) => cutMiddle(safeText(name), MAX_NAME_WIDTH));
  const nameWidth = widestOf([COUNTS, ...names]);
  const outcomes = clusters.map(outcomesOf);
  const drawn = columns.map((column) => drawnColumn(column, clusters, outcomes));
  const room = look.width === undefined ? undefined : look.width - nameWidth;
  return [
    ...title,
    ...inBlocks(drawn, room).flatMap((block) => ["", ...blockLines(block, names, nameWidth, look)]),
    "",
    ...legendLines(columns, predicatesLegend(clusters), left, look),
  ];
}

interface DrawnColumn {
  readonly width: number;
  readonly heads: readonly string[];
  readonly counts: readonly string[];
  readonly cells: readonly string[];
}

function drawnColumn(
  { name, heads, cell }: MatrixColumn,
  clusters: readonly ClusterReport[],
  outcomes: readonly ReadonlyMap<string, Outcome>[],
): DrawnColumn {
  const counts: Record<Outcome, number> = { true: 0, false: 0, error: 0, skipped: 0 };
  const cells =
    cell !== undefined
      ? clusters.map(cell)
      : outcomes.map((ofCluster) => {
          const outcome = ofCluster.get(name);
          if (outcome === undefined) return "";
          counts[outcome]++;
          return SIGNS[outcome];
        });
  const totals = OUTCOMES.map((outcome) => (cell === undefined ? String(counts[outcome]) : ""));
  const width = widestOf([heads, totals, cells].flat());
  return { width, heads, counts: totals, cells };
}

/** The columns that fit next to each other; the others are printed in further blocks. */
function inBlocks(columns: readonly DrawnColumn[], room: number | undefined): readonly (readonly DrawnColumn[])[] {
  if (room === undefined) return [columns];
  const blocks: DrawnColumn[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    const needed = GAP.length + column.width;
    if (used + needed > room) {
      blocks.push([]);
      used = 0;
    }
    blocks.at(-1)?.push(column);
    used += needed;
  }
  return blocks;
}

function blockLines(
  columns: readonly DrawnColumn[],
  names: readonly string[],
  nameWidth: number,
  { style }: Look,
): string[] {
  const line = (name: string, cellOf: (column: DrawnColumn) => string): string => {
    let text = padEnd(name, nameWidth);
    for (const column of columns) {
      const cell = cellOf(column);
      text += `${GAP}${" ".repeat(Math.max(0, column.width - displayWidth(cell)))}${cell}`;
    }
    return text.trimEnd();
  };
  const height = columns.reduce((highest, { heads }) => Math.max(highest, heads.length), 1);
  const headRows = Array.from({ length: height }, (_, row) =>
    style.bold(line(row === 0 ? "CLUSTER" : "", ({ heads }) => heads[row] ?? "")),
  );
  const countRows = [
    COUNTS,
    ...OUTCOMES.map((outcome, row) => line(`  ${outcome}`, ({ counts }) => counts[row] ?? "")),
    "─".repeat(columns.reduce((width, column) => width + GAP.length + column.width, nameWidth)),
  ];
  return [
    ...headRows,
    ...countRows.map(style.dim),
    ...names.map((name, row) => line(name, ({ cells }) => cells[row] ?? "")),
  ];
}

/** A rule that is longer is cut. */
const MAX_MEANING_LENGTH = 300;

function legendLines(
  columns: readonly MatrixColumn[],
  predicates: readonly [string, string] | undefined,
  left: number,
  look: Look,
): string[] {
  const legend = [
    ...(predicates === undefined ? [] : [predicates]),
    ...columns.flatMap(({ name, meaning }) => (meaning === "" ? [] : [[name, meaning] as const])),
  ];
  const width = widestOf(legend.map(([name]) => name));
  return [
    ...legend.flatMap(([name, meaning]) =>
      paragraph(`${padEnd(name, width)}${GAP}`, shortText(meaning, MAX_MEANING_LENGTH), look),
    ),
    ...(left === 0 ? [] : [look.style.dim(`… and ${left} more checks than the ${MAX_COLUMNS} shown; -o json has all`)]),
  ];
}
