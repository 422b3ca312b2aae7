// May the change be made, by what was found about it?

import type { Severity } from "../model/finding.ts";
import type { CrdFinding } from "./finding.ts";
import { type CrdCode, ruleOf } from "./finding-codes.ts";

/** In ascending order. */
export const SEVERITIES: readonly Severity[] = ["info", "warning", "error"];

/** `undecided`: nothing proves that it is unsafe, but not everything could be checked. */
export type CrdVerdict = "safe" | "unsafe" | "undecided";

/** An object was not checked: at any severity, it does not make the change unsafe. */
const NOT_CHECKED: CrdCode = "CRD304";

/** The verdict where findings from a severity on make the change unsafe. `isWhole`: every definition could be compared. */
export function verdictOf(findings: readonly CrdFinding[], failOn: Severity, isWhole: boolean): CrdVerdict {
  const failFrom = SEVERITIES.indexOf(failOn);
  const failing = findings.filter(
    ({ code, severity }) => code !== NOT_CHECKED && SEVERITIES.indexOf(severity) >= failFrom,
  );
  if (failing.some(isProof)) return "unsafe";
  if (findings.some(({ code }) => code === NOT_CHECKED)) return "undecided";
  if (failing.length > 0) return "unsafe";
  return isWhole ? "safe" : "undecided";
}

/** A doubt about a schema may come to nothing once every object is checked; an error or a broken object stays one. */
function isProof({ code, severity }: CrdFinding): boolean {
  return severity === "error" || ruleOf(code).kind === "object";
}
