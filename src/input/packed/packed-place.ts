// How is a place on a tape? Its source is a position in a table, in which the beginning that all files of a catalog have
// is left out, so that the same catalog can be read under another name.

import { isList } from "../../model/json.ts";
import type { Path, Place } from "../../model/place.ts";
import { Malformed, type TapeReader, type TapeWriter } from "./tape.ts";

/** A source below the prefix; the prefix itself without the slash at its end; any other one. */
const BELOW = 0;
const ROOT = 1;
const ELSEWHERE = 2;

/** The fields of a place besides source, line and column. */
const HAS_PATH = 1;
const HAS_OFFSET = 2;
const OF_KEY = 4;
const EXACT = 8;
const HAS_ELSEWHERE = 16;

/** Writes places, and at last the table of their sources. */
export class PlaceWriter {
  readonly #prefix: string;
  readonly #positions = new Map<string, number>();
  /** The place that was written before, without a line. */
  #before: Place = NOWHERE;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  write(tape: TapeWriter, place: Place): void {
    const { source, line, column, path, offset, ofKey, exact, elsewhere } = place;
    const isDocument = Object.keys(place).length === 3;
    if (isDocument && source === this.#before.source && column === this.#before.column) {
      tape.number(line + 1);
      return;
    }
    if (isDocument) this.#before = place;
    tape.number(0);
    this.writeSource(tape, source);
    tape.number(line);
    tape.number(column);
    tape.number(
      (path === undefined ? 0 : HAS_PATH) |
        (offset === undefined ? 0 : HAS_OFFSET) |
        (ofKey ? OF_KEY : 0) |
        (exact ? EXACT : 0) |
        (elsewhere === undefined ? 0 : HAS_ELSEWHERE),
    );
    if (path !== undefined) tape.value(path);
    if (offset !== undefined) tape.number(offset);
    if (elsewhere !== undefined)
      tape.list(elsewhere, ([key, inner]) => {
        tape.text(key);
        this.write(tape, inner);
      });
  }

  writeSource(tape: TapeWriter, source: string): void {
    let position = this.#positions.get(source);
    if (position === undefined) {
      position = this.#positions.size;
      this.#positions.set(source, position);
    }
    tape.number(position);
  }

  writeSources(tape: TapeWriter): void {
    tape.list(this.#positions.keys(), (source) => {
      const isBelow = source.startsWith(this.#prefix);
      const isRoot = source !== "" && `${source}/` === this.#prefix;
      tape.number(isBelow ? BELOW : isRoot ? ROOT : ELSEWHERE);
      tape.text(isBelow ? source.slice(this.#prefix.length) : isRoot ? "" : source);
    });
  }
}

const NOWHERE: Place = { source: "", line: 0, column: 0 };

/** Reads places, whose sources are in a table. */
export class PlaceReader {
  readonly #tape: TapeReader;
  /** Under the prefix of the reader. */
  readonly #sources: readonly string[];
  #before: Place = NOWHERE;

  /** The table of sources is next on the tape. */
  constructor(tape: TapeReader, prefix: string) {
    this.#tape = tape;
    this.#sources = readSources(tape, prefix);
  }

  source(): string {
    return this.#tape.item(this.#sources);
  }

  /** Most places are documents in the source of the one before: a number says the line. */
  read(): Place {
    const line = this.#tape.number();
    if (line === 0) return this.#readWhole();
    const { source, column } = this.#before;
    return { source, line: line - 1, column };
  }

  #readWhole(): Place {
    const tape = this.#tape;
    const plain = { source: this.source(), line: tape.number(), column: tape.number() };
    const fields = tape.number();
    if (fields === 0) {
      this.#before = plain;
      return plain;
    }
    return {
      ...plain,
      ...((fields & HAS_PATH) !== 0 && { path: readPath(tape) }),
      ...((fields & HAS_OFFSET) !== 0 && { offset: tape.number() }),
      ...((fields & OF_KEY) !== 0 && { ofKey: true }),
      ...((fields & EXACT) !== 0 && { exact: true }),
      ...((fields & HAS_ELSEWHERE) !== 0 && { elsewhere: new Map(tape.list(() => [tape.text(), this.read()])) }),
    };
  }
}

/** The sources of a tape under a prefix. */
function readSources(tape: TapeReader, prefix: string): readonly string[] {
  return tape.list(() => {
    const form = tape.number();
    const text = tape.text();
    if (form === BELOW) return prefix + text;
    if (form !== ROOT && form !== ELSEWHERE) throw new Malformed("no source");
    return form === ELSEWHERE ? text : prefix.slice(0, -1);
  });
}

function readPath(tape: TapeReader): Path {
  const path = tape.value();
  if (!isList(path) || path.some((step) => typeof step !== "string" && typeof step !== "number"))
    throw new Malformed("no path");
  return path as Path;
}
