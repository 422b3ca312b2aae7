// What does reading a text cost?
import { sizeOf, traversalCost } from "../../cost/size.ts";
import type { ArgumentEstimate, CallDetails, CallEstimate, SizeEstimate } from "../../library.ts";
import type { Value } from "../../value/value.ts";

/** Kubernetes counts a call by the characters of an argument, gone through so many times; cel-go alone counts 1. */
export function oncePerTenCharacters(argument: number, times = 1): CallDetails {
  return {
    kubernetesCost: (args, _result, running) => traversalCost(sizeOf(args[argument] as Value, running) * times),
    estimate: (args) => ({ cost: atLeastAndMost((args[argument] as ArgumentEstimate).size, times) }),
  };
}

function atLeastAndMost(size: SizeEstimate, times: number): CallEstimate["cost"] {
  return { min: Math.min(1, traversalCost(size.min * times)), max: Math.max(1, traversalCost(size.max * times)) };
}
