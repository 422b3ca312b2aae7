// What can be wrong with an object, and why may it not be decided? Plain data: the sentences are in
// render/sentence/object-fault.ts.

import type { SizeKeyword } from "../compare/difference.ts";
import type { Kind } from "./expectation.ts";
import type { ShownValue } from "./value-text.ts";

/** What a number has to fit into. */
export type NumberRange = "int32" | "int64" | "float";

/** What a field of the metadata holds. */
export type MetadataShape = "text" | "whole number" | "time" | "texts by name" | "list of texts" | "list of objects";

/** What is wrong with a value. */
export type FaultDetail = Readonly<
  /** Where no type is expected, text is. */
  | { kind: "type"; expected: readonly string[]; is: Kind }
  | { kind: "not-whole"; expected: readonly string[]; actual: string; isTooLarge: boolean }
  | { kind: "range"; range: NumberRange; actual: string }
  /** No number is valid, because the schema has a bound that its own format does not allow. */
  | { kind: "unusable-bound"; keyword: string; bound: string; range: NumberRange }
  | { kind: "bound"; keyword: "minimum" | "maximum"; isExclusive: boolean; limit: string; actual: string }
  | { kind: "multipleOf" | "not-divisible"; factor: string; actual: string }
  | { kind: "size"; keyword: SizeKeyword; limit: number; actual: number }
  | { kind: "required" | "embedded-required" | "empty" | "negative" | "not" }
  | { kind: "other-field"; name: string }
  | { kind: "pattern" | "format"; expected: string; actual: string }
  /** The first of the values that are `allowed`. */
  | { kind: "enum"; allowed: readonly ShownValue[]; more: number; actual: ShownValue }
  /** Valid under none of the alternatives; `why` the closest one, at a position from 0, does not take it. */
  | {
      kind: "no-alternative";
      keyword: "anyOf" | "oneOf";
      alternatives: number;
      closest: number;
      why?: Readonly<{ field: string; detail: FaultDetail }> | undefined;
    }
  | { kind: "two-alternatives"; alternatives: number; first: number; second: number }
  | { kind: "repeated-item" | "repeated-in-set" | "not-an-object"; actual: ShownValue }
  | { kind: "repeated-keys"; keys: readonly Readonly<{ name: string; value?: ShownValue | undefined }>[] }
  | { kind: "not-text" | "not-metadata"; is: Kind }
  | { kind: "api-version"; actual: string }
  | { kind: "shape"; expected: MetadataShape | "object"; actual: ShownValue }
  /** A name or label; `mistakes` in the words of Kubernetes. */
  | { kind: "name"; actual: string; mistakes: readonly string[] }
  | { kind: "annotations"; limit: number; actual: number }
  /** A rule does not hold: its own message, or its text where it has none. */
  | { kind: "rule"; message: string }
  | { kind: "rule-broken"; rule: string }
  | { kind: "rule-error"; rule: string; error: string }
>;

/** The limit at which an object was not checked to its end. */
export type UndecidedReason = Readonly<
  | { kind: "values-too-deep" | "lists-too-deep"; levels: number }
  | { kind: "alternatives" | "defaults"; limit: number }
  | { kind: "patterns" }
  | { kind: "text-too-long"; length: number; pattern: string }
  | { kind: "rules-not-compiled"; left: number; limit: number }
  /** One rule, about a field or the object itself (empty), hit the limit: that of all rules (`limit`), or one of CEL. */
  | { kind: "rule"; rule: string; field: string; limit?: number | undefined; error?: string | undefined }
>;
