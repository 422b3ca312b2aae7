// Which events does OCM's controller send about the writing of PlacementDecisions? Plain data: the notes are made by
// render/sentence/placement-status.ts.

import { compareText } from "../model/json.ts";
import type { ObjectReference } from "../model/object-reference.ts";
import type { PlacementName } from "./placement-name.ts";
import type { SliceWrite } from "./write/safe-write-order.ts";

/** What happened, in OCM's word. */
export type EventReason = "DecisionCreate" | "DecisionUpdate" | "ScoreUpdate" | "DecisionDelete";

/** An event of events.k8s.io/v1, as far as it does not depend on who sends it and when. */
export interface PlacementEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: EventReason;
  readonly action: `${EventReason}d`;
  /** The Placement. */
  readonly regarding: ObjectReference;
  /** The PlacementDecision. */
  readonly related: ObjectReference;
  readonly note: EventNote;
  readonly reportingController: "placement-controller";
}

/** What the note of an event says. */
export type EventNote =
  | {
      readonly kind: "created" | "deleted" | "updated";
      readonly slice: string;
      readonly placement: PlacementName;
      readonly warning?: DecisionWarning;
    }
  /** The clusters by name, each with its score. More than fit into a note are left out. */
  | { readonly kind: "scores"; readonly scores: readonly (readonly [cluster: string, score: number])[] };

/** A warning about the decisions, and the plugin that gives it. */
export interface DecisionWarning {
  readonly plugin: string;
  readonly message: string;
}

/** What was written, and what is known of it. */
export interface EventsQuestion {
  readonly placement: PlacementName;
  /** In the order in which they are made. */
  readonly writes: readonly SliceWrite[];
  /** The clusters that a PlacementDecision had before all writes; nothing if it was not there. */
  readonly before: (slice: string) => readonly string[] | undefined;
  /** The weighted sum of each cluster that was ranked; undefined: no event about them is wanted. */
  readonly scores: ReadonlyMap<string, number> | undefined;
  readonly warning?: DecisionWarning | undefined;
}

/** A note of 1000 characters has no room for more scores. */
export const MAX_SCORES = 300;

/**
 * The events of some writes, in their order. Changes of labels, scores and reasons have no events, only those of clusters. A real
 * API server ignores the clusters of a creation, so that a new slice has the events of its first update, too (H21).
 */
export function eventsOf(question: EventsQuestion): readonly PlacementEvent[] {
  const placement = { namespace: question.placement.namespace, name: question.placement.name };
  const content = new Map<string, readonly string[]>();
  const scores = question.scores && [...question.scores].sort(([a], [b]) => compareText(a, b)).slice(0, MAX_SCORES);
  return question.writes.flatMap((write): readonly PlacementEvent[] => {
    const { name } = write;
    if (write.call === "label") return [];
    if (write.call === "delete")
      return [eventOf(question, "DecisionDelete", name, { kind: "deleted", slice: name, placement })];
    if (write.call === "create")
      return [eventOf(question, "DecisionCreate", name, { kind: "created", slice: name, placement })];
    const before = content.get(name) ?? question.before(name) ?? [];
    const after = write.decisions.map(({ clusterName }) => clusterName);
    content.set(name, after);
    if (areSame(before, after)) return [];
    const warning = question.warning && { warning: question.warning };
    const updated = eventOf(question, "DecisionUpdate", name, { kind: "updated", slice: name, placement, ...warning });
    return scores === undefined
      ? [updated]
      : [updated, eventOf(question, "ScoreUpdate", name, { kind: "scores", scores })];
  });
}

function eventOf({ placement }: EventsQuestion, reason: EventReason, slice: string, note: EventNote): PlacementEvent {
  const { namespace, name } = placement;
  return {
    type: note.kind === "updated" && note.warning !== undefined ? "Warning" : "Normal",
    reason,
    action: `${reason}d`,
    regarding: reference("Placement", namespace, name),
    related: reference("PlacementDecision", namespace, slice),
    note,
    reportingController: "placement-controller",
  };
}

function reference(kind: string, namespace: string, name: string): ObjectReference {
  return { apiVersion: "cluster.open-cluster-management.io/v1beta1", kind, namespace, name };
}

/** Are the clusters the same, in any order? */
function areSame(a: readonly string[], b: readonly string[]): boolean {
  const names = new Set(a);
  return names.size === new Set(b).size && b.every((name) => names.has(name));
}
