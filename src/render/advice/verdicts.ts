// What is the verdict on each Subscription of a Resolution? An event is sent when it changes. Verdicts are read from a status, also from one
// that another process has written.

import type { AdvisedOperator, ResolutionStatus } from "../../model/resolution-object.ts";

/** The words are those of events: `reason`. */
export type VerdictKind =
  | "UpToDate"
  | "InstallAdvised"
  | "UpdateAdvised"
  | "HeldBack"
  | "NotPossible"
  | "Undecided"
  | "ApprovalRequired";

export interface Verdict {
  readonly kind: VerdictKind;
  /** The bundle that it is about; a new one is a new verdict. */
  readonly bundle: string | undefined;
  /** One line. */
  readonly note: string;
}

/** The verdicts by Subscription, as `namespace/name`. */
export function verdictsOf(status: ResolutionStatus): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const held = new Map((status.heldBack ?? []).map((one) => [one.bundle, one]));
  for (const operator of status.operators ?? []) {
    const { subscription, bundle, replaces } = operator;
    if (subscription === undefined) continue;
    const hold = held.get(bundle) ?? (replaces === undefined ? undefined : held.get(replaces));
    verdicts.set(
      subscription,
      hold === undefined ? movement(operator) : { kind: "HeldBack", bundle, note: hold.summary },
    );
  }
  for (const { subscriptions, changes } of status.pendingApproval ?? []) {
    const note = `waits for approval: ${changes.map(({ from, to }) => (from === undefined ? `install ${to}` : `${from} to ${to}`)).join(", ")}`;
    for (const id of subscriptions)
      verdicts.set(id, { kind: "ApprovalRequired", bundle: changes.map(({ to }) => to).join(" "), note });
  }
  for (const { subscription, undecided, summary } of status.unsatisfied ?? [])
    if (subscription !== undefined)
      verdicts.set(subscription, { kind: undecided ? "Undecided" : "NotPossible", bundle: undefined, note: summary });
  return verdicts;
}

function movement({ action, bundle, replaces, reason }: AdvisedOperator): Verdict {
  if (action === "keep") return { kind: "UpToDate", bundle, note: `${bundle} stays: ${reason}` };
  if (action === "install") return { kind: "InstallAdvised", bundle, note: `install ${bundle}: ${reason}` };
  return { kind: "UpdateAdvised", bundle, note: `update ${replaces} to ${bundle}: ${reason}` };
}

export function isSameVerdict(a: Verdict | undefined, b: Verdict | undefined): boolean {
  return a?.kind === b?.kind && a?.bundle === b?.bundle;
}
