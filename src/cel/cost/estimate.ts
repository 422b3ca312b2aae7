// What can an expression cost, before the values are known that it runs on?
//
// One estimator for two questions. What can an evaluation be charged at most (`cel check`)? And what does cel-go's checker
// estimate, by which the API server refuses definitions? A `CostModel` has the differences; sizes come from a schema or are
// unknown.
import { type Call, type Fold, isBinary, type Node, operatorChain, type Select } from "../ast.ts";
import { isAttribute, isConditional, isIndex } from "../check/attribute.ts";
import { type Checked, type FunctionReference, typeOfNode } from "../check/checked.ts";
import type { Environment } from "../environment.ts";
import type { ArgumentEstimate } from "../library.ts";
import { optionalContent, type Type } from "../type.ts";
import { type CostModel, MODELS, sizeOfType } from "./model.ts";
import { further, NO_PATH, pathTo, type ValuePath } from "./path.ts";
import { either, exactly, FREE, ONE, plus, type SizeEstimate, times, UNKNOWN } from "./range.ts";
import { LIST_COST, MAP_COST, MESSAGE_COST, sizeOfLiteral } from "./size.ts";

/** The sizes that a schema allows for the value at a path; undefined if it does not say. */
export type SchemaSizes = (path: ValuePath) => SizeEstimate | undefined;

/**
 * At least and at most what an evaluation costs. The maximum is infinite where the size of the input decides. The minimum
 * supposes that no key is missing and that conditions are decided early.
 */
export function estimateCost(checked: Checked, environment: Environment, sizes?: SchemaSizes): SizeEstimate {
  return new Estimator(checked, MODELS[environment.costs], sizes).part(checked.root).cost;
}

/** A size, with the sizes of what is inside where they are known. */
interface Size extends SizeEstimate {
  readonly content?: Content | undefined;
}

/** The sizes inside of a list or map: of a list's indexes and elements, of a map's keys and values. */
interface Content {
  readonly container: "list" | "map";
  readonly key: Size;
  readonly value: Size;
}

/** What is known of a macro variable. */
interface Local {
  readonly size: Size | undefined;
  readonly content?: Content | undefined;
  readonly path: ValuePath;
}

/** What is known of a part of the expression. */
interface Part {
  readonly cost: SizeEstimate;
  /** Looked up when first needed, and then kept: until then the path may change (path.ts). */
  readonly size: () => SizeEstimate | undefined;
  readonly content: Content | undefined;
  readonly path: ValuePath;
}

const UP_TO_ONE: SizeEstimate = { min: 0, max: 1 };

class Estimator {
  readonly #checked: Checked;
  readonly #isBound: boolean;
  readonly #call: CostModel["call"];
  readonly #sizes: SchemaSizes | undefined;
  /** By the slots of the variables. */
  readonly #locals: Local[] = [];

  constructor(checked: Checked, { isBound, call }: CostModel, sizes: SchemaSizes | undefined) {
    this.#checked = checked;
    this.#isBound = isBound;
    this.#call = call;
    this.#sizes = sizes;
  }

  /** A part by itself, or, if it is a path, `inside` of another one that pays for its root. */
  part(node: Node, inside = false): Part {
    switch (node.kind) {
      case "literal":
        return known(FREE, exactly(sizeOfLiteral(node.value)));
      case "identifier":
        return this.#name(node, node.name, inside);
      case "select":
        return this.#select(node, inside);
      case "call":
        if (isConditional(node)) return this.#conditional(node);
        if (isIndex(node)) return this.#index(node, inside);
        return isBinary(node) ? this.#chain(node) : this.#callOf(node);
      case "list": {
        const parts = node.elements.map(({ value }) => this.#measured(value));
        const sure = this.#isBound ? node.elements.filter(({ optional }) => !optional).length : parts.length;
        const content: Content = { container: "list", key: ONE, value: this.#any(parts) };
        return known(plus(exactly(LIST_COST), total(parts)), { min: sure, max: parts.length }, content);
      }
      case "map": {
        const parts = node.entries.map(({ key, value }) => [this.#measured(key), this.#measured(value)] as const);
        const keys = parts.map(([key]) => key);
        const values = parts.map(([, value]) => value);
        const sure = this.#isBound ? Math.min(1, parts.length) : parts.length;
        const content: Content = { container: "map", key: this.#any(keys), value: this.#any(values) };
        const cost = plus(exactly(MAP_COST), plus(total(keys), total(values)));
        return known(cost, { min: sure, max: parts.length }, content);
      }
      case "message":
        return this.#unsized(
          node,
          plus(exactly(MESSAGE_COST), total(node.fields.map(({ value }) => this.part(value)))),
        );
      case "fold":
        return this.#fold(node);
      case "bind": {
        const value = this.#measured(node.value);
        this.#locals[this.#slot(node)] = { ...value, size: this.#sizeOf(value) };
        const body = this.#measured(node.body);
        // The value is computed when it is first used.
        const cost = plus(exactly(LIST_COST), plus({ min: 0, max: value.cost.max }, body.cost));
        return { ...body, cost, path: NO_PATH };
      }
      case "optional-map": {
        const target = this.#measured(node.target);
        const content = optionalContent(this.#type(node.target));
        const size = content === undefined ? undefined : this.#sizeOfType(content);
        this.#locals[this.#slot(node)] = { size, path: NO_PATH };
        const body = this.#measured(node.body);
        // hasValue(), then value() bound to a name; optMap() also puts the result into an optional.
        const max = 2 * target.cost.max + 2 + LIST_COST + body.cost.max + (node.flat ? 0 : 1);
        return this.#unsized(node, { min: target.cost.min + 2, max });
      }
    }
  }

  /** A part whose size is looked up at once. */
  #measured(node: Node, inside = false): Part {
    const part = this.part(node, inside);
    part.size();
    return part;
  }

  #slot(node: Node): number {
    return this.#checked.slots.get(node) as number;
  }

  #type(node: Node): Type {
    return typeOfNode(this.#checked, node);
  }

  /** A part whose size follows from its path, from its type, or from a variable. */
  #unsized(node: Node, cost: SizeEstimate, path: ValuePath = NO_PATH, local?: Local): Part {
    let found: SizeEstimate | undefined;
    const size = (): SizeEstimate | undefined => {
      found ??= this.#sizeAt(path) ?? this.#sizeOfType(this.#type(node)) ?? local?.size;
      return found;
    };
    return { cost, size, content: local?.content, path };
  }

  #sizeAt(path: ValuePath): SizeEstimate | undefined {
    return path.length === 0 ? undefined : this.#sizes?.(path);
  }

  /** Without a schema there is nothing to look up. */
  #further(path: ValuePath, step: string): ValuePath {
    return this.#sizes === undefined ? NO_PATH : further(path, step);
  }

  #sizeOfType(type: Type): SizeEstimate | undefined {
    return sizeOfType(type, this.#isBound);
  }

  #sizeOf(part: Part): Size {
    const size = part.size() ?? UNKNOWN;
    // cel-go's checker knows one level.
    return this.#isBound && part.content !== undefined ? { ...size, content: part.content } : size;
  }

  /** The size of any one of the parts. */
  #any(parts: readonly Part[]): Size {
    const [first, ...rest] = parts.map((part) => this.#sizeOf(part));
    if (first === undefined) return this.#isBound ? UNKNOWN : exactly(0);
    return rest.reduce(eitherSize, first);
  }

  #name(node: Node, name: string, inside: boolean): Part {
    const reference = this.#checked.references.get(node);
    if (this.#isBound && reference?.kind === "constant") return known(FREE, ONE);
    const local = reference?.kind === "local" ? this.#locals[reference.slot] : undefined;
    const path = local?.path ?? (this.#sizes === undefined ? NO_PATH : pathTo(name));
    return this.#unsized(node, this.#isBound && inside ? FREE : ONE, path, local);
  }

  #select(node: Select, inside: boolean): Part {
    // A name with dots that is declared as a whole: `google.protobuf.Timestamp`.
    const kind = this.#checked.references.get(node)?.kind;
    if (kind === "constant" || kind === "variable") return this.#name(node, node.field, inside);
    const operand = this.part(node.operand, inside);
    const cost = plus(operand.cost, plus(this.#rootCost(node.operand, inside), this.#fieldCost(node)));
    if (node.test) return this.#unsized(node, cost);
    const value = this.#isBound ? operand.content?.value : undefined;
    if (value !== undefined) return known(cost, value, value.content);
    return this.#unsized(node, cost, node.optional ? NO_PATH : this.#further(operand.path, node.field));
  }

  /** An evaluation charges a path for its root, even if that is computed. */
  #rootCost(operand: Node, inside: boolean): SizeEstimate {
    return this.#isBound && !inside && !isAttribute(this.#checked, operand) ? ONE : FREE;
  }

  #fieldCost({ test, optional, operand }: Select): SizeEstimate {
    if (this.#isBound) return optional ? UP_TO_ONE : ONE;
    if (test) return FREE;
    const { kind } = this.#type(operand);
    return optional || kind === "map" || kind === "object" || kind === "parameter" ? ONE : FREE;
  }

  #index(node: Call, inside: boolean): Part {
    const [container, index] = node.args as [Node, Node];
    const operand = this.#measured(container, inside);
    const key = this.#measured(index, true);
    const isOptional = node.name === "_[?_]";
    const step = this.#isBound && isOptional ? UP_TO_ONE : ONE;
    const cost = plus(plus(operand.cost, key.cost), plus(this.#rootCost(container, inside), step));
    const isKnown = this.#isBound || !isOptional;
    const value = isKnown ? operand.content?.value : undefined;
    const { overloads } = this.#checked.references.get(node) as FunctionReference;
    const isList = overloads.at(-1)?.parameters[0]?.kind === "list";
    const path = isOptional ? NO_PATH : this.#further(operand.path, isList ? "@items" : "@values");
    const element = this.#unsized(node, cost, path);
    const size = value ?? element.size();
    return { ...element, size: () => size, content: value?.content };
  }

  #conditional(node: Call): Part {
    const [condition, yes, no] = node.args as [Node, Node, Node];
    const decided = this.#measured(condition);
    const [a, b] = [this.#measured(yes, true), this.#measured(no, true)];
    const size = either(a.size() ?? UNKNOWN, b.size() ?? UNKNOWN);
    return known(plus(decided.cost, either(a.cost, b.cost)), size, eitherContent(a.content, b.content));
  }

  /** Long chains of operators are walked from the inside, in a loop. */
  #chain(node: Call): Part {
    const chain = operatorChain(node);
    let left = this.#measured((chain[0] as Call).args[0] as Node);
    for (const link of chain) left = this.#applied(link, [left, this.#measured(link.args[1] as Node)]);
    return left;
  }

  #callOf(node: Call): Part {
    const { args, overloads } = this.#checked.references.get(node) as FunctionReference;
    // The receiver is looked at last.
    const isMember = args.length > node.args.length;
    const given = (isMember ? args.slice(1) : args).map((arg) => this.#measured(arg));
    const parts = isMember ? [this.#measured(args[0] as Node), ...given] : given;
    const isAlternative = this.#isBound && (node.name === "or" || node.name === "orValue") && parts.length === 2;
    if (node.name === "_&&_" || node.name === "_||_" || isAlternative)
      return this.#unsized(node, { min: parts[0]?.cost.min ?? 0, max: total(parts).max });
    if (overloads[0]?.id === "to_dyn") {
      const [value] = parts as [Part];
      return { ...value, cost: plus(value.cost, ONE), path: NO_PATH };
    }
    return this.#applied(node, parts);
  }

  /** A function on its arguments. */
  #applied(node: Call, parts: readonly Part[]): Part {
    const reference = this.#checked.references.get(node) as FunctionReference;
    const call = this.#call(
      reference,
      reference.args.map((arg, index) => this.#argument(arg, parts[index] as Part)),
    );
    const cost = plus(total(parts), call.cost);
    const content = node.name === "_+_" ? eitherContent(parts[0]?.content, parts[1]?.content) : undefined;
    if (call.size !== undefined) return known(cost, call.size, content);
    return this.#unsized(node, cost, NO_PATH, { size: undefined, content, path: NO_PATH });
  }

  #argument(node: Node, part: Part): ArgumentEstimate {
    const elementSize = (): SizeEstimate => {
      const { steps, length } = part.path;
      if (length === 0) return (this.#isBound ? part.content?.value : undefined) ?? UNKNOWN;
      return this.#sizeAt({ steps: [...steps.slice(0, length), "@items"], length: length + 1, room: 0 }) ?? UNKNOWN;
    };
    const size = part.size() ?? UNKNOWN;
    const type = this.#type(node);
    return node.kind === "literal" ? { size, type, elementSize, literal: node.value } : { size, type, elementSize };
  }

  #fold(node: Fold): Part {
    const range = this.part(node.range);
    const element = this.#enter(node, range);
    const predicate = node.predicate === undefined ? FREE : this.#measured(node.predicate).cost;
    const transform = node.transform === undefined ? undefined : this.#measured(node.transform);
    const kept = transform === undefined ? this.#elementSize(node, element) : this.#sizeOf(transform);
    const rounds = range.size() ?? UNKNOWN;
    const few = { min: Math.min(1, rounds.min), max: rounds.max };
    const isAlways = node.predicate === undefined;
    const loop = (first: SizeEstimate, count: SizeEstimate, round: SizeEstimate): SizeEstimate =>
      plus(plus(range.cost, first), times(count, plus(predicate, round)));
    const collect = (container: number, each: number): SizeEstimate => {
      const made = plus(transform?.cost ?? FREE, exactly(each));
      return loop({ min: 1, max: container + 1 }, rounds, isAlways ? made : { min: 0, max: made.max });
    };
    switch (node.fold) {
      case "all":
        return known(loop(ONE, few, exactly(3)), ONE);
      case "exists":
        return known(loop(ONE, few, exactly(4)), ONE);
      case "existsOne":
        return known(loop(exactly(2), rounds, { min: 0, max: 2 }), ONE);
      case "filter":
        return this.#collected(node, collect(LIST_COST, LIST_COST + 3), rounds, kept);
      case "map":
      case "transformList":
        return this.#collected(node, collect(LIST_COST, LIST_COST + 2), rounds, kept);
      case "transformMap":
        return this.#collected(node, collect(MAP_COST, 3), rounds, kept);
      case "transformMapEntry":
        return this.#collected(node, collect(MAP_COST, 2), rounds, kept);
    }
  }

  /** Declares the variables of a fold; returns what is known of the elements of a list, or the keys of a map. */
  #enter(node: Fold, { content, path }: Part): Local {
    const isList = (content?.container ?? this.#type(node.range).kind) === "list";
    const local = (size: Size | undefined, step: string): Local => ({
      size,
      content: size?.content,
      path: this.#further(path, step),
    });
    const value = (): Local => local(content?.value, isList ? "@items" : "@values");
    const slot = this.#slot(node);
    const first = node.second === undefined && isList ? value() : local(content?.key, isList ? "@indices" : "@keys");
    this.#locals[slot] = first;
    if (node.second !== undefined) this.#locals[slot + 1] = value();
    return first;
  }

  /** The size of what filter() keeps. */
  #elementSize(node: Fold, { size, path }: Local): Size {
    const type = this.#type(node);
    const byType = type.kind === "list" ? this.#sizeOfType(type.element) : undefined;
    return this.#sizeAt(path) ?? byType ?? size ?? UNKNOWN;
  }

  /** What a macro makes of each round. */
  #collected(node: Fold, cost: SizeEstimate, rounds: SizeEstimate, kept: Size): Part {
    const isMap = node.fold === "transformMap" || node.fold === "transformMapEntry";
    if (!this.#isBound) {
      // cel-go's checker does not look at what is left out, nor into maps.
      const value = { min: 0, max: kept.max };
      return known(cost, rounds, isMap ? undefined : { container: "list", key: ONE, value });
    }
    const size = node.predicate === undefined ? rounds : { min: 0, max: rounds.max };
    // Each round gives a map of entries.
    if (node.fold === "transformMapEntry") return known(cost, times({ min: 0, max: rounds.max }, kept));
    return known(cost, size, { container: isMap ? "map" : "list", key: isMap ? UNKNOWN : ONE, value: kept });
  }
}

/** A part of a known size. */
function known(cost: SizeEstimate, size: SizeEstimate, content?: Content): Part {
  return { cost, size: () => size, content, path: NO_PATH };
}

function total(parts: readonly Part[]): SizeEstimate {
  return parts.reduce((cost, part) => plus(cost, part.cost), FREE);
}

function eitherSize(a: Size, b: Size): Size {
  const content = eitherContent(a.content, b.content);
  return content === undefined ? either(a, b) : { ...either(a, b), content };
}

/** Either of the two; unknown unless both are known and of one kind. */
function eitherContent(a: Content | undefined, b: Content | undefined): Content | undefined {
  if (a === undefined || b === undefined || a.container !== b.container) return undefined;
  return { container: a.container, key: eitherSize(a.key, b.key), value: eitherSize(a.value, b.value) };
}
