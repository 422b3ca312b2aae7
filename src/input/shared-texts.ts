// How do many objects take little memory? Frequent strings, such as names of conditions and claims, are interned.

import type { Json, JsonObject } from "../model/json.ts";

/** JSON.parse interns shorter strings itself; strings written by hand for one object are longer than frequent ones. */
const MIN_LENGTH = 11;
const MAX_LENGTH = 64;
/** A frequent string has been seen before this many different ones. */
const MAX_TEXTS = 16_384;

/** Interns the strings of documents. */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  /** Changes a document that was just read and that is not shared. */
  share(document: JsonObject): void {
    const container = document as Record<string, Json>;
    for (const key of Object.keys(container)) {
      const value = container[key] as Json;
      // A list has its indexes as keys.
      if (typeof value === "object" && value !== null) this.share(value as JsonObject);
      else if (typeof value !== "string" || value.length < MIN_LENGTH || value.length > MAX_LENGTH) continue;
      // Reading a key of this name is fine, but setting it would do something else.
      else if (key !== "__proto__") container[key] = this.#text(value);
    }
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MAX_TEXTS) this.#texts.set(text, text);
    return text;
  }
}
