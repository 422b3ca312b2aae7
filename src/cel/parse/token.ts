// What are the words of an expression?
import type { Value } from "../value/value.ts";

/** A word of an expression. */
export interface Token {
  readonly kind: TokenKind;
  /** The operator or the name; of a back-quoted name what is between the quotes. */
  readonly text: string;
  /** The value of a literal. Integers are bigints here, because a sign in front may bring them into range. */
  readonly value?: Value | undefined;
  readonly start: number;
  readonly end: number;
}

export type TokenKind = "int" | "double" | "literal" | "name" | "quoted-name" | "operator" | "broken" | "end";

/** Words that stand for something else than a name. */
export const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

/** Words that the language keeps for later; no variable or function can have such a name. */
export const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
