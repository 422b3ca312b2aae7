// Which fields does an object of a constraint have? Keys are case-insensitive, as in OLM; unknown, duplicate and
// wrongly typed ones are reported.

import { compareText, isObject, type Json, type JsonObject, typeName } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import type { ConstraintProblem } from "./constraint.ts";

/** An error inside the value of a property. */
export type Fault = Omit<ConstraintProblem, "property">;

/** Takes errors. */
export type Complain = (fault: Fault) => void;

/** A field as written in the document. */
export interface Field {
  readonly path: Path;
  readonly value: Json;
}

/** Fields by canonical name; a null field counts as missing, except where null is a value. */
export type Fields = ReadonlyMap<string, Field>;

/** The allowed fields of an object. */
export interface Form {
  /** Its name in messages: "a constraint", "gvk". */
  readonly name: string;
  /** The canonical names of its fields. */
  readonly fields: readonly string[];
  /** Fields in which null is a value like any other. */
  readonly nullable?: readonly string[];
  /** Unknown keys are ignored, as in OLM's older property types. */
  readonly open?: boolean;
  /** The message for a key that belongs somewhere else. */
  readonly misplaced?: (key: string) => Pick<Fault, "message" | "hint"> | undefined;
}

/** The key of a field, as written in the object. */
export function writtenKey(object: JsonObject, name: string): string | undefined {
  const folded = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === folded);
}

/** The fields of a value; undefined if it is not an object. */
export function readFields(value: Json, path: Path, form: Form, complain: Complain): Fields | undefined {
  if (!isObject(value)) {
    complain({ message: `${form.name} must be an object, but is ${typeName(value)}`, path });
    return undefined;
  }
  const fields = new Map<string, Field>();
  const written = new Map<string, string>();
  // Sorted: the order of findings must not depend on the order of keys.
  for (const key of Object.keys(value).sort(compareText)) {
    const name = form.fields.find((known) => known.toLowerCase() === key.toLowerCase());
    const at = [...path, key];
    if (name === undefined) {
      if (!form.open) complain({ ...unknownKey(key, form), path: at, ofKey: true });
      continue;
    }
    const earlier = written.get(name);
    if (earlier !== undefined) {
      const message = `the keys ${JSON.stringify(earlier)} and ${JSON.stringify(key)} are the same`;
      complain({ message, hint: "remove one; case does not matter here", path: at, ofKey: true });
      continue;
    }
    written.set(name, key);
    const content = value[key] as Json;
    if (content !== null || form.nullable?.includes(name)) fields.set(name, { path: at, value: content });
  }
  return fields;
}

function unknownKey(key: string, form: Form): Pick<Fault, "message" | "hint" | "correction"> {
  const misplaced = form.misplaced?.(key);
  if (misplaced !== undefined) return misplaced;
  const meant = didYouMean(key, form.fields);
  return {
    message: `${form.name} has no field ${JSON.stringify(key)}`,
    hint: meant === undefined ? `its fields are ${form.fields.join(", ")}` : `did you mean ${meant}?`,
    ...(meant !== undefined && { correction: { was: key, is: meant } }),
  };
}

/** The text of a field; undefined, with an error, if it is missing or not a string. */
export function textOf(fields: Fields, name: string, path: Path, form: Form, complain: Complain): string | undefined {
  const field = fields.get(name);
  if (field === undefined) {
    complain({ message: `${form.name} has no ${name}`, hint: `add ${name}`, path });
    return undefined;
  }
  return asText(field, name, complain);
}

/** The text of a field that may be missing. */
export function optionalTextOf(fields: Fields, name: string, complain: Complain): string | undefined {
  const field = fields.get(name);
  return field === undefined ? undefined : asText(field, name, complain);
}

function asText({ value, path }: Field, name: string, complain: Complain): string | undefined {
  if (typeof value === "string") return value;
  const message = `${name} must be text, but is ${typeName(value)}`;
  const was = typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  complain({
    message,
    hint: "put it into quotes",
    path,
    ...(was !== undefined && { correction: { was, is: was } }),
  });
  return undefined;
}
