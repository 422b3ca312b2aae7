// Which rules of a schema does an older one have, too, so that they see at least what they saw, and no more values of it?
// An API server that accepted the old schema accepts these: they need not be compiled to be checked.

import type { Bound, Schema, ValidationRule } from "../schema/schema.ts";
import { declare } from "./declared.ts";
import { hasRules } from "./rule-tree.ts";

/** The rules of the new schema that the API server accepts if it accepted the old schema. */
export function knownRules(now: Schema, old: Schema): ReadonlySet<ValidationRule> {
  const known = new Set<ValidationRule>();
  if (hasRules(now) && hasRules(old)) collect(now, old, true, known);
  return known;
}

/** Whether rules see in the new node what they saw in the old one. `isBound`: no more values of it can be there. */
function collect(now: Schema, old: Schema, isBound: boolean, known: Set<ValidationRule>): boolean {
  const isWithin = isBound && now.type === old.type && now.listType === old.listType && hasNoWiderBounds(now, old);
  let isSeen = isAlike(now, old);
  for (const [name, before] of old.properties) {
    const property = now.properties.get(name);
    if (property === undefined || !collect(property, before, isWithin, known)) isSeen = false;
  }
  if (!collectBelow(now.items, old.items, isWithin, known)) isSeen = false;
  if (!collectBelow(now.additionalProperties, old.additionalProperties, isWithin, known)) isSeen = false;
  if (isSeen && isBound && now.validations.length > 0) {
    const before = new Set(old.validations.map(wordsOf));
    for (const rule of now.validations) if (before.has(wordsOf(rule))) known.add(rule);
  }
  return isSeen;
}

type Below = Schema["additionalProperties"];

function collectBelow(now: Below, old: Below, isWithin: boolean, known: Set<ValidationRule>): boolean {
  if (typeof now !== "object" || typeof old !== "object") return now === old;
  return collect(now, old, isWithin, known);
}

/** Whether values have the same type in rules and are no larger; what is below the node is looked at by itself. */
function isAlike(now: Schema, old: Schema): boolean {
  return (
    now.type === old.type &&
    now.format === old.format &&
    now.intOrString === old.intOrString &&
    now.embeddedResource === old.embeddedResource &&
    hasNoWiderBounds(now, old) &&
    isNoLonger(now, old) &&
    isNoSmaller(now, old)
  );
}

function hasNoWiderBounds(now: Schema, old: Schema): boolean {
  return isNoWider(now.maxItems, old.maxItems) && isNoWider(now.maxProperties, old.maxProperties);
}

function isNoWider(now: Bound | undefined, old: Bound | undefined): boolean {
  return old === undefined || (now !== undefined && now <= old);
}

function isNoLonger(now: Schema, old: Schema): boolean {
  if (now.maxLength === old.maxLength && now.enum === old.enum) return true;
  if (now.type !== "string" && !now.intOrString) return true;
  return (declare(now, false, "")?.most ?? 0) <= (declare(old, false, "")?.most ?? 0);
}

/** The fewer fields must be there, the more such values an object can have. */
function isNoSmaller(now: Schema, old: Schema): boolean {
  return old.required.every(
    (name) => isDefaulted(old, name) || (now.required.includes(name) && !isDefaulted(now, name)),
  );
}

function isDefaulted(schema: Schema, name: string): boolean {
  return schema.properties.get(name)?.default !== undefined;
}

function wordsOf({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): string {
  return JSON.stringify([rule, message, messageExpression, reason, fieldPath, optionalOldSelf]);
}
