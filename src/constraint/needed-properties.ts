// Which bundles can match at all? What a constraint needs a bundle to have, so that those that have it are looked up and
// the others need not be asked. It may name too much, never too little.

import type { Constraint } from "./constraint.ts";
import { both, either, type Need, NOBODY } from "./need.ts";
import { neededByRule } from "./needed-by-rule.ts";

export type { Need } from "./need.ts";

/** What a leaf or a compound of scope `bundle` needs; nothing if everybody must be asked. */
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
      return constraint.constraints.map(neededBy).reduce(either, NOBODY);
    case "none":
      return undefined;
  }
}
