// What would a change of the runtime constraints do? The controller that resolves the namespaces is asked, and gets little time: no write waits
// long for a warning.

import type { Clock } from "../controller/clock.ts";
import type { ProposedConstraints } from "./constraints-review.ts";

/** Says what a change would do, a line for each thing; undefined if that is not known. Without a text, the ConfigMap is deleted. */
export type AskRadius = (proposed: { readonly text: string } | undefined) => Promise<string | undefined>;

const UNKNOWN = "it is not known yet what this changes for the operators of the cluster";
/** Questions that are computed at the same time, although nothing waits for some of them any more. */
const MAX_OPEN = 4;

export class BlastRadius {
  readonly #ask: AskRadius;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #open = 0;

  constructor(ask: AskRadius, clock: Clock, onError: (error: unknown) => void) {
    this.#ask = ask;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Warnings about a change, at the latest after so many milliseconds. */
  async warnings({ text }: ProposedConstraints, limit: number): Promise<readonly string[]> {
    if (this.#open >= MAX_OPEN || limit <= 0) return [UNKNOWN];
    let cancel: () => void = () => undefined;
    const late = new Promise<string>((done) => {
      cancel = this.#clock.after(limit, () => done(UNKNOWN));
    });
    const answer = this.#answer(text === undefined ? undefined : { text });
    const said = await Promise.race([answer, late]).finally(cancel);
    return said.split("\n").filter((line) => line.trim() !== "");
  }

  async #answer(proposed: { readonly text: string } | undefined): Promise<string> {
    this.#open++;
    try {
      return (await this.#ask(proposed)) ?? UNKNOWN;
    } catch (error) {
      this.#onError(error);
      return UNKNOWN;
    } finally {
      this.#open--;
    }
  }
}
