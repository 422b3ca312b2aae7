// Which bundles can match? What a constraint requires a bundle to have, so that candidates are looked up and the
// others are not evaluated. It may be too wide, never too narrow.

import type { Constraint } from "./constraint.ts";
import { both, either, type Need, NO_MATCH } from "./need.ts";
import { neededByRule } from "./needed-by-rule.ts";

export type { Need } from "./need.ts";

/** The need of a leaf or of a compound of scope `bundle`; undefined if every member must be evaluated. */
export function neededBy(constraint: Constraint): Need | undefined {
  switch (constraint.kind) {
    case "gvk":
      return { kind: "gvks", gvks: [constraint.gvk] };
    case "package":
      return { kind: "packages", packages: [constraint.name] };
    case "label":
      return { kind: "types", types: ["olm.label"] };
    case "propertyEquals":
      return { kind: "types", types: [constraint.name] };
    case "cel":
      return neededByRule(constraint.program.checked);
    case "all":
      return constraint.constraints.map(neededBy).reduce(both, undefined);
    case "any":
      return constraint.constraints.map(neededBy).reduce(either, NO_MATCH);
    case "none":
      return undefined;
  }
}
