// What must be done first, where no change of the requests helps? Errors must be corrected; and before a bundle may
// change its CRDs, the cluster must be prepared: if several versions are refused, for the one that needs the least.

import { distinct } from "../../model/json.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import type { CrdChanges } from "../../rule/crd/crd-changes.ts";
import type { CrdRemedy } from "../../rule/crd-upgrade.ts";
import { newestFirst, refOf } from "../member.ts";
import type { Cause, RefusalCause } from "./cause.ts";

/** One action that must come first. */
export type Remedy =
  | CrdRemedy
  /** The administrator's constraints are malformed. */
  | { readonly kind: "repair-runtime-constraints" }
  /** The constraints of a bundle are malformed. */
  | { readonly kind: "correct-constraints"; readonly of: OperatorRef };

/** The actions that must come first; empty if none would help. */
export function remediesFor(causes: readonly Cause[], crdChanges: CrdChanges): readonly Remedy[] {
  const refusals = causes.filter((cause) => cause.kind === "refusal");
  const lists = refusals.flatMap(({ refused }) =>
    refused.map(({ member, refusal }): readonly Remedy[] =>
      refusal.detail.rule === "crd-upgrade" && "bundle" in member ? (crdChanges.remediesFor(member) ?? []) : [],
    ),
  );
  const useful = lists.filter((list) => list.length > 0);
  const least = useful.reduce((few, list) => (list.length < few.length ? list : few), useful[0] ?? []);
  return distinct([...least, ...refusals.flatMap(correctionOf)]);
}

/** Malformed input must be corrected; further obstacles show only then. */
function correctionOf({ refused }: RefusalCause): readonly Remedy[] {
  const [first] = refused;
  const detail = first?.refusal.detail;
  if (detail?.rule === "runtime-constraint" && detail.why === "unreadable")
    return [{ kind: "repair-runtime-constraints" }];
  if (first === undefined || detail?.rule !== "malformed-constraint") return [];
  const [newest = first.member] = newestFirst(refused.map(({ member }) => member));
  return [{ kind: "correct-constraints", of: refOf(newest) }];
}
