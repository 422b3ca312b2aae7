// How does one Placement become what it should be? Make a plan from the mirror, have it carried out, take the answers into the
// mirror. A key says only that something may have changed; everything else is looked up.

import type { Clock } from "../controller/clock.ts";
import type { RecordedEvent } from "../controller/event-object.ts";
import { isUnanswered, type PlannedWrite } from "../controller/ordered-writes.ts";
import type { Processed } from "../controller/work-queue.ts";
import type { SharedTexts } from "../input/shared-texts.ts";
import { listPath } from "../kube/path.ts";
import { type FailureKind, failureOfOne } from "../net/failure.ts";
import { eventsOf, MAX_SCORES } from "../placement/placement-events.ts";
import type { PlacementMode } from "../placement/placement-mode.ts";
import type { PlacementResult } from "../placement/placement-result.ts";
import { faultMessage } from "../render/sentence/placement-fault.ts";
import { eventNote } from "../render/sentence/placement-status.ts";
import type { HubMirror, WriteAnswer } from "./hub-mirror.ts";
import { type PlacementPlan, type PlanOutcome, placementPlan } from "./placement-plan.ts";
import type { StoredFields } from "./stored-fields.ts";
import { apiOf, type WatchedItem, watchedItem } from "./watched-kinds.ts";

/** What became of the writes of a plan: plain data, it crosses threads. */
export interface CarriedOut {
  /** Each with its position in the plan, and the object as the server answers it; empty if it is deleted. */
  readonly written: readonly { readonly index: number; readonly text: string }[];
  /** Why the next one failed; those after it were not tried. */
  readonly failure?: WriteFailure | undefined;
}

export interface WriteFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** Milliseconds that the server wants us to wait. */
  readonly retryAfter?: number | undefined;
}

export interface ReconcilerOptions {
  readonly mirror: HubMirror;
  readonly mode: PlacementMode;
  readonly clock: Clock;
  readonly shared: SharedTexts;
  readonly isLeading: () => boolean;
  readonly storedFields: () => StoredFields;
  readonly carryOut: (writes: readonly PlannedWrite[]) => Promise<CarriedOut>;
  /** The JSON text of an object of the server; undefined if there is none. */
  readonly readObject: (list: WrittenList, namespace: string, name: string) => Promise<string | undefined>;
  /** Sends events of one Placement; the result is for how many milliseconds others of it would be dropped. */
  readonly record: (events: readonly RecordedEvent[]) => Promise<number>;
  /** A Placement is to be looked at again after so many milliseconds, although nothing has changed. */
  readonly later: (key: string, milliseconds: number) => void;
  /** Time alone may change something for a Placement; undefined: never. */
  readonly wakeAt: (key: string, time: number | undefined) => void;
  readonly onFailure: (key: string, failure: WriteFailure) => void;
}

/** What is known of a Placement after it was looked at. */
export interface ReconciledPlacement {
  readonly outcome: PlanOutcome;
  readonly isSatisfied: boolean;
}

/** Failures that are over as soon as the watch has brought the newest state. */
const STALE: ReadonlySet<FailureKind> = new Set<FailureKind>(["conflict", "exists", "not-found"]);
/** Milliseconds between two writes of the status of a Placement if only numbers change: decisions have precedence while clusters come and go. */
const STATUS_PERIOD = 5000;
/**
 * Milliseconds before the status reports a failure that lasts. Also if writing is forbidden: an API server that has just started forbids
 * everything until it has read its roles. What the schema does not allow is reported at once.
 */
const REPORTED_AFTER = 5000;

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

  /** How often decisions were written in a row only because of the decisions of others, by key. */
  readonly #moves = new Map<string, number>();

  /** Until when events of a Placement are dropped that are not equal to earlier ones, by key, in monotonic milliseconds. */
  readonly #mutedUntil = new Map<string, number>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /**
   * How often the decisions of a Placement were written in a row only because others were written. Balance can make Placements follow
   * each other without end: the more often, the longer they wait.
   */
  movesOf(key: string): number {
    return this.#moves.get(key) ?? 0;
  }

  /**
   * Brings a Placement up to date, if this process leads; otherwise only its answer is. `isUrgent` is false if nothing has changed but what
   * this controller has written itself.
   */
  async reconcile(key: string, isUrgent: boolean): Promise<Processed> {
    const { mirror, isLeading, clock, mode } = this.#options;
    if (!mirror.isSettled) return "done";
    if (isLeading() && !(await this.#readUnanswered(key))) return "again";
    const placement = mirror.stores.placements.get(key);
    if (placement === undefined) {
      this.#forget(key);
      return "done";
    }
    mirror.applyAnswers(placement);
    const setting = { mode, stored: this.#options.storedFields(), now: clock.now() };
    let plan = placementPlan(placement, mirror, { ...setting, failure: this.#failures.get(key)?.reported });
    // Whatever failed before: the decisions are correct by now.
    if (plan.decisions.length === 0 && this.#failures.delete(key)) plan = placementPlan(placement, mirror, setting);
    this.placements.set(key, { outcome: plan.outcome, isSatisfied: plan.isSatisfied });
    this.#options.wakeAt(key, plan.wakeAt);
    const isRetry = this.#failures.has(key);
    if (isUrgent || (plan.decisions.length === 0 && !isRetry)) this.#moves.delete(key);
    if (!isLeading() || plan.writes.length === 0 || !canWrite(mirror)) return "done";
    const processed = await this.#carryOut(placement, this.#withoutEarlyStatus(key, plan));
    const hasMoved = processed === "done" && !isUrgent && !isRetry && plan.decisions.length > 0;
    if (hasMoved) this.#moves.set(key, this.movesOf(key) + 1);
    return processed;
  }

  /** The plan; without the status if that has time, and was written a moment ago. */
  #withoutEarlyStatus(key: string, plan: PlacementPlan): PlacementPlan {
    const { clock, later } = this.#options;
    const wait = (this.#statusAt.get(key) ?? Number.NEGATIVE_INFINITY) + STATUS_PERIOD - clock.monotonic();
    if (!plan.isStatusMinor || wait <= 0) return plan;
    later(key, wait);
    return { ...plan, writes: plan.writes.filter((write) => write !== plan.status), status: undefined };
  }

  async #carryOut(placement: WatchedItem<"placements">, plan: PlacementPlan): Promise<Processed> {
    if (plan.writes.length === 0) return "done";
    const { mirror, carryOut, clock } = this.#options;
    const { key } = placement;
    const before = this.#sliceContents(placement, plan);
    const { written, failure } = await mirror.writing(
      placement,
      () => carryOut(plan.writes),
      (outcome) => this.#answersOf(placement, plan, outcome),
    );
    this.#recordEvents(placement, plan, written.length, before);
    if (plan.status !== undefined && failure === undefined) this.#statusAt.set(key, clock.monotonic());
    if (failure === undefined) {
      // The status may still tell of the failure.
      return this.#failures.delete(key) ? "once-more" : "done";
    }
    // The lease is lost, for good or for a moment: if it is not held then, nothing is written.
    if (failure.kind === "not-sent") return "again";
    this.#options.onFailure(key, failure);
    const failed = plan.writes[written.length] as PlannedWrite;
    if (isUnanswered(failure.kind)) this.#unanswered.set(key, objectOf(failed, placement));
    // The status itself cannot say that it could not be written, and the decisions are right.
    const isOfStatus = failed === plan.status;
    if (isOfStatus) this.#failures.delete(key);
    else if (!STALE.has(failure.kind)) this.#fail(key, failure);
    return failure.retryAfter === undefined ? "again" : { notBefore: failure.retryAfter };
  }

  /**
   * Reads the object of the last write, if there was no answer to that; false if it is not known yet what the object is. A plan that counts
   * on what was there before could remove a cluster elsewhere that the write has removed here.
   */
  async #readUnanswered(key: string): Promise<boolean> {
    const { mirror, readObject, shared } = this.#options;
    const object = this.#unanswered.get(key);
    if (object === undefined) return true;
    const { list, namespace, name } = object;
    const objectKey = `${namespace}/${name}`;
    const before = mirror.stores[list].get(objectKey)?.resourceVersion;
    try {
      const text = await readObject(list, namespace, name);
      const item = text === undefined ? undefined : watchedItem(list, text, shared);
      if (typeof item === "string" || !mirror.found({ list, key: objectKey, item }, before)) return false;
    } catch (error) {
      const failure = failureOfOne(error);
      this.#options.onFailure(key, failure);
      this.#fail(key, failure);
      return false;
    }
    this.#unanswered.delete(key);
    return true;
  }

  /** Remembers a failure, which is reported when it has lasted. */
  #fail(key: string, { kind, message }: WriteFailure): void {
    const now = this.#options.clock.monotonic();
    const since = this.#failures.get(key)?.since ?? now;
    const isReported = kind === "invalid" || now - since >= REPORTED_AFTER;
    this.#failures.set(key, { since, ...(isReported && { reported: message }) });
  }

  /** The objects as they are after the writes. */
  #answersOf(
    placement: WatchedItem<"placements">,
    { writes }: PlacementPlan,
    { written }: CarriedOut,
  ): readonly WriteAnswer[] {
    const { shared } = this.#options;
    return written.flatMap(({ index, text }): readonly WriteAnswer[] => {
      const { list, namespace, name } = objectOf(writes[index] as PlannedWrite, placement);
      if (text === "") return [{ list, key: `${namespace}/${name}`, item: undefined }];
      const item = watchedItem(list, text, shared);
      return typeof item === "string" ? [] : [{ list, key: item.key, item }];
    });
  }

  /** The clusters of the slices of a Placement before the plan is carried out; by name, for events. */
  #sliceContents({ namespace }: WatchedItem, { decisions }: PlacementPlan): ReadonlyMap<string, readonly string[]> {
    const { placementDecisions } = this.#options.mirror.stores;
    return new Map(
      decisions.flatMap(({ name }) => {
        const model = placementDecisions.get(`${namespace}/${name}`)?.model;
        return model === undefined ? [] : [[name, model.decisions.map(({ clusterName }) => clusterName)] as const];
      }),
    );
  }

  #recordEvents(
    placement: WatchedItem<"placements">,
    plan: PlacementPlan,
    writtenCount: number,
    before: ReadonlyMap<string, readonly string[]>,
  ): void {
    const { mirror, record, clock } = this.#options;
    const writes = plan.decisions.slice(0, Math.max(0, writtenCount - plan.firstDecision));
    if (writes.length === 0) return;
    const { key, namespace, name, uid } = placement;
    const expired = (mirror.engine.result(key) as PlacementResult | undefined)?.warnings.find(
      ({ fault }) => fault.kind === "expired-scores",
    );
    // Scores are rarely equal to earlier ones, and take long to find where they decide nothing.
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
    this.#mutedUntil.delete(key);
    this.#options.wakeAt(key, undefined);
  }
}

/** Without them, what is written would be a guess: PlacementDecisions that exist would be created again. */
function canWrite(mirror: HubMirror): boolean {
  return mirror.unread.every(({ list }) => list !== "placements" && list !== "placementDecisions");
}

/** Kinds that this controller writes. */
export type WrittenList = WriteAnswer["list"];

/** An object that a write is about. */
interface WrittenObject {
  readonly list: WrittenList;
  readonly namespace: string;
  readonly name: string;
}

function objectOf(write: PlannedWrite, { namespace }: WatchedItem<"placements">): WrittenObject {
  const isDecision = write.path.startsWith(listPath(apiOf("placementDecisions"), namespace));
  const name = write.verb === "create" ? write.name : nameIn(write.path);
  return { list: isDecision ? "placementDecisions" : "placements", namespace, name };
}

/** The last segment of the path of an object. */
function nameIn(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}
