// What does the openAPIV3Schema of a CustomResourceDefinition say, and which parts of it cannot be used? References are
// never followed, and what is too deep or too large is named and not read: everything else is.

import { isObject, type Json, type JsonObject, typeName } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import { compileRegex } from "../../regex/regex.ts";
import { quoted } from "../../text/words.ts";
import { nestsAtMost } from "../deep-value.ts";
import { DOCUMENTATION, KEYWORDS, NOT_ALLOWED } from "./keywords.ts";
import { type ReadSchema, type Schema, type SchemaFault, type SchemaFaultDetail, SchemaNode } from "./schema.ts";

/** How deep schemas may nest. */
export const MAX_LEVELS = 100;
/** How many nodes a schema may have. */
export const MAX_NODES = 200_000;
/** How many faults are reported. */
const MAX_FAULTS = 1_000;
/** How much compiling the patterns of a schema may take, in characters and instructions together. */
const MAX_PATTERN_WORK = 300_000;

/** Reads a schema, with everything that is wrong with it. */
export function readSchema(json: JsonObject): ReadSchema {
  const reading = new SchemaReading();
  const schema = new SchemaNode();
  reading.keywords(json, schema);
  return { schema, faults: reading.faults, size: reading.size };
}

/** Reads a limited number of nodes to a limited depth. */
export class SchemaReading {
  readonly faults: SchemaFault[] = [];
  size = 1;
  /** Used for every further node once there are too many. */
  #rest: SchemaNode | undefined;
  #patternWork = 0;
  /** What is wrong with each pattern; empty if nothing is. */
  readonly #patterns = new Map<string, string>();

  /** Records what is wrong with a node or below it, and what is not read because of it. */
  fault(
    kind: SchemaFault["kind"],
    node: SchemaNode,
    below: Path,
    detail: SchemaFaultDetail,
    unread?: SchemaFault["unread"],
  ): void {
    if (this.faults.length > MAX_FAULTS) return;
    const at = [...node.at, ...below];
    if (this.faults.length < MAX_FAULTS) this.faults.push({ kind, at, detail, ...(unread && { unread }) });
    else this.faults.push({ kind: "too-large", at, unread: "rest", detail: { kind: "faults", limit: MAX_FAULTS } });
  }

  /** Reads the node under a keyword of its parent; `step`: the name or position below the keyword. */
  node(json: Json, parent: SchemaNode, keyword: string, step?: string | number): Schema {
    if (this.#rest !== undefined) return this.#rest;
    const node = new SchemaNode(parent, keyword, step);
    if (json === null) return node;
    if (!isObject(json)) {
      this.fault("wrong-shape", node, [], { kind: "not-a-schema", is: typeName(json) }, "value");
      return anything(node);
    }
    if (node.level >= MAX_LEVELS) {
      this.fault("too-deep", node, [], { kind: "levels", limit: MAX_LEVELS }, "value");
      return anything(node);
    }
    if (this.size === MAX_NODES) {
      this.fault("too-large", node, [], { kind: "nodes", limit: MAX_NODES }, "rest");
      this.#rest = anything(node);
      return node;
    }
    this.size++;
    this.keywords(json, node);
    return node;
  }

  keywords(json: JsonObject, node: SchemaNode): void {
    let other: Map<string, Json> | undefined;
    for (const key of Object.keys(json)) {
      if (DOCUMENTATION.has(key)) continue;
      const value = json[key] as Json;
      if (value === null) continue;
      const keyword = KEYWORDS.get(key);
      if (keyword !== undefined) {
        const expected = keyword(value, node, this);
        if (expected !== undefined) {
          const detail = { kind: "keyword-value", keyword: key, expected, is: typeName(value) } as const;
          this.fault("wrong-shape", node, [key], detail, "value");
        }
        continue;
      }
      if (this.isTooDeep(key, value, node)) continue;
      if (NOT_ALLOWED.has(key)) this.fault("not-allowed", node, [key], { kind: "keyword-not-allowed", keyword: key });
      other ??= new Map();
      other.set(key, value);
    }
    if (other !== undefined) node.other = other;
    if (node.properties.size > 0 && node.additionalProperties !== undefined && node.additionalProperties !== true)
      this.fault("not-allowed", node, ["additionalProperties"], { kind: "properties-and-others" });
  }

  /** Whether the values of a keyword nest too deep to be read; if so, that is recorded. */
  isTooDeep(key: string, value: Json, node: SchemaNode): boolean {
    if (nestsAtMost(value, MAX_LEVELS)) return false;
    const detail = { kind: "value-levels", keyword: quoted(key, 200), limit: MAX_LEVELS } as const;
    this.fault("too-deep", node, [key], detail, "value");
    return true;
  }

  /** Checks that a pattern can be used. */
  pattern(pattern: string, node: SchemaNode): void {
    const known = this.#patterns.get(pattern);
    const mistake = known === undefined ? this.#mistakeIn(pattern, node) : known;
    if (mistake !== "") this.fault("bad-pattern", node, ["pattern"], { kind: "pattern", mistake });
  }

  /** What is wrong with a pattern that was not seen before; empty if nothing is. */
  #mistakeIn(pattern: string, node: SchemaNode): string {
    if (this.#patternWork > MAX_PATTERN_WORK) return "";
    const compiled = compileRegex(pattern);
    const mistake = "mistake" in compiled ? compiled.mistake : "";
    this.#patterns.set(pattern, mistake);
    this.#patternWork += pattern.length + ("size" in compiled ? compiled.size : pattern.length);
    if (this.#patternWork > MAX_PATTERN_WORK) this.fault("too-large", node, ["pattern"], { kind: "patterns" });
    return mistake;
  }
}

/** A node that accepts and keeps everything, in place of a part of a schema that was not read. */
function anything(node: SchemaNode): SchemaNode {
  node.preserveUnknownFields = true;
  return node;
}
