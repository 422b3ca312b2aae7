// Whose costs are estimated?
import type { FunctionReference } from "../check/checked.ts";
import type { Costs } from "../environment.ts";
import type { ArgumentEstimate, CallEstimate } from "../library.ts";
import { optionalContent, type Type } from "../type.ts";
import { apiServerEstimate, kubernetesCostOf } from "./kubernetes.ts";
import { either, ONE, type SizeEstimate, UNKNOWN } from "./range.ts";

/** Where estimates differ. Sizes of the input are not part of it: they come from a schema, or are unknown. */
export interface CostModel {
  /**
   * Does the maximum bound what an evaluation is charged? Otherwise it equals the estimate of cel-go's checker, which is
   * below the cost in places: a field of a dyn is free, a name is charged where it occurs and not as part of a path, sizes are
   * known one level deep, and a filtered list counts as long as the list.
   */
  readonly isBound: boolean;
  /** The cost of a call without its arguments, and the size of its result if that is known. */
  readonly call: (call: FunctionReference, args: readonly ArgumentEstimate[]) => CallEstimate;
}

/** A model for each way to charge. */
export const MODELS: Readonly<Record<Costs, CostModel>> = {
  cel: { isBound: true, call: boundOfCall },
  kubernetes: {
    isBound: true,
    call: (call, args) =>
      kubernetesCostOf(call, "kubernetes") === undefined ? boundOfCall(call, args) : { cost: UNKNOWN },
  },
  "api-server": { isBound: false, call: estimateOfChecker },
};

const EQUALITY: ReadonlySet<string> = new Set(["_==_", "_!=_"]);

function boundOfCall(
  { name, overloads, callable }: FunctionReference,
  given: readonly ArgumentEstimate[],
): CallEstimate {
  // An error in place of an argument has the size 1.
  const args = given.map((arg) =>
    arg.literal === undefined && arg.size.max < 1 ? { ...arg, size: { min: arg.size.min, max: 1 } } : arg,
  );
  const [only, ...others] = EQUALITY.has(name) ? callable : overloads;
  if (only === undefined || others.length > 0) {
    // A call whose overload the static types leave open costs 1.
    const sizes = (overloads.length > 0 ? overloads : callable).map(
      ({ estimate, result }) => estimate?.(args).size ?? sizeOfType(result, true) ?? UNKNOWN,
    );
    return { cost: ONE, size: sizes.reduce(either, ONE) };
  }
  if (only.estimate !== undefined) return only.estimate(args);
  return { cost: only.cost === undefined && only.resultCost === undefined ? ONE : UNKNOWN };
}

/** The most that one of the overloads costs. */
function estimateOfChecker({ overloads }: FunctionReference, args: readonly ArgumentEstimate[]): CallEstimate {
  const calls = overloads.map((overload) => apiServerEstimate(overload, args));
  const sizes = calls.flatMap(({ size }): readonly SizeEstimate[] => (size === undefined ? [] : [size]));
  const cost = calls.map((call) => call.cost).reduce(either);
  return sizes.length === 0 ? { cost } : { cost, size: sizes.reduce(either) };
}

/** The size that follows from a type, even if it is optional. */
export function sizeOfType(type: Type, isBound: boolean): SizeEstimate | undefined {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "timestamp":
    case "duration":
      return ONE;
    case "null":
    case "type":
      return isBound ? ONE : undefined;
    default: {
      const content = optionalContent(type);
      return content && sizeOfType(content, isBound);
    }
  }
}
