// What may a stranger's text do to a terminal? Nothing: whatever would move the cursor, change colours, reverse the
// direction of writing or hide from the eye is shown as an escape such as \u{1b}.

/**
 * Control characters, lone surrogates, line separators, and everything that has no shape of its own (zero-width, bidi,
 * tags, fillers). The selectors of a symbol's text or emoji form are harmless, but only behind a symbol.
 */
const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?!(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

const PLAIN = /^[\x20-\x7e]*$/;

/** Replaces every character that must not reach a terminal. */
export function replaceUnsafe(text: string, replacement: (character: string) => string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, replacement);
}

/** Whether a text has a character that must not reach a terminal. */
export function isUnsafe(text: string): boolean {
  return !PLAIN.test(text) && text.search(UNSAFE) >= 0;
}

/** Text for one line of a terminal. */
export function safeText(text: string): string {
  return replaceUnsafe(text, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`);
}

/** Text for several lines of a terminal: its own line ends are kept, tabs become blanks, blank ends are dropped. */
export function safeLines(text: string): string[] {
  const lines = text.split(/\r\n|\n/).map((line) => safeText(line.replaceAll("\t", "  ")).trimEnd());
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  return lines;
}

/** JSON text of the same value; inside its strings only escapes are left of unsafe characters. */
export function safeJson(json: string): string {
  return replaceUnsafe(json, (character) => {
    if (character === "\n") return character;
    let escaped = "";
    for (let at = 0; at < character.length; at++)
      escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}
