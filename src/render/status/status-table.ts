// How are Resolutions printed as a table? A row for each. What has no room at the right of a terminal is cut there; on a narrow one
// the reason has a line of its own below the row.

import { adviceCounts, doubtsOf, type ResolutionAdvice } from "../../model/resolution-advice.ts";
import { NAMESPACE_RESOLUTION } from "../../model/resolution-object.ts";
import { cutEnd, widestOf } from "../kit/display-width.ts";
import { MARGIN } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { type Cell, type Column, tableLines } from "../kit/table.ts";
import { whyText } from "../sentence/advice.ts";
import { outcomeStyle } from "../sentence/outcome.ts";

/** The lines of a table whose columns stay where they are while rows are added. */
export interface StatusTable {
  readonly header: readonly string[];
  readonly row: (resolution: ResolutionAdvice) => readonly string[];
  /** The row of a Resolution that was deleted. */
  readonly deleted: (resolution: ResolutionAdvice) => readonly string[];
}

const NUMBERS: readonly Column[] = ["OPERATORS", "UPDATES", "HELD-BACK", "REFUSED", "WAITING"].map((header) => ({
  header,
  isNumber: true,
}));
const MODE: Column = { header: "MODE" };
const COLUMNS: readonly Column[] = [{ header: "NAMESPACE" }, MODE, { header: "OUTCOME" }, ...NUMBERS];
const WHY: Column = { header: "WHY" };

/** A reason with less room than this has a line of its own. */
const MIN_WHY_WIDTH = 30;
const GAP = 2;

/** The widest words of columns with words. */
const WIDEST: readonly string[] = ["", "unknown", "Unsatisfiable", ...NUMBERS.map(() => "")];

/** The table for these Resolutions; there is room for changes if they are watched, and otherwise `all` lists items below it. */
export function statusTable(
  resolutions: readonly ResolutionAdvice[],
  { style, width, all }: Look,
  isWatched = false,
): StatusTable {
  const shown = resolutions.map((resolution) => cellsOf(resolution, style).map(cellText));
  const rows = isWatched ? [...shown, WIDEST] : shown;
  const widths = COLUMNS.map(({ header }, column) => widestOf([header, ...rows.map((row) => row[column] as string)]));
  const used = (isIncluded: (column: Column) => boolean): number =>
    COLUMNS.reduce((sum, column, index) => (isIncluded(column) ? sum + (widths[index] as number) + GAP : sum), 0);
  const room = width === undefined ? undefined : width - used(() => true);
  const isBelow = room !== undefined && room < MIN_WHY_WIDTH;
  // Without a reason beside it, the table ends without a gap.
  const hasMode = !isBelow || used(() => true) - GAP <= (width as number);
  const isShown = (column: Column): boolean => hasMode || column !== MODE;
  const columns = [...COLUMNS.filter(isShown), ...(isBelow ? [] : [WHY])];
  const frame = widths.map((one) => "x".repeat(one)).filter((_, index) => isShown(COLUMNS[index] as Column));
  const layout = { style, width: isBelow ? width : undefined };
  const framed = tableLines(columns, [frame], layout);
  const lines = (cells: readonly Cell[], why: string, paint: (text: string) => string): readonly string[] => {
    const kept = cells.filter((_, index) => isShown(COLUMNS[index] as Column));
    const text = safeText(why);
    const cell = { text: room === undefined ? text : cutEnd(text, room), style: paint };
    const row = tableLines(columns, [frame, isBelow ? kept : [...kept, cell]], layout).slice(framed.length);
    return isBelow && text !== ""
      ? [...row, `${MARGIN}${paint(cutEnd(text, (width as number) - MARGIN.length))}`]
      : row;
  };
  return {
    header: framed.slice(0, 1),
    row: (resolution) =>
      lines(
        cellsOf(resolution, style),
        whyText(resolution, { isListed: all && !isWatched }),
        doubtsOf(resolution).length > 0 ? style.yellow : style.dim,
      ),
    deleted: (resolution) => lines(deletedCells(resolution, style), "the Resolution was deleted", style.dim),
  };
}

/** The namespace; with a name that is not the usual one, `NAMESPACE/NAME`. */
export function nameText({ namespace, name }: Pick<ResolutionAdvice, "namespace" | "name">): string {
  return name === NAMESPACE_RESOLUTION ? namespace : `${namespace}/${name}`;
}

const NONE = "-";
const UNKNOWN = "?";

function cellsOf(resolution: ResolutionAdvice, style: Style): readonly Cell[] {
  const { mode, status, unread } = resolution;
  const counts = status === undefined || mode === "Off" ? undefined : adviceCounts(status);
  const isAdvised = mode !== "Off" && (status?.outcome !== undefined || unread.length > 0);
  const blank = isAdvised ? UNKNOWN : NONE;
  const number = (count: number | undefined, paint: (text: string) => string): Cell => ({
    text: String(count ?? blank),
    style: count === 0 || count === undefined ? style.dim : paint,
  });
  const plain = (text: string): string => text;
  return [
    { text: nameText(resolution), style: style.bold },
    mode ?? "unknown",
    outcomeCell(resolution, isAdvised, style),
    number(counts?.operators, plain),
    number(counts?.updates, style.cyan),
    number(counts?.heldBack, style.yellow),
    number(counts?.refused, style.red),
    number(counts?.waiting, style.yellow),
  ];
}

function outcomeCell({ mode, status }: ResolutionAdvice, isAdvised: boolean, style: Style): Cell {
  if (mode === "Off" || status?.outcome === undefined)
    return { text: isAdvised ? "unknown" : NONE, style: isAdvised ? style.magenta : style.dim };
  return { text: status.outcome, style: outcomeStyle(status.outcome, style) };
}

function deletedCells(resolution: ResolutionAdvice, style: Style): readonly Cell[] {
  const rest = COLUMNS.slice(3).map(() => NONE);
  return [{ text: nameText(resolution), style: style.bold }, resolution.mode ?? "unknown", "Deleted", ...rest];
}

function cellText(cell: Cell): string {
  return safeText(typeof cell === "string" ? cell : cell.text);
}
