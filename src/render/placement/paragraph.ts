// How is a sentence set below a headline? Indented, wrapped at spaces to the width of the terminal, made safe.

import { paragraph as wrapped } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";

/** The lines of a text behind a beginning such as a number; further lines start below the first word. */
export function paragraph(start: string, text: string, look: Pick<Look, "width">): string[] {
  return wrapped(text, look, { first: start });
}
