// What can a rule cost at most, before it is known what it runs on?
//
// The API server refuses a definition by this number, so it is computed as cel-go v0.26.0 does: over the loops that macros
// stand for, and with the sizes that the schema allows. Habits that look odd are kept: a value without a way to it from `self`
// is looked for in `self` all the same, a call of which no overload is known is free, and ways may share memory (way.ts).

import { type Call, type Fold, isBinary, type Node, operatorChain, type Select } from "../../../cel/ast.ts";
import { type Checked, type FunctionReference, typeOfNode } from "../../../cel/check/checked.ts";
import { optionalContent, type Type } from "../../../cel/type.ts";
import { Bytes } from "../../../cel/value/boxes.ts";
import { codePointCount } from "../../../cel/value/text.ts";
import type { Declared } from "../declared.ts";
import { type Argument, callCost } from "./call-cost.ts";
import { type EntrySize, either, eitherEntry, exactly, type Size, times, UNKNOWN } from "./size.ts";
import { further, NO_WAY, type Way, wayTo } from "./way.ts";

/** What the rule costs at most; infinite where nothing bounds it. */
export function estimateCost(checked: Checked, self: Declared): number {
  return new Estimator(checked, self).cost(checked.root).cost;
}

/** What is known of a part. */
interface Part {
  readonly cost: number;
  /** How large it is: found out when it is first asked for, and then kept. */
  readonly size: () => Size | undefined;
  readonly entry?: EntrySize | undefined;
  readonly way: Way;
}

/** What is known of a macro variable. */
interface Local {
  readonly size: Size | undefined;
  readonly entry?: EntrySize | undefined;
  readonly way: Way;
}

const LIST_COST = 10;
const MAP_COST = 30;
const MESSAGE_COST = 40;

class Estimator {
  readonly #checked: Checked;
  readonly #self: Declared;
  /** By the places of the variables. */
  readonly #locals: Local[] = [];

  constructor(checked: Checked, self: Declared) {
    this.#checked = checked;
    this.#self = self;
  }

  cost(node: Node): Part {
    switch (node.kind) {
      case "literal":
        return sized(0, literalSize(node.value));
      case "identifier":
        return this.#name(node, node.name);
      case "select":
        return this.#select(node);
      case "call":
        return isBinary(node) ? this.#chain(node) : this.#call(node);
      case "list": {
        const parts = node.elements.map(({ value }) => this.#measured(value));
        const entry: EntrySize = { container: "list", key: exactly(1), value: joined(parts) };
        return sized(LIST_COST + total(parts), exactly(parts.length), entry);
      }
      case "map": {
        const parts = node.entries.map(({ key, value }) => [this.#measured(key), this.#measured(value)] as const);
        const keys = parts.map(([key]) => key);
        const values = parts.map(([, value]) => value);
        const entry: EntrySize = { container: "map", key: joined(keys), value: joined(values) };
        return sized(MAP_COST + total(keys) + total(values), exactly(keys.length), entry);
      }
      case "message":
        return this.#part(node, MESSAGE_COST + total(node.fields.map(({ value }) => this.cost(value))));
      case "fold":
        return this.#fold(node);
      case "bind": {
        const value = this.#measured(node.value);
        this.#locals[this.#checked.slots.get(node) as number] = { ...value, size: value.size() };
        const body = this.#measured(node.body);
        return { ...body, cost: LIST_COST + value.cost + body.cost, way: NO_WAY };
      }
      case "optional-map":
        return this.#optionalMap(node);
    }
  }

  /** A part whose size is found out at once. */
  #measured(node: Node): Part {
    const part = this.cost(node);
    part.size();
    return part;
  }

  /** A part whose size is known by the way to it, by its type, or as that of a variable. */
  #part(node: Node, cost: number, way: Way = NO_WAY, local?: Local): Part {
    let known: Size | undefined;
    const size = (): Size | undefined => {
      known ??= this.#sizeAt(way) ?? sizeOfType(this.#type(node)) ?? local?.size;
      return known;
    };
    return { cost, size, entry: local?.entry, way };
  }

  /** The size of what is at the end of a way; its first step is not looked at. */
  #sizeAt({ steps, length }: Way): Size | undefined {
    if (length === 0) return undefined;
    let declared: Declared | undefined = this.#self;
    for (let index = 1; index < length && declared !== undefined; index++) {
      const step = steps[index] as string;
      declared =
        step === "@items" || step === "@values"
          ? declared.elements
          : step === "@keys"
            ? declared.keys
            : declared.fields?.get(step);
    }
    return declared === undefined ? undefined : { min: 0, max: declared.most };
  }

  #type(node: Node): Type {
    return typeOfNode(this.#checked, node);
  }

  #name(node: Node, name: string): Part {
    const reference = this.#checked.references.get(node);
    const local = reference?.kind === "local" ? this.#locals[reference.slot] : undefined;
    return this.#part(node, 1, local?.way ?? wayTo(name), local);
  }

  #select(node: Select): Part {
    // A name with dots that is declared as a whole: `google.protobuf.Timestamp`.
    if (this.#checked.references.get(node)?.kind === "constant") return this.#name(node, node.field);
    const operand = this.cost(node.operand);
    if (node.test) return this.#part(node, operand.cost);
    if (node.optional) return this.#part(node, operand.cost + 1);
    const { kind } = this.#type(node.operand);
    const isCharged = kind === "map" || kind === "object" || kind === "parameter";
    return this.#part(node, operand.cost + (isCharged ? 1 : 0), further(operand.way, node.field));
  }

  /** Long chains of operators are gone through from the inside, in a loop. */
  #chain(node: Call): Part {
    const chain = operatorChain(node);
    let left = this.#measured((chain[0] as Call).args[0] as Node);
    for (const link of chain) left = this.#applied(link, [left, this.#measured(link.args[1] as Node)]);
    return left;
  }

  #call(node: Call): Part {
    const { args } = this.#checked.references.get(node) as FunctionReference;
    // What a function is called on is looked at last.
    const isMember = args.length > node.args.length;
    const given = (isMember ? args.slice(1) : args).map((arg) => this.#measured(arg));
    const parts = isMember ? [this.#measured(args[0] as Node), ...given] : given;
    switch (node.name) {
      case "_&&_":
      case "_||_":
        return this.#part(node, total(parts));
      case "_?_:_": {
        const [condition, yes, no] = parts as [Part, Part, Part];
        const size = either(yes.size() ?? UNKNOWN, no.size() ?? UNKNOWN);
        return sized(condition.cost + Math.max(yes.cost, no.cost), size, eitherEntry(yes.entry, no.entry));
      }
      case "dyn": {
        const [value] = parts as [Part];
        return { ...value, cost: value.cost + 1, way: NO_WAY };
      }
      default:
        return this.#applied(node, parts);
    }
  }

  /** A function on its arguments. */
  #applied(node: Call, parts: readonly Part[]): Part {
    const { overloads, args } = this.#checked.references.get(node) as FunctionReference;
    if (overloads.length === 0) return this.#part(node, 0);
    const given = args.map((arg, index) => this.#argument(arg, parts[index] as Part));
    const calls = overloads.map((overload) => callCost({ overload, args: given }));
    const cost = total(parts) + calls.reduce((most, call) => Math.max(most, call.cost), 0);
    const [first, second] = parts;
    if (node.name === "_[_]") {
      const isList = overloads.at(-1)?.parameters[0]?.kind === "list";
      const element = this.#part(node, cost, further((first as Part).way, isList ? "@items" : "@values"));
      const size = first?.entry?.value ?? element.size();
      return { ...element, size: () => size };
    }
    const entry = node.name === "_+_" ? eitherEntry(first?.entry, second?.entry) : undefined;
    const sizes = calls.flatMap(({ size }) => (size === undefined ? [] : [size]));
    if (sizes.length > 0) return sized(cost, sizes.reduce(either), entry);
    return this.#part(node, cost, NO_WAY, { size: undefined, entry, way: NO_WAY });
  }

  #argument(node: Node, part: Part): Argument {
    const type = this.#type(node);
    const element = type.kind === "list" ? type.element : type.kind === "map" ? type.key : optionalContent(type);
    const elementSize = (): Size => {
      const { steps, length } = part.way;
      const items = { steps: [...steps.slice(0, length), "@items"], length: length + 1, room: 0 };
      return (length === 0 ? undefined : this.#sizeAt(items)) ?? UNKNOWN;
    };
    return {
      node,
      type,
      size: part.size() ?? UNKNOWN,
      element: element === undefined ? undefined : { type: element, size: elementSize() },
    };
  }

  #optionalMap(node: Node & { kind: "optional-map" }): Part {
    const target = this.#measured(node.target);
    const content = optionalContent(this.#type(node.target));
    const size = content === undefined ? undefined : sizeOfType(content);
    this.#locals[this.#checked.slots.get(node) as number] = { size, way: NO_WAY };
    const body = this.#measured(node.body);
    // Is there a value? Then it is taken, bound to a name, and for optMap() put into an optional again.
    const found = target.cost + 1 + LIST_COST + body.cost + (node.flat ? 0 : 1);
    return this.#part(node, target.cost + 1 + found);
  }

  #fold(node: Fold): Part {
    const range = this.cost(node.range);
    const slot = this.#checked.slots.get(node) as number;
    const element = this.#enter(node, range, slot);
    const predicate = node.predicate === undefined ? 0 : this.#measured(node.predicate).cost;
    const transform = node.transform === undefined ? undefined : this.#measured(node.transform);
    const kept = transform === undefined ? this.#elementSize(node, element) : transform.size();
    const rounds = range.size() ?? UNKNOWN;
    const made = transform?.cost ?? 1;
    const loop = (first: number, round: number, last: number): number =>
      range.cost + first + times(rounds.max, round) + last;
    switch (node.fold) {
      case "all":
        return sized(loop(0, 3 + predicate, 1), exactly(1));
      case "exists":
        return sized(loop(0, 4 + predicate, 1), exactly(1));
      case "existsOne":
        return sized(loop(0, 2 + predicate, 2), exactly(1));
      case "transformMap":
        return sized(loop(MAP_COST, 3 + predicate + made, 1), rounds);
      case "transformMapEntry":
        return sized(loop(MAP_COST, 2 + predicate + made, 1), rounds);
      default: {
        const value = { min: 0, max: (kept ?? UNKNOWN).max };
        const entry: EntrySize = { container: "list", key: exactly(1), value };
        return sized(loop(LIST_COST, 2 + LIST_COST + predicate + made, 1), rounds, entry);
      }
    }
  }

  /** Makes the variables of a fold known; what is returned is known of the elements of a list, or the keys of a map. */
  #enter(node: Fold, range: Part, slot: number): Local {
    const isList = (range.entry?.container ?? this.#type(node.range).kind) === "list";
    const value = (): Local => ({ size: range.entry?.value, way: further(range.way, isList ? "@items" : "@values") });
    const key = (): Local => ({ size: range.entry?.key, way: further(range.way, isList ? "@indices" : "@keys") });
    const first = node.second === undefined && isList ? value() : key();
    this.#locals[slot] = first;
    if (node.second !== undefined) this.#locals[slot + 1] = value();
    return first;
  }

  /** The size of what filter() keeps. */
  #elementSize(node: Fold, { size, way }: Local): Size | undefined {
    const type = this.#type(node);
    const byType = type.kind === "list" ? sizeOfType(type.element) : undefined;
    return this.#sizeAt(way) ?? byType ?? size;
  }
}

/** A part of a size that is known. */
function sized(cost: number, size: Size, entry?: EntrySize): Part {
  return { cost, size: () => size, entry, way: NO_WAY };
}

function total(parts: readonly Part[]): number {
  return parts.reduce((cost, part) => cost + part.cost, 0);
}

/** The size of whichever of the parts it is. */
function joined(parts: readonly Part[]): Size {
  const [first, ...rest] = parts.map(({ size }) => size() ?? UNKNOWN);
  return first === undefined ? exactly(0) : rest.reduce(either, first);
}

function literalSize(value: unknown): Size {
  if (typeof value === "string") return exactly(codePointCount(value));
  return exactly(value instanceof Bytes ? value.value.length : 1);
}

function sizeOfType(type: Type): Size | undefined {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "timestamp":
    case "duration":
      return exactly(1);
    default: {
      const content = optionalContent(type);
      return content === undefined ? undefined : sizeOfType(content);
    }
  }
}
