// What does OCM's controller write for people? The messages of conditions in a Placement's status, and the notes of events.

import type { Condition } from "../../model/condition.ts";
import type { EventNote } from "../../placement/placement-events.ts";
import type { ConditionMessage, Failure, FirstFaults, PlacementCondition } from "../../placement/placement-result.ts";
import { counted, shortened } from "../../text/words.ts";
import { celText } from "./placement-check.ts";
import { faultMessage, faultText } from "./placement-fault.ts";

/** The condition as the status has it. */
export function statusCondition({
  message,
  ...condition
}: PlacementCondition): Condition & { readonly message: string } {
  return { ...condition, message: conditionText(message) };
}

/** The message of a condition. `withoutErrors`: without those of single clusters. */
export function conditionText(message: ConditionMessage, withoutErrors = false): string {
  switch (message.kind) {
    case "no-bindings":
      return "No valid ManagedClusterSetBindings found in placement namespace";
    case "no-intersection":
      return `None of ManagedClusterSets [${namesOf(message.sets)}] is bound to placement namespace`;
    case "empty-sets":
      return `All ManagedClusterSets [${namesOf(message.sets)}] have no member ManagedCluster`;
    case "scheduled":
      return "All cluster decisions scheduled";
    case "configured":
      return "Placement configurations check pass";
    case "evaluated":
      return "every cluster was evaluated without an error";
    case "not-evaluated":
      return "no cluster was evaluated";
    case "none-asked-for":
      return "No ManagedCluster is asked for";
    case "kept":
      return `${message.count} cluster decisions are kept as they were: ${faultsText(message.faults)}`;
    case "no-match": {
      const none = message.isLeft
        ? "No ManagedCluster is left"
        : "No ManagedCluster matches any of the cluster predicate";
      return message.taints === undefined ? none : `${none}: ${taintsText(message.taints)}`;
    }
    case "unscheduled": {
      const more = message.taints === undefined ? "" : `; ${taintsText(message.taints)}`;
      return `${message.count} cluster decisions unscheduled${more}`;
    }
    case "faults":
      return faultsText(message.faults);
    case "ocm-mistake":
      return `${message.plugin === "DecisionGroup" ? "" : message.plugin}:${faultMessage(message.fault)}`;
    case "problems": {
      const { brokenSets, failed, unread } = message;
      return [
        ...(brokenSets === undefined ? [] : [faultsText(brokenSets)]),
        ...clustersText(failed.count, "could not be evaluated", withoutErrors ? [] : failed.first.map(failureText)),
        ...clustersText(unread.count, "could not be read", unread.first),
      ].join("; ");
    }
  }
}

function clustersText(count: number, what: string, first: readonly string[]): readonly string[] {
  if (count === 0) return [];
  const more = count > first.length ? "; …" : "";
  return [`${counted(count, "cluster")} ${what}${first.length === 0 ? "" : `: ${first.join("; ")}${more}`}`];
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

/** How many sets a message names. */
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
