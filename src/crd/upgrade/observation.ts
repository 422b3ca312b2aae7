// What was seen, before anybody says how serious it is? And how is it put into words that stay short?

import type { SchemaDifference } from "../compare/difference.ts";
import type { CrdFinding } from "../finding.ts";
import type { CrdCode } from "../rule.ts";

/** A finding without its severity. */
export interface Observation extends Omit<CrdFinding, "severity" | "crd"> {
  /** What a difference of schemas does to objects; where it is not said, they may become invalid. */
  readonly effect?: SchemaDifference["effect"] | undefined;
  /** OLM v1 does not look for the difference. */
  readonly unseenByOlm?: boolean | undefined;
  /** The version whose objects show whether it matters, if it is not `version`; empty: those of every version. */
  readonly shownBy?: string | undefined;
}

/** Takes observations as they are made. */
export type Observe = (observation: Observation) => void;

const MAX_NAME_LENGTH = 80;

/** A name from outside: as it is where it is a plain word, otherwise quoted and not too long. */
export function named(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name) && name.length <= 253) return name;
  return JSON.stringify(name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`);
}

const MAX_NAMES = 20;

/** Several names: `a`, `a and b`, `a, b and c`. */
export function namedAll(names: readonly string[], joint: "and" | "or" = "and"): string {
  const words = names.slice(0, MAX_NAMES).map(named);
  if (names.length > MAX_NAMES) words.push(`${names.length - MAX_NAMES} more`);
  const last = words.pop() ?? "none";
  return words.length === 0 ? last : `${words.join(", ")} ${joint} ${last}`;
}

/** Passes on so many observations of each code, and counts the others. */
export class LimitedTelling {
  readonly #observe: Observe;
  readonly #most: number;
  readonly #count = new Map<CrdCode, number>();
  readonly #firstLeftOut = new Map<CrdCode, Observation>();

  constructor(observe: Observe, most: number) {
    this.#observe = observe;
    this.#most = most;
  }

  readonly observe: Observe = (observation) => {
    const count = (this.#count.get(observation.code) ?? 0) + 1;
    this.#count.set(observation.code, count);
    if (count <= this.#most) this.#observe(observation);
    else if (count === this.#most + 1) this.#firstLeftOut.set(observation.code, observation);
  };

  /** For each code of which some were left out, one observation that says how many. */
  tellHowManyMore(): void {
    for (const [code, first] of this.#firstLeftOut) {
      const left = (this.#count.get(code) as number) - this.#most;
      this.#observe({
        ...first,
        message: `${left} more of the kind ${code} are not told; the first is: ${first.message}`,
      });
    }
  }
}
