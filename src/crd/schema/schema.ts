// What does a schema of a custom resource say? One node of an OpenAPI v3 schema as CustomResourceDefinitions may have it,
// read once (read-schema.ts), then compared (src/crd/compare) and used to validate objects (src/crd/validate).

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
export interface Schema extends Readonly<Omit<SchemaNode, "level">> {}

const NO_PROPERTIES: ReadonlyMap<string, Schema> = new Map();
const NO_KEYWORDS: ReadonlyMap<string, Json> = new Map();
const NOTHING: readonly never[] = [];

/** A node while it is read: each keyword sets one field. A class, because its path is built on demand, which is rare. */
export class SchemaNode {
  /** object, array, string, integer, number, boolean; anything else as written. */
  type: string | undefined = undefined;
  nullable = false;
  /** By name, as written. */
  properties: ReadonlyMap<string, Schema> = NO_PROPERTIES;
  additionalProperties: Schema | boolean | undefined = undefined;
  items: Schema | undefined = undefined;
  required: readonly string[] = NOTHING;
  enum: readonly Json[] | undefined = undefined;
  default: Json | undefined = undefined;
  format: string | undefined = undefined;
  pattern: string | undefined = undefined;
  minimum: Bound | undefined = undefined;
  maximum: Bound | undefined = undefined;
  exclusiveMinimum = false;
  exclusiveMaximum = false;
  multipleOf: Bound | undefined = undefined;
  minLength: Bound | undefined = undefined;
  maxLength: Bound | undefined = undefined;
  minItems: Bound | undefined = undefined;
  maxItems: Bound | undefined = undefined;
  minProperties: Bound | undefined = undefined;
  maxProperties: Bound | undefined = undefined;
  uniqueItems = false;
  allOf: readonly Schema[] = NOTHING;
  anyOf: readonly Schema[] = NOTHING;
  oneOf: readonly Schema[] = NOTHING;
  not: Schema | undefined = undefined;
  /** x-kubernetes-int-or-string */
  intOrString = false;
  /** x-kubernetes-preserve-unknown-fields */
  preserveUnknownFields = false;
  /** x-kubernetes-embedded-resource */
  embeddedResource = false;
  /** x-kubernetes-list-type: atomic, set or map. */
  listType: string | undefined = undefined;
  /** x-kubernetes-list-map-keys */
  listMapKeys: readonly string[] = NOTHING;
  /** x-kubernetes-map-type: granular or atomic. */
  mapType: string | undefined = undefined;
  /** x-kubernetes-validations */
  validations: readonly ValidationRule[] = NOTHING;
  /** Unknown keywords, as written; without documentation (description, title, example…). */
  other: ReadonlyMap<string, Json> = NO_KEYWORDS;
  /** How many nodes it is below the root. */
  readonly level: number;
  readonly #parent: SchemaNode | undefined;
  readonly #keyword: string;
  readonly #step: string | number | undefined;

  /** The node under a keyword of its parent, and of that under a name or at a position. */
  constructor(parent?: SchemaNode, keyword = "", step?: string | number) {
    this.level = parent === undefined ? 0 : parent.level + 1;
    this.#parent = parent;
    this.#keyword = keyword;
    this.#step = step;
  }

  /** The path below the root of the schema as written: `["properties", "spec"]`. */
  get at(): Path {
    const steps: (string | number)[] = [];
    let node: SchemaNode = this;
    while (node.#parent !== undefined) {
      if (node.#step !== undefined) steps.push(node.#step);
      steps.push(node.#keyword);
      node = node.#parent;
    }
    return steps.reverse();
  }
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
