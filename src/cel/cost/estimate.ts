// What can an expression cost, before it is known what it runs on?
//
// The maximum is never below what an evaluation is charged; it is infinite where the size of the input decides. The
// minimum supposes that no key is missing and that conditions are decided early.
import { type Call, type Fold, isBinary, type Node, operatorChain, type Select } from "../ast.ts";
import { isAttribute, isConditional, rootIsConditional } from "../check/attribute.ts";
import { type Checked, type FunctionReference, typeOfNode } from "../check/checked.ts";
import type { Environment } from "../environment.ts";
import type { CallEstimate, SizeEstimate } from "../library.ts";
import type { Type } from "../type.ts";
import { LIST_COST, MAP_COST, MESSAGE_COST } from "./creation.ts";
import { sizeOfLiteral, traversalCost } from "./size.ts";

/** What a part costs, and how large its value is. */
interface Estimate {
  readonly cost: SizeEstimate;
  readonly size: Size;
}

/** The size of a value, and of what is in it where that is known. */
interface Size extends SizeEstimate {
  readonly elements?: Size;
}

const FREE: SizeEstimate = { min: 0, max: 0 };
const ONE: SizeEstimate = { min: 1, max: 1 };
const ANY: Size = { min: 0, max: Number.POSITIVE_INFINITY };

/** At least and at most what an evaluation costs. */
export function estimateCost(checked: Checked, environment: Environment): SizeEstimate {
  return new Estimator(checked, environment).estimate(checked.root).cost;
}

function plus(...costs: readonly SizeEstimate[]): SizeEstimate {
  return { min: costs.reduce((sum, { min }) => sum + min, 0), max: costs.reduce((sum, { max }) => sum + max, 0) };
}

function exactly(cost: number): SizeEstimate {
  return { min: cost, max: cost };
}

/** Zero times anything is zero, also times infinity. */
function times(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: a.min === 0 || b.min === 0 ? 0 : a.min * b.min, max: a.max === 0 || b.max === 0 ? 0 : a.max * b.max };
}

function either(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function eitherSize(a: Size, b: Size): Size {
  const elements =
    a.elements !== undefined && b.elements !== undefined ? eitherSize(a.elements, b.elements) : undefined;
  return { ...either(a, b), ...(elements === undefined ? {} : { elements }) };
}

/** The size that a type alone tells. */
function sizeOfType(type: Type): Size {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "null":
    case "timestamp":
    case "duration":
    case "type":
      return ONE;
    default:
      return ANY;
  }
}

class Estimator {
  readonly #checked: Checked;
  readonly #environment: Environment;
  /** What is known of macro variables, by their places; a binding also costs something when it is first used. */
  readonly #locals: Size[] = [];

  constructor(checked: Checked, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  /** A part by itself. */
  estimate(node: Node): Estimate {
    if (!isAttribute(this.#checked, node)) return this.#estimate(node);
    const inner = this.#inner(node);
    return rootIsConditional(this.#checked, node) ? inner : { ...inner, cost: plus(inner.cost, ONE) };
  }

  /** A path without the charge for its root. */
  #inner(node: Node): Estimate {
    const reference = this.#checked.references.get(node);
    if (reference?.kind === "variable") return { cost: FREE, size: sizeOfType(typeOfNode(this.#checked, node)) };
    if (reference?.kind === "local") return { cost: FREE, size: this.#locals[reference.slot] ?? ANY };
    if (node.kind === "select") return this.#select(node);
    if (node.kind === "call") return isConditional(node) ? this.#conditional(node) : this.#index(node);
    return { cost: FREE, size: ANY };
  }

  #part(node: Node): Estimate {
    return isAttribute(this.#checked, node) ? this.#inner(node) : this.estimate(node);
  }

  #select(node: Select): Estimate {
    const operand = this.#part(node.operand);
    const cost = plus(operand.cost, node.optional ? { min: 0, max: 1 } : ONE);
    return { cost, size: node.test ? ONE : (operand.size.elements ?? this.#sizeByType(node)) };
  }

  #index(node: Call): Estimate {
    const operand = this.#part(node.args[0] as Node);
    const key = this.#part(node.args[1] as Node);
    const cost = plus(operand.cost, key.cost, node.name === "_[?_]" ? { min: 0, max: 1 } : ONE);
    return { cost, size: operand.size.elements ?? this.#sizeByType(node) };
  }

  #sizeByType(node: Node): Size {
    return sizeOfType(typeOfNode(this.#checked, node));
  }

  #conditional(node: Call): Estimate {
    const [condition, yes, no] = node.args as [Node, Node, Node];
    const [a, b] = [this.#part(yes), this.#part(no)];
    return { cost: plus(this.estimate(condition).cost, either(a.cost, b.cost)), size: eitherSize(a.size, b.size) };
  }

  #estimate(node: Node): Estimate {
    switch (node.kind) {
      case "literal":
        return { cost: FREE, size: exactly(sizeOfLiteral(node.value)) };
      case "call":
        return isBinary(node) ? this.#chain(node) : this.#call(node);
      case "list": {
        const elements = node.elements.map(({ value }) => this.estimate(value));
        const sure = node.elements.filter(({ optional }) => !optional).length;
        const size = { min: sure, max: node.elements.length };
        return {
          cost: plus(...elements.map(({ cost }) => cost), exactly(LIST_COST)),
          size: { ...size, ...this.#joined(elements) },
        };
      }
      case "map": {
        const values = node.entries.map(({ value }) => this.estimate(value));
        const keys = node.entries.map(({ key }) => this.estimate(key).cost);
        const size = { min: Math.min(1, node.entries.length), max: node.entries.length };
        return {
          cost: plus(...keys, ...values.map(({ cost }) => cost), exactly(MAP_COST)),
          size: { ...size, ...this.#joined(values) },
        };
      }
      case "message":
        return {
          cost: plus(...node.fields.map(({ value }) => this.estimate(value).cost), exactly(MESSAGE_COST)),
          size: ANY,
        };
      case "fold":
        return this.#fold(node);
      case "bind": {
        const value = this.estimate(node.value);
        this.#locals[this.#checked.slots.get(node) as number] = value.size;
        const body = this.estimate(node.body);
        return { cost: plus(exactly(LIST_COST), { min: 0, max: value.cost.max }, body.cost), size: body.size };
      }
      case "optional-map": {
        const target = this.estimate(node.target);
        this.#locals[this.#checked.slots.get(node) as number] = ANY;
        const body = this.estimate(node.body);
        const none = plus(target.cost, exactly(2));
        return { cost: { min: none.min, max: 2 * target.cost.max + LIST_COST + 3 + body.cost.max }, size: ANY };
      }
      default:
        return { cost: FREE, size: ONE };
    }
  }

  /** What the elements have in common. */
  #joined(elements: readonly Estimate[]): { readonly elements?: Size } {
    const [first, ...rest] = elements;
    return first === undefined
      ? {}
      : { elements: rest.reduce((joined, { size }) => eitherSize(joined, size), first.size) };
  }

  #chain(node: Call): Estimate {
    const [first, ...rest] = operatorChain(node) as [Call, ...Call[]];
    let left = this.#applied(first, [this.estimate(first.args[0] as Node), this.estimate(first.args[1] as Node)]);
    for (const link of rest) left = this.#applied(link, [left, this.estimate(link.args[1] as Node)]);
    return left;
  }

  #call(node: Call): Estimate {
    if (node.name === "_&&_" || node.name === "_||_") {
      const terms = node.args.map((arg) => this.estimate(arg).cost);
      return { cost: { min: terms[0]?.min ?? 0, max: plus(...terms).max }, size: ONE };
    }
    const reference = this.#checked.references.get(node) as FunctionReference;
    const args = reference.args.map((arg) => this.estimate(arg));
    if ((node.name === "or" || node.name === "orValue") && args.length === 2) {
      const [left, right] = args as [Estimate, Estimate];
      return { cost: { min: left.cost.min, max: left.cost.max + right.cost.max }, size: ANY };
    }
    return this.#applied(node, args);
  }

  /** A function on its arguments. */
  #applied(node: Call, args: readonly Estimate[]): Estimate {
    const reference = this.#checked.references.get(node) as FunctionReference;
    const call = this.#callEstimate(node, reference, args);
    const cost = plus(...args.map((arg) => arg.cost), call.cost);
    return { cost, size: call.size ?? this.#sizeByType(node) };
  }

  #callEstimate(node: Call, reference: FunctionReference, args: readonly Estimate[]): CallEstimate {
    const { overloads, callable } = reference;
    if (this.#environment.costs !== "cel" && callable.some((overload) => overload.kubernetesCost !== undefined))
      return { cost: ANY };
    const known = args.map(({ size }, index) => {
      const arg = reference.args[index] as Node;
      // An error in place of the argument has the size 1.
      const bounded = { ...size, max: arg.kind === "literal" ? size.max : Math.max(1, size.max) };
      return {
        size: bounded,
        type: typeOfNode(this.#checked, arg),
        ...(arg.kind === "literal" ? { literal: arg.value } : {}),
      };
    });
    if (node.name === "_==_" || node.name === "_!=_") {
      const [a, b] = known as unknown as [{ size: Size }, { size: Size }];
      return {
        cost: {
          min: traversalCost(Math.min(a.size.min, b.size.min)),
          max: traversalCost(Math.min(a.size.max, b.size.max)),
        },
      };
    }
    const [only, ...others] = overloads;
    if (only === undefined || others.length > 0) {
      const sizes = (overloads.length > 0 ? overloads : callable).map(
        (overload) => overload.estimate?.(known).size ?? sizeOfType(overload.result),
      );
      return { cost: ONE, size: sizes.reduce(either, ONE) };
    }
    if (only.estimate !== undefined) return only.estimate(known);
    return { cost: only.cost === undefined && only.resultCost === undefined ? ONE : ANY };
  }

  #fold(node: Fold): Estimate {
    const range = this.estimate(node.range);
    const slot = this.#checked.slots.get(node) as number;
    const isList = typeOfNode(this.#checked, node.range).kind === "list";
    const element = isList ? (range.size.elements ?? ANY) : ANY;
    this.#locals[slot] = node.second === undefined ? element : isList ? ONE : ANY;
    if (node.second !== undefined) this.#locals[slot + 1] = range.size.elements ?? ANY;
    const predicate = node.predicate === undefined ? FREE : this.estimate(node.predicate).cost;
    const transform = node.transform === undefined ? undefined : this.estimate(node.transform);
    const rounds = { min: range.size.min, max: range.size.max };
    const few = { min: Math.min(1, rounds.min), max: rounds.max };
    const some = { min: 0, max: rounds.max };
    const maybe = (cost: number): SizeEstimate => ({ min: node.predicate === undefined ? cost : 0, max: cost });
    const made = (transform ?? { cost: FREE, size: element }) as Estimate;
    const collected: Size = { ...(node.predicate === undefined ? rounds : some), elements: transform?.size ?? element };
    const changed = { min: node.predicate === undefined ? made.cost.min : 0, max: made.cost.max };
    switch (node.fold) {
      case "all":
        return { cost: plus(range.cost, times(few, plus(exactly(3), predicate)), ONE), size: ONE };
      case "exists":
        return { cost: plus(range.cost, times(few, plus(exactly(4), predicate)), ONE), size: ONE };
      case "existsOne":
        return { cost: plus(range.cost, times(rounds, plus(predicate, { min: 0, max: 2 })), exactly(2)), size: ONE };
      case "filter":
        return {
          cost: plus(range.cost, { min: 1, max: LIST_COST + 1 }, times(rounds, plus(predicate, maybe(LIST_COST + 3)))),
          size: collected,
        };
      case "map":
      case "transformList":
        return {
          cost: plus(
            range.cost,
            { min: 1, max: LIST_COST + 1 },
            times(rounds, plus(predicate, maybe(LIST_COST + 2), changed)),
          ),
          size: collected,
        };
      case "transformMap":
        return {
          cost: plus(range.cost, { min: 1, max: MAP_COST + 1 }, times(rounds, plus(predicate, maybe(3), changed))),
          size: collected,
        };
      case "transformMapEntry":
        return {
          cost: plus(range.cost, { min: 1, max: MAP_COST + 1 }, times(rounds, plus(predicate, maybe(2), changed))),
          size: { ...times(some, made.size) },
        };
    }
  }
}
