// What does an event of events.k8s.io/v1 look like? With the limits that the API server checks.

import { listPath, objectPath } from "../kube/path.ts";
import type { ObjectReference } from "../model/object-reference.ts";
import { microTime } from "./micro-time.ts";

/** What happened, without the time. */
export interface RecordedEvent {
  readonly type: "Normal" | "Warning";
  /** Why, for machines: such as `DecisionUpdate`. */
  readonly reason: string;
  /** What was done, for machines. */
  readonly action: string;
  /** For people. */
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference;
  /** The name of the controller, such as `placement-controller`. */
  readonly reportingController: string;
}

const EVENTS = { group: "events.k8s.io", version: "v1", plural: "events" };

/** In bytes of UTF-8. */
const MAX_NOTE = 1024;
const MAX_WORD = 128;
const MAX_NAME = 253;
const DNS_SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** The event as it is compared and sent: no field is longer than the API allows. */
export function boundedEvent(event: RecordedEvent): RecordedEvent {
  const { reason, action, note } = event;
  return { ...event, reason: cut(reason, MAX_WORD), action: cut(action, MAX_WORD), note: cut(note, MAX_NOTE) };
}

/** The path of the events of a namespace. What is in no namespace has its events in `default`. */
export function eventsPath({ regarding }: RecordedEvent): string {
  return listPath(EVENTS, namespaceOf(regarding));
}

export function eventPath({ regarding }: RecordedEvent, name: string): string {
  return objectPath(EVENTS, namespaceOf(regarding), name);
}

/** A name that no other event has: that of the object, and 64 random bits. An object whose name cannot be part of it is left out. */
export function eventName({ name }: ObjectReference, random: () => number): string {
  const suffix = Array.from({ length: 4 }, () => {
    const bits = Math.floor(random() * 0x10000);
    return bits.toString(16).padStart(4, "0");
  }).join("");
  const prefix = name.slice(0, MAX_NAME - suffix.length - 1).replace(/[.-]+$/, "");
  return `${DNS_SUBDOMAIN.test(prefix) ? prefix : "event"}.${suffix}`;
}

export interface EventHead {
  readonly name: string;
  /** The time of the wall clock. */
  readonly time: number;
  /** Which process reports it. */
  readonly reportingInstance: string;
}

export function eventObject(event: RecordedEvent, { name, time, reportingInstance }: EventHead): object {
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name, namespace: namespaceOf(event.regarding) },
    eventTime: microTime(time),
    ...event,
    reportingInstance: cut(reportingInstance, MAX_WORD),
  };
}

/** A merge patch that says how often an event has happened so far, and when the last time was. */
export function seriesPatch(count: number, time: number): object {
  return { series: { count, lastObservedTime: microTime(time) } };
}

function namespaceOf({ namespace }: ObjectReference): string {
  return namespace === "" ? "default" : namespace;
}

/** The beginning of a text, in bytes of UTF-8, without half a character. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const beginning = Buffer.from(text.slice(0, bytes)).subarray(0, bytes - Buffer.byteLength("…"));
  return `${beginning.toString().replace(/\ufffd+$/, "")}…`;
}
