/** How does a test call one overload of a library, without an expression around it? */
import { kubernetesCostOf } from "../../src/cel/cost/kubernetes.ts";
import type { Library, Overload, ResultCost, Running } from "../../src/cel/library.ts";
import { mapSize } from "../../src/cel/value/map-access.ts";
import { CelError, type Result, type Value } from "../../src/cel/value/value.ts";

/** The overload with that id. */
export function overloadOf(library: Library, id: string): Overload {
  const found = library.functions?.find((overload) => overload.id === id);
  if (found === undefined) throw new Error(`${library.name} has no overload ${id}`);
  return found;
}

/** An evaluation that only counts what is allocated, and stops at a limit. */
export function countingRun(limit: number = Number.POSITIVE_INFINITY): Running & { readonly allocated: () => number } {
  let allocated = 0;
  return {
    bindings: {},
    patterns: new Map(),
    allocated: () => allocated,
    allocate(units) {
      allocated += units;
      if (allocated > limit) throw new Error("too much memory");
    },
    work() {},
    mapSize,
  };
}

/** What the overload gives for these arguments; of an error, the message after `error: `. */
export function callOverload(library: Library, id: string, ...args: readonly Value[]): Value {
  const result: Result = overloadOf(library, id).call(...args, countingRun());
  return result instanceof CelError ? `error: ${result.message}` : result;
}

/** What such a call costs in cel-go, or where Kubernetes counts. */
export function costOf(library: Library, id: string, args: readonly Value[], kubernetes = false): number {
  const overload = overloadOf(library, id);
  const result: Result = overload.call(...args, countingRun());
  const running = countingRun();
  const itsOwn = (): number => overload.resultCost?.(args, result, running) ?? overload.cost?.(args, running) ?? 1;
  return (kubernetes ? kubernetesCostOfOverload(overload)?.(args, result, running) : undefined) ?? itsOwn();
}

/** What Kubernetes charges for the overload, where that is not what cel-go does. */
export function kubernetesCostOfOverload(overload: Overload): ResultCost | undefined {
  const { name } = overload;
  const only = [overload];
  return kubernetesCostOf({ kind: "function", name, overloads: only, callable: only, args: [] }, "kubernetes");
}
