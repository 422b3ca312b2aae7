// What can be wrong with a Placement, or with what it depends on? Plain data; render/sentence/placement-fault.ts has the words.

import type { Path } from "../model/place.ts";

/** What can be wrong with a line of a selector. */
export type SelectorFault =
  /** A text that cannot be the name, the key or the value of a label. `why` is Kubernetes' own message; absent for an empty text. */
  | Readonly<{
      kind: "label";
      field: "name" | "groupName" | "key" | "value" | "topologyKey";
      value: string;
      why?: string;
    }>
  | UnknownWord
  | { readonly kind: "values-missing" | "values-unwanted"; readonly operator: string };

/** A word of which the API knows only some. */
export interface UnknownWord {
  readonly kind: "unknown-word";
  /** The name of the field. */
  readonly field: string;
  readonly value: string;
  readonly known: readonly string[];
  /** The known word that was probably meant. */
  readonly meant?: string;
}

/** What is wrong. */
export type Fault =
  | SelectorFault
  /** `hint` is that of the reader of the input. */
  | { readonly kind: "unknown-field"; readonly path: Path; readonly hint?: string }
  | { readonly kind: "long-name"; readonly length: number; readonly longest: number }
  | { readonly kind: "negative-number" | "max-skew"; readonly value: number }
  /** A finding of the CEL compiler, in its words. */
  | (Readonly<Record<"predicate" | "index" | "line" | "column", number>> &
      Readonly<{ kind: "expression"; message: string; hint?: string }>)
  | { readonly kind: "toleration-without-key" | "toleration-with-value" }
  /** `isReadable`: it is a number or a percentage, but none that the API allows. */
  | { readonly kind: "group-size"; readonly value: number | string; readonly isReadable: boolean }
  | { readonly kind: "score-rate-limit" | "score-type"; readonly value: string }
  | { readonly kind: "many-spread-constraints"; readonly limit: number }
  | { readonly kind: "weight"; readonly value: number; readonly limit: number }
  | { readonly kind: "no-score-coordinate" | "no-add-on" }
  | { readonly kind: "broken-set"; readonly set: string; readonly fault: SelectorFault }
  /** `isSupposed`: it was not seen, and may be in what could not be read. */
  | { readonly kind: "unread-set"; readonly object: string; readonly name?: string; readonly isSupposed: boolean }
  | { readonly kind: "unusable-set"; readonly set: UnusableSet; readonly namespace: string }
  /** A selected cluster could not be read. `stays`: it keeps its place. */
  | { readonly kind: "unread-cluster"; readonly name: string; readonly isSupposed: boolean; readonly stays: boolean }
  /** What follows for a cluster from a score that could not be read. `withheld`: it was not selected before, and is not newly selected. */
  | Readonly<{ kind: "unread-score"; score: UnreadScoreName; cluster: string; then: "stays" | "no-room" | "withheld" }>
  /** AddOnPlacementScores as `cluster/name`; `more`: there are others. */
  | { readonly kind: "expired-scores"; readonly scores: readonly string[]; readonly more: boolean }
  | { readonly kind: "time-over" | "spread-too-long" }
  /** All expressions together cost more than the limit. */
  | { readonly kind: "cost-limit"; readonly limit: number }
  /** Expressions were stopped at their own limit. */
  | { readonly kind: "stopped-expressions"; readonly clusters: number }
  /** The number of faults that are not listed. */
  | { readonly kind: "more"; readonly count: number };

/** An AddOnPlacementScore that could not be read. */
export interface UnreadScoreName {
  /** The cluster that it is about: its namespace. */
  readonly cluster: string;
  readonly name: string;
}

/** A set that a Placement asks for and cannot use. */
export interface UnusableSet {
  readonly name: string;
  /** The set does not exist; or it is not bound to the namespace. */
  readonly why: "missing" | "unbound";
  /** The bound set that may have been meant. */
  readonly meant?: string;
}
