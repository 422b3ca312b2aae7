// Do the administrator's constraints allow a bundle to be newly chosen on this cluster?

import type { Constraint, RuntimeConstraint } from "../constraint/constraint.ts";
import { type Outline, outlineOf } from "../constraint/outline.ts";
import { type MatchError, matches } from "../constraint/predicate.ts";
import type { Property } from "../model/catalog.ts";
import { given } from "../model/json.ts";
import { at, type Place } from "../model/place.ts";
import type { Alone, UnaryRule } from "./shape/unary-rule.ts";

/** What the runtime constraints state against an operator. */
export type RuntimeConstraintDetail =
  /** They are malformed: then nothing is newly chosen. */
  | { readonly rule: "runtime-constraint"; readonly why: "unreadable" }
  | {
      readonly rule: "runtime-constraint";
      readonly why: "refused";
      /** Its number in the file, from 1. */
      readonly number: number;
      readonly action: RuntimeConstraint["action"];
      readonly constraint: Outline;
      /** Why it could not be evaluated; then it refuses with either action. */
      readonly error?: string | undefined;
    };

/** A runtime constraint, and its place. */
export interface NumberedConstraint extends RuntimeConstraint {
  readonly place: Place | undefined;
  /** Its number in the file, from 1. */
  readonly number: number;
}

/** Evaluates whether a bundle matches; a caller with a cache passes its own. */
export type RuntimeMatch = (constraint: Constraint, properties: readonly Property[]) => boolean | MatchError;

/** While the runtime constraints are malformed, nothing is newly chosen (seed 001, fail closed): `¬bundle`. */
export const readableRuntime: UnaryRule = {
  name: "runtime-constraint",
  bindsRunning: false,
  refusal: (_, { unreadable }) => {
    if (unreadable === undefined) return undefined;
    const detail = { rule: "runtime-constraint", why: "unreadable" } as const;
    return { detail, ...at(unreadable.place) };
  },
};

/**
 * Everything that is newly installed or updated to meets the runtime constraints (seed 001): `¬bundle` for each
 * bundle that does not. If one cannot be evaluated, it is not met, with either action.
 */
export const runtimeConstraint: UnaryRule = {
  name: "runtime-constraint",
  bindsRunning: false,
  refusal: (alone, around) => {
    for (const constraint of around.runtime) {
      const detail = runtimeRefusal(alone, constraint, around.matches);
      if (detail === undefined) continue;
      return { detail, ...at(constraint.place) };
    }
    return undefined;
  },
  lifts: ([first]) => {
    const detail = first?.detail;
    if (detail?.rule !== "runtime-constraint" || detail.why !== "refused") return [];
    return [{ kind: "without-constraint", number: detail.number }];
  },
};

/** Is a runtime constraint met, given whether the bundle matches? If that is unknown, it is not, with either action. */
export function isMet(match: boolean | MatchError, { action }: Pick<RuntimeConstraint, "action">): boolean {
  return match === (action === "require");
}

/** What one runtime constraint states against an operator. */
export function runtimeRefusal(
  { properties }: Pick<Alone, "properties">,
  { constraint, action, number }: NumberedConstraint,
  match: RuntimeMatch = matches,
): RuntimeConstraintDetail | undefined {
  const result = match(constraint, properties);
  if (isMet(result, { action })) return undefined;
  const error = typeof result === "boolean" ? undefined : result.message;
  return given({
    rule: "runtime-constraint",
    why: "refused",
    number,
    action,
    constraint: outlineOf(constraint),
    error,
  });
}
