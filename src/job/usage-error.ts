// What happens if a question cannot be asked? It is thrown; everything that is an answer, also a refusal, is returned.

import { didYouMean } from "../text/did-you-mean.ts";

/** The question itself is wrong: a misspelt option, a malformed request, an unknown name. The message says what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Throws if an object has a key that the call does not know: an option that is ignored would be a wrong answer. */
export function checkKeys(call: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const meant = didYouMean(key, known);
    const help = meant === undefined ? `it takes ${known.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`;
    throw new UsageError(`${call}: unknown option ${JSON.stringify(key)}; ${help}`);
  }
}

/** A value that is not text; `what` is the option. */
export function textOf(what: string, value: unknown): string {
  if (typeof value !== "string") throw new UsageError(`${what} must be text, but is ${kindOf(value)}`);
  return value;
}

/** What a value of a program is, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
