// How are versions and ranges on a tape? Each once: a catalog has many bundles of one version, and many entries of one
// range. Plain versions are three numbers, so that none of them is parsed again.

import { isList, type Json } from "../../model/json.ts";
import type { Operator } from "../../semver/blang-element.ts";
import type { Comparator, Range } from "../../semver/blang-range.ts";
import type { Identifier } from "../../semver/identifier.ts";
import { printVersion, readVersion, type Version } from "../../semver/version.ts";
import { Malformed, type TapeReader, type TapeWriter } from "./tape.ts";

const OPERATORS: readonly Operator[] = ["=", "!=", ">", ">=", "<", "<="];

/** The forms of a version: three numbers; with a pre-release or a build; the text of one with larger numbers. */
const PLAIN = 0;
const WITH_MORE = 1;
const TEXT = 2;
const NONE: readonly never[] = Object.freeze([]);
const MAX_NUMBER = 0xffff_ffff;

/** Writes the positions of versions and ranges, and at last the tables. */
export class VersionWriter {
  readonly #versions = new Map<string, { readonly position: number; readonly version: Version }>();
  readonly #ranges = new Map<string, { readonly position: number; readonly range: Range }>();

  write(tape: TapeWriter, version: Version): void {
    const text = printVersion(version);
    let known = this.#versions.get(text);
    if (known === undefined) {
      known = { position: this.#versions.size, version };
      this.#versions.set(text, known);
    }
    tape.number(known.position);
  }

  /** The position of a range; from 1, so that nothing has one, too. */
  rangePosition(range: Range): number {
    let known = this.#ranges.get(range.text);
    if (known === undefined) {
      known = { position: this.#ranges.size + 1, range };
      this.#ranges.set(range.text, known);
    }
    return known.position;
  }

  writeTables(tape: TapeWriter): void {
    // The versions of ranges come into the table, too, so that it is written first but known last.
    const ranges = tape.other();
    ranges.list(this.#ranges.values(), ({ range: { text, anyOf } }) => {
      ranges.text(text);
      ranges.list(anyOf, (allOf) =>
        ranges.list(allOf, ({ operator, version }) => {
          ranges.number(OPERATORS.indexOf(operator));
          this.write(ranges, version);
        }),
      );
    });
    tape.list(this.#versions, ([text, { version }]) => {
      const { major, minor, patch, pre, build } = version;
      const numbers = [major, minor, patch].map(Number);
      if (numbers.some((number) => number > MAX_NUMBER)) {
        tape.number(TEXT);
        tape.text(text);
        return;
      }
      const isPlain = pre.length === 0 && build.length === 0;
      tape.number(isPlain ? PLAIN : WITH_MORE);
      for (const number of numbers) tape.number(number);
      if (!isPlain) tape.value([pre, build]);
    });
    tape.append(ranges);
  }
}

/** The tables of a tape. */
export interface VersionTables {
  readonly versions: readonly Version[];
  /** The first is nothing. */
  readonly ranges: readonly (Range | undefined)[];
}

/** Reads the tables. */
export function readVersions(tape: TapeReader): VersionTables {
  const versions = tape.list(() => readOne(tape));
  const comparator = (): Comparator => ({ operator: tape.item(OPERATORS), version: tape.item(versions) });
  const range = (): Range => ({ text: tape.text(), anyOf: tape.list(() => tape.list(comparator)) });
  return { versions, ranges: [undefined, ...tape.list(range)] };
}

function readOne(tape: TapeReader): Version {
  const form = tape.number();
  if (form === TEXT) {
    const version = readVersion(tape.text());
    if (version === undefined) throw new Malformed("no version");
    return version;
  }
  const major = tape.number();
  const minor = tape.number();
  const patch = tape.number();
  if (form === PLAIN) return { major, minor, patch, pre: NONE, build: NONE };
  const [pre, build] = form === WITH_MORE ? parts(tape.value()) : [];
  if (!pre?.every(isIdentifier) || !build?.every((part) => typeof part === "string")) throw new Malformed("no version");
  return { major, minor, patch, pre: pre as readonly Identifier[], build: build as readonly string[] };
}

function parts(value: Json): readonly (readonly Json[] | undefined)[] {
  return isList(value) ? value.map((part) => (isList(part) ? part : undefined)) : [];
}

function isIdentifier(part: Json): boolean {
  return typeof part === "string" || typeof part === "number" || typeof part === "bigint";
}
