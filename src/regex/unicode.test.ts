// Do Unicode's classes and cases have the characters that they have in Go? Go's are in test/differential/regex-unicode.json.
//
// The engine's version of Unicode is another one than Go's, so that characters are compared that Go's has.
import { describe, expect, it } from "vitest";
import { readTable, type Table } from "../../test/differential/table.ts";
import { type CharacterSet, complementOf, hasCharacter, LAST_CHARACTER, setOfRanges } from "./character-set.ts";
import { withOtherCases } from "./fold.ts";
import { unicodeClass } from "./unicode.ts";

interface Row {
  readonly class?: string;
  /** Begin after the end of the one before, and length less one, in turn. */
  readonly ranges?: readonly number[];
  /** Characters that are the same when case does not matter. */
  readonly orbit?: readonly number[];
}

const { rows } = readTable<Table<Row>>("regex-unicode.json");

const classes = new Map<string, CharacterSet>();
for (const { class: name, ranges } of rows) {
  if (name === undefined || ranges === undefined) continue;
  const absolute: number[] = [];
  let end = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const first = end + (ranges[index] as number);
    end = first + (ranges[index + 1] as number) + 1;
    absolute.push(first, end - 1);
  }
  classes.set(name, setOfRanges(absolute));
}

/** Characters that Go's version of Unicode does not have. */
const unknown = classes.get("Cn") as CharacterSet;

/** Characters whose class later versions of Unicode changed. */
const MOVED: readonly number[] = [0x295, 0x1171e];

function charactersOf(set: CharacterSet): number[] {
  const characters: number[] = [];
  for (let index = 0; index < set.length; index += 2) {
    for (let code = set[index] as number; code <= (set[index + 1] as number); code++) characters.push(code);
  }
  return characters;
}

describe("classes", () => {
  it("are those of Go", () => {
    expect(classes.size).toBe(201);
    const missing = [...classes.keys()].filter((name) => unicodeClass(name) === undefined);
    expect(missing).toEqual([]);
  });

  it("have Go's characters", () => {
    const differences = [...classes].flatMap(([name, expected]) => {
      const own = unicodeClass(name) as CharacterSet;
      const others = charactersOf(own).filter((code) => !hasCharacter(expected, code) && !hasCharacter(unknown, code));
      const absent =
        name === "Cn" || name === "C" ? [] : charactersOf(expected).filter((code) => !hasCharacter(own, code));
      return [...others, ...absent]
        .filter((code) => !MOVED.includes(code))
        .map((code) => `${name}: ${code.toString(16)}`);
    });
    expect(differences).toEqual([]);
  });

  it.each([
    "Greek",
    "greek",
    "GREEK",
    " g-r_e ek",
    "L",
    "l",
    "LC",
    "lc",
    "lowercase letter",
    "Any",
    "ascii",
    "Assigned",
  ])("are found by the name %s", (name) => {
    expect(unicodeClass(name)).toBeDefined();
  });

  it.each(["Old_Italic", "SignWriting"])("of several words are found by the exact name %s", (name) => {
    expect(unicodeClass(name)).toBeDefined();
    expect(unicodeClass(name.toLowerCase())).toBeUndefined();
  });

  it.each(["", "Foo", "Alphabetic", "White_Space", "L&", "Script=Greek", "gc=L", "constructor", "é", "Gree\u212a"])(
    "are not found by the name %s",
    (name) => {
      expect(unicodeClass(name)).toBeUndefined();
    },
  );

  it("are read once", () => {
    expect(unicodeClass("Greek")).toBe(unicodeClass("greek"));
  });

  it("of surrogates, private use and what is not assigned reach to the end", () => {
    const has = (name: string, code: number) => hasCharacter(unicodeClass(name) as CharacterSet, code);
    expect([has("Cs", 0xd800), has("Cs", 0xdfff), has("Cs", 0xe000)]).toEqual([true, true, false]);
    expect([has("Co", 0xe000), has("Co", 0xf8ff), has("Co", 0xf900)]).toEqual([true, true, false]);
    expect([has("Co", 0xffffd), has("Co", 0xffffe), has("Co", 0x10fffd)]).toEqual([true, false, true]);
    expect([has("Cn", 0x50000), has("Cn", 0xeffff), has("Cn", LAST_CHARACTER)]).toEqual([true, true, true]);
  });
});

describe("cases", () => {
  const orbits = new Map<number, readonly number[]>();
  for (const { orbit = [] } of rows) for (const code of orbit) orbits.set(code, orbit);

  it("of every character are those of Go", () => {
    const differences: string[] = [];
    for (let code = 0; code <= LAST_CHARACTER; code++) {
      if (hasCharacter(unknown, code)) continue;
      const own = withOtherCases(Int32Array.of(code, code));
      const expected = orbits.get(code);
      if (expected === undefined && own.length === 2 && own[0] === own[1]) continue;
      const known = charactersOf(own).filter((other) => !hasCharacter(unknown, other));
      if (known.join() !== (expected ?? [code]).join()) differences.push(code.toString(16));
    }
    expect(differences).toEqual([]);
  });

  it("of a set are those of its characters", () => {
    for (const name of ["Lu", "Greek", "Common", "Nd", "Cherokee", "Mn", "Ascii"]) {
      const set = unicodeClass(name) as CharacterSet;
      const each = charactersOf(set).flatMap((code) => Array.from(withOtherCases(Int32Array.of(code, code))));
      expect(withOtherCases(set)).toEqual(setOfRanges(each));
      // What is not in the set in any case is not in it in another one.
      const others = complementOf(withOtherCases(set));
      expect(withOtherCases(others)).toEqual(others);
    }
  });
});
