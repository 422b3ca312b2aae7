// Why is not everything as requested, according to a Resolution, and why may that be wrong? In one line.

import { type Doubt, doubtsOf, type ResolutionAdvice } from "../../model/resolution-advice.ts";
import {
  type AdvisedApproval,
  type AdvisedChange,
  CLUSTER_RESOLUTION,
  NAMESPACE_RESOLUTION,
} from "../../model/resolution-object.ts";
import { listed } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";

/** Conditions in words, by type and status. */
const CONDITION_WORDS: ReadonlyMap<string, string> = new Map([
  ["Degraded=True", "degraded"],
  ["ConstraintsValid=False", "runtime constraints cannot be read"],
  ["CatalogsReady=False", "catalogs are not ready"],
]);

const MAX_FIELDS = 3;

/** Why the advice may be wrong, or is missing. */
export const doubtText: (doubt: Doubt) => string = byKind({
  unreadable: ({ fields }) => `cannot be read: ${listed(fields, MAX_FIELDS)}`,
  "not-advised": () => "not advised yet",
  stale: ({ observed, generation }) =>
    observed === undefined
      ? `stale: the advice does not say for which generation of the spec it is; the current one is ${generation}`
      : `stale: advice for generation ${observed} of the spec, which is now ${generation}`,
  condition: ({ condition: { type, status, reason, message } }) => {
    const what = CONDITION_WORDS.get(`${type}=${status}`) ?? `${type} is ${status}`;
    const why = message || reason;
    return why === undefined ? what : `${what}: ${why}`;
  },
});

/**
 * Everything in one line, doubts first; empty if everything is as requested. Without what has a line of its own, if a list of items and
 * conditions follows.
 */
export function whyText(
  resolution: ResolutionAdvice,
  { isListed }: { readonly isListed: boolean } = { isListed: false },
): string {
  if (resolution.mode === "Off") return "advice is off (spec.mode)";
  const doubts = doubtsOf(resolution).filter(({ kind }) => !isListed || kind !== "condition");
  const isNeverAdvised = doubts.some(({ kind }) => kind === "not-advised") && !isAdvisedName(resolution.name);
  const parts = [
    ...doubts.map(doubtText),
    ...(isNeverAdvised ? [`only Resolutions named ${NAMESPACE_RESOLUTION} or ${CLUSTER_RESOLUTION} are advised`] : []),
    isListed && isReasonListed(resolution) ? "" : reasonOf(resolution),
  ];
  return parts
    .map(phrase)
    .filter((part) => part !== "")
    .join("; ");
}

function isAdvisedName(name: string): boolean {
  return name === NAMESPACE_RESOLUTION || name === CLUSTER_RESOLUTION;
}

/** Is the reason that of an item? */
function isReasonListed({ status }: ResolutionAdvice): boolean {
  if (status === undefined) return false;
  const { reason, unsatisfied, heldBack, pendingApproval, outcome } = status;
  const items = [...unsatisfied, ...heldBack];
  if (reason === undefined) return items.length + pendingApproval.length > 0;
  return items.some(({ summary }) => summary === reason) || (outcome === "Resolved" && pendingApproval.length > 0);
}

/** The reason of the status; without one, that of its first refusal, hold or approval. */
function reasonOf({ status }: ResolutionAdvice): string {
  if (status === undefined) return "";
  const { reason, unsatisfied, heldBack, pendingApproval, outcome, summary = "" } = status;
  const [first] = [...unsatisfied, ...heldBack].map((item) => item.summary).filter((text) => text !== "");
  const [waiting] = pendingApproval;
  return (
    reason ??
    first ??
    (waiting === undefined ? undefined : `waits for approval: ${changesText(waiting)}`) ??
    (outcome === "Resolved" ? "" : summary)
  );
}

/** "lading.v1.9.0 → lading.v2.0.0, install bell.v1.0.0". */
export function changesText({ changes }: Pick<AdvisedApproval, "changes">): string {
  return changes.map(changeText).join(", ");
}

function changeText({ from, to }: AdvisedChange): string {
  return from === undefined ? `install ${to}` : `${from} → ${to}`;
}

/** A text of several lines as one, without a full stop at its end. */
export function phrase(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
