// Which characters are the same when case does not matter?
//
// As Unicode's simple case folding has it: `k`, `K` and the Kelvin sign are one character, `ß` and `ẞ` are, too; `ss` is
// not. The JavaScript engine's own lower and upper case give the pairs; they are collected when a pattern first needs
// more than ASCII.
import { type CharacterSet, countUpTo, hasCharacter, setOfRanges, unionOf } from "./character-set.ts";
import { charactersWith } from "./unicode.ts";

const LONG_S = 0x17f;
const KELVIN_SIGN = 0x212a;
/** Its upper case is I, but folding leaves it alone: only Turkish sees one letter in the two. */
const DOTLESS_I = 0x131;

/** All characters that have another case. */
interface Folding {
  /** Ascending. */
  readonly characters: Int32Array;
  /** For each of them, all that are the same, itself included. */
  readonly same: readonly (readonly number[])[];
}

let folding: Folding | undefined;

/** The set with every character that is the same as one of it when case does not matter. */
export function withOtherCases(set: CharacterSet): CharacterSet {
  const others: number[] = [];
  if ((set.at(-1) ?? 0) < 0x80) addAsciiCases(set, others);
  else addCases(set, others);
  return others.length === 0 ? set : unionOf([set, setOfRanges(others)]);
}

function addAsciiCases(set: CharacterSet, others: number[]): void {
  for (let index = 0; index < set.length; index += 2) {
    for (let code = Math.max(set[index] as number, 0x41); code <= (set[index + 1] as number); code++) {
      const lower = code | 0x20;
      if (lower < 0x61 || lower > 0x7a) continue;
      others.push(code ^ 0x20, code ^ 0x20);
      if (lower === 0x6b) others.push(KELVIN_SIGN, KELVIN_SIGN);
      if (lower === 0x73) others.push(LONG_S, LONG_S);
    }
  }
}

function addCases(set: CharacterSet, others: number[]): void {
  folding ??= readFolding();
  const { characters, same } = folding;
  for (let index = 0; index < set.length; index += 2) {
    const first = set[index] as number;
    const last = set[index + 1] as number;
    for (let at = countUpTo(characters, first - 1); (characters[at] ?? Number.POSITIVE_INFINITY) <= last; at++) {
      for (const other of same[at] as readonly number[]) {
        const isInRange = other >= first && other <= last;
        if (!isInRange && !hasCharacter(set, other)) others.push(other, other);
      }
    }
  }
}

function readFolding(): Folding {
  const same = new Map<number, number[]>();
  const join = (one: number, other: number): void => {
    const ones = same.get(one) ?? [one];
    const all = same.get(other) ?? [other];
    if (ones === all) return;
    all.push(...ones);
    for (const character of all) same.set(character, all);
  };
  // Characters whose lower, upper or title case is another.
  const changing = charactersWith("{CWCM}");
  for (let index = 0; index < changing.length; index += 2) {
    for (let code = changing[index] as number; code <= (changing[index + 1] as number); code++) {
      if (code === DOTLESS_I) continue;
      const character = String.fromCodePoint(code);
      for (const text of [character.toLowerCase(), character.toUpperCase()]) {
        const other = text.codePointAt(0) as number;
        // Some become several characters; that is not simple folding.
        if (other !== code && text.length === (other > 0xffff ? 2 : 1)) join(code, other);
      }
    }
  }
  const characters = Int32Array.from(same.keys()).sort();
  return { characters, same: Array.from(characters, (character) => same.get(character) as number[]) };
}
