// At which line and column of a given text is a place?

import { locate, type SourcePosition } from "../input/locate.ts";
import { groupedBy } from "../model/grouped.ts";
import type { Place } from "../model/place.ts";
import type { NamedText } from "./text-input.ts";

/** Texts by the names that places have for them. */
export class TextSources {
  readonly #texts = new Map<string, string>();

  /** Adds a text. A name that is taken gets a number. */
  add(source: string, text: string): NamedText {
    let name = source;
    for (let number = 2; this.#texts.has(name); number++) name = `${source}#${number}`;
    this.#texts.set(name, text);
    return { source: name, text };
  }

  /** Takes the texts of others; the first one with a name counts. */
  addAll(others: readonly TextSources[]): this {
    for (const other of others)
      for (const [source, text] of other.#texts) if (!this.#texts.has(source)) this.#texts.set(source, text);
    return this;
  }

  /** Line, column and excerpt of every place whose text is known. */
  locate(places: readonly Place[]): ReadonlyMap<Place, SourcePosition> {
    const positions = new Map<Place, SourcePosition>();
    const lined = places.filter(({ line }) => line > 0);
    for (const [source, group] of groupedBy(lined, (place) => place.source)) {
      const text = this.#texts.get(source);
      if (text === undefined) continue;
      const starts = lineStarts(text);
      for (const same of groupedBy(group, ({ line, column }) => `${line}:${column}`).values()) {
        const start = starts[(same[0] as Place).line - 1];
        if (start === undefined) continue;
        for (const [index, position] of locate(same, text.slice(start)).entries())
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
