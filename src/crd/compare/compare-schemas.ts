// What differs between the schemas of two versions of a kind, and what does that do to its objects? Follows what OLM v1
// checks (crdify v0.6): what it accepts when it becomes looser is left out; what it has no check for is always reported.

import { canonicalText, compareText, type Json } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { compareBounds } from "./bounds.ts";
import { compareCompositions } from "./composition.ts";
import type { SchemaChange, SchemaDifference } from "./difference.ts";
import { compareNewFields } from "./new-field.ts";
import { type Pair, report } from "./pair.ts";
import { isMetaField, keepsAnything, mayHoldFields, pruningBelow, pruningOf } from "./preserved-fields.ts";
import { canonicalSchema, isUnconstrained } from "./schema-json.ts";
import { eachPath, fieldPath, shown } from "./value-text.ts";
import { compareValues } from "./values.ts";

/** Whether the definitions keep every field that no schema names (preserveUnknownFields of v1beta1). */
export interface KeptUnknown {
  readonly old: boolean;
  readonly new: boolean;
}

const NOTHING_KEPT: KeptUnknown = { old: false, new: false };

/** Every difference that matters, in the order of fields, then of codes. */
export function compareSchemas(
  before: Schema,
  after: Schema,
  kept: KeptUnknown = NOTHING_KEPT,
): readonly SchemaDifference[] {
  const found: SchemaDifference[] = [];
  const pruning = { old: kept.old ? "none" : "all", new: kept.new ? "none" : "all" } as const;
  compareNodes({ old: before, new: after, pruning, path: ".", found });
  return found.sort(
    (a, b) => compareText(a.path, b.path) || compareText(a.code, b.code) || compareText(textOf(a), textOf(b)),
  );
}

function textOf({ detail }: SchemaDifference): string {
  return canonicalText(detail as unknown as Json);
}

/** Schemas nest no deeper than they are read (MAX_LEVELS), so neither does this. */
function compareNodes(nodes: Pair): void {
  const { old, new: now } = nodes;
  if (old === now) return;
  const pruning = { old: pruningOf(old, nodes.pruning.old), new: pruningOf(now, nodes.pruning.new) };
  const pair: Pair = { old, new: now, pruning, path: nodes.path, found: nodes.found };
  if (compareTypes(pair)) return;
  compareValues(pair);
  compareBounds(pair);
  compareCompositions(pair);
  compareRequired(pair);
  compareProperties(pair);
  compareAdditionalProperties(pair);
  compareItems(pair);
}

function compareRequired(pair: Pair): void {
  if (pair.new.required.length === 0) return;
  const known = new Set(pair.old.required);
  for (const [index, name] of pair.new.required.entries()) {
    if (known.has(name)) continue;
    known.add(name);
    const field = { ...pair, path: fieldPath(pair.path, name) };
    const change = { keyword: ["required", index], new: name };
    const filled = pair.new.properties.get(name)?.default;
    if (filled === undefined) report(field, "CRD202", "tighter", change, { kind: "required" });
    else report(field, "CRD202", "different", change, { kind: "required", default: shown(filled) });
  }
}

function compareProperties(pair: Pair): void {
  const below = belowOf(pair);
  const isResource = pair.path === "." || pair.old.embeddedResource;
  for (const [name, before] of pair.old.properties) {
    const path = fieldPath(pair.path, name);
    const after = pair.new.properties.get(name);
    const pruning = isResource && isMetaField(name) ? ({ old: "none", new: "none" } as const) : below;
    if (after !== undefined) compareNodes({ old: before, new: after, pruning, path, found: pair.found });
    else reportRemoved({ ...pair, path }, name, before);
  }
  compareNewFields(pair, isResource, isNarrower);
}

/** Whether a value that was fine under one schema may no longer be under another one. */
function isNarrower(nodes: Omit<Pair, "found">): boolean {
  const found: SchemaDifference[] = [];
  compareNodes({ ...nodes, found });
  return found.some(({ effect }) => effect === "tighter" || effect === "different");
}

function belowOf({ pruning }: Pair): Pair["pruning"] {
  return { old: pruningBelow(pruning.old), new: pruningBelow(pruning.new) };
}

/** One finding, however much is below it. */
function reportRemoved(field: Pair, name: string, before: Schema): void {
  const change = { keyword: ["properties", name] };
  const { additionalProperties } = field.new;
  const kind = "field-removed";
  if (additionalProperties !== undefined && additionalProperties !== false)
    report(field, "CRD209", "different", change, { kind, kept: "as-other-key" });
  else if (additionalProperties === undefined && field.pruning.new !== "all") {
    const effect = before.default === undefined ? "looser" : "different";
    report(field, "CRD209", effect, change, { kind, kept: "unchecked" });
  } else report(field, "CRD209", "tighter", change, { kind });
}

function compareAdditionalProperties(pair: Pair): void {
  const before = openTo(pair.old.additionalProperties);
  const after = openTo(pair.new.additionalProperties);
  if (before === after) return;
  if (typeof before === "object" && typeof after === "object") {
    const pruning = belowOf(pair);
    compareNodes({ old: before, new: after, pruning, path: eachPath(pair.path), found: pair.found });
    return;
  }
  const change = {
    keyword: "additionalProperties",
    old: typeof before === "object" ? canonicalSchema(before).json : before,
    new: typeof after === "object" ? canonicalSchema(after).json : after,
  };
  const [effect, detail] = otherKeys(pair, before, after);
  report(pair, "CRD211", effect, change, detail);
}

/** Items without a schema may be anything; their pruning is that of the list. */
function compareItems(pair: Pair): void {
  const { items: before } = pair.old;
  const { items: after } = pair.new;
  if (before === after) return;
  const items = { ...pair, path: eachPath(pair.path) };
  if (before !== undefined && after !== undefined) compareNodes({ ...items, old: before, new: after });
  else if (before !== undefined && !isUnconstrained(before)) {
    const effect = pair.pruning.new === "all" ? "tighter" : "looser";
    report(items, "CRD209", effect, { keyword: "items" }, { kind: "items", become: "undescribed" });
  } else if (after !== undefined && !isUnconstrained(after)) {
    const change = { keyword: "items", new: canonicalSchema(after).json };
    if (keepsAnything(after, pair.pruning.new))
      report(items, "CRD215", "looser", change, { kind: "items", become: "kept" });
    else report(items, "CRD201", "tighter", change, { kind: "items", become: "described", now: shown(change.new) });
  }
}

type Other = Schema["additionalProperties"];

/** A schema without constraints is the same as true. */
function openTo(additional: Other): Other {
  return typeof additional === "object" && isUnconstrained(additional) ? true : additional;
}

type OtherKeysChange = Extract<SchemaChange, { readonly kind: "other-keys" }>;

/** The effect of another additionalProperties, and what becomes of other keys; not of two schemas. */
function otherKeys(pair: Pair, before: Other, after: Other): readonly [SchemaDifference["effect"], OtherKeysChange] {
  const kind = "other-keys";
  if (after === false) return ["tighter", { kind, become: "refused" }];
  if (after === undefined) {
    if (before === false) return ["looser", { kind, become: "not-refused" }];
    return pair.pruning.new === "all"
      ? ["tighter", { kind, become: "dropped" }]
      : ["looser", { kind, become: "unchecked" }];
  }
  const wasKept = before === undefined && pair.pruning.old !== "all";
  if (after === true) {
    // Nothing is known of such values, so everything in them is dropped.
    const hadFields = typeof before === "object" ? mayHoldFields(before) : wasKept;
    if (hadFields && pair.pruning.new !== "none") return ["tighter", { kind, become: "emptied" }];
    return ["looser", { kind, become: before === false ? "allowed" : "any-value" }];
  }
  const values = shown(canonicalSchema(after).json);
  if ((before === true || wasKept) && !keepsAnything(after, pruningBelow(pair.pruning.new)))
    return ["tighter", { kind, become: "checked", values }];
  return ["looser", { kind, become: "allowed-as", values }];
}

type Effect = SchemaDifference["effect"];

const INT_OR_STRING = "x-kubernetes-int-or-string";
const EITHER = "integer or string";

/** Reports another type; returns whether nothing else has to be compared, because no value is of both types. */
function compareTypes(pair: Pair): boolean {
  const before = typeOf(pair.old);
  const after = typeOf(pair.new);
  if (before === after) return false;
  const keyword = after === EITHER || (after === undefined && before === EITHER) ? INT_OR_STRING : "type";
  const change = { keyword, old: before, new: after };
  if (pair.path === "." && after === "object" && before === undefined) {
    report(pair, "CRD201", "none", change, { kind: "object-type" });
    return false;
  }
  const effect = effectOf(before, after);
  const isEither = (before === EITHER && isEasy(after)) || (after === EITHER && isEasy(before));
  report(pair, isEither ? "CRD217" : "CRD201", effect, change, {
    kind: "type",
    isLooser: effect === "looser",
    ...(after !== undefined && { now: after }),
    ...(before !== undefined && { was: before }),
  });
  return !isEither && before !== undefined && after !== undefined && !areNumbers(before, after);
}

function typeOf({ type, intOrString }: Schema): string | undefined {
  return intOrString ? EITHER : type;
}

/** Whether values of a type are integers or texts, or some of them are. */
function isEasy(type: string | undefined): boolean {
  return type === undefined || type === "string" || type === "integer" || type === "number";
}

function effectOf(before: string | undefined, after: string | undefined): Effect {
  if (after === undefined) return "looser";
  if (after === EITHER && before === "number") return "different";
  const isWider =
    after === "number" ? before === "integer" : after === EITHER && (before === "integer" || before === "string");
  return isWider ? "looser" : "tighter";
}

function areNumbers(a: string, b: string): boolean {
  return (a === "integer" && b === "number") || (a === "number" && b === "integer");
}
