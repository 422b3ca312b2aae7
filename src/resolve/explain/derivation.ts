// How does a "no" follow from its causes? A chain of conclusions, each from some causes and earlier conclusions, until
// nothing is left; and where one has to ask "which one?", a chain for each case.

import type { Self } from "../member.ts";
import type { Cause } from "./cause.ts";

/** What is certain after a step. */
export type Conclusion =
  /** One of these has to be there. */
  | { readonly kind: "one-of"; readonly members: readonly Self[] }
  /** None of these can be there. */
  | { readonly kind: "none-of"; readonly members: readonly Self[] }
  /** It cannot be. */
  | { readonly kind: "impossible" };

/** One step of thought. */
export interface Step {
  /** The causes it rests on. */
  readonly causes: readonly Cause[];
  /** The places of the earlier steps that it rests on; of a step within a case, also those before the case. */
  readonly after: readonly number[];
  readonly conclusion: Conclusion;
}

/** A case, and what comes of it. */
export interface Case {
  /** One of these is there. */
  readonly members: readonly Self[];
  /** The whole numbering goes on: its first step has the place after the step that made the cases. */
  readonly derivation: Derivation;
}

/** The way to a "no". Its last step says `impossible`, or every case does. */
export interface Derivation {
  readonly steps: readonly Step[];
  /** If the steps do not suffice: what the last `one-of` leaves open, one by one. */
  readonly cases: readonly Case[];
}
