// Why can a field of a ClusterExtension not be read?

import type { MalformedField } from "../../model/problem.ts";
import { type RequirementFault, SELECTOR_OPERATORS } from "../../model/selector.ts";
import { quoted } from "../../text/words.ts";
import { byKind, byTag } from "../kit/by-kind.ts";

/** The field with its value, under a name of its own: `version "foobar"`, `selector`. */
export function malformedText(malformed: MalformedField, name: string = malformed.field): string {
  return malformed.field === "selector" || malformed.text === "" ? name : `${name} ${quoted(malformed.text, 80)}`;
}

/** "In needs values". */
export const malformedReason: (malformed: MalformedField) => string = byTag("field", {
  version: ({ reason }) => reason,
  selector: ({ fault }) => faultText(fault),
  upgradeConstraintPolicy: ({ text }) => `${quoted(text, 80)} is neither CatalogProvided nor SelfCertified`,
});

const faultText: (fault: RequirementFault) => string = byKind({
  "no-key": () => "an expression has no key",
  "unknown-operator": ({ operator }) =>
    `${quoted(operator, 80)} is not an operator; use ${SELECTOR_OPERATORS.join(", ")}`,
  "needs-values": ({ operator }) => `${operator} needs values`,
  "has-values": ({ operator }) => `${operator} has no values`,
});
