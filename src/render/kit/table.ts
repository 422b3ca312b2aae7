// How do rows of cells become columns of text? Two spaces between columns, no borders; where a terminal is too narrow, cells
// wrap onto further lines below their column.

import { cutMiddle, displayWidth, wrapWords } from "./display-width.ts";
import type { Look } from "./look.ts";
import { safeText } from "./safe-text.ts";

export interface Column {
  readonly header: string;
  /** Numbers are aligned right and never wrap. */
  readonly isNumber?: boolean;
  /** Sentences: this column is made narrower before any other. */
  readonly isText?: boolean;
}

type Paint = (text: string) => string;

/** The text of a cell, and its style. */
export type Cell = string | { readonly text: string; readonly style: Paint };

/** Without the width of the terminal, nothing wraps. */
type TableLayout = Pick<Look, "style"> & Partial<Pick<Look, "width">>;

const GAP = "  ";
/** No column is made narrower than this, or than its header. */
const MIN_NAME_WIDTH = 8;
const MIN_TEXT_WIDTH = 20;
/** A cell that would take more lines is cut in the middle. */
const MAX_LINES = 20;

/** The lines of a table, its header first. Every cell and header is made safe for a terminal here. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { style, width }: TableLayout,
): string[] {
  const headers = columns.map(({ header }) => safeText(header));
  const texts = rows.map((row) => row.map((cell) => safeText(typeof cell === "string" ? cell : cell.text)));
  const natural = headers.map((header, column) =>
    texts.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), displayWidth(header)),
  );
  const widths = width === undefined ? natural : fittedWidths(columns, headers, natural, width);
  const rowLines = (row: readonly string[], paintOf: (column: number) => Paint | undefined): string[] => {
    const cells = row.map((text, column) => cellLines(text, widths[column] as number));
    const height = cells.reduce((most, { length }) => Math.max(most, length), 1);
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, column) => {
          const text = lines[line] ?? "";
          const painted = paintOf(column)?.(text) ?? text;
          const padding = " ".repeat(Math.max(0, (widths[column] as number) - displayWidth(text)));
          return columns[column]?.isNumber ? padding + painted : painted + padding;
        })
        .join(GAP)
        .trimEnd(),
    );
  };
  return [
    ...rowLines(headers, () => style.bold),
    ...texts.flatMap((row, index) =>
      rowLines(row, (column) => {
        const cell = rows[index]?.[column];
        return typeof cell === "object" ? cell.style : undefined;
      }),
    ),
  ];
}

function cellLines(text: string, width: number): readonly string[] {
  return displayWidth(text) <= width ? [text] : wrapWords(cutMiddle(text, width * MAX_LINES), width, true);
}

/** The widths of columns in a given total: columns of sentences become narrower first, then names, the widest first. */
function fittedWidths(
  columns: readonly Column[],
  headers: readonly string[],
  natural: readonly number[],
  total: number,
): readonly number[] {
  const isText = columns.map((column) => column.isText === true);
  const isName = columns.map((column) => !column.isText && !column.isNumber);
  let widths = natural;
  for (const [areNarrowed, least] of [[isText, MIN_TEXT_WIDTH] as const, [isName, MIN_NAME_WIDTH] as const]) {
    const capped = (cap: number): readonly number[] =>
      widths.map((width, column) =>
        areNarrowed[column] ? Math.min(width, Math.max(cap, displayWidth(headers[column] as string))) : width,
      );
    let low: number = least;
    let high = Math.max(least, ...widths);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (totalWidth(capped(middle)) <= total) low = middle;
      else high = middle - 1;
    }
    widths = capped(low);
  }
  return widths;
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}
