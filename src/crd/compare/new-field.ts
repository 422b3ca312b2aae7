// May there be values already under the name of a field that is new? There may where unknown fields were kept, and where
// other keys were allowed. What the schema of the field refuses or drops of them is told, once for each field.

import type { Json } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { isAsEveryObjectHas, isMetaField, keepsAnything, pruningBelow, takesAnything } from "./kept.ts";
import { type Change, type Pair, tell } from "./pair.ts";
import { saidBy } from "./schema-json.ts";
import { fieldPath, shown } from "./shown.ts";

/** Tells each field that is new, if values that could be there before may not stay as they are. */
export function compareNewFields(pair: Pair, isResource: boolean, isNarrower: (nodes: Nodes) => boolean): void {
  const { additionalProperties: others } = pair.old;
  const canBePresent = others === undefined ? pair.pruning.old !== "all" : others !== false;
  if (!canBePresent && !isResource) return;
  const asOther = typeof others === "object" ? otherKey(pair, others, isNarrower) : undefined;
  for (const [name, after] of pair.new.properties) {
    if (pair.old.properties.has(name)) continue;
    const field = { ...pair, path: fieldPath(pair.path, name) };
    if (isResource && isMetaField(name)) {
      if (!isAsEveryObjectHas(name, after) && !keepsAnything(after, "none")) tellKept(field, name, after);
    } else if (asOther !== undefined) asOther(field, name, after);
    else if (canBePresent) anyValue(field, name, after);
  }
}

/** Two nodes that are compared. */
type Nodes = Omit<Pair, "told">;

/** A field under the name of which there could be any value. */
function anyValue(field: Pair, name: string, after: Schema): void {
  const pruning = pruningBelow(field.pruning.new);
  if (field.old.additionalProperties === undefined) {
    if (!keepsAnything(after, pruning)) tellKept(field, name, after);
  } else {
    const isSame = field.pruning.old === "none" ? keepsAnything(after, pruning) : takesAnything(after);
    if (!isSame) tellOther(field, name, after, "any");
  }
}

/** Tells a field under the name of which there could be what other keys have. What those say is put into words once. */
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
      const { json, text } = saidBy(others);
      said = { text, shown: shown(json) };
    }
    const isTold = isSmall
      ? isNarrower({ old: others, new: after, pruning, path: field.path })
      : said.text !== saidBy(after).text;
    if (isTold) tellOther(field, name, after, said.shown);
  };
}

function tellKept(field: Pair, name: string, after: Schema): void {
  const message = takesAnything(after)
    ? "the field is new, and nothing is said about it: so far anything was kept here, from now on objects lose their fields"
    : `the field is new: so far anything was kept here, from now on it must be ${demandOf(after)}`;
  tell(field, "CRD215", "tighter", changeOf(name, after), message);
}

function tellOther(field: Pair, name: string, after: Schema, was: string): void {
  const message = `the field is new: so far it was a key as any other, with values that are ${was}; from now on it must be ${demandOf(after)}`;
  tell(field, "CRD211", "tighter", changeOf(name, after), message);
}

/** What a schema asks for: all of it where that is short. */
function demandOf(after: Schema): string {
  const { json, text } = saidBy(after);
  if (text.length <= MAX_CHARACTERS || after.type === undefined) return shown(json);
  const isKept = after.preserveUnknownFields || (after.type !== "object" && after.type !== "array");
  return isKept
    ? `of type ${after.type}, as its schema says`
    : `of type ${after.type}, and what its schema does not name is dropped`;
}

/** How long a schema may be that is shown as it is. */
const MAX_CHARACTERS = 80;

function changeOf(name: string, after: Schema): Change {
  return { keyword: ["properties", name], new: saidBy(after).json, unseenByOlm: true };
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
