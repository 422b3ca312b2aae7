// May there be values already under the name of a field that is new? There may where unknown fields were kept, and where
// other keys were allowed. What the schema of the field refuses or drops of them is reported, once for each field.

import type { Json } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { FieldSchema } from "./difference.ts";
import { type Change, type Pair, report } from "./pair.ts";
import { isAsEveryObjectHas, isMetaField, keepsAnything, pruningBelow, takesAnything } from "./preserved-fields.ts";
import { canonicalSchema } from "./schema-json.ts";
import { fieldPath, shown } from "./value-text.ts";

/** Reports each field that is new, if values that could be there before may not stay as they are. */
export function compareNewFields(pair: Pair, isResource: boolean, isNarrower: (nodes: Nodes) => boolean): void {
  const { additionalProperties: others } = pair.old;
  const canBePresent = others === undefined ? pair.pruning.old !== "all" : others !== false;
  if (!canBePresent && !isResource) return;
  const asOther = typeof others === "object" ? otherKey(pair, others, isNarrower) : undefined;
  for (const [name, after] of pair.new.properties) {
    if (pair.old.properties.has(name)) continue;
    const field = { ...pair, path: fieldPath(pair.path, name) };
    if (isResource && isMetaField(name)) {
      if (!isAsEveryObjectHas(name, after) && !keepsAnything(after, "none")) reportKept(field, name, after);
    } else if (asOther !== undefined) asOther(field, name, after);
    else if (canBePresent) anyValue(field, name, after);
  }
}

/** Two nodes that are compared. */
type Nodes = Omit<Pair, "found">;

/** A field whose name could have any value before. */
function anyValue(field: Pair, name: string, after: Schema): void {
  const pruning = pruningBelow(field.pruning.new);
  if (field.old.additionalProperties === undefined) {
    if (!keepsAnything(after, pruning)) reportKept(field, name, after);
  } else {
    const isSame = field.pruning.old === "none" ? keepsAnything(after, pruning) : takesAnything(after);
    if (!isSame) reportOther(field, name, after, undefined);
  }
}

/** Reports a field whose name could have the values of other keys before. Their schema is printed once. */
function otherKey(
  pair: Pair,
  others: Schema,
  isNarrower: (nodes: Nodes) => boolean,
): (field: Pair, name: string, after: Schema) => void {
  const pruning = { old: pruningBelow(pair.pruning.old), new: pruningBelow(pair.pruning.new) };
  const isSmall = isPlain(others);
  let said: { readonly text: string; readonly shown: string } | undefined;
  return (field, name, after) => {
    if (said === undefined) {
      const { json, text } = canonicalSchema(others);
      said = { text, shown: shown(json) };
    }
    const isNarrowed = isSmall
      ? isNarrower({ old: others, new: after, pruning, path: field.path })
      : said.text !== canonicalSchema(after).text;
    if (isNarrowed) reportOther(field, name, after, said.shown);
  };
}

function reportKept(field: Pair, name: string, after: Schema): void {
  const must = takesAnything(after) ? {} : { must: demandOf(after) };
  report(field, "CRD215", "tighter", changeOf(name, after), { kind: "new-field", ...must });
}

function reportOther(field: Pair, name: string, after: Schema, was: string | undefined): void {
  const detail = { kind: "new-field", must: demandOf(after), wasOtherKey: true, ...(was && { was }) } as const;
  report(field, "CRD211", "tighter", changeOf(name, after), detail);
}

/** What a schema asks for: all of it where that is short. */
function demandOf(after: Schema): FieldSchema {
  const { json, text } = canonicalSchema(after);
  const { type, preserveUnknownFields } = after;
  if (text.length <= MAX_CHARACTERS || type === undefined) return { schema: shown(json) };
  return { type, isPruned: !preserveUnknownFields && (type === "object" || type === "array") };
}

/** How long a schema may be that is shown as it is. */
const MAX_CHARACTERS = 80;

function changeOf(name: string, after: Schema): Change {
  return { keyword: ["properties", name], new: canonicalSchema(after).json, unseenByOlm: true };
}

/** Whether a schema is so small that it can be compared with many others. */
function isPlain(schema: Schema): boolean {
  const { properties, additionalProperties, items, required, enum: values, default: filled } = schema;
  const { allOf, anyOf, oneOf, not, validations, listMapKeys, other } = schema;
  if (properties.size > 0 || typeof additionalProperties === "object" || items !== undefined) return false;
  if (allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0 || not !== undefined) return false;
  if (validations.length > 0 || listMapKeys.length > 0 || other.size > 0 || typeof filled === "object") return false;
  return required.length === 0 && (values === undefined || (values.length <= MAX_CHOICES && values.every(isScalar)));
}

/** How many values a plain schema may leave to choose from. */
const MAX_CHOICES = 20;

function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}
