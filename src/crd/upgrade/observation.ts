// What was seen, before its severity is decided?

import type { Json } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { SchemaDifference } from "../compare/difference.ts";
import type { CrdDetails, CrdStatement } from "../finding.ts";
import type { CrdCode } from "../finding-codes.ts";

/** A finding without its severity. */
export type Observation = CrdStatement & {
  readonly old?: Json | undefined;
  readonly new?: Json | undefined;
  readonly place: Place;
  /** What a difference of schemas does to objects; where it is not said, they may become invalid. */
  readonly effect?: SchemaDifference["effect"] | undefined;
  /** OLM v1 does not look for the difference. */
  readonly unseenByOlm?: boolean | undefined;
  /** The version whose objects show whether it matters, if it is not `version`; empty: those of every version. */
  readonly shownBy?: string | undefined;
};

type Particulars = Partial<Omit<Observation, "code" | "version" | "place" | "detail">>;

/** An observation, which is about a field only if `more` has its path. */
export function observation<Code extends CrdCode>(
  code: Code,
  version: string,
  place: Place,
  detail: CrdDetails[Code],
  more: Particulars = {},
): Observation {
  return { code, version, path: "", detail, ...more, place } as Observation;
}

/** Takes observations as they are made. */
export type Observe = (observation: Observation) => void;

/** Passes on a limited number of observations of each code, and counts the others. */
export class CappedFindings {
  readonly #observe: Observe;
  readonly #limit: number;
  readonly #count = new Map<CrdCode, number>();
  readonly #firstLeftOut = new Map<CrdCode, Observation>();

  constructor(observe: Observe, limit: number) {
    this.#observe = observe;
    this.#limit = limit;
  }

  readonly observe: Observe = (observation) => {
    const count = (this.#count.get(observation.code) ?? 0) + 1;
    this.#count.set(observation.code, count);
    if (count <= this.#limit) this.#observe(observation);
    else if (count === this.#limit + 1) this.#firstLeftOut.set(observation.code, observation);
  };

  /** For each code of which some were left out, the first of them with their number. */
  end(): void {
    for (const [code, first] of this.#firstLeftOut)
      this.#observe({ ...first, more: (this.#count.get(code) as number) - this.#limit });
  }
}
