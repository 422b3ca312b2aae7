// Which words are in the text that could not be read? They are all that is kept of it: one of them may be the name of an
// object that somebody misses, which is not known before everything is read.

import type { LostText } from "../../model/lost-text.ts";
import type { Place } from "../../model/place.ts";

/**
 * So many characters of text are looked at; what is beyond them may hold anything. A line that comes in pieces is longer
 * than this, so that no word is cut in two unnoticed.
 */
export const MAX_LOST_TEXT: number = 4 * 1024 * 1024;

/** What can be the name or the kind of an object. */
const WORD = /[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?/g;
/** Kubernetes has no longer names. */
const MAX_NAME_LENGTH = 253;

/** Collects the words of lost text. */
export class LostWords {
  readonly #words = new Map<string, Place>();
  #unseen: Place | undefined;
  #length = 0;

  /** Takes text that begins at a place; if it is not whole, more than the text is lost. */
  add(text: string, place: Place, isWhole: boolean): void {
    this.#length += text.length;
    const isTooMuch = this.#length > MAX_LOST_TEXT;
    if (isTooMuch || !isWhole) this.#unseen ??= place;
    if (isTooMuch) return;
    for (const [word] of ownCopy(text).matchAll(WORD))
      if (word.length <= MAX_NAME_LENGTH && !this.#words.has(word)) this.#words.set(word, place);
  }

  /** All that is known of what was lost. */
  finish(): LostText {
    return { words: this.#words, unseen: this.#unseen };
  }
}

/** The same text in memory of its own: a word of it keeps no more than that alive, and not the whole file. */
function ownCopy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
