// What is shown of a run of `plan`? The plans of its namespaces, and how operators and versions are called in them.

import type { OperatorChange, Plan } from "../../plan/plan.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import type { ShownResolutions } from "../resolve/shown.ts";

export interface ShownPlans
  extends Pick<ShownResolutions, "isList" | "warnings" | "inputFindings" | "at" | "command" | "lock"> {
  /** By namespace. */
  readonly plans: readonly Plan[];
}

/** What is reported about the state at the end of a plan; with a target, only what concerns the path to it. */
export function openEnd({ last, warnings, target }: Plan): Resolution {
  if (target === undefined) return { ...last, warnings };
  const isOnTheWay = ({ package: name }: { readonly package: string }): boolean => name === target.request.package;
  return {
    ...last,
    warnings,
    heldBack: [],
    pendingApproval: last.pendingApproval.filter(({ changes }) => !target.isReached && changes.some(isOnTheWay)),
  };
}

/** The package of the operator that a change replaces or removes. */
export function packageBefore({ from, package: name }: OperatorChange): string {
  return from?.package ?? name;
}

/** It is called something else afterwards. */
export function isRename(change: OperatorChange): boolean {
  return packageBefore(change) !== change.package;
}

/** "generation 4", "generations 4–9". */
export function generationsText(first: number, last: number): string {
  return first === last ? `generation ${first}` : `generations ${first}–${last}`;
}

/** "1.2": the second step of generation 1 of a namespace. */
export function stepId(generation: number, number: number): string {
  return `${generation}.${number}`;
}
