// How is the Resolution of one namespace brought up to date? It exists while something is requested there, and its status is the answer of
// an engine. A key says only that something may have changed.

import type { Clock } from "../controller/clock.ts";
import type { RecordedEvent } from "../controller/event-object.ts";
import { plainTime } from "../controller/micro-time.ts";
import { isStale, type PlannedWrite, type WriteFailure, type WriteOutcome } from "../controller/ordered-writes.ts";
import type { Processed } from "../controller/work-queue.ts";
import { partOf } from "../model/json.ts";
import { CLUSTER_SCOPE } from "../model/problem.ts";
import { CLUSTER_RESOLUTION, NAMESPACE_RESOLUTION, type ResolutionStatus } from "../model/resolution-object.ts";
import type { AdvisedStatus } from "../render/advice/advised-status.ts";
import { adviceConditions, offConditions } from "../render/advice/conditions.ts";
import type { ClusterInputs } from "./cluster-inputs.ts";
import { isExpendable, isOff, isTerminating, termsOf } from "./resolution-spec.ts";
import { creation, removal, statusOf, statusWrite, type WantedStatus } from "./resolution-writes.ts";
import type { AdviceAnswer, AdviceContent, AdviceRequest, ObjectName } from "./threads.ts";
import { verdictEvents } from "./verdict-events.ts";
import { apiOf, type WatchedResolution, watchedResolution } from "./watched-kinds.ts";

export interface ReconcilerOptions {
  readonly inputs: ClusterInputs;
  /** The namespace of the controller. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly isLeading: () => boolean;
  readonly advise: (request: AdviceRequest) => Promise<AdviceAnswer>;
  /** That of the runtime constraints. */
  readonly configMap: ObjectName;
  /** Kinds that cannot be read, by name. */
  readonly lostKinds: () => readonly { readonly kind: string; readonly why: string }[];
  /** API groups of which nothing is known, because their servers do not answer. */
  readonly unreadGroups: () => readonly string[];
  readonly carryOut: (writes: readonly PlannedWrite[]) => Promise<WriteOutcome>;
  readonly record: (events: readonly RecordedEvent[]) => void;
  readonly onAnswer: (result: "answered" | "unchanged" | "failed", took: number | undefined) => void;
  readonly onFailure: (key: string, failure: WriteFailure) => void;
  /** Reconciles a namespace again after the given number of milliseconds, even if nothing changes. */
  readonly later: (key: string, milliseconds: number) => void;
}

/** What was last advised, and on which inputs. */
interface Advised {
  /** Undefined if no engine has answered. */
  readonly inputs: string | undefined;
  readonly content: AdviceContent;
  /** When an engine may find a better answer to the same inputs, in monotonic milliseconds. */
  readonly againAt?: number | undefined;
}

/** Milliseconds until engines are asked again about a namespace for which one has failed, unless something of its own changes. */
const FAILED_AGAIN = 60_000;
/** The same after an answer that was cut off. */
const CUT_AGAIN = 10 * 60_000;

export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** By key. */
  readonly #advised = new Map<string, Advised>();
  /** The keys whose mode is Off. */
  readonly #off = new Set<string>();
  /** The last status with an answer, by key, or the one that was found: verdicts are compared with it. */
  readonly #answered = new Map<string, ResolutionStatus>();
  /** The keys of which nothing has changed since an engine was asked. */
  readonly #asked = new Set<string>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** What was last advised, by key. */
  get advised(): Iterable<AdvisedStatus> {
    return [...this.#advised.values()].map(({ content }) => content.status);
  }

  /** How many are not resolved because their mode is Off. */
  get off(): number {
    return this.#off.size;
  }

  /** Have all answers used the runtime constraints? */
  get areConstraintsValid(): boolean {
    return [...this.#advised.values()].every(({ content }) => content.constraintErrors.length === 0);
  }

  /** This process no longer leads: another one knows what is advised. */
  forgetAll(): void {
    this.#advised.clear();
    this.#asked.clear();
    this.#off.clear();
    this.#answered.clear();
  }

  /** An object of the namespace has changed: where an engine has failed, or is about to fail, one may answer now. */
  takeOwnChange(key: string): void {
    this.#asked.delete(key);
    const before = this.#advised.get(key);
    if (before?.againAt !== undefined && before.inputs === undefined)
      this.#advised.set(key, { ...before, againAt: this.#options.clock.monotonic() });
  }

  async reconcile(key: string): Promise<Processed> {
    const { inputs, isLeading } = this.#options;
    const name = this.#nameOf(key);
    const requests = name.name === CLUSTER_RESOLUTION ? "clusterExtensions" : "subscriptions";
    if (!isLeading() || !inputs.areRequestsKnown(requests)) return "done";
    const resolution = inputs.resolutions.get(key);
    // Whether there are ClusterExtensions is not known.
    if (name.name === CLUSTER_RESOLUTION && inputs.unread.some(({ kind }) => kind === "clusterExtensions"))
      return "done";
    this.#off.delete(key);
    if (!this.#isRequested(name)) {
      this.#advised.delete(key);
      this.#answered.delete(key);
      this.#asked.delete(key);
      return resolution === undefined ? "done" : this.#withoutRequests(key, resolution);
    }
    if (resolution === undefined) return this.#write(key, creation(name), "once-more");
    if (isOff(resolution.object)) {
      this.#advised.delete(key);
      this.#off.add(key);
      const summary = "not resolved: spec.mode is Off";
      return this.#become(key, resolution, { status: { summary }, conditions: offConditions() });
    }
    if (inputs.unread.length > 0)
      return this.#say(key, resolution, { inputs: undefined, content: unreadContent(inputs.unread) });
    return this.#advise(key, name, resolution);
  }

  #nameOf(key: string): ObjectName {
    const [namespace = "", name = ""] = key.split("/");
    return { namespace, name };
  }

  /** Does something have to be resolved? Other names are not those of Resolutions. */
  #isRequested({ namespace, name }: ObjectName): boolean {
    const { inputs, namespace: own } = this.#options;
    if (name === CLUSTER_RESOLUTION) return namespace === own && inputs.sizeOf("clusterExtensions") > 0;
    return name === NAMESPACE_RESOLUTION && inputs.hasSubscriptions(namespace);
  }

  /** What the controller has made goes; what an administrator has made stays, and says that there is nothing to do. */
  async #withoutRequests(key: string, resolution: WatchedResolution): Promise<Processed> {
    if (isExpendable(resolution.object))
      return isTerminating(resolution.object) ? "done" : this.#write(key, removal(resolution), "done");
    // What is requested later is new.
    this.#answered.set(key, {});
    const status = { outcome: "Resolved" as const, summary: "nothing is requested", counts: NOTHING };
    return this.#become(key, resolution, this.#wanted({ ...WITHOUT_ANSWER, status }, undefined));
  }

  async #advise(key: string, { name, namespace }: ObjectName, resolution: WatchedResolution): Promise<Processed> {
    const { advise, onAnswer, isLeading, clock } = this.#options;
    const before = this.#advised.get(key);
    const isDue = before?.againAt !== undefined && before.againAt <= clock.monotonic();
    const hasFailed = before?.againAt !== undefined && before.inputs === undefined;
    if (hasFailed && !isDue) return this.#say(key, resolution, before);
    const request = {
      namespace: name === CLUSTER_RESOLUTION ? CLUSTER_SCOPE : namespace,
      terms: termsOf(resolution.object),
      known: isDue ? undefined : before?.inputs,
    };
    this.#asked.add(key);
    try {
      const { inputs, content, took, isUnknown, isCut } = await advise(request);
      if (!isLeading()) return "done";
      // The engine has not yet heard of the request.
      if (isUnknown === true) return "again";
      onAnswer(content === undefined ? "unchanged" : "answered", took);
      if (content === undefined) return this.#say(key, resolution, before as Advised);
      const againAt = isCut ? clock.monotonic() + CUT_AGAIN : undefined;
      return this.#say(key, resolution, { inputs, content, againAt });
    } catch (error) {
      if (!isLeading()) return "done";
      onAnswer("failed", undefined);
      const content = failedContent(error instanceof Error ? error.message : String(error));
      const againAt = clock.monotonic() + (this.#asked.has(key) ? FAILED_AGAIN : 0);
      return this.#say(key, resolution, { inputs: undefined, content, againAt });
    }
  }

  /** Keeps what is advised, and gives it to a Resolution. */
  #say(key: string, resolution: WatchedResolution, advised: Advised): Promise<Processed> {
    const { clock, later } = this.#options;
    const { inputs, content, againAt } = advised;
    this.#advised.set(key, advised);
    if (againAt !== undefined) later(key, againAt - clock.monotonic());
    return this.#become(key, resolution, this.#wanted(content, inputs));
  }

  #wanted(content: AdviceContent, observedInputs: string | undefined): WantedStatus {
    const { lostKinds, configMap } = this.#options;
    const { apiGroups } = content;
    const unreadGroups = this.#options.unreadGroups().filter((group) => apiGroups?.includes(group) ?? true);
    return {
      status: { ...(observedInputs !== undefined && { observedInputs }), ...content.status },
      conditions: adviceConditions({ ...content, configMap, lostKinds: lostKinds(), unreadGroups }),
    };
  }

  /** Gives a Resolution its status. */
  async #become(key: string, resolution: WatchedResolution, wanted: WantedStatus): Promise<Processed> {
    const { clock, inputs, isLeading, record } = this.#options;
    // It may have changed while an engine was asked.
    const now = inputs.resolutions.get(key);
    if (now !== undefined && now.resourceVersion !== resolution.resourceVersion) return "once-more";
    // The server may have a status without an answer by now, or one whose write seemed to fail.
    const answered = this.#answered.get(key) ?? (partOf(resolution.object, "status") as ResolutionStatus);
    this.#answered.set(key, answered);
    const status = statusOf(resolution, wanted, plainTime(clock.now()));
    const write = statusWrite(resolution, status);
    const processed = write === undefined ? "done" : await this.#write(key, write, "done");
    if (processed === "done" && status.operators !== undefined) {
      if (isLeading()) this.#answered.set(key, status);
      record(verdictEvents(answered, status, inputs));
    }
    return processed;
  }

  async #write(key: string, write: PlannedWrite, then: Processed): Promise<Processed> {
    const { carryOut, inputs, onFailure } = this.#options;
    const { written, failure, bug } = await carryOut([write]);
    const [text] = written;
    if (text === "") inputs.resolutions.answer(key, undefined);
    else if (text !== undefined) {
      const item = watchedResolution(text);
      if (typeof item !== "string") inputs.resolutions.answer(key, item);
    }
    if (bug !== undefined) throw bug;
    if (failure === undefined) return then;
    if (failure.kind === "not-sent") return "again";
    if (!isStale(failure.kind)) onFailure(key, failure);
    return failure.retryAfter === undefined ? "again" : { notBefore: failure.retryAfter };
  }
}

const NOTHING = { operators: 0, updates: 0, heldBack: 0, unsatisfied: 0, pendingApproval: 0 };
/** No engine has looked at constraints and catalogs. */
const WITHOUT_ANSWER = { constraintErrors: [], constraints: undefined, doubtfulCatalogs: [], catalogs: undefined };

/** Nothing is advised as long as it is not known what there is. */
function unreadContent(unread: ClusterInputs["unread"]): AdviceContent {
  const reason = unread.map(({ kind, failure }) => `${apiOf(kind).kind} objects cannot be read: ${failure.message}`);
  const summary = "undecided: the state of the cluster is not known";
  const status = { outcome: "Undecided" as const, summary, reason: reason.join("; "), counts: NOTHING };
  return { ...WITHOUT_ANSWER, status };
}

function failedContent(bug: string): AdviceContent {
  const summary = "undecided: the engine gave no answer";
  const status = { outcome: "Undecided" as const, summary, reason: summary, counts: NOTHING };
  return { ...WITHOUT_ANSWER, status, bug };
}
