// How is a sentence set below a headline? Indented, wrapped at spaces to the width of the terminal, made safe.

import { paragraph as wrapped } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";

/** The lines of a text behind a beginning such as a number; further lines start below the first word. */
export function paragraph(start: string, text: string, look: Pick<Look, "width">): string[] {
  return wrapped(text, look, { first: start });
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
