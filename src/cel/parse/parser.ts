// Which structure does this text have?
//
// Precedence climbing by hand. After a mistake the parser continues behind it, so that several are reported at once.
// Chains of one operator grow in a loop, not by recursion; `&&` and `||` become one call with all terms.
import { type Call, type ListLiteral, type MapLiteral, type MessageLiteral, type Node, qualifiedName } from "../ast.ts";
import { IssueList } from "../issue.ts";
import type { Macro } from "../macro.ts";
import { type Double, double, doubleOf, INT_MAX, INT_MIN, int } from "../value/number.ts";
import type { Range } from "../value/value.ts";
import { findMacro } from "./find-macro.ts";
import { readTokens } from "./lexer.ts";
import { withMissingQuote } from "./missing-quote.ts";
import { BINARY, FOREIGN_OPERATORS, KEYWORDS, RESERVED, type Token, WORD_OPERATORS } from "./token.ts";

/** Parentheses, brackets, arguments and unary operators within each other. */
export const DEEPEST_NESTING = 250;

/** The structure of the text, or undefined when mistakes (which are added to the issues) left none. */
export function parse(text: string, macros: readonly Macro[], issues: IssueList): Node | undefined {
  const found = new IssueList(text);
  const root = new Parser(readTokens(text, found), macros, found).whole();
  if (root !== undefined) return root;
  const meant = withMissingQuote(text, (repaired) => {
    const issues = new IssueList(repaired);
    return new Parser(readTokens(repaired, issues), macros, issues).whole() !== undefined;
  });
  // A missing quote causes many mistakes in the rest of the text.
  if (meant !== undefined)
    issues.add(meant, "the closing quote of this string is missing", `did you mean ${meant.text} ?`);
  else for (const issue of found.list()) issues.add(issue, issue.message, issue.hint);
  return undefined;
}

/** Parts get their numbers when all of them are there; an object that is made with the field needs no second form. */
const UNNUMBERED = 0;

/** Thrown to leave the recursion when the nesting limit is met. */
const TOO_DEEP: unique symbol = Symbol("too deep");

class Parser {
  readonly #tokens: readonly Token[];
  readonly #macros: readonly Macro[];
  readonly #issues: IssueList;
  #at = 0;
  #depth = 0;
  #broken: boolean;
  /** Positions at which a mistake was reported; made for the first. */
  #reported: Set<number> | undefined;
  /** What is in parentheses; made for the first. */
  #parenthesised: Set<Node> | undefined;

  constructor(tokens: readonly Token[], macros: readonly Macro[], issues: IssueList) {
    this.#tokens = tokens;
    this.#macros = macros;
    this.#issues = issues;
    this.#broken = !issues.isEmpty;
  }

  whole(): Node | undefined {
    if (this.#peek().kind === "end") {
      this.#mistake(this.#peek(), "the expression is empty");
      return undefined;
    }
    try {
      const node = this.#expression();
      while (this.#peek().kind !== "end") this.#leftover();
      return this.#broken ? undefined : node;
    } catch (thrown) {
      if (thrown !== TOO_DEEP) throw thrown;
      return undefined;
    }
  }

  /** Reports text after a complete expression. */
  #leftover(): void {
    const token = this.#peek();
    const previous = this.#tokens[this.#at - 1];
    const joined = previous?.kind === "literal" && token.kind === "name" && previous.end === token.start;
    const hint = joined ? "is a quote missing in the string before?" : WORD_OPERATORS.get(token.text);
    this.#mistake(token, `expected an operator or the end and found ${describe(token)}`, hint);
    this.#next();
    if (this.#peek().kind !== "end" && !isClosing(this.#peek())) this.#expression();
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind !== "end") this.#at++;
    return token;
  }

  #is(operator: string): boolean {
    const token = this.#peek();
    return token.kind === "operator" && token.text === operator;
  }

  #take(operator: string): boolean {
    if (!this.#is(operator)) return false;
    this.#at++;
    return true;
  }

  /** Reports a mistake, unless one was reported at the same token: that one is its consequence. */
  #mistake(at: Range, message: string, hint?: string): void {
    this.#broken = true;
    this.#reported ??= new Set(this.#issues.list().map(({ start }) => start));
    if (!this.#reported.has(at.start)) this.#issues.add(at, message, hint);
    this.#reported.add(at.start);
  }

  /** The end of the last token read. */
  #end(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  /** Counts a level of nesting, which the caller ends. */
  #enter(): void {
    if (++this.#depth <= DEEPEST_NESTING) return;
    this.#mistake(
      this.#peek(),
      `the expression is nested more than ${DEEPEST_NESTING} levels deep`,
      "split it into smaller ones",
    );
    throw TOO_DEEP;
  }

  #expression(): Node {
    this.#enter();
    const start = this.#peek().start;
    const condition = this.#binary(1);
    const node = this.#is("?") ? this.#conditional(condition, start) : condition;
    this.#depth--;
    return node;
  }

  #conditional(condition: Node, start: number): Node {
    const at = this.#next();
    // `name?.field` is how other languages write an optional field.
    const touching = (this.#is(".") || this.#is("[")) && this.#peek().start === at.end;
    const yes = this.#binary(1);
    if (!this.#take(":")) {
      this.#mistake(
        this.#peek(),
        `expected : and found ${describe(this.#peek())}`,
        touching
          ? "an optional field is written .?field or [?key]"
          : "a conditional is written: condition ? value : other",
      );
    }
    const no = this.#expression();
    return this.#call("_?_:_", [condition, yes, no], at, start);
  }

  #binary(least: number): Node {
    const start = this.#peek().start;
    let left = this.#unary();
    for (;;) {
      const token = this.#operator();
      const isOperator = token.kind === "operator" || (token.kind === "name" && token.text === "in");
      const operator = isOperator ? BINARY.get(token.text) : undefined;
      if (operator === undefined || operator.power < least) return left;
      this.#at++;
      const right = this.#binary(operator.power + 1);
      left = this.#operation(operator.name, token, left, right, start);
    }
  }

  /** The next token; an operator of another language, already reported, is read as its equivalent. */
  #operator(): Token {
    const token = this.#peek();
    const meant = token.kind === "broken" ? FOREIGN_OPERATORS.get(token.text) : undefined;
    return meant === undefined ? token : { ...token, kind: "operator", text: meant };
  }

  #operation(name: string, token: Token, left: Node, right: Node, start: number): Node {
    const logical = name === "_&&_" || name === "_||_";
    // Terms of one chain are collected, unless the left side is in parentheses.
    const chained =
      logical && left.kind === "call" && left.name === name && left.start === start && !this.#isParenthesised(left);
    if (chained) {
      (left.args as Node[]).push(right);
      (left as { end: number }).end = this.#end();
      return left;
    }
    return this.#call(name, [left, right], token, start);
  }

  #isParenthesised(node: Node): boolean {
    return this.#parenthesised?.has(node) === true;
  }

  #unary(): Node {
    const token = this.#peek();
    if (!this.#is("!") && !this.#is("-")) return this.#member();
    let count = 0;
    while (this.#is(token.text)) {
      this.#at++;
      count++;
    }
    if (token.text === "-" && count === 1 && isNumber(this.#peek())) {
      // A single sign belongs to the number, so that the smallest int can be written.
      this.#at--;
      count--;
    }
    this.#enter();
    const unary = this.#is("!") || (this.#is("-") && !isNumber(this.#tokens[this.#at + 1]));
    const operand = unary ? this.#unary() : this.#member();
    this.#depth--;
    // Two negations cancel out, as in cel-go.
    if (count % 2 === 0) return operand;
    return this.#call(`${token.text}_`, [operand], token, token.start);
  }

  #member(): Node {
    const start = this.#peek().start;
    let node = this.#primary();
    for (;;) {
      const token = this.#peek();
      if (token.kind !== "operator") return node;
      if (token.text === "." || token.text === ".?") node = this.#selection(node, start);
      else if (token.text === "[" || token.text === "[?") node = this.#index(node, start);
      else if (token.text === "{" && isName(node) && !this.#isParenthesised(node)) node = this.#message(node, start);
      else return node;
    }
  }

  #selection(operand: Node, start: number): Node {
    const optional = this.#next().text === ".?";
    const token = this.#peek();
    if ((token.kind !== "name" || KEYWORDS.has(token.text)) && token.kind !== "quoted-name") {
      const hint = token.kind === "name" ? `write ["${token.text}"] for a key with this name` : undefined;
      this.#mistake(token, `expected a field's name and found ${describe(token)}`, hint);
      if (token.kind === "name") this.#at++;
      return operand;
    }
    this.#at++;
    const at = { start: token.start, end: token.end };
    if (!optional && token.kind === "name" && this.#take("(")) {
      return this.#expanded(this.#call(token.text, this.#arguments(), at, start, operand));
    }
    return {
      id: UNNUMBERED,
      kind: "select",
      operand,
      field: token.text,
      at,
      optional,
      test: false,
      start,
      end: this.#end(),
    };
  }

  #index(operand: Node, start: number): Node {
    const at = this.#next();
    const key = this.#expression();
    this.#close("]", at);
    return this.#call(at.text === "[?" ? "_[?_]" : "_[_]", [operand, key], at, start);
  }

  #primary(): Node {
    const token = this.#next();
    const { start, end } = token;
    switch (token.kind) {
      case "int":
      case "double":
        return this.#number(token, false, start);
      case "literal":
        return { id: UNNUMBERED, kind: "literal", value: token.value ?? null, start, end };
      case "name":
        return this.#named(token, false, start);
      case "operator":
        if (token.text === "-" && isNumber(this.#peek())) return this.#number(this.#next(), true, start);
        if (token.text === "." && this.#peek().kind === "name") return this.#named(this.#next(), true, start);
        if (token.text === "(") return this.#parentheses(token);
        if (token.text === "[" || token.text === "[?") return this.#listLiteral(token);
        if (token.text === "{") return this.#mapLiteral(token);
        break;
      case "broken":
        return { id: UNNUMBERED, kind: "literal", value: null, start, end };
      default:
    }
    return this.#noOperand(token);
  }

  #noOperand(token: Token): Node {
    if (token.kind === "end") this.#mistake(token, "the expression ends too early", "a value is missing here");
    else
      this.#mistake(
        token,
        `expected a value and found ${describe(token)}`,
        token.kind === "quoted-name" ? "back quotes stand after a dot only" : undefined,
      );
    // A closing bracket is left to the caller that opened it; after a superfluous operator a value may still follow.
    if (isClosing(token)) this.#at--;
    else if (BINARY.has(token.text)) {
      this.#enter();
      const operand = this.#unary();
      this.#depth--;
      return operand;
    }
    return { id: UNNUMBERED, kind: "literal", value: null, start: token.start, end: token.end };
  }

  #number(token: Token, negative: boolean, start: number): Node {
    if (token.kind === "double") {
      const value = doubleOf(token.value as number | Double);
      return { id: UNNUMBERED, kind: "literal", value: double(negative ? -value : value), start, end: token.end };
    }
    const value = negative ? -(token.value as bigint) : (token.value as bigint);
    if (value > INT_MAX || value < INT_MIN) {
      this.#mistake(
        { start, end: token.end },
        `the number is outside of 64 bits: ints go from ${INT_MIN} to ${INT_MAX}`,
        negative ? "write it as a double (with .0)" : "write it as a double (with .0), or as a uint (with u)",
      );
    }
    return { id: UNNUMBERED, kind: "literal", value: int(value) ?? 0, start, end: token.end };
  }

  #named(token: Token, absolute: boolean, start: number): Node {
    const { text: name, end } = token;
    if (!absolute && KEYWORDS.has(name) && name !== "in") {
      return { id: UNNUMBERED, kind: "literal", value: name === "null" ? null : name === "true", start, end };
    }
    if (name === "in" || RESERVED.has(name)) {
      this.#mistake(token, `"${name}" is a reserved word and cannot be a name`, WORD_OPERATORS.get(name));
    }
    if (!this.#take("(")) return { id: UNNUMBERED, kind: "identifier", name, absolute, start, end };
    return this.#expanded(this.#call(absolute ? `.${name}` : name, this.#arguments(), token, start));
  }

  #parentheses(opening: Token): Node {
    const inner = this.#expression();
    this.#close(")", opening);
    this.#parenthesised ??= new Set();
    this.#parenthesised.add(inner);
    return inner;
  }

  #listLiteral(opening: Token): ListLiteral {
    // The question mark of a first optional element was read as part of the bracket.
    let optionalFirst = opening.text === "[?";
    if (optionalFirst && this.#is("]")) this.#noOperand(this.#next());
    const elements = this.#list("]", () => {
      const optional = optionalFirst || this.#take("?");
      optionalFirst = false;
      return { value: this.#expression(), optional };
    });
    return { id: UNNUMBERED, kind: "list", elements, start: opening.start, end: this.#end() };
  }

  #mapLiteral(opening: Token): MapLiteral {
    const entries = this.#list("}", () => {
      const optional = this.#take("?");
      const key = this.#expression();
      if (!this.#take(":"))
        this.#mistake(
          this.#peek(),
          `expected : and found ${describe(this.#peek())}`,
          "an entry is written: key: value",
        );
      return { key, value: this.#expression(), optional };
    });
    return { id: UNNUMBERED, kind: "map", entries, start: opening.start, end: this.#end() };
  }

  #message(name: Node, start: number): MessageLiteral {
    this.#at++;
    const fields = this.#list("}", () => {
      const optional = this.#take("?");
      const token = this.#next();
      if (token.kind !== "name" && token.kind !== "quoted-name")
        this.#mistake(token, `expected a field's name and found ${describe(token)}`);
      if (!this.#take(":")) this.#mistake(this.#peek(), `expected : and found ${describe(this.#peek())}`);
      return { name: token.text, at: { start: token.start, end: token.end }, value: this.#expression(), optional };
    });
    return { id: UNNUMBERED, kind: "message", name: qualifiedName(name) as string, fields, start, end: this.#end() };
  }

  /** The arguments of a call. Unlike the elements of a list they have no comma at the end. */
  #arguments(): readonly Node[] {
    const args = this.#list(")", () => this.#expression());
    const comma = this.#tokens[this.#at - 2] as Token;
    if (this.#tokens[this.#at - 1]?.text === ")" && comma.text === "," && comma.kind === "operator")
      this.#mistake(comma, "a call has no comma after its last argument", "remove the comma");
    return args;
  }

  /** Items up to the closing bracket, with commas between them and possibly one at the end; a comma alone is not an item. */
  #list<T>(closing: string, read: () => T): T[] {
    const opening = this.#tokens[this.#at - 1] as Token;
    const items: T[] = [];
    const second = this.#tokens[this.#at + 1];
    if (opening.text !== "[?" && this.#is(",") && second?.kind === "operator" && second.text === closing) this.#at++;
    while (!this.#is(closing) && this.#peek().kind !== "end") {
      const before = this.#at;
      items.push(read());
      if (this.#take(",")) continue;
      if (this.#is(closing) || this.#peek().kind === "end") break;
      const token = this.#peek();
      const joined = token.kind === "name" && this.#end() === token.start;
      this.#mistake(
        token,
        `expected , or ${closing} and found ${describe(token)}`,
        joined ? "is a quote missing in the string before?" : WORD_OPERATORS.get(token.text),
      );
      if (isClosing(token)) break;
      if (this.#at === before || token.kind !== "operator") this.#at++;
      if (isClosing(this.#peek())) break;
    }
    this.#close(closing, opening);
    return items;
  }

  #close(closing: string, opening: Token): void {
    if (this.#take(closing)) return;
    const token = this.#peek();
    if (token.kind === "end")
      this.#mistake(opening, `${JSON.stringify(opening.text)} is never closed`, `${closing} is missing`);
    else this.#mistake(token, `expected ${closing} and found ${describe(token)}`);
    if (isClosing(token) && token.text !== closing) this.#at++;
  }

  /** A call that ends with the last token read. */
  #call(name: string, args: readonly Node[], at: Range, start: number, target?: Node): Call {
    return { id: UNNUMBERED, kind: "call", name, target, args, at, start, end: this.#end() };
  }

  #expanded(call: Call): Node {
    const macro = findMacro(this.#macros, call);
    if (macro === undefined) return call;
    return macro.expand(call, { mistake: (at, message, hint) => this.#mistake(at, message, hint) });
  }
}

function isClosing(token: Token): boolean {
  return (
    token.kind === "operator" &&
    (token.text === ")" || token.text === "]" || token.text === "}" || token.text === "," || token.text === ":")
  );
}

function isNumber(token: Token | undefined): boolean {
  return token?.kind === "int" || token?.kind === "double";
}

function isName(node: Node): boolean {
  return qualifiedName(node) !== undefined;
}

function describe(token: Token): string {
  switch (token.kind) {
    case "end":
      return "the end";
    case "literal":
    case "int":
    case "double":
      return "a literal";
    default:
      return JSON.stringify(token.text);
  }
}
