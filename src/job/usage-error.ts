// What happens if a question cannot be asked? It is thrown; everything that is an answer, also a refusal, is returned.

import type { Finding } from "../model/finding.ts";
import { printPlace } from "../model/place.ts";
import { didYouMean } from "../text/did-you-mean.ts";

/** The question itself is wrong: a misspelt option, a malformed request, an unknown name. The message says what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What is wrong with the input, if that may be the reason. */
  readonly findings: readonly Finding[];

  constructor(message: string, findings: readonly Finding[] = []) {
    const causes = findings.slice(0, MAX_CAUSES).map((one) => `${printPlace(one.place)}: ${one.message}${helpOf(one)}`);
    super([message, ...causes].join("\n"));
    this.findings = findings;
  }
}

/** How many findings a message lists. */
const MAX_CAUSES = 10;

function helpOf({ help }: Finding): string {
  return help === undefined ? "" : `; ${help}`;
}

/** Throws if an object has a key that the call does not know: an option that is ignored would be a wrong answer. */
export function checkKeys(call: string, given: object, known: readonly string[]): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new UsageError(`${call} takes an object with the keys ${known.join(", ")}, not ${kindOf(given)}`);
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const meant = didYouMean(key, known);
    const help = meant === undefined ? `it takes ${known.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`;
    throw new UsageError(`${call}: unknown option ${JSON.stringify(key)}; ${help}`);
  }
}

/** Throws if an option is given and is none of the choices. */
export function checkChoice(option: string, value: unknown, choices: readonly unknown[]): void {
  if (value === undefined || choices.includes(value)) return;
  const known = choices.map((one) => JSON.stringify(one)).join(", ");
  const given = typeof value === "string" ? JSON.stringify(value) : kindOf(value);
  throw new UsageError(`${option} is one of ${known}, not ${given}`);
}

/** Throws if an option is given and is no positive whole number. */
export function checkPositive(option: string, value: unknown): void {
  if (value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value > 0)) return;
  throw new UsageError(`${option} must be a positive whole number, but is ${String(value)}`);
}

/** Throws if an option is given and is not of a type of JavaScript. */
export function checkType(option: string, value: unknown, type: "string" | "boolean" | "function"): void {
  if (value !== undefined && typeof value !== type)
    throw new UsageError(`${option} must be ${type === "string" ? "text" : `a ${type}`}, but is ${kindOf(value)}`);
}

/** The items of a list, which an option must be; none if it is absent. */
export function listOf<Item>(option: string, value: readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new UsageError(`${option} must be a list, but is ${kindOf(value)}`);
  return value;
}

/** The text that an option must be. */
export function textOf(option: string, value: unknown): string {
  if (typeof value !== "string") throw new UsageError(`${option} must be text, but is ${kindOf(value)}`);
  return value;
}

/** What a value of a program is, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
