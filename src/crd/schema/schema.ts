// What does a schema of a custom resource say? One node of an OpenAPI v3 schema as CustomResourceDefinitions may have it,
// read once (read-schema.ts), then compared (src/crd/compare) and used to judge objects (src/crd/validate).

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";

/** A number of a schema; one beyond 2^53 keeps its digits. */
export type Bound = number | bigint;

/** A rule in CEL: an item of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string | undefined;
  readonly messageExpression: string | undefined;
  readonly reason: string | undefined;
  /** Where its error is to be shown, relative to the node: `.spec.a`. */
  readonly fieldPath: string | undefined;
  /** `oldSelf` is an optional, and the rule is evaluated for new objects, too. */
  readonly optionalOldSelf: boolean;
}

/** One node of a schema. What is not written is undefined, empty or false. */
export interface Schema {
  /** object, array, string, integer, number, boolean; anything else as written. */
  readonly type: string | undefined;
  readonly nullable: boolean;
  /** By name, as written. */
  readonly properties: ReadonlyMap<string, Schema>;
  readonly additionalProperties: Schema | boolean | undefined;
  readonly items: Schema | undefined;
  readonly required: readonly string[];
  readonly enum: readonly Json[] | undefined;
  readonly default: Json | undefined;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: Bound | undefined;
  readonly minLength: Bound | undefined;
  readonly maxLength: Bound | undefined;
  readonly minItems: Bound | undefined;
  readonly maxItems: Bound | undefined;
  readonly minProperties: Bound | undefined;
  readonly maxProperties: Bound | undefined;
  readonly uniqueItems: boolean;
  readonly allOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | undefined;
  /** x-kubernetes-int-or-string */
  readonly intOrString: boolean;
  /** x-kubernetes-preserve-unknown-fields */
  readonly preserveUnknownFields: boolean;
  /** x-kubernetes-embedded-resource */
  readonly embeddedResource: boolean;
  /** x-kubernetes-list-type: atomic, set or map. */
  readonly listType: string | undefined;
  /** x-kubernetes-list-map-keys */
  readonly listMapKeys: readonly string[];
  /** x-kubernetes-map-type: granular or atomic. */
  readonly mapType: string | undefined;
  /** x-kubernetes-validations */
  readonly validations: readonly ValidationRule[];
  /** Unknown keywords, as written; without documentation (description, title, example…). */
  readonly other: ReadonlyMap<string, Json>;
  /** The path below the root of the schema as written: `["properties", "spec"]`. */
  readonly at: Path;
}

/** Why a part of a schema cannot be used; the rest can. */
export interface SchemaFault {
  /** `bad-pattern`: no RE2; `not-allowed`: `$ref` and other things that a CustomResourceDefinition may not have. */
  readonly kind: "not-allowed" | "wrong-shape" | "too-deep" | "too-large" | "bad-pattern";
  /** The place below the root of the schema. */
  readonly at: Path;
  readonly detail: SchemaFaultDetail;
  /** What was not read because of it: the value at the place, or everything from there on. */
  readonly unread?: "value" | "rest" | undefined;
}

/** What a value of a keyword has to be. */
export type KeywordValue =
  | "flag"
  | "number"
  | "whole number"
  | "text"
  | "texts"
  | "object"
  | "list"
  | "schema"
  | "schemas"
  | "flag or schema"
  | "rules";

/** What is wrong with a part of a schema. Plain data: the sentences are in render/sentence/schema-fault.ts. */
export type SchemaFaultDetail =
  /** `is`: the type of the value that is there, as people call it. */
  | { readonly kind: "keyword-value"; readonly keyword: string; readonly expected: KeywordValue; readonly is: string }
  | { readonly kind: "not-a-schema"; readonly is: string }
  | { readonly kind: "keyword-not-allowed"; readonly keyword: string }
  | { readonly kind: "null-type" | "items-by-position" | "unique-items" | "properties-and-others" | "rule-shape" }
  | { readonly kind: "levels" | "nodes" | "faults"; readonly limit: number }
  | { readonly kind: "value-levels"; readonly keyword: string; readonly limit: number }
  /** `mistake` in the words of the reader of regular expressions. */
  | { readonly kind: "pattern"; readonly mistake: string }
  | { readonly kind: "patterns" };

/** A schema and what is wrong with it. */
export interface ReadSchema {
  readonly schema: Schema;
  readonly faults: readonly SchemaFault[];
  /** How many nodes it has. */
  readonly size: number;
}
