// How does a program declare a function for expressions?
//
// The implementation takes and returns plain JavaScript. Whatever it does instead of returning a value of the declared type
// becomes an error of the expression that names the function.
import type { CallEstimate, Overload, Running } from "../library.ts";
import { globalFunction, memberFunction } from "../library.ts";
import { printType, type Type } from "../type.ts";
import { describeValue } from "../value/describe.ts";
import { type Border, fromJS } from "../value/from-js.ts";
import { type Exit, type JsOptions, type NumberKind, out } from "../value/to-js.ts";
import { CelError, type Result, reasonOf, type Value } from "../value/value.ts";
import { describeForeign, silence } from "./foreign.ts";
import { readSignature, type WrittenSignature } from "./type-text.ts";

/** What a function does: it gets plain JavaScript of the declared types and returns such a value. */
// biome-ignore lint/suspicious/noExplicitAny: the signature, a text, says which types the parameters have
export type Implementation = (...args: any[]) => unknown;

/** Details of a function; all of them have defaults. */
export interface FunctionOptions extends JsOptions {
  /** What a call costs, or how that follows from the arguments. Default: 1. */
  // biome-ignore lint/suspicious/noExplicitAny: the same arguments as those of the implementation
  readonly cost?: number | ((...args: any[]) => number);
  /** What a call can cost, and how large its result can be, before it runs. Default: the cost if it is a number, else unbounded. */
  readonly estimate?: NonNullable<Overload["estimate"]>;
}

/** A function of a program, for the option `functions` of an environment. */
export class CelFunction {
  /** As it was written. */
  readonly signature: string;
  constructor(signature: string) {
    this.signature = signature;
  }
}

/** What a function consists of; a type that is no type of CEL is known by its name only. */
export interface Declaration {
  readonly written: WrittenSignature;
  readonly implementation: Implementation;
  readonly options: FunctionOptions;
}

const declarations = new WeakMap<CelFunction, Declaration>();

/** What was declared by `celFunction`; undefined for anything else. */
export function declarationOf(declared: CelFunction): Declaration | undefined {
  return declarations.get(declared);
}

/**
 * Declares a function by its signature: `shout(string, int): string`, on a value `string.shout(int): string`, in a
 * namespace `net.host(string): string`, with type parameters `list(T).second(): optional_type(T)`. Throws a TypeError if the
 * signature is malformed or the implementation cannot work.
 */
export function celFunction(
  signature: string,
  implementation: Implementation,
  options: FunctionOptions = {},
): CelFunction {
  const written = readSignature(signature);
  const fail = (why: string): never => {
    throw new TypeError(`${written.text}: ${why}`);
  };
  if (typeof implementation !== "function") fail("it needs an implementation, a function");
  if (Object.prototype.toString.call(implementation) === "[object AsyncFunction]")
    fail("its implementation is async; functions are called synchronously");
  const { length: count } = written.parameters;
  if (implementation.length > count)
    fail(`its implementation has ${implementation.length} parameters, the signature ${count}`);
  checkOptions(options, fail);
  const declared = new CelFunction(written.text);
  declarations.set(declared, { written, implementation, options });
  return declared;
}

function checkOptions(options: FunctionOptions, fail: (why: string) => never): void {
  const { ints, timestamps, cost, estimate, ...others } = options;
  for (const name of Object.keys(others)) fail(`there is no option ${name}`);
  if (ints !== undefined && ints !== "bigint") fail('ints must be "bigint"');
  if (timestamps !== undefined && timestamps !== "timestamp") fail('timestamps must be "timestamp"');
  if (cost !== undefined && typeof cost !== "function" && !(Number.isFinite(cost) && cost >= 0))
    fail("cost must be a number that is not negative, or a function");
  if (estimate !== undefined && typeof estimate !== "function") fail("estimate must be a function");
}

/** The overload for a function, with its types as the environment knows them. */
export function overloadOf(
  { written, implementation, options }: Declaration,
  types: { readonly parameters: readonly Type[]; readonly result: Type },
  border: Border,
): Overload {
  const { name, member, text } = written;
  const { parameters, result } = types;
  const { cost, estimate } = options;
  const given = (args: readonly Value[], running: Running, met?: Met): unknown[] => {
    const exit = exitOf(name, options, running, met);
    return parameters.map((type, index) => out(args[index] as Value, type, exit));
  };
  const declare = member ? memberFunction : globalFunction;
  const details = {
    ...(cost !== undefined && { cost: typeof cost === "number" ? () => cost : costOf(name, cost, given) }),
    ...(estimate !== undefined && { estimate: guardedEstimate(estimate) }),
    ...(typeof cost === "number" && estimate === undefined && { estimate: () => ({ cost: { min: cost, max: cost } }) }),
  };
  const call = (...args: unknown[]): Result => {
    const running = args.pop() as Running;
    const met: Met = new Map();
    try {
      const returned = called(name, implementation, given(args as Value[], running, met));
      // The place of an error of another evaluation is none in this expression.
      if (returned instanceof CelError) return new CelError(() => returned.message, undefined, returned.cause);
      return taken(returned, { name, text, result, border, running, met });
    } catch (thrown) {
      if (thrown instanceof Misfit) return new CelError(thrown.message);
      throw thrown;
    }
  };
  return declare(name, signatureId(member, name, parameters), parameters, result, call, details);
}

/** The id of an overload: how it is called. */
export function signatureId(member: boolean, name: string, parameters: readonly Type[]): string {
  const types = parameters.map(printType);
  return member ? `${types[0]}.${name}(${types.slice(1).join(", ")})` : `${name}(${types.join(", ")})`;
}

/** The kinds of numbers that the arguments had, for each type parameter. */
type Met = Map<string, Set<NumberKind>>;

/** Thrown where a value does not have the type that it should have. */
class Misfit extends Error {}

/** What the implementation returned, or the error that it threw. */
function called(name: string, implementation: Implementation, args: readonly unknown[]): unknown {
  try {
    return implementation(...args);
  } catch (thrown) {
    return new CelError(`${name}() failed: ${reasonOf(thrown)}`, undefined, thrown);
  }
}

interface Return {
  readonly name: string;
  readonly text: string;
  readonly result: Type;
  readonly border: Border;
  readonly running: Running;
  readonly met: Met;
}

/** The value of CEL that was returned. */
function taken(returned: unknown, { name, text, result, border, running, met }: Return): Result {
  const refuse = (what: unknown, wanted: Type): never => {
    silence(returned);
    throw new Misfit(`${name}() returned ${describeForeign(what, wanted)}; its signature is ${text}`);
  };
  try {
    return fromJS(returned, result, {
      ...border,
      refuse,
      work: (units) => running.work(units),
      numbersOf: (parameter) => onlyOne(met.get(parameter)),
    });
  } catch (thrown) {
    if (thrown instanceof Misfit || thrown instanceof CelError) throw thrown;
    throw new Misfit(`${name}() returned something that cannot be read: ${reasonOf(thrown)}`);
  }
}

/** The kind that all numbers had; undefined if there were several, or none. */
function onlyOne(kinds: ReadonlySet<NumberKind> | undefined): NumberKind | undefined {
  return kinds?.size === 1 ? [...kinds][0] : undefined;
}

function exitOf(name: string, options: FunctionOptions, running: Running, met?: Met): Exit {
  return {
    ...options,
    note: (parameter, kind) => met?.set(parameter, (met.get(parameter) ?? new Set()).add(kind)),
    work: (units) => running.work(units),
    inexact: (value) => {
      const [what, type, option] =
        typeof value === "bigint"
          ? [`the int ${value}`, "number", '{ ints: "bigint" }']
          : [`the timestamp ${value}`, "Date", '{ timestamps: "timestamp" }'];
      throw new Misfit(`${name}() cannot take ${what}, which a ${type} cannot hold exactly: declare it with ${option}`);
    },
    refuse: (value, wanted) => {
      throw new Misfit(`${name}() cannot take ${describeValue(value)}: its signature says ${printType(wanted)}`);
    },
  };
}

/** An invalid cost stops the evaluation; a negative one counts as 0. */
function costOf(
  name: string,
  cost: (...args: unknown[]) => number,
  given: (args: readonly Value[], running: Running) => unknown[],
): NonNullable<Overload["cost"]> {
  return (args, running) => {
    let charged: unknown;
    try {
      // Errors among the arguments are charged like a call that costs 1.
      if (args.some((arg) => (arg as Result) instanceof CelError)) return 1;
      charged = cost(...given(args, running));
    } catch (thrown) {
      if (thrown instanceof Misfit) return 1;
      throw thrown instanceof CelError ? thrown : new CelError(`the cost of ${name}() failed: ${reasonOf(thrown)}`);
    }
    if (typeof charged === "number" && !Number.isNaN(charged)) return Math.max(charged, 0);
    silence(charged);
    throw new CelError(`the cost of ${name}() is not a number`);
  };
}

const UNBOUNDED: CallEstimate = { cost: { min: 0, max: Number.POSITIVE_INFINITY } };

/** An estimate that throws or is invalid counts as unbounded. */
function guardedEstimate(estimate: NonNullable<Overload["estimate"]>): NonNullable<Overload["estimate"]> {
  return (args) => {
    try {
      const estimated = estimate(args);
      const { cost, size } = estimated;
      return isRange(cost) && (size === undefined || isRange(size)) ? estimated : UNBOUNDED;
    } catch {
      return UNBOUNDED;
    }
  };
}

function isRange(range: { readonly min: number; readonly max: number }): boolean {
  return range.min >= 0 && range.max >= range.min;
}
