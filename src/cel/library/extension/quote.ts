// How is a string written so that its special characters can be seen?
import type { Result } from "../../value/value.ts";

/** Characters that have an escape of their own, in CEL as in Go. */
export const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** The string in double quotes, with CEL's escapes; half a surrogate pair, which is not a character, becomes U+FFFD. */
export function quote(text: string): Result {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  const escaped = text.replace(/[\u0007-\u000d"\\]/g, (character) => ESCAPES.get(character) as string);
  return `"${escaped.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")}"`;
}
