// Which kinds have failed to list or watch for long enough to be reported? A watch that ends, or a restart of the API server, is not.

import type { Clock } from "../controller/clock.ts";
import type { ReflectorState } from "../controller/reflector.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import type { NetFailure } from "../net/failure.ts";
import type { UnreadKind } from "./hub-mirror.ts";
import type { FailingKind } from "./threads.ts";
import type { WatchedList } from "./watched-kinds.ts";

/** Milliseconds of failure; longer than a refusal takes, which has a line of its own in the log. */
const REPORTED_AFTER = 6000;

/** What is known of a kind that fails. */
interface Failing {
  failure: NetFailure;
  isReported: boolean;
  readonly cancel: () => void;
}

export class FailingKinds {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #failing = new Map<WatchedList, Failing>();

  /** `onChange`: what `failureOf` says of a kind has begun or ended. */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Takes the state of the reflector of a kind. */
  set(list: WatchedList, state: ReflectorState): void {
    const before = this.#failing.get(list);
    if (state.is === "failing") {
      if (before === undefined) this.#begin(list, state.failure);
      else before.failure = state.failure;
    } else if (before !== undefined) {
      before.cancel();
      this.#failing.delete(list);
      if (before.isReported) this.#onChange();
    }
  }

  /** Why a kind has not been listed or watched for some seconds; undefined if it has. */
  failureOf(list: WatchedList): NetFailure | undefined {
    const failing = this.#failing.get(list);
    return failing?.isReported === true ? failing.failure : undefined;
  }

  /** All kinds that fail, with those that are lost. */
  report(lost: readonly UnreadKind[]): readonly FailingKind[] {
    const lostFailures = new Map(lost.map(({ list, failure }) => [list, failure]));
    return FLEET_LISTS.flatMap((list) => {
      const failure = lostFailures.get(list) ?? this.failureOf(list);
      const { kind } = KINDS[list];
      return failure === undefined ? [] : [{ kind, why: failure.message, isLost: lostFailures.has(list) }];
    });
  }

  #begin(list: WatchedList, failure: NetFailure): void {
    const cancel = this.#clock.after(REPORTED_AFTER, () => {
      failing.isReported = true;
      this.#onChange();
    });
    const failing: Failing = { failure, isReported: false, cancel };
    this.#failing.set(list, failing);
  }
}
