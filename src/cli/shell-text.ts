// How is a word written so that a shell reads it as it is? What is shown can be copied: nothing invisible is in it.

import { isUnsafe, replaceUnsafe } from "../render/kit/safe-text.ts";

const PLAIN = /^[A-Za-z0-9_.,:/@%+-][A-Za-z0-9_.,:/@%+=-]*$/;

/** A word of a shell that means this text. */
export function shellText(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!isUnsafe(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const quoted = text.replace(/['\\]/g, (character) => `\\${character}`);
  return `$'${replaceUnsafe(quoted, escapeText)}'`;
}

/** An escape of a character. Half of a character cannot be written, and cannot be typed either. */
function escapeText(character: string): string {
  const code = character.codePointAt(0) as number;
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return `\\U${(isHalf ? 0xfffd : code).toString(16).padStart(8, "0")}`;
}
