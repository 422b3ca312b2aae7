// How are the mistakes of an expression shown to a program that wants no list of them?
import { shortened } from "../text/words.ts";
import type { Issue } from "./issue.ts";

/** The expression has mistakes: its text cannot be compiled, or not even be parsed. The message shows where they are. */
export class CompileError extends Error {
  override readonly name: string = "CompileError";
  readonly text: string;
  readonly errors: readonly Issue[];
  constructor(text: string, errors: readonly Issue[]) {
    super(errors.map((issue) => issueText(text, issue)).join("\n"));
    this.text = text;
    this.errors = errors;
  }
}

const MAX_LENGTH = 120;

/** A mistake in an expression with the line that it is in, its place marked below. */
export function issueText(text: string, { line, column, message, hint, start, end }: Issue): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", start);
  const from = Math.max(lineStart, start - MAX_LENGTH / 2);
  const shown = shortened(text.slice(from, lineEnd === -1 ? undefined : lineEnd), MAX_LENGTH).replace(/\s/g, " ");
  const indentation = " ".repeat([...text.slice(from, start)].length);
  const marked = Math.max(1, Math.min([...text.slice(start, end).split("\n", 1)].join("").length, MAX_LENGTH / 2));
  const advice = hint === undefined ? "" : ` (${hint})`;
  return `${line}:${column}: ${message}${advice}\n  ${shown}\n  ${indentation}${"^".repeat(marked)}`;
}
