// At which line and column of a given text is a place?

import { locate, type SourcePosition } from "../input/locate.ts";
import { groupedBy } from "../model/grouped.ts";
import { type Place, printPath } from "../model/place.ts";
import type { NamedText } from "./text-input.ts";

/** Stands for different texts of the same name. */
const AMBIGUOUS = "";

/** Texts by the names that places have for them. */
export class TextSources {
  readonly #texts = new Map<string, string>();
  /** Sources that were values, which have no lines: a list of them, one on each line, or one alone. */
  readonly #values = new Map<string, "list" | "alone">();

  /** Adds a text. A name that is taken gets a number. */
  add(source: string, text: string): NamedText {
    let name = source;
    for (let number = 2; this.#texts.has(name); number++) name = `${source}#${number}`;
    this.#texts.set(name, text);
    return { source: name, text };
  }

  /** Adds values as JSON lines. Places in them are written as in a program: `objects[3].spec.replicas`. */
  addValues(source: string, text: string, kind: "list" | "alone" = "list"): NamedText {
    const added = this.add(source, text);
    this.#values.set(added.source, kind);
    return added;
  }

  /** The place of a value of a program. */
  placeOfValue({ source, line, path = [] }: Place): Place | undefined {
    const kind = this.#values.get(source);
    if (kind === undefined) return undefined;
    const item = kind === "alone" || line === 0 ? source : `${source}[${line - 1}]`;
    const steps = printPath(path);
    const at = steps === "" || steps.startsWith("[") ? steps : `.${steps}`;
    return { source: `${item}${at}`, line: 0, column: 0, path, exact: true };
  }

  /** Takes the texts of others. Where two have one name, a place says too little, and nothing is located. */
  addAll(others: readonly TextSources[]): this {
    for (const other of others)
      for (const [source, text] of other.#texts) {
        const same = this.#texts.get(source);
        this.#texts.set(source, same === undefined || same === text ? text : AMBIGUOUS);
        const kind = other.#values.get(source);
        if (kind !== undefined) this.#values.set(source, kind);
      }
    return this;
  }

  /** Line, column and excerpt of every place whose text is known. */
  locate(places: readonly Place[]): ReadonlyMap<Place, SourcePosition> {
    const positions = new Map<Place, SourcePosition>();
    const lined = places.filter(({ line }) => line > 0);
    for (const [source, group] of groupedBy(lined, (place) => place.source)) {
      const text = this.#texts.get(source);
      if (text === undefined || text === AMBIGUOUS || this.#values.has(source)) continue;
      const starts = lineStarts(text);
      for (const same of groupedBy(group, ({ line, column }) => `${line}:${column}`).values()) {
        const start = starts[(same[0] as Place).line - 1];
        if (start === undefined) continue;
        for (const [index, position] of locate(same, text.slice(start, documentEnd(text, start))).entries())
          positions.set(same[index] as Place, position);
      }
    }
    return positions;
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

/** Where the YAML document that begins on a line ends at the latest; JSON documents end by themselves. */
function documentEnd(text: string, start: number): number | undefined {
  const next = text.indexOf("\n---", start);
  return next < 0 ? undefined : next + 1;
}
