// What may untrusted text do to a terminal, or to the log of a build? Nothing: what would move the cursor, change colours,
// reverse the direction of writing or hide from the eye is shown as an escape such as \u{1b}; so is what a build service
// would take for a command to itself.

import { visibleEscape } from "../../text/one-line.ts";

/**
 * Control characters, lone surrogates, line separators, and everything that has no shape of its own (zero-width, bidi,
 * tags, fillers). The selectors of a symbol's text or emoji form are harmless, but only behind a symbol. `##[error]`,
 * `##vso[…]` and `##teamcity[…]` are commands anywhere in a line.
 */
const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?!(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|(?<=#)#(?=[a-z]*\[)/gu;

const PLAIN = /^[\x20-\x7e]*$/;

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.includes("##");
}

export function replaceUnsafe(text: string, replacement: (character: string) => string): string {
  return isPlain(text) ? text : text.replace(UNSAFE, replacement);
}

/** Whether a text has a character that must not reach a terminal. */
export function isUnsafe(text: string): boolean {
  return !isPlain(text) && text.search(UNSAFE) >= 0;
}

/** Text for one line of a terminal. */
export function safeText(text: string): string {
  return replaceUnsafe(text, visibleEscape);
}

/**
 * The lines of a text that is ours: several sentences, each on its own line (`linesText`). Tabs become spaces, blank ends are
 * dropped.
 */
export function safeLines(text: string): string[] {
  const lines = text.split(/\r\n|\n/).map((line) => safeText(line.replaceAll("\t", "  ")).trimEnd());
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  return lines;
}

/** The lines of an author's text: if there are several, each starts with a bar, which no other line of the output does. */
export function quotedLines(text: string): string[] {
  const lines = safeLines(text);
  return lines.length <= 1 ? lines : lines.map((line) => `│ ${line}`.trimEnd());
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

/** The output, with every line escaped that begins with a command to a build service (`::stop-commands::x`), even after spaces. */
export function withoutCommands(output: string): string {
  return output.includes("::") ? output.replace(/^([^\S\n]*):(?=:)/gm, `$1${visibleEscape(":")}`) : output;
}
