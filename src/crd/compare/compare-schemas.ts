// What differs between the schemas of two versions of a kind, and what does that do to its objects? Follows what OLM v1
// checks (crdify v0.6): what it takes when it becomes looser is not told; what it has no check for is always told.

import { compareText } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { compareBounds } from "./bounds.ts";
import { compareCompositions } from "./composition.ts";
import type { SchemaDifference } from "./difference.ts";
import { isMetaField, keepsAnything, pruningBelow, pruningOf } from "./kept.ts";
import { compareNewFields } from "./new-field.ts";
import { openTo, otherKeys } from "./other-keys.ts";
import { type Pair, tell } from "./pair.ts";
import { saidBy, saysNothing } from "./schema-json.ts";
import { eachPath, fieldPath, shown } from "./shown.ts";
import { compareTypes } from "./value-type.ts";
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
  const told: SchemaDifference[] = [];
  const pruning = { old: kept.old ? "none" : "all", new: kept.new ? "none" : "all" } as const;
  compareNodes({ old: before, new: after, pruning, path: ".", told });
  return told.sort(
    (a, b) => compareText(a.path, b.path) || compareText(a.code, b.code) || compareText(a.message, b.message),
  );
}

/** Schemas nest no deeper than they are read (MAX_LEVELS), so neither does this. */
function compareNodes(nodes: Pair): void {
  const { old, new: now } = nodes;
  if (old === now) return;
  const pruning = { old: pruningOf(old, nodes.pruning.old), new: pruningOf(now, nodes.pruning.new) };
  const pair: Pair = { old, new: now, pruning, path: nodes.path, told: nodes.told };
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
    if (filled === undefined) tell(field, "CRD202", "tighter", change, "must now be given");
    else
      tell(
        field,
        "CRD202",
        "different",
        change,
        `must now be given; where it is not, its default ${shown(filled)} fills it`,
      );
  }
}

function compareProperties(pair: Pair): void {
  const below = belowOf(pair);
  const isResource = pair.path === "." || pair.old.embeddedResource;
  for (const [name, before] of pair.old.properties) {
    const path = fieldPath(pair.path, name);
    const after = pair.new.properties.get(name);
    const pruning = isResource && isMetaField(name) ? ({ old: "none", new: "none" } as const) : below;
    if (after !== undefined) compareNodes({ old: before, new: after, pruning, path, told: pair.told });
    else tellRemoved({ ...pair, path }, name, before);
  }
  compareNewFields(pair, isResource, isNarrower);
}

/** Whether a value that was fine under one schema may no longer be under another one. */
function isNarrower(nodes: Omit<Pair, "told">): boolean {
  const told: SchemaDifference[] = [];
  compareNodes({ ...nodes, told });
  return told.some(({ effect }) => effect === "tighter" || effect === "different");
}

function belowOf({ pruning }: Pair): Pair["pruning"] {
  return { old: pruningBelow(pruning.old), new: pruningBelow(pruning.new) };
}

/** One finding, however much is below it. */
function tellRemoved(field: Pair, name: string, before: Schema): void {
  const change = { keyword: ["properties", name] };
  const { additionalProperties } = field.new;
  if (additionalProperties !== undefined && additionalProperties !== false)
    tell(
      field,
      "CRD209",
      "different",
      change,
      "the field is no longer there; its values are now those of any other key",
    );
  else if (additionalProperties === undefined && field.pruning.new !== "all")
    tell(
      field,
      "CRD209",
      before.default === undefined ? "looser" : "different",
      change,
      "the field is no longer there; its values are kept, but not checked",
    );
  else tell(field, "CRD209", "tighter", change, "the field is no longer there");
}

function compareAdditionalProperties(pair: Pair): void {
  const before = openTo(pair.old.additionalProperties);
  const after = openTo(pair.new.additionalProperties);
  if (before === after) return;
  if (typeof before === "object" && typeof after === "object") {
    const pruning = belowOf(pair);
    compareNodes({ old: before, new: after, pruning, path: eachPath(pair.path), told: pair.told });
    return;
  }
  const change = {
    keyword: "additionalProperties",
    old: typeof before === "object" ? saidBy(before).json : before,
    new: typeof after === "object" ? saidBy(after).json : after,
  };
  const [effect, message] = otherKeys(pair, before, after);
  tell(pair, "CRD211", effect, change, message);
}

/** Items of which nothing is said may be anything; what is kept of them is what the list keeps. */
function compareItems(pair: Pair): void {
  const { items: before } = pair.old;
  const { items: after } = pair.new;
  if (before === after) return;
  const items = { ...pair, path: eachPath(pair.path) };
  if (before !== undefined && after !== undefined) compareNodes({ ...items, old: before, new: after });
  else if (before !== undefined && !saysNothing(before)) {
    const effect = pair.pruning.new === "all" ? "tighter" : "looser";
    tell(items, "CRD209", effect, { keyword: "items" }, "nothing is said about the items any more");
  } else if (after !== undefined && !saysNothing(after)) {
    const change = { keyword: "items", new: saidBy(after).json };
    if (keepsAnything(after, pair.pruning.new))
      tell(items, "CRD215", "looser", change, "the fields of items are now kept");
    else tell(items, "CRD201", "tighter", change, `the items must now be ${shown(change.new)} (was anything)`);
  }
}
