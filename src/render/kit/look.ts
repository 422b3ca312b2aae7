// How is text laid out? Its style and width, and the parts of every text format: fields with labels, sections with a heading,
// lists of names.

import { listed } from "../../text/words.ts";
import { padEnd, widestOf, wrapWords } from "./display-width.ts";
import { MARGIN, roomBeside } from "./lines.ts";
import { quotedLines, safeText } from "./safe-text.ts";
import type { Style } from "./style.ts";

export interface OutputLook {
  /** The format: the value of `-o`. */
  readonly output: string;
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut or wrapped. `wide` ignores it. */
  readonly width: number | undefined;
}

export interface Look extends Omit<OutputLook, "output"> {
  /** Whether everything is shown, however long. */
  readonly all: boolean;
}

/** The look of the text formats: `wide` shows everything and wraps nothing. */
export function textLook({ output, style, width }: OutputLook): Look {
  const all = output === "wide";
  return { style, width: all ? undefined : width, all };
}

/** A label and its value; left out if there is no value. */
export type Field = readonly [
  label: string,
  value: string | undefined,
  emphasis?: ((text: string) => string) | undefined,
];

/** Fields below each other, their values in one column. */
export function fieldLines(fields: readonly Field[], look: Look): string[] {
  const given = fields.filter(([, value]) => value !== undefined && value !== "");
  const labelWidth = widestOf(given.map(([label]) => label));
  const room = roomBeside(labelWidth + 2 * MARGIN.length, look);
  return given.flatMap(([label, value, emphasis = (text: string) => text]) => {
    const lines = quotedLines(value as string).flatMap((line) => wrapWords(line, room));
    return lines.map(
      (line, index) =>
        `${MARGIN}${look.style.dim(padEnd(index === 0 ? label : "", labelWidth))}${MARGIN}${emphasis(line)}`,
    );
  });
}

/** A heading with lines below it, after an empty line; `none` is printed if there are no lines. */
export function section(heading: string, lines: readonly string[], look: Look, none?: string): string[] {
  if (lines.length === 0 && none === undefined) return [];
  const body = lines.length === 0 ? [look.style.dim(none as string)] : lines;
  return ["", look.style.bold(safeText(heading)), ...body.map((line) => `${MARGIN}${line}`)];
}

/** Words in brackets behind a name; nothing if there are none. */
export function marksText(marks: readonly string[]): string {
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`;
}

/** Names in one line; more than a few are counted unless everything is shown. */
export function namesText(names: readonly string[], { all }: Pick<Look, "all">): string {
  return listed(names, all ? names.length : MAX_NAMES);
}

const MAX_NAMES = 4;
