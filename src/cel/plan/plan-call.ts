// How is a function called?
import type { Call, Node } from "../ast.ts";
import { spokenName } from "../check/check-call.ts";
import type { FunctionReference } from "../check/checked.ts";
import type { Call as Implementation, Overload } from "../library.ts";
import { printType, type Type } from "../type.ts";
import { typeOfValue } from "../value/type-of-value.ts";
import { CelError, type Range, type Result, type Value } from "../value/value.ts";
import { failing, located } from "./error.ts";
import { fits, surelyFits } from "./fits.ts";
import type { Frame, Step } from "./frame.ts";
import type { Planner } from "./planner.ts";

/** The closure of a call of a function. */
export function planCall(planner: Planner, node: Call): Step {
  const reference = planner.reference(node);
  if (reference?.kind !== "function" || reference.callable.length === 0)
    return failing(`no such function: ${node.name}`, node.at);
  const steps = reference.args.map((arg) => planner.plan(arg));
  const [first, second] = steps as [Step, Step];
  const application = applicationOf(planner, node, reference);
  // cel-go evaluates up to two arguments before it looks at them, unless the types leave the overload open.
  const decided = reference.overloads.length === 1;
  if (steps.length === 1) return (frame) => application.one(frame, first(frame));
  if (steps.length === 2 && decided) return (frame) => application.two(frame, first(frame), second(frame));
  return (frame) => {
    const args: Result[] = [];
    for (let index = 0; index < steps.length; index++) {
      const value = (steps[index] as Step)(frame);
      args.push(value);
      // Otherwise it stops at the first error, and charges the call only after the last argument.
      if (value instanceof CelError && index < steps.length - 1) return value;
    }
    return application.many(frame, args);
  };
}

/** Charges a call and makes it, with arguments that are evaluated. */
export interface Application {
  readonly one: (frame: Frame, arg: Result) => Result;
  readonly two: (frame: Frame, left: Result, right: Result) => Result;
  readonly many: (frame: Frame, args: Result[]) => Result;
}

/** How the function of a call is applied. */
export function applicationOf(planner: Planner, node: Call, reference: FunctionReference): Application {
  const only = reference.overloads.length === 1 ? reference.overloads[0] : undefined;
  const pricing = pricingOf(planner, reference);
  const at = { start: node.start, end: node.end };
  const invoke = invocationOf(planner, reference);
  const many = (frame: Frame, args: Result[]): Result => {
    const error = args.find((arg) => arg instanceof CelError);
    frame.charge(pricing?.before === undefined ? (pricing === undefined ? 1 : 0) : pricing.before(args as Value[]));
    const result = error ?? invoke(frame, args as Value[]);
    if (pricing?.after !== undefined) frame.charge(pricing.after(args as Value[], result));
    return result instanceof CelError ? located(result, at) : result;
  };
  const general: Application = {
    one: (frame, arg) => many(frame, [arg]),
    two: (frame, left, right) => many(frame, [left, right]),
    many,
  };
  return only === undefined || pricing?.after !== undefined
    ? general
    : direct(only, reference.args, pricing?.before, at, general);
}

/** The same for a call that can mean one overload only: without lists of arguments, where they fit. */
function direct(
  only: Overload,
  args: readonly Node[],
  price: ((args: readonly Value[]) => number) | undefined,
  at: Range,
  general: Application,
): Application {
  const call = prepared(only, args);
  const [fitsFirst, fitsSecond] = only.parameters.map((parameter) => fits(parameter)) as [
    (value: Value) => boolean,
    (value: Value) => boolean,
  ];
  return {
    one: (frame, arg) => {
      if (arg instanceof CelError || !fitsFirst(arg)) return general.one(frame, arg);
      frame.charge(price === undefined ? 1 : price([arg]));
      const result = call(arg, frame);
      return result instanceof CelError ? located(result, at) : result;
    },
    two: (frame, left, right) => {
      if (left instanceof CelError || right instanceof CelError || !fitsFirst(left) || !fitsSecond(right))
        return general.two(frame, left, right);
      frame.charge(price === undefined ? 1 : price([left, right]));
      const result = call(left, right, frame);
      return result instanceof CelError ? located(result, at) : result;
    },
    many: general.many,
  };
}

/** What a call costs, when that is not 1: known before it is made, or after. */
export interface Pricing {
  readonly before?: (args: readonly Value[]) => number;
  readonly after?: (args: readonly Value[], result: Result) => number;
}

/** The price of a call; undefined when it costs 1. It depends on the overload that the static types leave, if they leave one. */
export function pricingOf(planner: Planner, reference: FunctionReference): Pricing | undefined {
  const only = reference.overloads.length === 1 ? reference.overloads[0] : undefined;
  if (planner.environment.costs === "kubernetes") {
    // Kubernetes judges by the function's name alone.
    const kubernetes = (only ?? reference.callable.find((overload) => overload.kubernetesCost !== undefined))
      ?.kubernetesCost;
    if (kubernetes !== undefined) return { after: kubernetes };
  }
  if (only?.resultCost !== undefined) return { after: only.resultCost };
  return only?.cost === undefined ? undefined : { before: only.cost };
}

/** Calls the overload that the arguments fit. */
function invocationOf(planner: Planner, reference: FunctionReference): (frame: Frame, args: Value[]) => Result {
  const types = reference.args.map((arg) => planner.type(arg));
  const only = reference.overloads.length === 1 ? reference.overloads[0] : undefined;
  if (only?.parameters.every((parameter: Type, index: number) => surelyFits(types[index], parameter))) {
    const call = prepared(only, reference.args);
    return (frame, args) => call(...args, frame);
  }
  const candidates = [...new Set([...reference.overloads, ...reference.callable])].map((overload) => ({
    call: prepared(overload, reference.args),
    tests: overload.parameters.map((parameter) => fits(parameter)),
    outside: overload.parameters.map((parameter) => fits(parameter, false)),
  }));
  return (frame, args) => {
    for (const { call, tests } of candidates) {
      if (tests.every((test, index) => test(args[index] as Value))) return call(...args, frame);
    }
    // A list of other elements than declared is still a list; the implementation says what is wrong with them.
    for (const { call, outside } of candidates) {
      if (outside.every((test, index) => test(args[index] as Value))) return call(...args, frame);
    }
    const given = args.map((arg) => printType(typeOfValue(arg))).join(", ");
    return new CelError(`no such overload: ${spokenName(reference.name)}(${given})`);
  };
}

/** The implementation, specialised for a literal argument where that is possible. */
function prepared(overload: Overload, args: readonly Node[]): Implementation {
  const { prepare } = overload;
  const literal = prepare === undefined ? undefined : args[prepare.argument];
  if (prepare === undefined || literal?.kind !== "literal") return overload.call;
  if (!fits(overload.parameters[prepare.argument] as Type)(literal.value)) return overload.call;
  const specialised = prepare.specialise(literal.value);
  if (typeof specialised === "function") return specialised;
  const error = new CelError(specialised.mistake, { start: literal.start, end: literal.end });
  return () => error;
}
