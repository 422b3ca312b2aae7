// What does a call cost at most, beside its arguments, and how large is its result?
//
// The numbers are those of cel-go v0.26.0 and of Kubernetes' apiserver v0.36.3 (library/cost.go, ext/lists.go, ext/sets.go):
// they decide which rules a definition may have, so they are kept, odd ones too.

import type { Node } from "../../../cel/ast.ts";
import type { Overload } from "../../../cel/library.ts";
import type { Type } from "../../../cel/type.ts";
import {
  CHARACTER,
  costOf,
  either,
  exactly,
  PATTERN_CHARACTER,
  product,
  type Size,
  sum,
  times,
  UNKNOWN,
} from "./size.ts";

/** What a function is called with, or on. */
export interface Argument {
  readonly node: Node;
  readonly type: Type;
  readonly size: Size;
  /** The size of the elements, where it is a list, a map or an optional; undefined for everything else. */
  readonly element: { readonly type: Type; readonly size: Size } | undefined;
}

/** A call, the receiver first among its arguments. */
export interface Call {
  readonly overload: Overload;
  readonly args: readonly Argument[];
}

/** What a call costs, and the size of its result where that is known. */
export interface CallCost {
  readonly cost: number;
  readonly size?: Size;
}

const ONE: CallCost = { cost: 1 };
const LIST = 10;

/** The cost of one overload of a call. */
export function callCost({ overload, args }: Call): CallCost {
  const estimate = (overload.member ? MEMBERS : FUNCTIONS).get(overload.name);
  return (args.length === 0 ? undefined : estimate?.(args, overload)) ?? ONE;
}

type Estimate = (args: readonly Argument[], overload: Overload) => CallCost | undefined;

function sizeAt(args: readonly Argument[], index: number): Size {
  return args[index]?.size ?? UNKNOWN;
}

function literalAt(args: readonly Argument[], index: number, otherwise: number): number {
  const node = args[index]?.node;
  const value = node?.kind === "literal" ? node.value : undefined;
  return typeof value === "number" || typeof value === "bigint" ? Math.max(0, Number(value)) : otherwise;
}

/** Goes once through the text at this position. */
function through(index: number, each = CHARACTER): Estimate {
  return (args) => ({ cost: costOf(sizeAt(args, index), each) });
}

/** Goes through a text and gives one that is no longer. */
const transforming: Estimate = (args) => ({ cost: costOf(sizeAt(args, 0), CHARACTER), size: sizeAt(args, 0) });

/** Makes a list of this size. */
function newList(size: Size, each = 1): CallCost {
  return { cost: costOf(size, each) + 1 + LIST, size };
}

const sorting =
  (index: number): Estimate =>
  (args, { parameters }) => {
    const keys = parameters[index];
    const isText = keys?.kind === "list" && (keys.element.kind === "string" || keys.element.kind === "bytes");
    const size = sizeAt(args, index);
    return newList(product(size, size), isText ? 2 + CHARACTER : 2);
  };

/** Compares every element; texts are gone through. */
const goingThroughList: Estimate = (args) => {
  const element = args[0]?.element;
  const size = sizeAt(args, 0);
  if (element === undefined) return { cost: costOf(size, CHARACTER) };
  const isText = element.type.kind === "string" || element.type.kind === "bytes";
  return { cost: times(size.max, 1 + (isText ? costOf(element.size, CHARACTER) : 0)) };
};

const replacing: Estimate = (args) => {
  if (args.length < 3) return undefined;
  const [text, part, other] = [sizeAt(args, 0), sizeAt(args, 1), sizeAt(args, 2)];
  const [most, keptAtMost] = replacements(text.max, part.min, other.max <= part.min);
  const [least, keptAtLeast] = replacements(text.min, part.max, part.max <= other.min);
  const size = sum(product({ min: least, max: most }, other), { min: keptAtLeast, max: keptAtMost });
  return { cost: costOf(text, 2 * CHARACTER), size };
};

/** How often a part is replaced in a text, and how much of the text stays. */
function replacements(text: number, part: number, staysWithin: boolean): readonly [number, number] {
  if (part === 0) return [text + 1, text];
  return staysWithin ? [0, text] : [text === Number.POSITIVE_INFINITY ? text : Math.ceil(text / part), 0];
}

const splitting: Estimate = (args) => {
  const text = sizeAt(args, 0);
  return { cost: costOf(text, 2 * CHARACTER), size: { min: 0, max: literalAt(args, 2, text.max) } };
};

const joining: Estimate = (args) => {
  const list = sizeAt(args, 0);
  const texts = args[0]?.element === undefined ? exactly(0) : product(list, args[0].element.size);
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = args.length > 1 ? sum(texts, product(sizeAt(args, 1), gaps)) : texts;
  return { cost: costOf(size, CHARACTER), size };
};

function matchCost(args: readonly Argument[]): number {
  return times(costOf(sum(sizeAt(args, 0), exactly(1)), CHARACTER), costOf(sizeAt(args, 1), PATTERN_CHARACTER));
}

const finding: Estimate = (args) => ({ cost: matchCost(args), size: { min: 0, max: sizeAt(args, 0).max } });

/** An address has 4 to 16 bytes; a text is read first. */
function containing(more: number): Estimate {
  return (args, { id }) => ({ cost: 4 + more + (id.endsWith("_string") ? costOf(sizeAt(args, 1), CHARACTER) : 0) });
}

const adding: Estimate = (args, { result }) => {
  const size = sum(sizeAt(args, 0), sizeAt(args, 1));
  if (result.kind === "list") return { cost: 1, size };
  return result.kind === "string" || result.kind === "bytes" ? { cost: costOf(size, CHARACTER), size } : undefined;
};

/** By the smaller of the two. */
const comparing: Estimate = (args) => ({
  cost: Math.ceil(times(Math.min(sizeAt(args, 0).max, sizeAt(args, 1).max), CHARACTER)),
});

const ordering: Estimate = (args, overload) => {
  const kind = overload.parameters[0]?.kind;
  return kind === "string" || kind === "bytes" ? comparing(args, overload) : undefined;
};

/** Types of which two values are compared at one go. */
const COMPARED_AT_ONCE: ReadonlySet<string> = new Set([
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "net.IP",
  "net.CIDR",
]);

const equating: Estimate = (args, overload) => {
  const [left, right] = args.map(({ type }) => (type.kind === "opaque" ? type.name : undefined));
  if (left === undefined || left !== right) return comparing(args, overload);
  if (COMPARED_AT_ONCE.has(left)) return ONE;
  if (left === "kubernetes.NamedFormat") return { cost: 7 };
  return left === "kubernetes.URL"
    ? { cost: Math.ceil(times(either(exactly(1), sizeAt(args, 1)).max, CHARACTER)) }
    : comparing(args, overload);
};

const sets =
  (each: number): Estimate =>
  (args) => ({ cost: costOf(product(sizeAt(args, 0), sizeAt(args, 1)), each) + 1 });

const MEMBERS: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"].map((name) => [name, goingThroughList] as const),
  ...["lowerAscii", "upperAscii", "substring", "trim"].map((name) => [name, transforming] as const),
  ["replace", replacing],
  ["split", splitting],
  ["join", joining],
  ["find", finding],
  ["findAll", finding],
  ["matches", (args) => ({ cost: matchCost(args) })],
  ["startsWith", through(1)],
  ["endsWith", through(1)],
  ["contains", (args) => ({ cost: times(costOf(sizeAt(args, 0), CHARACTER), costOf(sizeAt(args, 1), CHARACTER)) })],
  ["format", through(0)],
  ["containsIP", containing(0)],
  ["containsCIDR", containing(3)],
  ["validate", (args) => ({ cost: Math.ceil(times(costOf(sizeAt(args, 1), CHARACTER), 128 * PATTERN_CHARACTER)) })],
  ["slice", (args) => newList(exactly(literalAt(args, 2, sizeAt(args, 0).max) - literalAt(args, 1, 0)))],
  ["reverse", (args) => newList(sizeAt(args, 0))],
  ["flatten", (args) => newList(sizeAt(args, 0), args.length > 1 ? literalAt(args, 1, Number.POSITIVE_INFINITY) : 1)],
  ["distinct", (args) => newList(product(sizeAt(args, 0), sizeAt(args, 0)), 2)],
  ["sort", sorting(0)],
  ["@sortByAssociatedKeys", sorting(1)],
]);

const FUNCTIONS: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ["url", transforming],
  ...["cidr", "ip", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"].map(
    (name) => [name, through(0)] as const,
  ),
  ["ip.isCanonical", through(0, 2 * CHARACTER)],
  [
    "strings.quote",
    (args) => ({ ...through0(args), size: { min: sizeAt(args, 0).min + 2, max: 2 * sizeAt(args, 0).max + 2 } }),
  ],
  [
    "bytes",
    (args, { parameters }) =>
      parameters[0]?.kind === "string"
        ? { ...through0(args), size: { min: sizeAt(args, 0).min, max: 4 * sizeAt(args, 0).max } }
        : undefined,
  ],
  [
    "string",
    (args, { parameters }) =>
      parameters[0]?.kind === "bytes"
        ? { ...through0(args), size: { min: Math.floor(sizeAt(args, 0).min / 4), max: sizeAt(args, 0).max } }
        : undefined,
  ],
  ["@in", (args, { parameters }) => (parameters[1]?.kind === "list" ? { cost: sizeAt(args, 1).max } : undefined)],
  ["_+_", adding],
  ["_==_", equating],
  ["_!=_", comparing],
  ...["_<_", "_<=_", "_>_", "_>=_"].map((name) => [name, ordering] as const),
  ["lists.range", (args) => newList(exactly(literalAt(args, 0, Number.POSITIVE_INFINITY)))],
  ["sets.contains", sets(1)],
  ["sets.intersects", sets(1)],
  ["sets.equivalent", sets(2)],
]);

function through0(args: readonly Argument[]): CallCost {
  return { cost: costOf(sizeAt(args, 0), CHARACTER) };
}
