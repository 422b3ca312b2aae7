// Which words are in text that could not be read? Only these are kept: one of them may be the name of a missing
// object, which is known only after everything is read.

import type { LostText } from "../../model/lost-text.ts";
import type { Place } from "../../model/place.ts";

/**
 * Number of characters looked at; what is beyond may contain anything. A line that comes in pieces is longer than
 * this, so that no word is split unnoticed.
 */
export const MAX_LOST_TEXT: number = 4 * 1024 * 1024;

/** A possible name or kind of an object. */
const WORD = /[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?/g;
/** The limit of Kubernetes. */
const MAX_NAME_LENGTH = 253;

/** Collects the words of lost text. */
export class LostWords {
  readonly #words = new Map<string, Place>();
  readonly #kinds = new Map<string, Place>();
  readonly #wholeKinds = new Set<string>();
  #unseen: Place | undefined;
  #length = 0;

  /** Takes text that begins at a place; unless it is whole, more than the text is lost. */
  add(text: string, place: Place, isWhole: boolean): void {
    this.#length += text.length;
    const isTooMuch = this.#length > MAX_LOST_TEXT;
    if (isTooMuch || !isWhole) this.#unseen ??= place;
    if (isTooMuch) return;
    for (const [word] of ownCopy(text).matchAll(WORD))
      if (word.length <= MAX_NAME_LENGTH && !this.#words.has(word)) this.#words.set(word, place);
  }

  /** Objects of a kind could not be read: all, or some of which the names are unknown. */
  addKind(kind: string, place: Place, isWhole: boolean): void {
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, place);
    if (isWhole) this.#wholeKinds.add(kind);
  }

  /** Takes what another one has. */
  addAll(other: LostWords): void {
    for (const [word, place] of other.#words) if (!this.#words.has(word)) this.#words.set(word, place);
    for (const [kind, place] of other.#kinds) this.addKind(kind, place, other.#wholeKinds.has(kind));
    this.#unseen ??= other.#unseen;
  }

  /** Returns what is known about the text that could not be read. */
  finish(): LostText {
    const kinds = this.#kinds.size > 0 && { kinds: this.#kinds, wholeKinds: this.#wholeKinds };
    return { words: this.#words, unseen: this.#unseen, ...kinds };
  }
}

/** A copy with its own memory: a slice would keep the whole file alive. */
function ownCopy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
