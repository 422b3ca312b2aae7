// How is a word quoted for a shell? The result can be copied: invisible characters are escaped.

import { isUnsafe, replaceUnsafe } from "../render/kit/safe-text.ts";

const PLAIN = /^[A-Za-z0-9_.,:/@%+-][A-Za-z0-9_.,:/@%+=-]*$/;

/** The text as one word of a shell. */
export function shellText(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!isUnsafe(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const quoted = text.replace(/['\\]/g, (character) => `\\${character}`);
  return `$'${replaceUnsafe(quoted, escapeText)}'`;
}

/** The escape of a character; a lone surrogate becomes U+FFFD. */
function escapeText(character: string): string {
  const code = character.codePointAt(0) as number;
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return `\\U${(isHalf ? 0xfffd : code).toString(16).padStart(8, "0")}`;
}
