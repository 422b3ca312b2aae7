// How is an expression written: with as few parentheses as possible, one blank around operators, and lines that fit?
import type { Call, Fold, Identifier, MapLiteral, MessageLiteral, Node, Select } from "../ast.ts";
import { macroName } from "../check/check.ts";
import { CompileError } from "../compile-error.ts";
import { IssueList } from "../issue.ts";
import { parse } from "../parse/parser.ts";
import { isTooLong, numberParts } from "../parse/size-limit.ts";
import { BINARY, KEYWORDS } from "../parse/token.ts";
import { isNumber, Uint } from "../value/number.ts";
import { Comments } from "./comments.ts";
import { all, type Doc, group, HARD_LINE, indent, LINE, print, SOFT_LINE, text } from "./document.ts";
import { literalText } from "./literal-text.ts";

/** How an expression is written. */
export interface FormatOptions {
  /** The length of lines that is not exceeded where they can be broken. Default: 100. */
  readonly width?: number;
}

const DEFAULT_WIDTH = 100;

/**
 * Writes an expression in its canonical form: as few parentheses as possible, one blank around operators, lines broken at
 * operators and between arguments where they are longer than `width`. Of a text, literals and comments are kept as they are
 * written; it has the same structure as before. Throws a CompileError for a text with mistakes, and a TypeError for a
 * structure that no text has.
 */
export function format(expression: string | Node, options: FormatOptions = {}): string {
  const width = options.width ?? DEFAULT_WIDTH;
  if (typeof expression !== "string") return print(new Formatter("").whole(expression), width);
  const issues = new IssueList(expression);
  // Without macros the structure is the one that was written.
  const root = isTooLong(expression, issues) ? undefined : parse(expression, [], issues);
  if (root === undefined || !numberParts(root, issues)) throw new CompileError(expression, issues.list());
  return print(new Formatter(expression).whole(root), width);
}

/** How tightly parts are bound; those of binary operators are between the first two. */
const CONDITIONAL = 0;
const UNARY = 6;
const MEMBER = 7;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const QUOTABLE = /^[A-Za-z0-9_\-./ ]+$/;

class Formatter {
  readonly #source: string;
  readonly #comments: Comments;

  constructor(source: string) {
    this.#source = source;
    this.#comments = new Comments(source);
  }

  whole(root: Node): Doc {
    const written = this.#part(root, CONDITIONAL, false);
    const end = Number.POSITIVE_INFINITY;
    return all(written, ...this.#comments.behind(end), ...this.#comments.below(end));
  }

  /** A part, in parentheses if it is bound less tightly than its place; `inside` an operator its further lines are indented. */
  #part(node: Node, least: number, inside: boolean): Doc {
    const comments = this.#comments.before(beginning(node));
    if (power(node) >= least) return all(...comments, this.#written(node, inside));
    return group(text("("), indent(SOFT_LINE, ...comments, this.#written(node, false)), SOFT_LINE, text(")"));
  }

  #written(node: Node, inside: boolean): Doc {
    switch (node.kind) {
      case "literal":
        return text(literalText(node, this.#source));
      case "identifier":
        return text(identifierText(node));
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node, inside);
      case "list":
        return this.#items("[", node.elements, node, "]", ({ value, optional }) => this.#optional(optional, value));
      case "map":
        return this.#items("{", node.entries, node, "}", (entry) => this.#entry(entry));
      case "message":
        return this.#message(node);
      case "fold":
        return this.#fold(node);
      case "bind":
        if (!NAME.test(node.variable)) return cannotBeWritten(node.variable);
        return this.#arguments("cel.bind", [variable(node.variable, node), node.value, node.body], node);
      case "optional-map": {
        const target = this.#part(node.target, MEMBER, false);
        const name = node.flat ? "optFlatMap" : "optMap";
        return all(target, this.#arguments(`.${name}`, [variable(node.variable, node.body), node.body], node));
      }
    }
  }

  #optional(optional: boolean, value: Node): Doc {
    const comments = this.#comments.before(beginning(value));
    return all(...comments, text(optional ? "?" : ""), this.#part(value, CONDITIONAL, false));
  }

  /** An entry of a map; the comments within it come before it. */
  #entry({ key, value, optional }: MapLiteral["entries"][number]): Doc {
    const beforeKey = this.#comments.before(beginning(key));
    const name = this.#part(key, CONDITIONAL, false);
    const beforeValue = this.#comments.before(beginning(value));
    const written = this.#part(value, CONDITIONAL, false);
    return all(...beforeKey, ...beforeValue, text(optional ? "?" : ""), name, text(": "), written);
  }

  #select(node: Select): Doc {
    const operand = this.#part(node.operand, MEMBER, false);
    const selected = all(operand, text(`${node.optional ? ".?" : "."}${fieldText(node.field)}`));
    return node.test ? all(text("has("), selected, text(")")) : selected;
  }

  #message(node: MessageLiteral): Doc {
    return all(
      text(node.name),
      this.#items("{", node.fields, node, "}", ({ name, value, optional }) => {
        const comments = this.#comments.before(beginning(value));
        const written = `${optional ? "?" : ""}${fieldText(name)}: `;
        return all(...comments, text(written), this.#part(value, CONDITIONAL, false));
      }),
    );
  }

  #fold(node: Fold): Doc {
    const variables = [node.variable, ...(node.second === undefined ? [] : [node.second])];
    const parts = [node.predicate, node.transform].filter((part) => part !== undefined);
    const range = this.#part(node.range, MEMBER, false);
    const names = variables.map((name) => variable(name, parts[0] ?? node));
    return all(range, this.#arguments(`.${macroName(node)}`, [...names, ...parts], node));
  }

  #call(node: Call, inside: boolean): Doc {
    const { name, target, args } = node;
    if (target === undefined) {
      if (name === "_&&_" || name === "_||_") return this.#logical(node, inside);
      if (name === "_?_:_") return this.#conditional(args as [Node, Node, Node]);
      if (name === "!_" || name === "-_") return this.#unary(name[0] as string, args[0] as Node);
      if (name === "_[_]" || name === "_[?_]") return this.#index(node);
      if (operatorOf(node) !== undefined) return this.#chain(node);
    }
    if (!NAME.test(target === undefined ? name.replace(/^\./, "") : name)) return cannotBeWritten(name);
    if (target === undefined) return this.#arguments(name, args, node);
    return all(this.#part(target, MEMBER, false), this.#arguments(`.${name}`, args, node));
  }

  #arguments(called: string, args: readonly Node[], node: Node): Doc {
    return all(
      text(called),
      this.#items("(", args, node, ")", (arg) => this.#part(arg, CONDITIONAL, false)),
    );
  }

  /** Items in brackets. */
  #items<T extends Item>(
    opening: string,
    items: readonly T[],
    node: Node,
    closing: string,
    write: (item: T) => Doc,
  ): Doc {
    const parts: Doc[] = [];
    items.forEach((item, index) => {
      const written = write(item);
      const isLast = index === items.length - 1;
      const next = isLast ? node.end : beginning(nodeOf(items[index + 1] as T));
      parts.push(index === 0 ? SOFT_LINE : LINE, written, text(isLast ? "" : ","), ...this.#comments.behind(next));
    });
    parts.push(...this.#comments.below(node.end));
    const end = items.length > 0 ? SOFT_LINE : parts.length > 0 ? HARD_LINE : text("");
    return group(text(opening), indent(...parts), end, text(closing));
  }

  #index(node: Call): Doc {
    const [operand, key] = node.args as [Node, Node];
    const opening = node.name === "_[_]" ? "[" : "[?";
    const written = this.#part(operand, MEMBER, false);
    return all(
      written,
      this.#items(opening, [key], node, "]", (only) => this.#part(only, CONDITIONAL, false)),
    );
  }

  /** The terms of `&&` or `||`, one after the other; a chain within a chain was in parentheses. */
  #logical(node: Call, inside: boolean): Doc {
    const least = power(node) + 1;
    const operator = ` ${node.name.slice(1, 3)}`;
    const [first, ...others] = this.#terms(
      node.args,
      () => operator,
      () => least,
    );
    return inside ? group(first as Doc, indent(...others)) : group(first as Doc, ...others);
  }

  /** A chain of operators of one precedence: `a + b - c`. */
  #chain(node: Call): Doc {
    const own = power(node);
    const links: Call[] = [];
    let left: Node = node;
    while (left.kind === "call" && operatorOf(left) !== undefined && power(left) === own) {
      links.push(left);
      left = left.args[0] as Node;
    }
    links.reverse();
    const operands = [left, ...links.map((link) => link.args[1] as Node)];
    const [first, ...others] = this.#terms(
      operands,
      (index) => ` ${operatorOf(links[index] as Call)}`,
      (index) => (index === 0 ? own : own + 1),
    );
    return group(first as Doc, indent(...others));
  }

  #terms(nodes: readonly Node[], operator: (index: number) => string, least: (index: number) => number): Doc[] {
    return nodes.map((node, index) => {
      const written = this.#part(node, least(index), true);
      const next = nodes[index + 1];
      const end = next === undefined ? [] : [text(operator(index)), ...this.#comments.behind(beginning(next))];
      return all(...(index === 0 ? [] : [LINE]), written, ...end);
    });
  }

  #conditional([condition, yes, no]: readonly [Node, Node, Node]): Doc {
    const asked = this.#part(condition, CONDITIONAL + 1, true);
    const afterCondition = this.#between(yes);
    const then = this.#part(yes, CONDITIONAL + 1, true);
    const afterThen = this.#between(no);
    const otherwise = this.#part(no, CONDITIONAL, true);
    return group(
      asked,
      indent(...afterCondition, LINE, text("? "), indent(then), ...afterThen, LINE, text(": "), indent(otherwise)),
    );
  }

  /** The comments between what was written last and the next part. */
  #between(next: Node): readonly Doc[] {
    const position = beginning(next);
    return [...this.#comments.behind(position), ...this.#comments.below(position)];
  }

  #unary(operator: string, operand: Node): Doc {
    // A sign before a number would become part of it, and two signs cancel each other out.
    const isJoined = operator === "-" && beginsWithNumber(operand);
    const isSame = operand.kind === "call" && operand.target === undefined && operand.name === `${operator}_`;
    const comments = this.#comments.before(beginning(operand));
    return all(...comments, text(operator), this.#part(operand, isJoined || isSame ? MEMBER + 1 : UNARY, true));
  }
}

/** What stands between brackets: an argument, an element, an entry or a field. */
type Item = Node | { readonly key?: Node; readonly value: Node };

function nodeOf(item: Item): Node {
  return "kind" in item ? item : (item.key ?? item.value);
}

/** How tightly a part is bound. */
function power(node: Node): number {
  if (node.kind !== "call" || node.target !== undefined) return MEMBER;
  if (node.name === "_?_:_") return CONDITIONAL;
  if (node.name === "!_" || node.name === "-_") return UNARY;
  return BINARY.get(node.name === "@in" ? "in" : node.name.slice(1, -1))?.power ?? MEMBER;
}

/** The operator of a binary operation, other than `&&` and `||`. */
function operatorOf(node: Call): string | undefined {
  if (node.target !== undefined) return undefined;
  const operator = node.name === "@in" ? "in" : /^_(\W+)_$/.exec(node.name)?.[1];
  return operator === undefined || operator === "&&" || operator === "||" || !BINARY.has(operator)
    ? undefined
    : operator;
}

function beginsWithNumber(node: Node): boolean {
  switch (node.kind) {
    case "literal":
      return isNumber(node.value) && !(node.value instanceof Uint);
    case "select":
      return !node.test && beginsWithNumber(node.operand);
    case "call":
      if (node.target !== undefined) return beginsWithNumber(node.target);
      return (node.name === "_[_]" || node.name === "_[?_]") && beginsWithNumber(node.args[0] as Node);
    case "fold":
      return beginsWithNumber(node.range);
    case "optional-map":
      return beginsWithNumber(node.target);
    default:
      return false;
  }
}

function identifierText({ name, absolute }: Identifier): string {
  return NAME.test(name) ? `${absolute ? "." : ""}${name}` : cannotBeWritten(name);
}

function fieldText(name: string): string {
  if (NAME.test(name) && !KEYWORDS.has(name)) return name;
  return QUOTABLE.test(name) ? `\`${name}\`` : cannotBeWritten(name);
}

function cannotBeWritten(name: string): never {
  throw new TypeError(
    `${JSON.stringify(name)} cannot be written in an expression: format the text, or the structure without an environment`,
  );
}

/** A variable of a macro, before the part that begins behind it. */
function variable(name: string, before: Node): Identifier {
  return { kind: "identifier", name, absolute: false, start: before.start, end: before.start };
}

/** Where the first token of a part begins that is written again; what comes before it is parentheses and signs. */
function beginning(node: Node): number {
  for (let part = node; ; ) {
    const first = firstPart(part);
    if (first === undefined) return part.start;
    part = first;
  }
}

/** The part that a part begins with. */
function firstPart(node: Node): Node | undefined {
  switch (node.kind) {
    case "select":
      return node.test ? undefined : node.operand;
    case "call":
      return node.target ?? (NAME.test(node.name.replace(/^\./, "")) ? undefined : node.args[0]);
    case "fold":
      return node.range;
    case "optional-map":
      return node.target;
    default:
      return undefined;
  }
}
