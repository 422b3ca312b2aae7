// What are the tokens of an expression?
import type { Range, Value } from "../value/value.ts";

/** A token of an expression. */
export interface Token extends Range {
  readonly kind: TokenKind;
  /** The operator or the name; of a back-quoted name what is between the quotes. */
  readonly text: string;
  /** The value of a literal. Integers are bigints here, because a sign in front may bring them into range. */
  readonly value: Value | undefined;
}

export type TokenKind = "int" | "double" | "literal" | "name" | "quoted-name" | "operator" | "broken" | "end";

/** Keywords: literals and operators that look like names. */
export const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

/** Reserved words; no variable or function can have such a name. */
export const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/** A binary operator: its binding power, from 1, and the name of its function. All associate to the left. */
export interface BinaryOperator {
  readonly power: number;
  readonly name: string;
}

/** Binary operators. */
export const BINARY: ReadonlyMap<string, BinaryOperator> = new Map(
  ["||", "&&", "== != < <= > >= in", "+ -", "* / %"].flatMap((operators, index) =>
    operators
      .split(" ")
      .map((text) => [text, { power: index + 1, name: text === "in" ? "@in" : `_${text}_` }] as const),
  ),
);

/** Operators of other languages and their equivalents here. */
export const FOREIGN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["&", "&&"],
  ["|", "||"],
]);

/** What people write for an operator. */
export const WORD_OPERATORS: ReadonlyMap<string, string> = new Map([
  ["and", "write && for a logical and"],
  ["or", "write || for a logical or"],
  ["not", "write ! for a negation"],
  ["is", "CEL compares with =="],
  ["contains", "call it on the string: text.contains(part)"],
  ["matches", "call it on the string: text.matches('pattern')"],
  ["startsWith", "call it on the string: text.startsWith('prefix')"],
]);
