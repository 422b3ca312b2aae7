// How are bundles called in a sentence? By package and version, "lantern 1.5.0", wherever a text has the name of a bundle
// that is known; and a sentence begins with a capital and ends with a full stop.

import type { Catalog } from "../../model/catalog.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import { outsideQuotes } from "../../model/quotation.ts";
import { printVersion } from "../../semver/version.ts";

/** Says texts with package and version in the place of names of bundles. */
export interface PlainNames {
  /** A text with all its names. */
  readonly text: (text: string) => string;
  /** One name. */
  readonly name: (name: string) => string;
  /** A whole sentence: unless it begins with the name of a package, its first letter is a capital. */
  readonly sentence: (text: string) => string;
}

/** The names of what catalogs have, and of operators that run. */
export function plainNames(
  catalogs: readonly Catalog[],
  operators: readonly Pick<OperatorRef, "package" | "name" | "version">[],
): PlainNames {
  let known: ReadonlyMap<string, string> | undefined;
  const name = (word: string): string => {
    known ??= namesIn(catalogs, operators);
    return known.get(word) ?? word;
  };
  let running: ReadonlySet<string> | undefined;
  const isPackage = (word: string): boolean => {
    running ??= new Set(operators.flatMap((one) => one.package ?? []));
    return catalogs.some(({ packages }) => packages.has(word)) || running.has(word);
  };
  const text = (words: string): string =>
    outsideQuotes(words, (part) =>
      part.replace(WORDS, (all, open: string, word: string, close: string) => {
        const plain = LIKE_A_NAME.test(word) ? name(word) : word;
        return plain === word ? all : `${open}${plain}${close}`;
      }),
    );
  return { text, name, sentence: (words) => closed(begun(text(words), isPackage)) };
}

/** A word between blanks, without the brackets and marks around it. */
const WORDS = /(?<![^\s(])(\(?)([^\s(),;:]*[^\s(),;:.])([),;:.]*)(?!\S)/g;

/** A bundle may be called anything; a word without a digit is rather a word. */
const LIKE_A_NAME = /^[a-z](?=.*\d)/i;

function namesIn(
  catalogs: readonly Catalog[],
  operators: readonly Pick<OperatorRef, "package" | "name" | "version">[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // Where two things share a name it is left as it is.
  const add = (name: string, plain: string): void => {
    const other = names.get(name);
    names.set(name, other === undefined || other === plain ? plain : name);
  };
  for (const { packages } of catalogs)
    for (const owner of packages.values())
      for (const { name, version } of owner.bundles.values()) add(name, `${owner.name} ${printVersion(version)}`);
  for (const { package: owner, name, version } of operators)
    if (owner !== undefined && owner !== "" && version !== undefined) add(name, `${owner} ${version}`);
  return names;
}

function begun(text: string, isPackage: (word: string) => boolean): string {
  const [, word = "", next = ""] = /^(\S*)(?: (\S*))?/.exec(text) ?? [];
  const isWord = /^[a-z]+,?$/.test(word) && !isPackage(word) && !/^v?\d/.test(next);
  return isWord ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}

function closed(text: string): string {
  return /[\p{L}\p{N})\]"'…]$/u.test(text) ? `${text}.` : text;
}
