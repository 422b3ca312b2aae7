// What does OCM's controller write for people? The messages of conditions in a Placement's status, and the notes of events.

import type { Condition } from "../../model/condition.ts";
import type { Finding } from "../../model/finding.ts";
import type { EventNote } from "../../placement/placement-events.ts";
import type {
  ConditionMessage,
  Failure,
  FirstFaults,
  PlacementCondition,
  UnreadScoresFound,
} from "../../placement/placement-result.ts";
import { counted, shortened } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { celText } from "./placement-check.ts";
import { faultMessage, faultText } from "./placement-fault.ts";

/** A condition as it stands in the status of a Placement, with its message. */
export function statusCondition({
  message,
  ...condition
}: PlacementCondition): Condition & { readonly message: string } {
  return { ...condition, message: conditionText(message) };
}

/** The message of a condition. `withoutErrors`: without those of single clusters. */
export const conditionText: (message: ConditionMessage, withoutErrors?: boolean) => string = byKind({
  "no-bindings": () => "No valid ManagedClusterSetBindings found in placement namespace",
  "no-intersection": (message) =>
    `None of ManagedClusterSets [${namesOf(message.sets)}] is bound to placement namespace`,
  "empty-sets": (message) => `All ManagedClusterSets [${namesOf(message.sets)}] have no member ManagedCluster`,
  scheduled: () => "All cluster decisions scheduled",
  configured: () => "Placement configurations check pass",
  evaluated: () => "every cluster was evaluated without an error",
  "not-evaluated": () => "no cluster was evaluated",
  "none-asked-for": () => "No ManagedCluster is requested",
  kept: (message) => `${message.count} cluster decisions are kept as they were: ${faultsText(message.faults)}`,
  "no-match": (message) => {
    const none = message.isLeft
      ? "No ManagedCluster is left"
      : "No ManagedCluster matches any of the cluster predicate";
    return message.taints === undefined ? none : `${none}: ${taintsText(message.taints)}`;
  },
  unscheduled: (message) => {
    const more = message.taints === undefined ? "" : `; ${taintsText(message.taints)}`;
    return `${message.count} cluster decisions unscheduled${more}`;
  },
  faults: (message) => faultsText(message.faults),
  "ocm-mistake": (message) =>
    `${message.plugin === "DecisionGroup" ? "" : message.plugin}:${faultMessage(message.fault)}`,
  problems: ({ brokenSets, failed, unread, unreadScores }, withoutErrors) =>
    [
      ...(brokenSets === undefined ? [] : [faultsText(brokenSets)]),
      ...clustersText(failed.count, "could not be evaluated", withoutErrors ? [] : failed.first.map(failureText)),
      ...clustersText(unread.count, "could not be read", unread.first),
      ...(unreadScores === undefined ? [] : [unreadScoresText(unreadScores)]),
    ].join("; "),
});

function clustersText(count: number, what: string, first: readonly string[]): readonly string[] {
  if (count === 0) return [];
  const more = count > first.length ? "; …" : "";
  return [`${counted(count, "cluster")} ${what}${first.length === 0 ? "" : `: ${first.join("; ")}${more}`}`];
}

function unreadScoresText({ clusters, first, more }: UnreadScoresFound): string {
  const names = [...first.map(({ cluster, name }) => `${cluster}/${name}`), ...(more ? ["…"] : [])];
  return `${counted(clusters, "cluster")} could not be evaluated, because an AddOnPlacementScore could not be read: ${names.join("; ")}`;
}

function failureText({ cluster, predicate, index, detail }: Failure): string {
  return `${cluster}: ${shortened(celText(detail), 300)} (predicates[${predicate}].celExpressions[${index}])`;
}

function taintsText({ tainted, candidates }: { readonly tainted: number; readonly candidates: number }): string {
  return `${tainted} of ${candidates} ManagedClusters ${tainted === 1 ? "is" : "are"} rejected by taints`;
}

function faultsText({ first, more }: FirstFaults): string {
  const texts = first.map((fault) => {
    const { message, hint } = faultText(fault);
    return hint === undefined ? message : `${message}: ${hint}`;
  });
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

const MAX_NAMES = 100;

function namesOf(sets: readonly string[]): string {
  const first = sets.slice(0, MAX_NAMES).map((name) => shortened(name, 253));
  return [...first, ...(sets.length > MAX_NAMES ? ["…"] : [])].join(",");
}

/** The longest note; Kubernetes refuses those of more than 1024 bytes. */
const MAX_NOTE = 1000;
const MORE = "......";

/** The note of an event: what was written, or `name:score ` for as many clusters as fit. */
export function eventNote(note: EventNote): string {
  if (note.kind !== "scores") {
    const { kind, slice, placement, warning } = note;
    const text = `${kind} decision ${slice} of placement ${placement.namespace}/${placement.name}`;
    const warned = warning === undefined ? text : `${text}; ${warning.plugin} warns: ${warning.message.trim()}`;
    return warning === undefined || warned.length <= MAX_NOTE ? warned : warned.slice(0, MAX_NOTE) + MORE;
  }
  let text = "";
  for (const [name, score] of note.scores) {
    const next = `${name}:${score} `;
    if (text.length + next.length > MAX_NOTE) return text + MORE;
    text += next;
  }
  return text;
}

/** The longest message of a condition that is about a failure. */
const MAX_FAILURE = 2000;

/** The message of a condition: PlacementDecisions are not what they should be, because a write fails. */
export function notWrittenText(failure: string): string {
  return shortened(`the PlacementDecisions could not be written: ${failure}; it is tried again`, MAX_FAILURE);
}

/** The message of a condition: the Placement, or one of its PlacementDecisions, cannot be read. */
export function unreadableText(
  kind: "Placement" | "PlacementDecision",
  name: string,
  findings: readonly Pick<Finding, "message">[],
): string {
  const why = findings.length === 0 ? "" : `: ${findings.map(({ message }) => message).join("; ")}`;
  return shortened(`the ${kind} ${name} cannot be read${why}; the last decisions stay`, MAX_FAILURE);
}
