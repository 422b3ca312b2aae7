// How are words and names written in a message? Quoted, counted, enumerated, and shortened to the available space.

/** Several things in a row: "a", "a and b", "a, b and c". */
export function enumerated(texts: readonly string[], word: "and" | "or" | "nor" = "and"): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** The first names of many and how many more there are: "a, b and 3 more". One more takes no more room than its name. */
export function listed(names: readonly string[], most = 5): string {
  const shown = names.length <= most + 1 ? names : names.slice(0, most);
  return andMore(shown, names.length - shown.length);
}

/** Names, and how many more there are. */
export function andMore(names: readonly string[], more: number): string {
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Text from the input in a sentence: at most this many characters; shortened text ends with …. */
export function shortened(text: string, length = 160): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
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

/** A number and its noun: "1 cluster", "3 clusters", "2 entries". */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A limit of time: "60 ms", "1 second", "1.5 seconds". */
export function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : counted(milliseconds / 1000, "second");
}

/** Characters that cannot be seen, or that turn the direction of a line. */
const UNSEEN = /[\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/** A text in quotes, as JSON writes it, with unseen characters as escapes. */
export function visibleJson(text: string): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(UNSEEN, escaped);
}

/** The same, no longer than a message can hold. */
export function quoted(text: string, length = 100): string {
  return visibleJson(shortened(text, length));
}
