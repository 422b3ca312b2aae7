// What is there to tell about the writing of PlacementDecisions? The events that OCM's controller sends, as plain data.

import { compareText } from "../model/json.ts";
import type { SliceWrite } from "./write/writes-order.ts";

/** An object that an event is about. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

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
  readonly note: string;
  readonly reportingController: "placement-controller";
}

/** What was written, and what is known of it. */
export interface EventsQuestion {
  readonly placement: { readonly namespace: string; readonly name: string };
  /** In the order in which they are made. */
  readonly writes: readonly SliceWrite[];
  /** The clusters that a PlacementDecision had before all writes; nothing if it was not there. */
  readonly before: (slice: string) => readonly string[] | undefined;
  /** The weighted sum of each cluster that was ranked. */
  readonly scores: ReadonlyMap<string, number>;
  /** What is odd about the decisions, and which plugin says so. */
  readonly warning?: { readonly plugin: string; readonly message: string } | undefined;
}

/** The longest note; Kubernetes refuses those of more than 1024 bytes. */
const MAX_NOTE = 1000;
const MORE = "......";

/**
 * The events of some writes, in their order. Labels, scores and reasons change silently: only who is in a slice is told. The
 * first update of a new slice belongs to its creation.
 */
export function eventsOf(question: EventsQuestion): readonly PlacementEvent[] {
  const content = new Map<string, readonly string[]>();
  const isNew = new Set<string>();
  const scores = scoreNote(question.scores);
  return question.writes.flatMap((write): readonly PlacementEvent[] => {
    const { name } = write;
    if (write.call === "label") return [];
    if (write.call === "delete") {
      return [eventOf(question, "DecisionDelete", name, noteOf(question, "deleted", name))];
    }
    if (write.call === "create") {
      isNew.add(name);
      return [eventOf(question, "DecisionCreate", name, noteOf(question, "created", name))];
    }
    const before = content.get(name) ?? question.before(name) ?? [];
    const after = write.decisions.map(({ clusterName }) => clusterName);
    content.set(name, after);
    if (isNew.delete(name) || areSame(before, after)) return [];
    return [updateOf(question, name), eventOf(question, "ScoreUpdate", name, scores)];
  });
}

function updateOf(question: EventsQuestion, slice: string): PlacementEvent {
  const note = noteOf(question, "updated", slice);
  const { warning } = question;
  if (warning === undefined) return eventOf(question, "DecisionUpdate", slice, note);
  const text = `${note}; ${warning.plugin} warns: ${warning.message.trim()}`;
  return { ...eventOf(question, "DecisionUpdate", slice, cut(text)), type: "Warning" };
}

function noteOf({ placement }: EventsQuestion, what: string, slice: string): string {
  return `${what} decision ${slice} of placement ${placement.namespace}/${placement.name}`;
}

function eventOf({ placement }: EventsQuestion, reason: EventReason, slice: string, note: string): PlacementEvent {
  const { namespace, name } = placement;
  return {
    type: "Normal",
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

/** Are the clusters the same ones, in whatever order? */
function areSame(a: readonly string[], b: readonly string[]): boolean {
  const names = new Set(a);
  return names.size === new Set(b).size && b.every((name) => names.has(name));
}

/** `name:score ` for each cluster, by name, as many as fit. */
function scoreNote(scores: ReadonlyMap<string, number>): string {
  let note = "";
  for (const name of [...scores.keys()].sort(compareText)) {
    const next = `${name}:${scores.get(name)} `;
    if (note.length + next.length > MAX_NOTE) return note + MORE;
    note += next;
  }
  return note;
}

function cut(note: string): string {
  return note.length <= MAX_NOTE ? note : note.slice(0, MAX_NOTE) + MORE;
}
