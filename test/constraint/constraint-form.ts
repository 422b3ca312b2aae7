// How is a constraint written so that a test can compare it at a glance?

import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Json } from "../../src/model/json.ts";

/** The form of a constraint, short enough to be compared. */
export function constraintForm(constraint: Constraint): Json {
  switch (constraint.kind) {
    case "gvk":
      return `gvk ${constraint.gvk.group}/${constraint.gvk.version}/${constraint.gvk.kind}`;
    case "package":
      return `package ${constraint.name} ${constraint.range.text}`;
    case "label":
      return `label ${constraint.label}`;
    case "cel":
      return `cel ${constraint.rule}`;
    case "propertyEquals":
      return { [constraint.name]: constraint.value };
    default:
      return [`${constraint.kind} ${constraint.scope}`, ...constraint.constraints.map(constraintForm)];
  }
}
