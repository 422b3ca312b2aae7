// How is a sentence set below a headline? Indented, broken at blanks where a terminal ends, made safe.

import { displayWidth, wrapWords } from "../kit/display-width.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";

/** The lines of a text behind a beginning such as a number; further lines start below the first word. */
export function paragraph(start: string, text: string, { width }: Pick<Look, "width">): string[] {
  const column = displayWidth(start);
  const room = width === undefined ? undefined : Math.max(20, width - column);
  return wrapWords(safeText(text), room).map((line, index) => `${index === 0 ? start : " ".repeat(column)}${line}`);
}

/** The first of many names on one line, and how many more there are. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length > most + 1 ? names.length - most : 0;
  const first = more === 0 ? names : names.slice(0, most);
  return `${first.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** "1 cluster", "3 clusters". */
export function clustersText(count: number): string {
  return count === 1 ? "1 cluster" : `${count} clusters`;
}

/** The beginning of a text on one line; nothing far behind it is looked at, however long the text is. */
export function shortText(text: string, longest: number): string {
  if (text.length <= longest && !/\s\s|[^\S ]|^ | $/.test(text)) return text;
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  const isCut = characters.length > longest || text.length > 4 * longest;
  return isCut ? `${characters.slice(0, longest - 1).join("")}…` : line;
}
