// How are the text forms of `show` laid out? A title, fields with their labels, sections with a heading: the same for all
// of them.

import { displayWidth, padEnd, wrapWords } from "./display-width.ts";
import { quotedLines, safeText } from "./safe-text.ts";
import type { Style } from "./style.ts";

/** How text is to look. */
export interface Look {
  readonly style: Style;
  /** The width of the terminal; without it nothing is cut or wrapped. */
  readonly width: number | undefined;
  /** Whether everything is shown, however long. */
  readonly all: boolean;
}

/** A label and what stands behind it; left out if there is nothing to say. */
export type Field = readonly [
  label: string,
  value: string | undefined,
  emphasis?: ((text: string) => string) | undefined,
];

const MARGIN = "  ";

/** Fields below each other, their values in one column. */
export function fieldLines(fields: readonly Field[], look: Look): string[] {
  const given = fields.filter(([, value]) => value !== undefined && value !== "");
  const labelWidth = Math.max(0, ...given.map(([label]) => displayWidth(label)));
  const room = look.width === undefined ? undefined : Math.max(20, look.width - labelWidth - 2 * MARGIN.length);
  return given.flatMap(([label, value, emphasis = (text: string) => text]) => {
    const lines = quotedLines(value as string).flatMap((line) => wrapWords(line, room));
    return lines.map(
      (line, index) =>
        `${MARGIN}${look.style.dim(padEnd(index === 0 ? label : "", labelWidth))}${MARGIN}${emphasis(line)}`,
    );
  });
}

/** A heading with lines below it, after an empty line; `none` stands where there are no lines. */
export function section(heading: string, lines: readonly string[], look: Look, none?: string): string[] {
  if (lines.length === 0 && none === undefined) return [];
  const body = lines.length === 0 ? [look.style.dim(none as string)] : lines;
  return ["", look.style.bold(safeText(heading)), ...body.map((line) => `${MARGIN}${line}`)];
}

/** Words in brackets behind a name; nothing if there are none. */
export function marksText(marks: readonly string[]): string {
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`;
}

/** So many names stand in a line unless everything is wanted. */
const MAX_NAMES = 4;

/** Names in one line. */
export function namesText(names: readonly string[], { all }: Look): string {
  const most = all || names.length <= MAX_NAMES + 1 ? names.length : MAX_NAMES;
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).join(", ")}${more}`;
}
