// What does a property of a constraint type require?

import type { Property } from "../model/catalog.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { RulePrograms } from "./bundle-environment.ts";
import { type Complain, type Form, readFields } from "./constraint-fields.ts";
import { type Draft, type OutermostDraft, type Reading, readOutermost } from "./read-constraint.ts";
import { type Around, readGvk, readLabel, readMessage, readPackage, readRule } from "./read-leaf.ts";
import type { ConstraintOptions } from "./read-requirements.ts";

const CONSTRAINT_TYPES: ReadonlySet<string> = new Set([
  "olm.constraint",
  "olm.constraint.cel",
  "olm.gvk.required",
  "olm.package.required",
  "olm.label.required",
]);

/** Is a property of this type a constraint? All other types, known or not, are only statements. */
export function isConstraintType(type: string): boolean {
  return CONSTRAINT_TYPES.has(type);
}

/** Reads the value of a property of a constraint type. */
export function readProperty(
  { type, value }: Property,
  { maxBytes, maxDepth }: Pick<ConstraintOptions, "maxBytes" | "maxDepth">,
  programs: RulePrograms,
  complain: Complain,
): OutermostDraft {
  if (isLargerThan(value, maxBytes)) {
    const message = `the constraint is larger than ${maxBytes} bytes`;
    complain({ message, hint: "split it into several properties, which all must hold", path: [] });
    return required(undefined);
  }
  const reading: Reading = { programs, complain, maxDepth, open: type !== "olm.constraint" };
  const around: Around = { path: [], message: undefined };
  switch (type) {
    case "olm.gvk.required":
      return required(readGvk(value, [], around, reading));
    case "olm.package.required":
      return required(readPackage(value, [], around, reading));
    case "olm.label.required":
      return required(readLabel(value, [], around, reading));
    case "olm.constraint.cel": {
      const fields = readFields(value, [], CEL_PROPERTY, complain);
      if (fields === undefined) return required(undefined);
      return required(
        readRule(fields, "rule", [], CEL_PROPERTY, { path: [], message: readMessage(fields, complain) }, reading),
      );
    }
    default:
      return readOutermost(value, reading);
  }
}

const CEL_PROPERTY: Form = { name: "olm.constraint.cel", fields: ["rule", "message", "failureMessage"] };

function required(constraint: Draft | undefined): OutermostDraft {
  return { constraint, action: "require", optional: undefined };
}

/**
 * Is the compact JSON of a value, in UTF-8, longer than a number of bytes? Computed without building the text and only
 * up to the limit, so that a huge value costs no more than a large one.
 */
export function isLargerThan(value: Json, bytes: number): boolean {
  const open: Json[] = [value];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isList(next)) {
      size += brackets(next.length);
      // Each pending value takes at least one byte.
      if (size + next.length > bytes) return true;
      for (const item of next) open.push(item);
    } else if (isObject(next)) {
      const keys = Object.keys(next);
      size += brackets(keys.length);
      if (size + keys.length > bytes) return true;
      for (const key of keys) {
        size += textSize(key) + 1;
        open.push(next[key] as Json);
      }
    } else {
      size += typeof next === "string" ? textSize(next) : String(next).length;
    }
    if (size > bytes) return true;
  }
  return false;
}

/** Both brackets, and the commas between. */
function brackets(count: number): number {
  return count === 0 ? 2 : count + 1;
}

function textSize(text: string): number {
  let size = 2;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20) size += "\b\t\n\f\r".includes(text[at] as string) ? 2 : 6;
    else if (unit === 0x22 || unit === 0x5c) size += 2;
    else if (unit < 0x80) size += 1;
    else if (unit < 0x800) size += 2;
    // Each half of a surrogate pair counts for two of its four bytes; a lone half is written as an escape of six.
    else if (unit >= 0xd800 && unit < 0xe000) size += isPaired(text, at) ? 2 : 6;
    else size += 3;
  }
  return size;
}

function isPaired(text: string, at: number): boolean {
  const isHigh = text.charCodeAt(at) < 0xdc00;
  const other = text.charCodeAt(isHigh ? at + 1 : at - 1);
  return isHigh ? other >= 0xdc00 && other < 0xe000 : other >= 0xd800 && other < 0xdc00;
}
