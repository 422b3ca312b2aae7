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
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) value[index] = this.#shared(value[index]);
    // A key of this name can be read, but setting it would do something else.
    else
      for (const key of Object.keys(value)) if (key !== "__proto__") this.#shareKey(value as Record<string, Json>, key);
    return value;
  }

  #shareKey(object: Record<string, Json>, key: string): void {
    object[key] = this.#shared(object[key] as Json);
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MAX_TEXTS) this.#texts.set(text, text);
    return text;
  }
}
