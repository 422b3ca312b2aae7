// What is the structure of an expression?
import type { Range, Value } from "./value/value.ts";

/** A part of an expression, with the place of its text. */
export type Node =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | MessageLiteral
  | Fold
  | Bind
  | OptionalMap;

/** What every part has. */
interface Part extends Range {
  /** Its number in the expression, from 1, by which the checker keeps what it finds out; 0 or absent before `numberParts()`. */
  readonly id?: number;
}

/** A constant: `1`, `'a'`, `null`. */
export interface Literal extends Part {
  readonly kind: "literal";
  readonly value: Value;
}

/** A name; with a leading dot it is taken from the root namespace. */
export interface Identifier extends Part {
  readonly kind: "identifier";
  readonly name: string;
  /** Was it written with a leading dot? */
  readonly absolute: boolean;
}

/** `operand.field`, `operand.?field`, and `has(operand.field)`. */
export interface Select extends Part {
  readonly kind: "select";
  readonly operand: Node;
  readonly field: string;
  /** Position of the field's name. */
  readonly at: Range;
  /** Is an absent field `optional.none()` instead of an error? */
  readonly optional: boolean;
  /** Does it only test whether the field exists (`has()`)? */
  readonly test: boolean;
}

/**
 * A call of a function or an operator; operators have names with underscores for their operands: `_+_`, `-_`, `!_`,
 * `_[_]`, `_[?_]`, `_?_:_`, `_&&_`, `@in`. `_&&_` and `_||_` have all terms of a chain as arguments.
 */
export interface Call extends Part {
  readonly kind: "call";
  readonly name: string;
  /** What a member function is called on. */
  readonly target: Node | undefined;
  readonly args: readonly Node[];
  /** Position of the function's name or of the operator. */
  readonly at: Range;
}

/** `[a, ?b]` */
export interface ListLiteral extends Part {
  readonly kind: "list";
  readonly elements: readonly { readonly value: Node; readonly optional: boolean }[];
}

/** `{k: v, ?k: v}` */
export interface MapLiteral extends Part {
  readonly kind: "map";
  readonly entries: readonly { readonly key: Node; readonly value: Node; readonly optional: boolean }[];
}

/** `Name{field: value}`: a protobuf message, which no environment here has; it is parsed to give a clear error. */
export interface MessageLiteral extends Part {
  readonly kind: "message";
  readonly name: string;
  readonly fields: readonly Readonly<{ name: string; at: Range; value: Node; optional: boolean }>[];
}

/** What a fold does with its elements. */
export type FoldKind =
  | "all"
  | "exists"
  | "existsOne"
  | "filter"
  | "map"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** A macro that iterates over a list or a map: `range.all(x, …)`, `range.transformMap(k, v, …)`. */
export interface Fold extends Part {
  readonly kind: "fold";
  readonly fold: FoldKind;
  readonly range: Node;
  /** The variable of one element (or key); with `second`, of an index or key. */
  readonly variable: string;
  /** The variable of a value, in the forms with two. */
  readonly second: string | undefined;
  /** Which elements: the predicate of `all`, `exists`, `existsOne`, `filter`, and of `map` and the like with a filter. */
  readonly predicate: Node | undefined;
  /** The expression that an element is mapped to, in `map` and the like. */
  readonly transform: Node | undefined;
  /** Position of the macro's name. */
  readonly at: Range;
}

/** `cel.bind(name, value, body)`, and `cel.block([…], body)` one by one. */
export interface Bind extends Part {
  readonly kind: "bind";
  readonly variable: string;
  readonly value: Node;
  readonly body: Node;
}

/** `target.optMap(name, body)` and `target.optFlatMap(name, body)`. */
export interface OptionalMap extends Part {
  readonly kind: "optional-map";
  readonly target: Node;
  readonly variable: string;
  readonly body: Node;
  /** Does the body yield an optional itself? */
  readonly flat: boolean;
}

const NO_PARTS: readonly Node[] = [];

/** The parts that a node consists of, in the order of the text. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "identifier":
      return NO_PARTS;
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case "list":
      return node.elements.map((element) => element.value);
    case "map":
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case "message":
      return node.fields.map((field) => field.value);
    case "fold":
      return [node.range, node.predicate, node.transform].filter((part) => part !== undefined);
    case "bind":
      return [node.value, node.body];
    case "optional-map":
      return [node.target, node.body];
  }
}

const BINARY_NAMES: ReadonlySet<string> = new Set("_+_ _-_ _*_ _/_ _%_ _==_ _!=_ _<_ _<=_ _>_ _>=_ @in".split(" "));

/** Is it an operator with a left and a right side, other than `&&` and `||`? */
export function isBinary(node: Node): boolean {
  return node.kind === "call" && node.target === undefined && BINARY_NAMES.has(node.name);
}

/**
 * A chain of binary operators, from the innermost to the given node: each is the left side of the next. Chains can be
 * long (`1 + 1 + …`), so every traversal handles them in a loop.
 */
export function operatorChain(node: Call): readonly Call[] {
  const chain = [node];
  for (let left = node.args[0]; left !== undefined && isBinary(left); left = (left as Call).args[0])
    chain.push(left as Call);
  return chain.reverse();
}

/** The qualified name that an identifier or a chain of fields spells; undefined for anything else. */
export function qualifiedName(node: Node): string | undefined {
  const parts: string[] = [];
  let part = node;
  while (part.kind === "select" && !part.optional && !part.test) {
    parts.push(part.field);
    part = part.operand;
  }
  if (part.kind !== "identifier") return undefined;
  parts.push((part as Identifier).absolute ? `.${part.name}` : part.name);
  return parts.reverse().join(".");
}
