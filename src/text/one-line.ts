// How is text from the input embedded in a sentence? On one line: a text of several sentences has a line for each, and no
// name, message or rule inside a sentence can begin a line of its own.

/** A character as it is shown where it must not be itself. */
export function visibleEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

/** A sentence on one line: line ends in embedded text are escaped. */
export function oneLine(sentence: string): string {
  return sentence.replace(/[\r\n]/g, visibleEscape);
}

/** Sentences as one text, each on a line of its own. */
export function linesText(sentences: readonly string[]): string {
  return sentences.map(oneLine).join("\n");
}
