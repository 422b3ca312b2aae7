// How is a function called?
import type { Call, Node } from "../ast.ts";
import { spokenName } from "../check/check-call.ts";
import type { FunctionReference } from "../check/checked.ts";
import { kubernetesCostOf } from "../cost/kubernetes.ts";
import type { Call as Implementation, Overload, ResultCost } from "../library.ts";
import { printType, sameType, type Type } from "../type.ts";
import { typeOfValue } from "../value/type-of-value.ts";
import { Boxed, CelError, type Range, type Result, type Value } from "../value/value.ts";
import { rangeOf } from "./field.ts";
import { type Fit, fits } from "./fits.ts";
import { type Frame, SHORT, type Step } from "./frame.ts";
import { type Operand, planOperand, readOperand } from "./operand.ts";
import { failing, type Planner } from "./planner.ts";

/** The closure of a call of a function. */
export function planCall(planner: Planner, node: Call): Step {
  const reference = planner.reference(node);
  if (reference?.kind !== "function" || reference.callable.length === 0)
    return failing(`no such function: ${node.name}`, node.at);
  const operands = reference.args.map((arg) => planOperand(planner, arg));
  // cel-go evaluates up to two arguments before it looks at them, unless the types leave the overload open.
  return operands.length === 1 || (operands.length === 2 && reference.overloads.length === 1)
    ? planApplication(planner, node, reference, operands)
    : planMany(applicationOf(planner, node, reference), operands);
}

function planMany(apply: Application, operands: readonly Operand[]): Step {
  return (frame) => {
    const args: Result[] = [];
    for (let index = 0; index < operands.length; index++) {
      const value = readOperand(frame, operands[index] as Operand);
      args.push(value);
      // Otherwise it stops at the first error, and charges the call only after the last argument.
      if (value instanceof CelError && index < operands.length - 1) return value;
    }
    return apply(frame, args);
  };
}

/** The closure that applies a function to one or two operands, which are evaluated before they are looked at. */
export function planApplication(
  planner: Planner,
  node: Call,
  reference: FunctionReference,
  operands: readonly Operand[],
): Step {
  const apply = applicationOf(planner, node, reference);
  const only = reference.overloads.length === 1 ? reference.overloads[0] : undefined;
  const [first, second] = operands as [Operand, Operand | undefined];
  if (only !== undefined) {
    const direct = directCall(planner, node, reference, only, apply);
    return second === undefined ? planOne(direct, first) : planTwo(direct, first, second);
  }
  return second === undefined
    ? (frame) => apply(frame, [readOperand(frame, first)])
    : (frame) => apply(frame, [readOperand(frame, first), readOperand(frame, second)]);
}

/** Charges a call and makes it, with arguments that are evaluated. */
export type Application = (frame: Frame, args: Result[]) => Result;

/** Applies the function of a call to arguments of any type. */
export function applicationOf(planner: Planner, node: Call, reference: FunctionReference): Application {
  const pricing = pricingOf(planner, reference);
  const at = rangeOf(node);
  const invoke = invocationOf(reference, pricing === undefined || pricing.foreign === true);
  return (frame, args) => {
    const error = args.find((arg) => arg instanceof CelError);
    if (pricing === undefined) frame.charge(1);
    else if (pricing.before !== undefined) frame.charge(pricing.before(args as Value[], frame));
    const result = error ?? invoke(frame, args as Value[]);
    if (pricing?.after !== undefined) frame.charge(pricing.after(args as Value[], result, frame));
    return result instanceof CelError ? result.placed(at) : result;
  };
}

/** A call that can mean one overload only: where its arguments fit, it needs no list of them. */
interface DirectCall {
  readonly call: Implementation;
  readonly before: Pricing["before"];
  readonly after: Pricing["after"];
  /** Do the lengths of its arguments count as work? */
  readonly counted: boolean;
  readonly at: Range;
  readonly parameters: readonly Parameter[];
  /** What is done when they do not fit. */
  readonly otherwise: Application;
}

interface Parameter {
  readonly text: boolean;
  readonly fits: Fit;
}

function directCall(
  planner: Planner,
  node: Call,
  reference: FunctionReference,
  only: Overload,
  otherwise: Application,
): DirectCall {
  const pricing = pricingOf(planner, reference);
  return {
    call: prepared(only, reference.args),
    before: pricing?.before,
    after: pricing?.after,
    counted: (pricing === undefined || pricing.foreign === true) && only.atOnce !== true,
    at: rangeOf(node),
    parameters: only.parameters.map((type) => ({ text: type.kind === "string", fits: fits(type) })),
    otherwise,
  };
}

function isFitting(value: Result, parameter: Parameter, frame: Frame): value is Value {
  if (parameter.text) return typeof value === "string";
  return !(value instanceof CelError) && parameter.fits(value, frame);
}

function planOne({ call, before, after, counted, at, parameters, otherwise }: DirectCall, operand: Operand): Step {
  const [parameter] = parameters as [Parameter];
  return (frame) => {
    const value = readOperand(frame, operand);
    if (!isFitting(value, parameter, frame)) return otherwise(frame, [value]);
    if (after === undefined) frame.charge(before === undefined ? 1 : before([value], frame));
    if (counted) frame.work(workOn(value));
    const result = call(value, frame);
    if (after !== undefined) frame.charge(after([value], result, frame));
    return result instanceof CelError ? result.placed(at) : result;
  };
}

function planTwo(direct: DirectCall, left: Operand, right: Operand): Step {
  const { call, before, after, counted, at, otherwise } = direct;
  const [first, second] = direct.parameters as [Parameter, Parameter];
  return (frame) => {
    const a = readOperand(frame, left);
    const b = readOperand(frame, right);
    if (!isFitting(a, first, frame) || !isFitting(b, second, frame)) return otherwise(frame, [a, b]);
    if (after === undefined) frame.charge(before === undefined ? 1 : before([a, b], frame));
    if (counted) frame.work(workOn(a) + workOn(b));
    const result = call(a, b, frame);
    if (after !== undefined) frame.charge(after([a, b], result, frame));
    return result instanceof CelError ? result.placed(at) : result;
  };
}

/** The work of a call that costs 1: the length of an argument, unless it is short. */
function workOn(arg: Result): number {
  const length = typeof arg === "string" || Array.isArray(arg) ? arg.length : arg instanceof Boxed ? arg.weight : 0;
  return length > SHORT ? length : 0;
}

/** The cost of a call, if it is not 1: charged before the call, or after it. */
export interface Pricing {
  readonly before?: NonNullable<Overload["cost"]>;
  readonly after?: ResultCost;
  /** Is it Kubernetes' cost, which may be 0 for a call that does much work? */
  readonly foreign?: boolean;
}

/** The cost of a call; undefined if it is 1. It depends on the overload, if the static types determine one. */
export function pricingOf(planner: Planner, reference: FunctionReference): Pricing | undefined {
  const only = reference.overloads.length === 1 ? reference.overloads[0] : undefined;
  const kubernetes = kubernetesCostOf(reference, planner.environment.costs);
  if (kubernetes !== undefined) return { after: kubernetes, foreign: true };
  if (only?.resultCost !== undefined) return { after: only.resultCost };
  return only?.cost === undefined ? undefined : { before: only.cost };
}

/**
 * Calls the overload that the arguments fit. Their types are checked at run time in any case: a variable may be bound to a
 * value of another type than declared, and the content of an optional dyn may have any type.
 */
function invocationOf(reference: FunctionReference, costsOne: boolean): (frame: Frame, args: Value[]) => Result {
  // Most calls never need them.
  let candidates: readonly Candidate[] | undefined;
  return (frame, args) => {
    candidates ??= candidatesOf(reference, costsOne);
    for (const { call, counted, tests } of candidates) {
      if (!tests.every((test, index) => test(args[index] as Value, frame))) continue;
      if (counted) for (const arg of args) frame.work(workOn(arg));
      return call(...args, frame);
    }
    const given = args.map((arg) => printType(typeOfValue(arg))).join(", ");
    return new CelError(`no such overload: ${spokenName(reference.name)}(${given})`);
  };
}

/** An overload that a call may mean. */
interface Candidate {
  readonly call: Implementation;
  readonly counted: boolean;
  readonly tests: readonly Fit[];
}

function candidatesOf(reference: FunctionReference, costsOne: boolean): readonly Candidate[] {
  const overloads = [...new Set([...reference.overloads, ...reference.callable])];
  // A list of other elements than declared is still a list; the implementation says what is wrong with them.
  return [true, false].flatMap((inside) =>
    overloads.map((overload) => ({
      call: prepared(overload, reference.args),
      counted: costsOne && overload.atOnce !== true,
      tests: overload.parameters.map((parameter) => fits(parameter, inside)),
    })),
  );
}

/** The implementation, specialised for a literal argument where that is possible. */
function prepared(overload: Overload, args: readonly Node[]): Implementation {
  const { prepare } = overload;
  const literal = prepare === undefined ? undefined : args[prepare.argument];
  if (prepare === undefined || literal?.kind !== "literal") return overload.call;
  const wanted = overload.parameters[prepare.argument] as Type;
  if (wanted.kind !== "dyn" && !sameType(wanted, typeOfValue(literal.value))) return overload.call;
  const specialised = prepare.specialise(literal.value);
  if (typeof specialised === "function") return specialised;
  const error = new CelError(specialised.mistake, rangeOf(literal));
  return () => error;
}
