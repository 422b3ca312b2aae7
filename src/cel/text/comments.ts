// Which comments does the text of an expression have, and where are they kept?
import { IssueList } from "../issue.ts";
import { readTokens } from "../parse/lexer.ts";
import { type Doc, HARD_LINE, suffix, text } from "./document.ts";

interface Comment {
  readonly text: string;
  readonly start: number;
  /** Does it stand behind a part of the expression, on the same line? */
  readonly isBehind: boolean;
}

const COMMENT = /\/\/[^\n]*/g;

/** The comments of a text, handed out in their order. None is lost: what has no place of its own comes at the next one. */
export class Comments {
  readonly #comments: readonly Comment[];
  #next = 0;

  constructor(source: string) {
    this.#comments = source.includes("//") ? find(source) : [];
  }

  /** The comments before this position, each on a line of its own, before the part that begins there. */
  before(position: number): readonly Doc[] {
    return this.#until(position).flatMap((comment) => [text(comment.text), HARD_LINE]);
  }

  /** The comment before this position that stands behind what was written last, if there is one. */
  behind(position: number): readonly Doc[] {
    const comment = this.#comments[this.#next];
    if (comment === undefined || comment.start >= position || !comment.isBehind) return [];
    this.#next++;
    return [suffix(` ${comment.text}`)];
  }

  /** The comments before this position, each on a line of its own, after what was written last. */
  below(position: number): readonly Doc[] {
    return this.#until(position).flatMap((comment) => [HARD_LINE, text(comment.text)]);
  }

  #until(position: number): readonly Comment[] {
    const from = this.#next;
    while ((this.#comments[this.#next]?.start ?? Number.POSITIVE_INFINITY) < position) this.#next++;
    return this.#comments.slice(from, this.#next);
  }
}

function find(source: string): readonly Comment[] {
  let from = 0;
  return readTokens(source, new IssueList(source)).flatMap((token) => {
    const between = source.slice(from, token.start);
    const before = from;
    from = token.end;
    return Array.from(between.matchAll(COMMENT), ({ 0: comment, index }) => ({
      text: comment.trimEnd(),
      start: before + index,
      isBehind: before > 0 && !between.slice(0, index).includes("\n"),
    }));
  });
}
