// What does the administrator require? One predicate over every single candidate; optional requirements and scopes
// make no sense there.

import type { Property } from "../model/catalog.ts";
import type { Constraint, ConstraintProblem, RuntimeConstraint } from "./constraint.ts";
import type { Complain } from "./constraint-fields.ts";
import type { Draft } from "./read-constraint.ts";
import { readProperty } from "./read-property.ts";
import type { ConstraintReader } from "./read-requirements.ts";

export { isConstraintType } from "./read-property.ts";

/** A runtime constraint, or why it is malformed. */
export interface RuntimeReading {
  readonly constraint: RuntimeConstraint | undefined;
  /** The index of the property in them is always 0. */
  readonly problems: readonly ConstraintProblem[];
}

/** Reads an entry of the runtime constraints. */
export function readRuntimeConstraint(property: Property, reader: ConstraintReader): RuntimeReading {
  const problems: ConstraintProblem[] = [];
  const complain: Complain = (fault) => problems.push({ ...fault, property: 0 });
  const { constraint: draft, action, optional } = readProperty(property, reader.options, reader.programs, complain);
  if (optional?.optional) {
    const message = "optional is not possible for runtime constraints";
    complain({ message, hint: "remove it: runtime constraints are always required", path: optional.path });
  }
  const constraint = draft === undefined ? undefined : inBundleScope(draft, complain);
  if (constraint === undefined || problems.length > 0) return { constraint: undefined, problems };
  return { constraint: { constraint, action }, problems };
}

function inBundleScope(draft: Draft, complain: Complain): Constraint {
  if (!("constraints" in draft)) return draft;
  const { kind, stated, message, path } = draft;
  if (stated !== undefined)
    complain({
      message: "scope is not possible for runtime constraints",
      hint: "remove it: they are about one bundle at a time",
      path: stated.path,
    });
  const constraints = draft.constraints.map((child) => inBundleScope(child, complain));
  return { kind, scope: "bundle", constraints, message, path };
}
