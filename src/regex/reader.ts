// Which character of a pattern is read next?
import { type FaultKind, PatternFault } from "./mistake.ts";

/** Reads a pattern from left to right, in code points; a surrogate without its partner is one of its own. */
export class PatternReader {
  readonly pattern: string;
  /** Where the next character begins, in UTF-16 units. */
  at = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  /** Is there another character? */
  get more(): boolean {
    return this.at < this.pattern.length;
  }

  /** The next character; empty at the end. */
  get ahead(): string {
    return this.more ? String.fromCodePoint(this.pattern.codePointAt(this.at) as number) : "";
  }

  /** Reads the next character. There must be one. */
  next(): number {
    const codePoint = this.pattern.codePointAt(this.at) as number;
    this.at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Is this what comes next? */
  isAhead(text: string): boolean {
    return this.pattern.startsWith(text, this.at);
  }

  /** Reads this text if it comes next. */
  take(text: string): boolean {
    if (!this.isAhead(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Reads what a sticky regular expression of JavaScript matches next. */
  takeMatch(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.pattern);
    if (match !== null) this.at = sticky.lastIndex;
    return match;
  }

  /** What is wrong from there to here, or to another place. */
  fault(kind: FaultKind, from: number, to: number = this.at): PatternFault {
    return new PatternFault(kind, from, to);
  }
}
