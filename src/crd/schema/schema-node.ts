// How is a node of a schema built while it is read? It begins empty; each keyword then sets one field.

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { Bound, Schema, ValidationRule } from "./schema.ts";

const NO_PROPERTIES: ReadonlyMap<string, Schema> = new Map();
const NO_KEYWORDS: ReadonlyMap<string, Json> = new Map();
const NOTHING: readonly never[] = [];

/** A node that is being read. A class, because its path is built on demand, which is rare. */
export class SchemaNode implements Schema {
  type: string | undefined = undefined;
  nullable = false;
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
  intOrString = false;
  preserveUnknownFields = false;
  embeddedResource = false;
  listType: string | undefined = undefined;
  listMapKeys: readonly string[] = NOTHING;
  mapType: string | undefined = undefined;
  validations: readonly ValidationRule[] = NOTHING;
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

/** A node that accepts and keeps everything, in place of a part of a schema that was not read. */
export function anything(node: SchemaNode): SchemaNode {
  node.preserveUnknownFields = true;
  return node;
}
