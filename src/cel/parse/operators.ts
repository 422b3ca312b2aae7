// Which operators are there, how strongly do they bind, and what do people write instead?

/** Binary operators with their binding power; all associate to the left. */
export const BINARY: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 3],
  ["<=", 3],
  [">", 3],
  [">=", 3],
  ["in", 3],
  ["+", 4],
  ["-", 4],
  ["*", 5],
  ["/", 5],
  ["%", 5],
]);

/** What operators of other languages are here. */
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
