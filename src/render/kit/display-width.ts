// How many columns of a terminal does a text take? Good enough for names and messages: letters of East Asia and emoji
// take two, marks above and below a letter none.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u;
const PLAIN = /^[\x20-\x7e]*$/;

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (character <= "~") return 1;
  return NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

/** The width of the widest of some texts. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, displayWidth(text)), 0);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** A text that fits into a width: the middle of a longer text is replaced by … */
export function cutMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const room = Math.max(0, width - 1);
  const characters = [...text];
  const start = taken(characters, Math.ceil(room / 2));
  const end = taken(characters.slice(start.length).reverse(), Math.floor(room / 2)).reverse();
  return `${start.join("")}…${end.join("")}`;
}

/** A text that fits into a width: the end of a longer text is replaced by … */
export function cutEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${taken([...text], Math.max(0, width - 1))
    .join("")
    .trimEnd()}…`;
}

/** The first characters, as many as fit. */
function taken(characters: readonly string[], width: number): string[] {
  const fitting: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += characterWidth(character);
    if (used > width) break;
    fitting.push(character);
  }
  return fitting;
}

/**
 * A text wrapped at spaces into lines that fit into a width; without a width it is one line. A longer word gets its own line; with
 * `breaksWords` it is broken as well, behind a hyphen or another separator where there is one.
 */
export function wrapWords(text: string, width: number | undefined, breaksWords = false): string[] {
  if (width === undefined || displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const wordWidth = displayWidth(word);
    if (line !== "" && used + 1 + wordWidth <= width) {
      line = `${line} ${word}`;
      used += 1 + wordWidth;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = breaksWords && wordWidth > width ? brokenWord(word, width) : [word];
    line = pieces.pop() as string;
    used = displayWidth(line);
    lines.push(...pieces);
  }
  if (line !== "") lines.push(line);
  return lines;
}

const SEPARATORS: ReadonlySet<string> = new Set("-_./:,;=@+|&?)]}");

/** The pieces of a long word: each as long as fits, up to two thirds shorter if it can then end after a separator. */
function brokenWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = [...word];
  while (displayWidth(rest.join("")) > width) {
    const fitting = Math.max(1, taken(rest, width).length);
    const separator = rest.slice(0, fitting).findLastIndex((character) => SEPARATORS.has(character));
    const length = separator + 1 > fitting / 3 ? separator + 1 : fitting;
    pieces.push(rest.slice(0, length).join(""));
    rest = rest.slice(length);
  }
  return [...pieces, rest.join("")];
}
