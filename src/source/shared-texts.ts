// How do many objects take little memory? Frequent strings, such as names of conditions and claims, are interned.

import type { Json, JsonObject } from "../model/json.ts";

/** Strings written by hand for one object are long; frequent ones are short. */
const MAX_LENGTH = 64;
/** A frequent string has been seen before this many different ones. */
const MAX_TEXTS = 16_384;

/** Interns the strings of documents. */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  /** Changes a document that was just read and that is not shared. */
  share(document: JsonObject): void {
    this.#shared(document);
  }

  /** The same value with interned strings. */
  #shared(value: Json): Json {
    if (typeof value === "string") return value.length > MAX_LENGTH ? value : this.#text(value);
    if (typeof value !== "object" || value === null) return value;
    const container = value as Record<string, Json>; // a list has its indexes as keys
    // Reading a key of this name is fine, but setting it would do something else.
    for (const key of Object.keys(container))
      if (key !== "__proto__") container[key] = this.#shared(container[key] as Json);
    return value;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MAX_TEXTS) this.#texts.set(text, text);
    return text;
  }
}
