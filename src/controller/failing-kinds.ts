// Which kinds have failed to list or watch for long enough to be reported? A watch that ends, or a restart of the API server, is not.

import type { NetFailure } from "../net/failure.ts";
import type { Clock } from "./clock.ts";
import type { FailingKind } from "./controller-threads.ts";
import type { ReflectorState } from "./reflector.ts";

export interface FailingKindsOptions<Kind> {
  /** What is watched. */
  readonly kinds: readonly Kind[];
  /** What a kind is called in reports. */
  readonly nameOf: (kind: Kind) => string;
  readonly clock: Clock;
  /** What `failureOf` says of a kind has begun or ended. */
  readonly onChange: () => void;
}

/** Why a kind is lost: it is forbidden, or not installed, or a new leader has waited for it in vain. */
export interface LostKind<Kind> {
  readonly kind: Kind;
  readonly failure: NetFailure;
}

/** Milliseconds of failure; longer than a refusal takes, which has a line of its own in the log. */
const REPORTED_AFTER = 6000;

/** What is known of a kind that fails. */
interface Failing {
  failure: NetFailure;
  isReported: boolean;
  readonly cancel: () => void;
}

export class FailingKinds<Kind> {
  readonly #options: FailingKindsOptions<Kind>;
  readonly #failing = new Map<Kind, Failing>();

  constructor(options: FailingKindsOptions<Kind>) {
    this.#options = options;
  }

  /** Takes the state of the reflector of a kind. */
  set(kind: Kind, state: ReflectorState): void {
    const before = this.#failing.get(kind);
    if (state.is === "failing") {
      if (before === undefined) this.#begin(kind, state.failure);
      else before.failure = state.failure;
    } else if (before !== undefined) {
      before.cancel();
      this.#failing.delete(kind);
      if (before.isReported) this.#options.onChange();
    }
  }

  /** Why a kind has not been listed or watched for some seconds; undefined if it has. */
  failureOf(kind: Kind): NetFailure | undefined {
    const failing = this.#failing.get(kind);
    return failing?.isReported === true ? failing.failure : undefined;
  }

  /** All kinds that fail, with those that are lost. */
  report(lost: readonly LostKind<Kind>[]): readonly FailingKind[] {
    const lostFailures = new Map(lost.map(({ kind, failure }) => [kind, failure]));
    const { kinds, nameOf } = this.#options;
    return kinds.flatMap((kind) => {
      const failure = lostFailures.get(kind) ?? this.failureOf(kind);
      const isLost = lostFailures.has(kind);
      return failure === undefined ? [] : [{ kind: nameOf(kind), why: failure.message, isLost }];
    });
  }

  #begin(kind: Kind, failure: NetFailure): void {
    const { clock, onChange } = this.#options;
    const cancel = clock.after(REPORTED_AFTER, () => {
      failing.isReported = true;
      onChange();
    });
    const failing: Failing = { failure, isReported: false, cancel };
    this.#failing.set(kind, failing);
  }
}
