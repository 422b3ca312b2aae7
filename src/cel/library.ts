// What is a library: functions with their implementations, macros, names?
import type { BadPattern, Regex } from "../regex/regex.ts";
import type { SizeEstimate } from "./cost/range.ts";
import type { Macro } from "./macro.ts";
import type { Type } from "./type.ts";
import type { Worker } from "./value/equality.ts";
import type { Result, Value } from "./value/value.ts";

/** Functions, macros and names that belong together; an environment is a list of libraries. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly Overload[];
  readonly macros?: readonly Macro[];
  /** Messages that can be written as literals: `google.protobuf.Int32Value{value: 1}`. */
  readonly messages?: readonly Message[];
  /** Names with a fixed value, such as the type `kubernetes.Quantity`. */
  readonly constants?: readonly Constant[];
}

/** A name with a fixed value. */
export interface Constant {
  readonly name: string;
  readonly type: Type;
  readonly value: Value;
}

/** A message literal that evaluates to a value of the language. */
export interface Message {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Type>;
  readonly result: Type;
  /** The value for the fields that were given. */
  readonly make: (fields: ReadonlyMap<string, Value>, running: Running) => Result;
}

/** One way to call a function: the types it takes and what it does with them. */
export interface Overload {
  /** `contains`, `_+_`, `optional.of`: a qualified name for functions of a namespace. */
  readonly name: string;
  /** The name of this one overload, as in cel-go where it has one: `contains_string`. Unique in an environment. */
  readonly id: string;
  /** Is it called on its first parameter: `text.contains(part)`? */
  readonly member: boolean;
  /** The types it takes, the receiver first. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Does it compare numbers of different kinds, which the checker allows only where the environment does? */
  readonly crossType?: boolean;
  /** The only path of its first argument that it reads, where it does not read all of it. */
  readonly reads?: readonly string[];
  /** Does it run in constant time? If not, and it costs 1, the lengths of its arguments count as work. */
  readonly atOnce?: boolean;
  /** What it does. It is called only with values that fit its parameters, never with errors. */
  readonly call: Call;
  /** The cost of a call, charged before it is made; 1 when absent. Kubernetes' own costs are in `cost/kubernetes.ts`. */
  readonly cost?: (args: readonly Value[], running: Running) => number;
  /** The cost of a call that depends on the result, charged afterwards. It replaces `cost`. */
  readonly resultCost?: ResultCost;
  /** What a call can cost and how large its result can be, from the sizes of its arguments. */
  readonly estimate?: (args: readonly ArgumentEstimate[]) => CallEstimate;
  /**
   * For calls whose argument at this position is a literal: what the literal prepares once (a compiled regular
   * expression), or the mistake in it, which the checker then reports.
   */
  readonly prepare?: Prepare;
}

/** The cost of a completed call. */
export type ResultCost = (args: readonly Value[], result: Result, running: Running) => number;

/** The implementation of an overload; the last argument of every call is the evaluation that it is part of. */
// biome-ignore lint/suspicious/noExplicitAny: an implementation knows its own parameters' values better than the type of all implementations can say
export type Call = (...args: any[]) => Result;

/** What an implementation may ask of the evaluation that calls it. */
export interface Running extends Worker {
  /** What the evaluation was started with, hidden entries (whose names no expression can spell) included. */
  readonly bindings: { readonly [name: string]: unknown };
  /** The patterns that were compiled in this evaluation. */
  readonly patterns: Map<string, Regex | BadPattern>;
  /** Counts memory that a result takes, in elements or characters; stops the evaluation beyond the limit. */
  allocate(units: number): void;
}

/** Work that is done once if an argument is a literal. */
export interface Prepare {
  /** Position of the argument, the receiver being 0. */
  readonly argument: number;
  /** A call specialised for the literal, or the mistake in the literal. */
  readonly specialise: (literal: Value) => Call | { readonly mistake: string };
}

/** What is known of an argument before the expression runs. */
export interface ArgumentEstimate {
  /** Characters, bytes, elements or entries; 1 for everything else. */
  readonly size: SizeEstimate;
  readonly type: Type;
  /** Its value, when it is a literal. */
  readonly literal?: Value;
  /** The size of its elements, if it is a list. */
  readonly elementSize?: () => SizeEstimate;
}

/** What a call costs at least and at most, and how large its result is when that is known. */
export interface CallEstimate {
  readonly cost: SizeEstimate;
  readonly size?: SizeEstimate;
}

/** Overloads that are known never to throw and to return nothing but results. */
const trusted = new WeakSet<Overload>();

/** Is the overload one of this project's own? A copy is not. */
export function isTrusted(overload: Overload): boolean {
  return trusted.has(overload);
}

type Declare = (
  name: string,
  id: string,
  parameters: readonly Type[],
  result: Type,
  call: Call,
  more?: CallDetails,
) => Overload;

function declaring(member: boolean): Declare {
  return (name, id, parameters, result, call, more) => {
    const overload = { name, id, member, parameters, result, call, ...more };
    trusted.add(overload);
    return overload;
  };
}

/** A function that is called by its name: `size(x)`. */
export const globalFunction: Declare = declaring(false);

/** A function that is called on its first parameter: `x.size()`. */
export const memberFunction: Declare = declaring(true);

/** The parts of an overload that have defaults. */
export type CallDetails = Pick<
  Overload,
  "crossType" | "reads" | "atOnce" | "cost" | "resultCost" | "estimate" | "prepare"
>;
