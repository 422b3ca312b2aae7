// How do rows of cells become columns of text? Two blanks between columns, no borders, nothing cut unless the width of a
// terminal is given.

import { cutMiddle, displayWidth } from "./display-width.ts";
import { safeText } from "./safe-text.ts";
import type { Style } from "./style.ts";

/** A column of a table. */
export interface Column {
  readonly header: string;
  /** Numbers stand to the right. */
  readonly isNumber?: boolean;
}

/** What stands in a column of a row: text, and how to make it stand out. */
export type Cell = string | { readonly text: string; readonly style: (text: string) => string };

/** How a table is to look. */
export interface TableLayout {
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut. */
  readonly width?: number | undefined;
}

const GAP = "  ";
/** No column is made narrower than this, or than its header. */
const MIN_WIDTH = 8;

/** The lines of a table, its header first. Every cell and header is made safe for a terminal here. */
export function tableLines(
  given: readonly Column[],
  rows: readonly (readonly Cell[])[],
  layout: TableLayout,
): string[] {
  const columns = given.map((column) => ({ ...column, header: safeText(column.header) }));
  const texts = rows.map((row) => row.map((cell) => safeText(typeof cell === "string" ? cell : cell.text)));
  const natural = columns.map(({ header }, column) =>
    texts.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), displayWidth(header)),
  );
  const widths = layout.width === undefined ? natural : fitted(columns, natural, layout.width);
  const line = (cells: readonly string[], styles: readonly ((text: string) => string)[]): string =>
    cells
      .map((text, column) => {
        const width = widths[column] as number;
        const cut = cutMiddle(text, width);
        const styled = styles[column]?.(cut) ?? cut;
        const blanks = " ".repeat(Math.max(0, width - displayWidth(cut)));
        return columns[column]?.isNumber ? blanks + styled : styled + blanks;
      })
      .join(GAP)
      .trimEnd();
  const header = line(
    columns.map((column) => column.header),
    columns.map(() => layout.style.bold),
  );
  return [
    header,
    ...texts.map((row, index) =>
      line(
        row,
        (rows[index] as readonly Cell[]).map((cell) => (typeof cell === "string" ? plain : cell.style)),
      ),
    ),
  ];
}

function plain(text: string): string {
  return text;
}

/** The widths of columns in a given total: the widest ones give way first. */
function fitted(columns: readonly Column[], natural: readonly number[], total: number): number[] {
  const room = total - GAP.length * (columns.length - 1);
  const capped = (cap: number): number[] =>
    natural.map((width, column) =>
      Math.max(Math.min(width, cap), Math.min(width, Math.max(MIN_WIDTH, displayWidth(columns[column]?.header ?? "")))),
    );
  const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);
  let low = MIN_WIDTH;
  let high = Math.max(MIN_WIDTH, ...natural);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(capped(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return capped(low);
}
