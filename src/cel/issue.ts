// What is wrong with an expression, and where?
import type { Range } from "./value/value.ts";

/** A mistake in an expression, or a doubt about it, with the part of the text that it is about. */
export interface Issue extends Range {
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** What to write in place of that part, where a name was probably mistyped. */
  readonly meant?: string;
  /** The line of `start`, from 1. */
  readonly line: number;
  /** The column of `start`, from 1, in code points. */
  readonly column: number;
}

/** More than this many mistakes of one expression are not listed. */
const MAX_ISSUES = 50;

/** Collects issues about one text. */
export class IssueList {
  readonly #text: string;
  #issues: Issue[] | undefined;
  /** Places and messages; like the list made for the first issue, because most expressions have none. */
  #seen: Set<string> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#issues === undefined;
  }

  /** Adds an issue, unless the same one was reported at the same place. */
  add({ start, end }: Range, message: string, hint?: string, meant?: string): void {
    const key = `${start}:${message}`;
    this.#issues ??= [];
    this.#seen ??= new Set();
    if (this.#issues.length >= MAX_ISSUES || this.#seen.has(key)) return;
    this.#seen.add(key);
    const { line, column } = position(this.#text, start);
    this.#issues.push({
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(meant === undefined ? {} : { meant }),
      start,
      end,
      line,
      column,
    });
  }

  /** The issues in the order of the text. */
  list(): readonly Issue[] {
    return this.#issues === undefined ? [] : this.#issues.toSorted((a, b) => a.start - b.start);
  }
}

/** The line and column (in code points) of an offset, both from 1. */
export function position(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  let column = 1;
  for (const _ of text.slice(lineStart, offset)) column++;
  return { line, column };
}
