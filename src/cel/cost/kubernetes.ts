// What do calls cost in Kubernetes, and what does its API server estimate?
//
// One table by the names of functions, as Kubernetes decides (apiserver v0.36.3, library/cost.go, with cel-go v0.26.0,
// ext/lists.go and ext/sets.go). The estimates decide which rules a definition may have, so odd figures are kept, too.
import type { FunctionReference } from "../check/checked.ts";
import type { Costs } from "../environment.ts";
import type { NamedFormat } from "../library/kubernetes/format.ts";
import type { ArgumentEstimate, CallEstimate, Overload, ResultCost } from "../library.ts";
import { optionalContent, type Type } from "../type.ts";
import type { Value } from "../value/value.ts";
import {
  exactly,
  largest,
  literalInt,
  ONE,
  plus,
  product,
  type SizeEstimate,
  sizeAt,
  times,
  traversal,
  UNKNOWN,
} from "./range.ts";
import { LIST_COST, matchCost, sizeOf, traversalCost, treeCost } from "./size.ts";

/** What Kubernetes says of a function. */
interface Row {
  /** The cost of a call; as in cel-go if absent. */
  readonly cost?: ResultCost;
  /** The estimate of the API server; 1, and nothing about the size of the result, if absent. */
  readonly estimate?: Estimate;
}

type Estimate = (args: readonly ArgumentEstimate[], overload: Overload) => CallEstimate | undefined;

/** The table, made when Kubernetes' costs are first asked for. */
let known: ReadonlyMap<string, Row> | undefined;

function rowOf(overload: Overload | undefined): Row | undefined {
  if (overload === undefined) return undefined;
  known ??= new Map(table());
  return known.get(overload.id) ?? known.get(overload.member ? `.${overload.name}` : overload.name);
}

/** The cost that Kubernetes gives a call; undefined if it is that of cel-go. */
export function kubernetesCostOf({ overloads, callable }: FunctionReference, costs: Costs): ResultCost | undefined {
  if (costs === "cel") return undefined;
  const only = overloads.length === 1 ? overloads[0] : undefined;
  // The costs of a library itself come first. The API server has an older library of strings, without costs.
  if (costs === "kubernetes" && (only?.cost ?? only?.resultCost) !== undefined) return undefined;
  return rowOf(only ?? callable[0])?.cost;
}

/** The API server's estimate for one overload of a call. */
export function apiServerEstimate(overload: Overload, args: readonly ArgumentEstimate[]): CallEstimate {
  return rowOf(overload)?.estimate?.(args, overload) ?? { cost: ONE };
}

/** As cel-go: the library has it. */
const asDeclared: Estimate = (args, { estimate }) => estimate?.(args);
const AS_DECLARED: Row = { estimate: asDeclared };

/** At most this cost. */
function most(max: number, size?: SizeEstimate): CallEstimate {
  return size === undefined ? { cost: { min: 0, max } } : { cost: { min: 0, max }, size };
}

/** Traverses the text at this position `count` times. */
function traversing(index: number, count = 1): { readonly cost: ResultCost; readonly estimate: Estimate } {
  return {
    cost: (args, _result, running) => traversalCost(count * sizeOf(args[index] as Value, running)),
    estimate: (args) => most(Math.ceil(product(largest(args, index), count * 0.1))),
  };
}

/** Traverses a text and returns one that is no longer. */
const TRANSFORMING: Row = {
  ...traversing(0),
  estimate: (args) => ({ cost: traversal(sizeAt(args, 0)), size: sizeAt(args, 0) }),
};

/** Makes a list of this size. */
function newList(size: SizeEstimate, each = 1): CallEstimate {
  return most(Math.ceil(product(size.max, each)) + 1 + LIST_COST, size);
}

function isText(type: Type | undefined): boolean {
  return type?.kind === "string" || type?.kind === "bytes";
}

function sorting(index: number): Row {
  return {
    estimate: (args, { parameters }) => {
      const keys = parameters[index];
      const size = sizeAt(args, index);
      return newList(times(size, size), keys?.kind === "list" && isText(keys.element) ? 2 + 0.1 : 2);
    },
  };
}

function elementType(type: Type | undefined): Type | undefined {
  if (type?.kind === "list") return type.element;
  return type?.kind === "map" ? type.key : type && optionalContent(type);
}

/** Looks at every element; texts are traversed. */
const TRAVERSING_LIST: Row = {
  cost: ([list], _result, running) => treeCost(list as Value, running),
  estimate: (args) => {
    const element = elementType(args[0]?.type);
    if (element === undefined) return most(traversalCost(largest(args, 0)));
    const each = isText(element) ? traversalCost((args[0]?.elementSize?.() ?? UNKNOWN).max) : 0;
    return most(product(largest(args, 0), 1 + each));
  },
};

const replacing: Estimate = (args) => {
  const [text, part, other] = [sizeAt(args, 0), sizeAt(args, 1), sizeAt(args, 2)];
  const [count, kept] = replacements(text.max, part.min, other.max <= part.min);
  const [least, keptAtLeast] = replacements(text.min, part.max, part.max <= other.min);
  const size = plus(times({ min: least, max: count }, other), { min: keptAtLeast, max: kept });
  return most(Math.ceil(product(text.max, 0.2)), size);
};

/** How often a part is replaced in a text, and how much of the text stays. */
function replacements(text: number, part: number, staysWithin: boolean): readonly [number, number] {
  if (part === 0) return [text + 1, text];
  return staysWithin ? [0, text] : [text === Number.POSITIVE_INFINITY ? text : Math.ceil(text / part), 0];
}

/** A literal that is not negative, or else this. */
function literalAt(args: readonly ArgumentEstimate[], index: number, otherwise: number): number {
  const literal = literalInt(args, index);
  return literal === undefined ? otherwise : Math.max(0, literal);
}

const joining: Estimate = (args) => {
  const list = sizeAt(args, 0);
  const texts =
    elementType(args[0]?.type) === undefined ? exactly(0) : times(list, args[0]?.elementSize?.() ?? UNKNOWN);
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = args.length > 1 ? plus(texts, times(sizeAt(args, 1), gaps)) : texts;
  return { cost: traversal(size), size };
};

const FINDING: Row = {
  cost: ([text, pattern], _result, running) => matchCost(text as Value, pattern as Value, running),
  estimate: (args) =>
    most(product(traversalCost(largest(args, 0) + 1), Math.ceil(product(largest(args, 1), 0.25))), {
      min: 0,
      max: largest(args, 0),
    }),
};

/** Compares the bytes of the network, twice for an address and once more for a range; a text is read first. */
function containing(what: "ip" | "cidr", isRead: boolean): Row {
  return {
    cost: ([range, other], _result, running) => {
      const bytes = sizeOf(range as Value, running);
      const compared = traversalCost(2 * bytes) + (what === "ip" ? 0 : traversalCost(bytes) + 1);
      return compared + (isRead ? traversalCost(sizeOf(other as Value, running)) : 0);
    },
    estimate: (args) => most((what === "ip" ? 4 : 7) + (isRead ? traversalCost(largest(args, 1)) : 0)),
  };
}

/** Types with a fixed estimate for `==`. */
const EQUALITY_OF_TYPES: ReadonlyMap<string, number> = new Map([
  ["kubernetes.Quantity", 1],
  ["kubernetes.Semver", 1],
  ["net.IP", 1],
  ["net.CIDR", 1],
  ["kubernetes.NamedFormat", 7],
]);

const equating: Estimate = (args, overload) => {
  const [left, right] = args.map(({ type }) => (type.kind === "opaque" ? type.name : undefined));
  const cost = left === undefined || left !== right ? undefined : EQUALITY_OF_TYPES.get(left);
  if (cost !== undefined) return most(cost);
  return left === right && left === "kubernetes.URL"
    ? most(traversalCost(Math.max(1, largest(args, 1))))
    : asDeclared(args, overload);
};

function rows(names: string, row: Row): readonly (readonly [string, Row])[] {
  return names.split(" ").map((name) => [name, row]);
}

/** By the name of a function, with a dot if it is called on its first parameter, or by the id of an overload. */
function table(): readonly (readonly [string, Row])[] {
  return [
    ...rows(".isSorted .sum .max .min .indexOf .lastIndexOf", TRAVERSING_LIST),
    [".includes", { cost: ([list], _result, running) => treeCost(list as Value, running) }],
    ...rows(".lowerAscii .upperAscii .substring .trim url", TRANSFORMING),
    [".charAt", { cost: () => 1 }],
    [".replace", { ...traversing(0, 2), estimate: replacing }],
    [
      ".split",
      {
        ...traversing(0, 2),
        estimate: (args) =>
          most(Math.ceil(product(largest(args, 0), 0.2)), { min: 0, max: literalAt(args, 2, largest(args, 0)) }),
      },
    ],
    [".join", { cost: (_args, result, running) => traversalCost(2 * sizeOf(result, running)), estimate: joining }],
    ...rows(".find .findAll", FINDING),
    ...rows("cidr ip isIP isCIDR quantity isQuantity semver isSemver", traversing(0)),
    ["ip.isCanonical", traversing(0, 2)],
    ["cidr_contains_ip_string", containing("ip", true)],
    ["cidr_contains_ip_ip", containing("ip", false)],
    ["cidr_contains_cidr_string", containing("cidr", true)],
    ["cidr_contains_cidr", containing("cidr", false)],
    [
      ".validate",
      {
        cost: ([format, text], _result, running) =>
          traversalCost(1 + sizeOf(text as Value, running)) *
          Math.ceil(((format as Partial<NamedFormat>).expressionLength ?? 1) * 0.25),
        estimate: (args) => most(Math.ceil(product(traversalCost(largest(args, 1)), 128 * 0.25))),
      },
    ],
    ...rows(
      ".startsWith .endsWith .contains .matches .format strings.quote bytes_to_string string_to_bytes",
      AS_DECLARED,
    ),
    ...rows("@in _+_ _!=_ _<_ _<=_ _>_ _>=_ sets.contains sets.intersects sets.equivalent", AS_DECLARED),
    ["_==_", { estimate: equating }],
    [".slice", { estimate: (args) => newList(exactly(literalAt(args, 2, largest(args, 0)) - literalAt(args, 1, 0))) }],
    ["list_reverse", { estimate: (args) => newList(sizeAt(args, 0)) }],
    [
      ".flatten",
      {
        estimate: (args) =>
          newList(sizeAt(args, 0), args.length > 1 ? literalAt(args, 1, Number.POSITIVE_INFINITY) : 1),
      },
    ],
    [".distinct", { estimate: (args) => newList(times(sizeAt(args, 0), sizeAt(args, 0)), 2) }],
    [".sort", sorting(0)],
    [".@sortByAssociatedKeys", sorting(1)],
    ["lists.range", { estimate: (args) => newList(exactly(literalAt(args, 0, Number.POSITIVE_INFINITY))) }],
  ];
}
