// What does reading a text cost?
import type { ArgumentEstimate, CallDetails, CallEstimate, SizeEstimate } from "../../library.ts";
import { codePointCount } from "../../value/text.ts";

/** What going through that many characters or bytes costs in cel-go and Kubernetes. */
export function traversal(size: number): number {
  return Math.ceil(size * 0.1);
}

/** Kubernetes counts a call by the characters of an argument, gone through so many times; cel-go alone counts 1. */
export function oncePerTenCharacters(argument: number, times = 1): CallDetails {
  return {
    kubernetesCost: (args) => traversal(codePointCount(args[argument] as string) * times),
    estimate: (args) => ({ cost: atLeastAndMost((args[argument] as ArgumentEstimate).size, times) }),
  };
}

function atLeastAndMost(size: SizeEstimate, times: number): CallEstimate["cost"] {
  return { min: Math.min(1, traversal(size.min * times)), max: Math.max(1, traversal(size.max * times)) };
}
