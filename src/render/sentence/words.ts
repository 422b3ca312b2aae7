// How do words become sentences? Capitals and full stops.

/** The words with a capital letter, for the beginning of a sentence. */
export interface Clause {
  readonly text: string;
  /** It begins with a word, which may get a capital; a name stays as it is written. */
  readonly isPlain: boolean;
}

/** A clause that begins with a word. */
export function plain(text: string): Clause {
  return { text, isPlain: true };
}

/** A clause that begins with a name. */
export function named(text: string): Clause {
  return { text, isPlain: false };
}

export function continued({ text, isPlain }: Clause, more: string): Clause {
  return { text: `${text}${more}`, isPlain };
}

/** A clause as a whole sentence. Where it ends with an author's own words, these may have a mark already. */
export function sentenceOf({ text, isPlain }: Clause): string {
  const begun = isPlain ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
  return MARKS.has(text.slice(-1)) ? begun : `${begun}.`;
}

const MARKS: ReadonlySet<string> = new Set([".", "!", "?"]);
