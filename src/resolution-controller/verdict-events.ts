// Which events are sent when a status changes? One for each Subscription whose verdict is another one than before.

import type { RecordedEvent } from "../controller/event-object.ts";
import { NAMESPACE_RESOLUTION, type ResolutionStatus } from "../model/resolution-object.ts";
import { isSameVerdict, type Verdict, type VerdictKind, verdictsOf } from "../render/advice/verdicts.ts";
import type { ClusterInputs } from "./cluster-inputs.ts";

const SUBSCRIPTIONS = { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription" };

const WARNINGS: ReadonlySet<VerdictKind> = new Set<VerdictKind>(["HeldBack", "NotPossible", "Undecided"]);

export function verdictEvents(
  before: ResolutionStatus,
  now: ResolutionStatus,
  inputs: Pick<ClusterInputs, "store">,
): readonly RecordedEvent[] {
  const earlier = knownVerdicts(before);
  return [...verdictsOf(now)].flatMap(([id, verdict]) => {
    const known = earlier.get(id);
    // That all is well is news only after it was not.
    const isNews = known === undefined ? verdict.kind !== "UpToDate" : !isSameVerdict(known, verdict);
    const subscription = inputs.store("subscriptions").get(id);
    if (!isNews || subscription === undefined) return [];
    const { namespace, name, uid } = subscription;
    return [
      {
        type: WARNINGS.has(verdict.kind) ? "Warning" : "Normal",
        reason: verdict.kind,
        action: "Resolve",
        note: `${verdict.note} (kubectl describe resolution ${NAMESPACE_RESOLUTION} -n ${namespace})`,
        regarding: { ...SUBSCRIPTIONS, namespace, name, uid },
        reportingController: "plimsoll-resolution",
      } satisfies RecordedEvent,
    ];
  });
}

/** A status that another client has written may have any form. */
function knownVerdicts(status: ResolutionStatus): ReadonlyMap<string, Verdict> {
  try {
    return verdictsOf(status);
  } catch (error) {
    if (error instanceof TypeError) return new Map();
    throw error;
  }
}
