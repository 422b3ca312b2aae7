// How serious is a finding? One table, by the kind of rule, the number of owners, what is known of the objects, and whether
// the answer is that of OLM (`--compat olm`).

import type { Severity } from "../model/finding.ts";
import type { SchemaDifference } from "./compare/difference.ts";
import { type CrdCode, type RuleKind, ruleOf } from "./finding-codes.ts";
import type { SeverityChoices } from "./upgrade/circumstances.ts";

/** What the severity of a finding depends on besides its rule. */
export interface Situation {
  /** More than one operator owns the definition. */
  readonly severalOwners: boolean;
  /** As OLM decides it: OLM v0 where objects are given, OLM v1 where they are not. */
  readonly compat: boolean;
  /** What is known of the objects of the version: nothing, that all of them stay valid, or that not all of them do. */
  readonly objects: "unknown" | "valid" | "not-all-valid";
  /** What the difference does to objects. */
  readonly effect: SchemaDifference["effect"];
  /** OLM v1 does not look for the difference. */
  readonly unseenByOlm?: boolean | undefined;
  /** A webhook converts the objects of the new CRD. */
  readonly webhook: boolean;
}

/** The severity from the settings, otherwise from the table; `off` is not reported. */
export function severityOf(code: CrdCode, situation: Situation, choices: SeverityChoices): Severity | "off" {
  const chosen = choices.get(code);
  if (chosen !== undefined) return chosen;
  // OLM does not validate objects that a webhook converts (case M08).
  const isUnseen = situation.webhook && code === "CRD303";
  const said = situation.compat && !isUnseen ? OLM_SEVERITIES.get(code) : undefined;
  return said ?? TABLE[ruleOf(code).kind](situation, code);
}

/** Rules that OLM rates differently from others of their kind. */
const OLM_SEVERITIES: ReadonlyMap<CrdCode, Severity | "off"> = new Map<CrdCode, Severity | "off">([
  // It lets a served version go.
  ["CRD102", "info"],
  // It does not look at which versions other owners use.
  ["CRD106", "off"],
  // It does not look at which versions are served.
  ["CRD116", "info"],
  ["CRD118", "info"],
  // It does not look at conversion.
  ["CRD119", "info"],
  // It asks whether objects are valid, not what is dropped from them.
  ["CRD302", "warning"],
  // It does not ask whether an object that is invalid was so before.
  ["CRD303", "error"],
]);

/**
 * What OLM v1 checks and refuses also where it only allows more: the other owners have clients that were made for the old
 * type, text or value, and may not read the new one.
 */
const REFUSED_EITHER_WAY: ReadonlySet<CrdCode> = new Set<CrdCode>([
  "CRD201",
  "CRD203",
  "CRD206",
  "CRD207",
  "CRD208",
  "CRD217",
]);

const TABLE: Readonly<Record<RuleKind, (situation: Situation, code: CrdCode) => Severity>> = {
  never: () => "error",
  doubtful: () => "warning",
  remark: () => "info",
  // OLM v1 fails where it does not know what a difference means; OLM v0 compares no schemas.
  unknown: ({ compat, objects }) => (!compat ? "warning" : objects === "unknown" ? "error" : "info"),
  object({ compat, severalOwners, webhook }) {
    // OLM v0 only warns where a webhook converts (M08).
    if (compat) return webhook ? "warning" : "error";
    return severalOwners ? "error" : "warning";
  },
  schema({ compat, severalOwners, objects, effect, unseenByOlm = false }, code) {
    if (compat) return objects === "unknown" && !unseenByOlm ? "error" : "info";
    if (effect === "none" || (effect === "looser" && !REFUSED_EITHER_WAY.has(code))) return "info";
    if (objects === "valid") return severalOwners ? "warning" : "info";
    return severalOwners ? "error" : "warning";
  },
};
