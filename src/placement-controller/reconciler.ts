// How is one Placement reconciled? Make a plan from the mirror, have it carried out, put the answers into the mirror. A key says only that
// something may have changed; the state is read from the mirror.

import type { Clock } from "../controller/clock.ts";
import type { RecordedEvent } from "../controller/event-object.ts";
import {
  isStale,
  isUnanswered,
  type PlannedWrite,
  type WriteFailure,
  type WriteOutcome,
} from "../controller/ordered-writes.ts";
import type { Processed } from "../controller/work-queue.ts";
import type { SharedTexts } from "../input/shared-texts.ts";
import { NetFailure } from "../net/failure.ts";
import { eventsOf, MAX_SCORES } from "../placement/placement-events.ts";
import type { PlacementMode } from "../placement/placement-mode.ts";
import type { PlacementResult } from "../placement/placement-result.ts";
import type { SliceWrite } from "../placement/write/safe-write-order.ts";
import { faultMessage } from "../render/sentence/placement-fault.ts";
import { eventNote } from "../render/sentence/placement-status.ts";
import type { PlanStep, WrittenList, WrittenObject } from "./decision-writes.ts";
import type { HubMirror, WriteAnswer } from "./hub-mirror.ts";
import { isOfStatus, type PlacementPlan, type PlanOutcome, placementPlan, sliceWritesOf } from "./placement-plan.ts";
import type { StoredFields } from "./stored-fields.ts";
import { type WatchedItem, watchedItem } from "./watched-kinds.ts";

export interface ReconcilerOptions {
  readonly mirror: HubMirror;
  readonly mode: PlacementMode;
  readonly clock: Clock;
  readonly shared: SharedTexts;
  readonly isLeading: () => boolean;
  readonly storedFields: () => StoredFields;
  readonly carryOut: (writes: readonly PlannedWrite[]) => Promise<WriteOutcome>;
  /** The resourceVersion of an object on the server; undefined if there is none. */
  readonly readVersion: (list: WrittenList, namespace: string, name: string) => Promise<string | undefined>;
  /** Sends events of one Placement; the result is for how many milliseconds others of it would be dropped. */
  readonly record: (events: readonly RecordedEvent[]) => Promise<number>;
  /** Reconciles a Placement again after the given number of milliseconds, even if nothing changes. */
  readonly later: (key: string, milliseconds: number) => void;
  /** Time alone may change something for a Placement; undefined: never. */
  readonly wakeAt: (key: string, time: number | undefined) => void;
  /** A write failed, or the read after a write without an answer. */
  readonly onFailure: (key: string, failure: WriteFailure, about: FailedRequest) => void;
}

/** What failed, and whether that is usual: a plan that was based on an outdated state. */
export interface FailedRequest {
  readonly during: "write" | "read";
  readonly isExpected: boolean;
}

/** What is known of a Placement after it was reconciled. */
export interface ReconciledPlacement {
  readonly outcome: PlanOutcome;
  readonly isSatisfied: boolean;
}

/** Milliseconds between two writes of a status in which only numbers change: decisions have priority while clusters come and go. */
const STATUS_PERIOD = 5000;
/** Milliseconds between two looks whether the watch has delivered the version that an object has, whatever changes meanwhile. */
const WATCH_PERIOD = 200;
/**
 * Milliseconds before the status reports a failure that lasts. This includes 403: an API server that has just started forbids everything
 * until it has read its roles. A 422 is reported at once.
 */
const REPORTED_AFTER = 5000;
/** The same for conflicts, which normally end with the next attempt. */
const STALE_REPORTED_AFTER = 30_000;

export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** By key. */
  readonly placements: Map<string, ReconciledPlacement> = new Map();
  /** Writes of decisions that failed, by key: since when, in monotonic milliseconds, and what the status says of it. */
  readonly #failures = new Map<string, { readonly since: number; readonly reported?: string }>();

  /** Objects whose last write has no answer, by the key of their Placement. */
  readonly #unanswered = new Map<string, WrittenObject>();

  /** When the status was last written, by key, in monotonic milliseconds. */
  readonly #statusAt = new Map<string, number>();

  /** When scores were written, by key, in milliseconds since 1970; until a status reports it. */
  readonly #scoresAt = new Map<string, number>();

  /** How often decisions were written in a row only because of the decisions of others, by key. */
  readonly #moves = new Map<string, number>();

  /** Until when events of a Placement are dropped that are not equal to earlier ones, by key, in monotonic milliseconds. */
  readonly #mutedUntil = new Map<string, number>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /**
   * How often in a row the decisions of a Placement were written only because those of others were. Balance can make Placements follow
   * each other without end: the more often, the longer they wait.
   */
  movesOf(key: string): number {
    return this.#moves.get(key) ?? 0;
  }

  /**
   * Brings a Placement up to date if this process leads; otherwise only computes its result. `isUrgent` is false if writes of this
   * controller are the only change.
   */
  async reconcile(key: string, isUrgent: boolean): Promise<Processed> {
    const { mirror, isLeading, clock, mode } = this.#options;
    if (!mirror.isSettled) return "done";
    const waiting = isLeading() ? await this.#readUnanswered(key) : undefined;
    if (waiting !== undefined) return waiting;
    const placement = mirror.stores.placements.get(key);
    if (placement === undefined) {
      this.#forget(key);
      return "done";
    }
    mirror.applyAnswers(placement);
    const setting = { mode, stored: this.#options.storedFields(), now: clock.now() };
    const plan = placementPlan(placement, mirror, {
      ...setting,
      failure: this.#failures.get(key)?.reported,
      scoresWrittenAt: this.#scoresAt.get(key),
    });
    // Whatever failed before, the decisions are correct now.
    if (plan.steps.every(isOfStatus)) this.#failures.delete(key);
    const changesDecisions = sliceWritesOf(plan.steps).length > 0;
    this.placements.set(key, { outcome: plan.outcome, isSatisfied: plan.isSatisfied });
    this.#options.wakeAt(key, plan.wakeAt);
    const isRetry = this.#failures.has(key);
    if (isUrgent || (!changesDecisions && !isRetry)) this.#moves.delete(key);
    if (!isLeading() || plan.steps.length === 0 || !canWrite(mirror)) return "done";
    const processed = await this.#carryOut(placement, this.#withoutEarlyStatus(key, plan));
    const hasMoved = processed === "done" && !isUrgent && !isRetry && changesDecisions;
    if (hasMoved) this.#moves.set(key, this.movesOf(key) + 1);
    return processed;
  }

  /** The steps of a plan; without the status if that has time, and was written a moment ago. */
  #withoutEarlyStatus(key: string, { steps, isStatusMinor }: PlacementPlan): readonly PlanStep[] {
    const { clock, later } = this.#options;
    const wait = (this.#statusAt.get(key) ?? Number.NEGATIVE_INFINITY) + STATUS_PERIOD - clock.monotonic();
    if (!isStatusMinor || wait <= 0) return steps;
    later(key, wait);
    return steps.filter((step) => !isOfStatus(step));
  }

  async #carryOut(placement: WatchedItem<"placements">, steps: readonly PlanStep[]): Promise<Processed> {
    if (steps.length === 0) return "done";
    const { mirror, carryOut, clock } = this.#options;
    const { key } = placement;
    const before = this.#sliceContents(placement, steps);
    const { written, failure, bug } = await mirror.writing(
      placement,
      () => carryOut(steps.map(({ write }) => write)),
      (outcome) => this.#answersOf(steps, outcome),
    );
    const carriedOut = steps.slice(0, written.length);
    this.#recordEvents(placement, sliceWritesOf(carriedOut), before);
    this.#rememberScores(key, carriedOut);
    if (bug !== undefined) {
      this.#unanswered.set(key, (steps[written.length] as PlanStep).object);
      throw bug;
    }
    if (steps.some(isOfStatus) && failure === undefined) this.#statusAt.set(key, clock.monotonic());
    if (failure === undefined) {
      // The status may still tell of the failure.
      return this.#failures.delete(key) ? "once-more" : "done";
    }
    // The lease is lost, perhaps only for a moment: the next attempt checks it again.
    if (failure.kind === "not-sent") return "again";
    const failed = steps[written.length] as PlanStep;
    if (isUnanswered(failure)) this.#unanswered.set(key, failed.object);
    if (!isOfStatus(failed)) this.#fail(key, failure);
    // Only the status is missing, and it cannot say that it could not be written.
    else if (failed === steps.at(-1)) this.#failures.delete(key);
    const isReported = this.#failures.get(key)?.reported !== undefined;
    if (isOfStatus(failed)) this.#decisionsFirst(key);
    this.#options.onFailure(key, failure, { during: "write", isExpected: isStale(failure.kind) && !isReported });
    return failure.retryAfter === undefined ? "again" : { notBefore: failure.retryAfter };
  }

  /** Remembers when scores were written, until a status reports it. */
  #rememberScores(key: string, carriedOut: readonly PlanStep[]): void {
    const last = carriedOut.at(-1);
    if (last !== undefined && isOfStatus(last)) this.#scoresAt.delete(key);
    else if (sliceWritesOf(carriedOut).some(({ call }) => call === "update"))
      this.#scoresAt.set(key, this.#options.clock.now());
  }

  /**
   * After a write without an answer: reads the version that the object has now, and waits until the watch has delivered it; undefined if
   * there is nothing to wait for. A plan based on the state before the write could remove a cluster elsewhere that the write has removed
   * here. What was read does not go into the store: unlike the answer to an own write, it may follow versions that the watch has yet to
   * deliver.
   */
  async #readUnanswered(key: string): Promise<Processed | undefined> {
    const { mirror, readVersion } = this.#options;
    const object = this.#unanswered.get(key);
    if (object === undefined) return undefined;
    const { list, namespace, name } = object;
    try {
      const version = await readVersion(list, namespace, name);
      if (mirror.stores[list].get(`${namespace}/${name}`)?.resourceVersion !== version)
        return { notBefore: WATCH_PERIOD };
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      // The controller stops.
      if (error.kind === "cancelled") return "again";
      this.#options.onFailure(key, error, { during: "read", isExpected: false });
      this.#fail(key, error);
      return { notBefore: error.retryAfter ?? WATCH_PERIOD };
    }
    this.#unanswered.delete(key);
    return undefined;
  }

  /** Remembers a failure, which is reported when it has lasted. */
  #fail(key: string, { kind, message }: WriteFailure): void {
    const now = this.#options.clock.monotonic();
    const since = this.#failures.get(key)?.since ?? now;
    const isReported = kind === "invalid" || now - since >= (isStale(kind) ? STALE_REPORTED_AFTER : REPORTED_AFTER);
    this.#failures.set(key, { since, ...(isReported && { reported: message }) });
  }

  /** A failure that the status cannot report does not hold up decisions: the next attempt begins with them, as if none had failed. */
  #decisionsFirst(key: string): void {
    const failure = this.#failures.get(key);
    if (failure !== undefined) this.#failures.set(key, { since: failure.since });
  }

  /** The objects as they are after the writes. */
  #answersOf(steps: readonly PlanStep[], { written }: WriteOutcome): readonly WriteAnswer[] {
    const { shared } = this.#options;
    return written.flatMap((text, index): readonly WriteAnswer[] => {
      const { list, namespace, name } = (steps[index] as PlanStep).object;
      if (text === "") return [{ list, key: `${namespace}/${name}`, item: undefined }];
      const item = watchedItem(list, text, shared);
      return typeof item === "string" ? [] : [{ list, key: item.key, item }];
    });
  }

  /** The clusters of the slices of a Placement before the steps are carried out; by name, for events. */
  #sliceContents({ namespace }: WatchedItem, steps: readonly PlanStep[]): ReadonlyMap<string, readonly string[]> {
    const { placementDecisions } = this.#options.mirror.stores;
    return new Map(
      sliceWritesOf(steps).flatMap(({ name }) => {
        const model = placementDecisions.get(`${namespace}/${name}`)?.model;
        return model === undefined ? [] : [[name, model.decisions.map(({ clusterName }) => clusterName)] as const];
      }),
    );
  }

  #recordEvents(
    placement: WatchedItem<"placements">,
    writes: readonly SliceWrite[],
    before: ReadonlyMap<string, readonly string[]>,
  ): void {
    const { mirror, record, clock } = this.#options;
    if (writes.length === 0) return;
    const { key, namespace, name, uid } = placement;
    const expired = (mirror.engine.result(key) as PlacementResult | undefined)?.warnings.find(
      ({ fault }) => fault.kind === "expired-scores",
    );
    // Scores rarely equal earlier ones, and are expensive to compute where they decide nothing.
    const isMuted = (this.#mutedUntil.get(key) ?? 0) > clock.monotonic();
    const events = eventsOf({
      placement: { namespace, name },
      writes,
      before: (slice) => before.get(slice),
      scores: isMuted ? undefined : mirror.engine.scores(key, MAX_SCORES),
      ...(expired && { warning: { plugin: "AddOn", message: faultMessage(expired.fault) } }),
    });
    if (events.length === 0) return;
    const recorded = events.map(({ note, regarding, ...event }) => ({
      ...event,
      regarding: { ...regarding, uid },
      note: eventNote(note),
    }));
    void record(recorded).then((milliseconds) => {
      if (this.placements.has(key)) this.#mutedUntil.set(key, clock.monotonic() + milliseconds);
    });
  }

  #forget(key: string): void {
    this.placements.delete(key);
    this.#failures.delete(key);
    this.#unanswered.delete(key);
    this.#moves.delete(key);
    this.#statusAt.delete(key);
    this.#scoresAt.delete(key);
    this.#mutedUntil.delete(key);
    this.#options.wakeAt(key, undefined);
  }
}

/** Without them, what is written would be a guess: PlacementDecisions that exist would be created again. */
function canWrite(mirror: HubMirror): boolean {
  return mirror.unread.every(({ kind }) => kind !== "placements" && kind !== "placementDecisions");
}
