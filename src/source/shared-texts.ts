// Why do many objects take little memory? Texts that stand in most of them, such as names of conditions and claims, are kept
// once.

import type { Json, JsonObject } from "../model/json.ts";

/** What is written by hand for one object is long; what comes again and again is short. */
const MAX_LENGTH = 64;
/** Whatever comes often has come before so many different texts. */
const MAX_TEXTS = 16_384;

/** Puts one copy of equal texts into documents. */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  /** Changes a document that was just read and that nothing else knows. */
  share(document: JsonObject): void {
    this.#shared(document);
  }

  /** The same value with shared texts. */
  #shared(value: Json): Json {
    if (typeof value === "string") return value.length > MAX_LENGTH ? value : this.#text(value);
    if (typeof value !== "object" || value === null) return value;
    const container = value as Record<string, Json>; // a list has its positions as keys
    // A key of this name can be read, but setting it would do something else.
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
