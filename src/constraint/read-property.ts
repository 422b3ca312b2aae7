// What does a property of a constraint type require?

import type { Property } from "../model/catalog.ts";
import { type Complain, type Form, readFields } from "./constraint-fields.ts";
import { isLargerThan } from "./constraint-size.ts";
import { type Draft, type OutermostDraft, type Reading, readOutermost } from "./read-constraint.ts";
import { type Around, readGvk, readLabel, readMessage, readPackage, readRule } from "./read-leaf.ts";
import type { RulePrograms } from "./rule-programs.ts";

/** The size limits of constraints. */
export interface ConstraintLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

const CONSTRAINT_TYPES: ReadonlySet<string> = new Set([
  "olm.constraint",
  "olm.constraint.cel",
  "olm.gvk.required",
  "olm.package.required",
  "olm.label.required",
]);

/** Is a property of this type a constraint? All other types, known or not, are only statements. */
export function isConstraintType(type: string): boolean {
  return CONSTRAINT_TYPES.has(type);
}

/** Reads the value of a property of a constraint type. */
export function readProperty(
  { type, value }: Property,
  { maxBytes, maxDepth }: ConstraintLimits,
  programs: RulePrograms,
  complain: Complain,
): OutermostDraft {
  if (isLargerThan(value, maxBytes)) {
    const message = `the constraint is larger than ${maxBytes} bytes`;
    complain({ message, hint: "split it into several properties, which all must hold", path: [] });
    return required(undefined);
  }
  const reading: Reading = { programs, complain, maxDepth, open: type !== "olm.constraint" };
  const around: Around = { path: [], message: undefined };
  switch (type) {
    case "olm.gvk.required":
      return required(readGvk(value, [], around, reading));
    case "olm.package.required":
      return required(readPackage(value, [], around, reading));
    case "olm.label.required":
      return required(readLabel(value, [], around, reading));
    case "olm.constraint.cel": {
      const fields = readFields(value, [], CEL_PROPERTY, complain);
      if (fields === undefined) return required(undefined);
      return required(
        readRule(fields, "rule", [], CEL_PROPERTY, { path: [], message: readMessage(fields, complain) }, reading),
      );
    }
    default:
      return readOutermost(value, reading);
  }
}

const CEL_PROPERTY: Form = { name: "olm.constraint.cel", fields: ["rule", "message", "failureMessage"] };

function required(constraint: Draft | undefined): OutermostDraft {
  return { constraint, action: "require", optional: undefined };
}
