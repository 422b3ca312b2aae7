// How do lines become output, and texts become lines?

import { displayWidth, wrapWords } from "./display-width.ts";
import type { Look } from "./look.ts";
import { safeText } from "./safe-text.ts";
import { makeStyle, type Style } from "./style.ts";

export function printLines(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Names for other programs, each on its own line. */
export function printNames(names: readonly string[]): string {
  return printLines(names.map(safeText));
}

/** No text is wrapped into lines shorter than this. */
const MIN_ROOM = 20;

/** The width that remains on the terminal beside this many columns; undefined without a terminal. */
export function roomBeside(columns: number, { width }: Pick<Look, "width">): number | undefined {
  return width === undefined ? undefined : Math.max(MIN_ROOM, width - columns);
}

/**
 * A text as lines, wrapped at the width of the terminal. `first` precedes the first line, `rest` the others: as
 * many spaces unless given. `margin` columns are left free for an indentation that is added later.
 */
export function paragraph(
  text: string,
  look: Pick<Look, "width">,
  { first = "", rest = " ".repeat(displayWidth(first)), margin = 0 }: ParagraphLayout = {},
): string[] {
  return wrapWords(safeText(text), roomBeside(displayWidth(rest) + margin, look)).map(
    (line, index) => `${index === 0 ? first : rest}${line}`,
  );
}

export interface ParagraphLayout {
  readonly first?: string;
  readonly rest?: string;
  readonly margin?: number;
}

/** A sentence: its further lines are indented, and the margin of a section is left free. */
export function sentenceLines(text: string, look: Pick<Look, "width">): string[] {
  return paragraph(text, look, { rest: MARGIN, margin: MARGIN.length });
}

/** The indentation of a section. */
export const MARGIN = "  ";

/** Lines moved to the right; empty lines stay empty. */
export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `${MARGIN}${line}`));
}

/** The look of lines that are indented afterwards. */
export function narrower(look: Look): Look {
  return { ...look, width: look.width === undefined ? undefined : look.width - MARGIN.length };
}

/** Lines with a coloured start. They are wrapped before that, because colour codes have no width; a wrapped start stays plain. */
export function paintedStart(lines: readonly string[], start: string, paint: (start: string) => string): string[] {
  const [first = "", ...more] = lines;
  return [first.startsWith(start) ? `${paint(start)}${first.slice(start.length)}` : first, ...more];
}

/** A coloured title followed by plain text. */
export function titleLines(title: (style: Style) => string, text: string, look: Look): string[] {
  const plain = title(makeStyle(false));
  return paintedStart(sentenceLines(`${plain}${text}`, look), plain, () => title(look.style));
}
