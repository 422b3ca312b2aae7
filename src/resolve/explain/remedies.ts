// What has to be done by others before something is possible, where no change of what is asked for helps? Mistakes have to
// be corrected; and before a bundle may change its custom kinds, something has to be done on the cluster: where several
// versions are refused, for the one that needs the least.

import type { OperatorRef } from "../../model/operator-ref.ts";
import type { CrdChanges } from "../../rule/crd/crd-changes.ts";
import type { CrdRemedy } from "../../rule/crd-upgrade.ts";
import { newestFirst, refOf } from "../member.ts";
import type { Cause, RefusalCause } from "./cause.ts";

/** One thing to do before. */
export type Remedy =
  | CrdRemedy
  /** The administrator's constraints cannot be read. */
  | { readonly kind: "repair-runtime-constraints" }
  /** The constraints of a bundle cannot be read. */
  | { readonly kind: "correct-constraints"; readonly of: OperatorRef };

/** What has to be done before; nothing where nothing of the kind would help. */
export function remediesFor(causes: readonly Cause[], crdChanges: CrdChanges): readonly Remedy[] {
  const refusals = causes.filter((cause) => cause.kind === "refusal");
  const lists = refusals.flatMap(({ refused }) =>
    refused.map(({ member, refusal }): readonly Remedy[] =>
      refusal.detail.rule === "crd-upgrade" && "bundle" in member ? (crdChanges.remediesFor(member) ?? []) : [],
    ),
  );
  const useful = lists.filter((list) => list.length > 0);
  const least = useful.reduce((few, list) => (list.length < few.length ? list : few), useful[0] ?? []);
  const all = [...least, ...refusals.flatMap(correctionOf)];
  return [...new Map(all.map((remedy) => [JSON.stringify(remedy), remedy])).values()];
}

/** What is written wrongly is to be corrected; what else is in the way shows only then. */
function correctionOf({ refused }: RefusalCause): readonly Remedy[] {
  const [first] = refused;
  const detail = first?.refusal.detail;
  if (detail?.rule === "runtime-constraint" && detail.why === "unreadable")
    return [{ kind: "repair-runtime-constraints" }];
  if (first === undefined || detail?.rule !== "malformed-constraint") return [];
  const [newest = first.member] = newestFirst(refused.map(({ member }) => member));
  return [{ kind: "correct-constraints", of: refOf(newest) }];
}
