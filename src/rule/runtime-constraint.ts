// May a bundle be newly chosen on this cluster, as its administrator wants it?

import type { Constraint, RuntimeConstraint } from "../constraint/constraint.ts";
import { type Outline, outlineOf } from "../constraint/outline.ts";
import { type MatchError, matches } from "../constraint/predicate.ts";
import type { Property } from "../model/catalog.ts";
import { type Place, plainPlace } from "../model/place.ts";
import type { Alone, UnaryRule } from "./shape/unary-rule.ts";

/** What the administrator's constraints say against an operator. */
export type RuntimeConstraintDetail =
  /** They cannot be read: then nothing is newly chosen. */
  | { readonly rule: "runtime-constraint"; readonly why: "unreadable" }
  | {
      readonly rule: "runtime-constraint";
      readonly why: "refused";
      /** Which of them, as the file counts them, from 1. */
      readonly number: number;
      readonly action: RuntimeConstraint["action"];
      readonly constraint: Outline;
      /** Why it could not be evaluated; then it refuses, whatever the action. */
      readonly error?: string | undefined;
    };

/** A constraint of the administrator, and where it stands. */
export interface NumberedConstraint extends RuntimeConstraint {
  readonly place: Place | undefined;
  /** As the file counts them, from 1. */
  readonly number: number;
}

/** What to ask whether a bundle matches; whoever remembers answers has a faster way. */
export type RuntimeMatch = (constraint: Constraint, properties: readonly Property[]) => boolean | MatchError;

/** While the administrator's constraints cannot be read, nothing is newly chosen (seed 001, fail closed): `¬bundle`. */
export const readableRuntime: UnaryRule = {
  name: "runtime-constraint",
  bindsRunning: false,
  refusal: (_, { unreadable }) => {
    if (unreadable === undefined) return undefined;
    const detail = { rule: "runtime-constraint", why: "unreadable" } as const;
    return unreadable.place === undefined ? { detail } : { detail, place: plainPlace(unreadable.place) };
  },
};

/**
 * Everything that is newly installed or updated to meets the administrator's constraints (seed 001): `¬bundle` for each
 * bundle that does not. If that cannot be evaluated, it does not, whatever the action.
 */
export const runtimeConstraint: UnaryRule = {
  name: "runtime-constraint",
  bindsRunning: false,
  refusal: (alone, around) => {
    for (const constraint of around.runtime) {
      const detail = runtimeRefusal(alone, constraint, around.matches);
      if (detail === undefined) continue;
      return constraint.place === undefined ? { detail } : { detail, place: plainPlace(constraint.place) };
    }
    return undefined;
  },
  lifts: ([first]) => {
    const detail = first?.detail;
    if (detail?.rule !== "runtime-constraint" || detail.why !== "refused") return [];
    return [{ kind: "without-constraint", number: detail.number }];
  },
};

/** What one constraint of the administrator says against an operator. */
export function runtimeRefusal(
  { properties }: Pick<Alone, "properties">,
  { constraint, action, number }: NumberedConstraint,
  match: RuntimeMatch = matches,
): RuntimeConstraintDetail | undefined {
  const result = match(constraint, properties);
  if (result === (action === "require")) return undefined;
  const said = {
    rule: "runtime-constraint",
    why: "refused",
    number,
    action,
    constraint: outlineOf(constraint),
  } as const;
  return typeof result === "boolean" ? said : { ...said, error: result.message };
}
