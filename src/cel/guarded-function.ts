// How are results and exceptions of a program's own functions handled?
//
// A failure is an error of the evaluation that names the function. Only values of the declared type are passed on.
import type { Call, CallEstimate, Overload, Running } from "./library.ts";
import { fits } from "./plan/fits.ts";
import { printType, type Type } from "./type.ts";
import { CelMap, Optional } from "./value/boxes.ts";
import { everyEntry } from "./value/map-access.ts";
import { double, int } from "./value/number.ts";
import { typeOfValue } from "./value/type-of-value.ts";
import { CelError, isData, isJsonMap, isList, kindOfData, type Result, reasonOf, type Value } from "./value/value.ts";

/** The overload with an implementation that never throws. */
export function guarded(overload: Overload): Overload {
  const { name, result, prepare, cost, resultCost, estimate } = overload;
  return {
    ...overload,
    call: guardedCall(name, result, overload.call),
    ...(cost !== undefined && { cost: guardedCost(name, cost) }),
    ...(resultCost !== undefined && { resultCost: guardedCost(name, resultCost) }),
    ...(estimate !== undefined && { estimate: guardedEstimate(estimate) }),
    ...(prepare !== undefined && {
      prepare: {
        ...prepare,
        specialise: (literal) => {
          try {
            const specialised = prepare.specialise(literal);
            if (typeof specialised === "function") return guardedCall(name, result, specialised);
            if (typeof specialised?.mistake === "string") return specialised;
            silence(specialised);
            return { mistake: `${name}() could not be prepared: specialise gave neither a call nor a mistake` };
          } catch (thrown) {
            return { mistake: `${name}() failed: ${reasonOf(thrown)}` };
          }
        },
      },
    }),
  };
}

function guardedCall(name: string, type: Type, call: Call): Call {
  const isDeclared = fits(type, false);
  return (...args) => {
    try {
      const running: Running = args.at(-1);
      const result = declaredNumber(type, call(...args));
      if (result instanceof CelError) return result;
      const wrong = whyNoValue(result, running);
      if (wrong !== undefined) return new CelError(`${name}() returned ${wrong}`);
      if (isDeclared(result, running)) return result;
      return new CelError(
        () => `${name}() returned a value of the type ${printType(typeOfValue(result))}, not ${printType(type)}`,
      );
    } catch (thrown) {
      // A limit that was met inside of it stops the evaluation.
      if (thrown instanceof CelError) throw thrown;
      return new CelError(() => `${name}() failed: ${reasonOf(thrown)}`);
    }
  };
}

/** JavaScript has one kind of number: which one is meant is declared. */
function declaredNumber(type: Type, result: Result): Result {
  const { kind } = type.kind === "wrapper" ? type.of : type;
  if (typeof result === "number") {
    if (kind === "double") return double(result);
    if (kind === "int" && Number.isInteger(result)) return int(BigInt(result)) ?? BigInt(result);
  }
  return typeof result === "bigint" ? (int(result) ?? result) : result;
}

/** What in the result is not a CEL value, if anything. Each part that is visited counts as work. */
function whyNoValue(result: Value, running: Running): string | undefined {
  const open: Value[] = [result];
  let wrong: string | undefined;
  for (let count = open.length; count > 0; count = open.length) {
    const part = open.pop() as Value;
    const found = whyNotItself(part);
    if (found !== undefined) {
      // Continue, so that every promise is silenced.
      silence(part);
      wrong = found;
    } else if (isList(part)) {
      running.work(part.length);
      for (let index = 0; index < part.length; index++) open.push(part[index] as Value);
    } else if (part instanceof Optional) {
      if (part.content !== undefined) open.push(part.content);
    } else if (part instanceof CelMap || isJsonMap(part)) {
      running.work(1 + running.mapSize(part));
      everyEntry(part, (_key, value) => open.push(value) > 0);
    }
  }
  return wrong;
}

function whyNotItself(part: Value): string | undefined {
  if (typeof part === "bigint") return int(part) === undefined ? "an int beyond 64 bits" : undefined;
  return isData(part) ? undefined : kindOfData(part);
}

/** A refused promise is never awaited, and Node exits on an unhandled rejection. */
function silence(what: unknown): void {
  if (Object.prototype.toString.call(what) === "[object Promise]")
    Promise.resolve(what).then(undefined, () => undefined);
}

/** An invalid cost stops the evaluation; a negative one counts as 0. */
function guardedCost<Args extends readonly unknown[]>(
  name: string,
  cost: (...args: Args) => number,
): (...args: Args) => number {
  return (...args) => {
    let charged: unknown;
    try {
      charged = cost(...args);
    } catch (thrown) {
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
