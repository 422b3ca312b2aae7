// How are the values of flags read? A word of a list, a number, a list of values.

import { InvalidArgumentError, Option } from "commander";
import { didYouMean } from "../text/did-you-mean.ts";

/** The flag that chooses an output format; the first is the default. */
export function outputOption(formats: readonly string[]): Option {
  return new Option("-o, --output <FORMAT>", formats.join(", ")).default(formats[0]).argParser(oneOf(formats));
}

/** The flag that asks for the behaviour of others. */
export function compatOption(): Option {
  const option = new Option(
    "--compat <SYSTEMS>",
    "behave like olm, ocm or olmv1; several are separated by commas",
  ).argParser((text: string, before: readonly string[]) => {
    const systems = text.split(",").map((word) => word.trim());
    for (const system of systems) oneOf(["olm", "ocm", "olmv1"])(system);
    return [...before, ...systems];
  });
  option.defaultValue = [];
  return option;
}

/** A flag that the short help does not list. */
export function hidden<Value>(
  flags: string,
  description: string,
  read?: (text: string) => Value,
  value?: Value,
): Option {
  const option = new Option(flags, description).default(value).hideHelp();
  return read === undefined ? option : option.argParser(read);
}

/** A flag that can be given several times; `read` also gets the values before. */
export function repeatable<Value>(
  flags: string,
  description: string,
  read: (text: string, before: readonly Value[]) => Value,
): Option {
  const option = new Option(flags, `${description} (repeatable)`);
  option.defaultValue = [];
  return option.argParser((text: string, before: readonly Value[]) => [...before, read(text, before)]);
}

/** Reads the value of a flag as it is; it must not be empty. */
export function notEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

/** Reads a flag that has one of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const given = words.find((word) => word === text);
    if (given !== undefined) return given;
    const meant = didYouMean(text, words);
    const rule = `It must be ${words.length === 1 ? "" : "one of "}${words.join(", ")}.`;
    throw new InvalidArgumentError(meant === undefined ? rule : `Did you mean ${meant}? ${rule}`);
  };
}

/** Reads a flag that has a whole number above 0. */
export function positiveInteger(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

/** Reads a flag that has a whole number, 0 or above. */
export function wholeNumber(text: string): number {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) throw new InvalidArgumentError("It must be a whole number, 0 or above.");
  return Number(text);
}

/** A number of seconds, no finer than the clock is read. */
export function readSeconds(text: string): number {
  const seconds = /^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds <= 0)
    throw new InvalidArgumentError("It must be a number of seconds from 0.001 to 999999.999, with at most 3 decimals.");
  return seconds;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_DURATION = 24 * 3_600_000;

/** A time as kubectl reads it: `1m30s`, or a number of seconds; in milliseconds. */
export function readDuration(text: string): number {
  const parts = [...text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join("") === text;
  const milliseconds = /^[0-9]{1,9}$/.test(text)
    ? Number(text) * 1000
    : isWhole
      ? parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
      : Number.NaN;
  if (!(milliseconds <= MAX_DURATION))
    throw new InvalidArgumentError("It must be a time up to 24h, such as 30s or 1m30s; 0 for no limit.");
  return milliseconds;
}
