// What does a Lease say, and what is written to take, renew and release it? Leases of coordination.k8s.io/v1, as client-go uses
// them for leader election. They can be edited by people and other programs, so no field is trusted.

import { NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { microTime } from "./micro-time.ts";

/** A Lease as the server has it. */
export interface Lease {
  /** The whole object. An update replaces it, so that fields that we do not know have to be sent back. */
  readonly object: object;
  /** Changes with every change of the Lease, even if it is deleted and created again. Only for comparing. */
  readonly version: string;
  /** Empty if it was released. */
  readonly holder: string;
  /** Milliseconds for which it is valid after a renewal. */
  readonly duration: number;
}

/** How a holder writes itself into a Lease. */
export interface Holding {
  readonly identity: string;
  /** Milliseconds. */
  readonly leaseDuration: number;
  /** The time of the wall clock. It is only shown to people: no decision depends on it. */
  readonly now: number;
}

/**
 * Longer durations are cut to this, so that a mistake in a Lease cannot prevent an election for years. No holder of ours has a longer
 * one.
 */
const MAX_LEASE_DURATION = 60 * 60 * 1000;

/** etcd stores no larger objects. */
const MAX_TEXT = 2 * 1024 * 1024;
const MAX_TRANSITIONS = 2 ** 31 - 1;

/** Throws for a Lease that could not be updated safely. `usual` is the duration of one that has none, or one that is not valid. */
export function readLease(text: string, usual: number): Lease {
  const object = text.length <= MAX_TEXT ? parsedJson(text) : undefined;
  const metadata = field(object, "metadata");
  const resourceVersion = textField(metadata, "resourceVersion");
  const spec = field(object, "spec");
  const holder = field(spec, "holderIdentity") ?? "";
  // Without a version an update would overwrite whatever is there, also the Lease of a new leader.
  if (typeof object !== "object" || object === null || resourceVersion === undefined || typeof holder !== "string")
    throw new NetFailure("malformed", "the API server answers with something that is not a Lease");
  const seconds = field(spec, "leaseDurationSeconds");
  const duration = typeof seconds === "number" && seconds > 0 ? Math.min(seconds * 1000, MAX_LEASE_DURATION) : usual;
  return { object, version: `${textField(metadata, "uid") ?? ""}/${resourceVersion}`, holder, duration };
}

/** The Lease, created. */
export function newLease(namespace: string, name: string, holding: Holding): object {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace },
    spec: { ...held(undefined, holding), acquireTime: microTime(holding.now), leaseTransitions: 0 },
  };
}

/** The Lease, taken or renewed. */
export function takenLease({ object, holder }: Lease, holding: Holding): object {
  const spec = field(object, "spec");
  const taken = { ...fieldsOf(spec), ...held(spec, holding) };
  if (holder === holding.identity) return { ...object, spec: taken };
  const leaseTransitions = Math.min(transitionsOf(spec) + 1, MAX_TRANSITIONS);
  return { ...object, spec: { ...taken, acquireTime: taken.renewTime, leaseTransitions } };
}

/** The Lease, free for everyone, and valid for the shortest time that the API allows. */
export function releasedLease({ object }: Lease, now: number): object {
  const spec = field(object, "spec");
  const renewTime = changedTime(spec, now);
  return { ...object, spec: { ...fieldsOf(spec), holderIdentity: "", leaseDurationSeconds: 1, renewTime } };
}

function held(spec: unknown, { identity, leaseDuration, now }: Holding) {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
    renewTime: changedTime(spec, now),
  };
}

/**
 * The time of a renewal. It is never that of the renewal before, even if the wall clock was set back in between: an update that
 * changes nothing would leave the resourceVersion as it is, and the others would see no renewal.
 */
function changedTime(spec: unknown, now: number): string {
  const time = microTime(now);
  return time === field(spec, "renewTime") ? microTime(now, 1) : time;
}

function transitionsOf(spec: unknown): number {
  const count = field(spec, "leaseTransitions");
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : 0;
}

function fieldsOf(spec: unknown): object {
  return typeof spec === "object" && spec !== null ? spec : {};
}
