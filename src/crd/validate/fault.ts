// What can be wrong with an object, and why may it not be decided? Plain data: the sentences are in
// render/sentence/object-fault.ts.

import type { Kind } from "./expectation.ts";
import type { ShownValue } from "./shown.ts";

/** What a number has to fit into. */
export type NumberRange = "int32" | "int64" | "float";

/** What a field of the metadata holds. */
export type MetadataShape = "text" | "whole number" | "time" | "texts by name" | "list of texts" | "list of objects";

/** What is wrong with a value. */
export type FaultDetail =
  /** Where no type is expected, text is. */
  | { readonly kind: "type"; readonly expected: readonly string[]; readonly is: Kind }
  | {
      readonly kind: "not-whole";
      readonly expected: readonly string[];
      readonly actual: string;
      readonly isTooLarge: boolean;
    }
  | { readonly kind: "range"; readonly range: NumberRange; readonly actual: string }
  /** No number is valid, because the schema has a bound that its own format does not allow. */
  | {
      readonly kind: "unusable-bound";
      readonly keyword: string;
      readonly bound: string;
      readonly range: NumberRange;
    }
  | {
      readonly kind: "bound";
      readonly keyword: "minimum" | "maximum";
      readonly isExclusive: boolean;
      readonly limit: string;
      readonly actual: string;
    }
  | { readonly kind: "multipleOf" | "not-divisible"; readonly factor: string; readonly actual: string }
  | {
      readonly kind: "size";
      readonly keyword: "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";
      readonly limit: number;
      readonly actual: number;
    }
  | { readonly kind: "required" | "embedded-required" | "empty" | "negative" | "not" }
  | { readonly kind: "other-field"; readonly name: string }
  | { readonly kind: "pattern" | "format"; readonly expected: string; readonly actual: string }
  | {
      readonly kind: "enum";
      /** The first of them. */
      readonly allowed: readonly ShownValue[];
      readonly more: number;
      readonly actual: ShownValue;
    }
  /** Valid under none of the alternatives; `why` the closest one, at a position from 0, does not take it. */
  | {
      readonly kind: "no-alternative";
      readonly keyword: "anyOf" | "oneOf";
      readonly alternatives: number;
      readonly closest: number;
      readonly why?: { readonly field: string; readonly detail: FaultDetail } | undefined;
    }
  | {
      readonly kind: "two-alternatives";
      readonly alternatives: number;
      readonly first: number;
      readonly second: number;
    }
  | { readonly kind: "repeated-item" | "repeated-in-set" | "not-an-object"; readonly actual: ShownValue }
  | {
      readonly kind: "repeated-keys";
      readonly keys: readonly { readonly name: string; readonly value?: ShownValue | undefined }[];
    }
  | { readonly kind: "not-text" | "not-metadata"; readonly is: Kind }
  | { readonly kind: "api-version"; readonly actual: string }
  | { readonly kind: "shape"; readonly expected: MetadataShape | "object"; readonly actual: ShownValue }
  /** A name or label; `mistakes` in the words of Kubernetes. */
  | { readonly kind: "name"; readonly actual: string; readonly mistakes: readonly string[] }
  | { readonly kind: "annotations"; readonly limit: number; readonly actual: number }
  /** A rule does not hold: its own message, or its text where it has none. */
  | { readonly kind: "rule"; readonly message: string }
  | { readonly kind: "rule-broken"; readonly rule: string }
  | { readonly kind: "rule-error"; readonly rule: string; readonly error: string };

/** The limit at which an object was not checked to its end. */
export type UndecidedReason =
  | { readonly kind: "values-too-deep" | "lists-too-deep"; readonly levels: number }
  | { readonly kind: "alternatives" | "defaults"; readonly limit: number }
  | { readonly kind: "patterns" }
  | { readonly kind: "text-too-long"; readonly length: number; readonly pattern: string }
  | { readonly kind: "rules-not-compiled"; readonly left: number; readonly limit: number }
  /** One rule hit the limit: that of all rules (`limit`), or one that CEL says. */
  | {
      readonly kind: "rule";
      readonly rule: string;
      /** The field it is about; empty for the object itself. */
      readonly field: string;
      readonly limit?: number | undefined;
      readonly error?: string | undefined;
    };
