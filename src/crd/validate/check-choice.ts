// Is a value one of those, or valid under as many of those schemas, as a schema allows? Follows kube-openapi's common and
// schema-props validators.

import type { Json } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import type { Schema } from "../schema/schema.ts";
import { type Identity, identityOf, TOO_DEEP_TO_COMPARE } from "./identity.ts";
import { type Check, every, type Search } from "./validation-run.ts";
import type { ObjectFault } from "./validator.ts";
import { shown } from "./value-text.ts";

/** How many values of an enum are listed. */
const MAX_CHOICES = 10;

/** The check that a value is one of the enum. */
export function enumCheck(schema: Schema): Check | undefined {
  const values = schema.enum;
  if (values === undefined) return undefined;
  const chosen = new Set<Identity>();
  for (const value of values) {
    const identity = identityOf(value);
    // The API server never finds null in an enum.
    if (identity !== undefined && identity !== null) chosen.add(identity);
  }
  return (value, search) => {
    const identity = identityOf(value);
    if (identity === undefined) return search.giveUp(TOO_DEEP_TO_COMPARE);
    if (chosen.has(identity)) return true;
    // To compare a number with an integer of the enum, the API server cuts its fraction off.
    if (typeof value === "number" && chosen.has(Math.trunc(value))) return true;
    return search.fault(schema, "enum", () => ({
      kind: "enum",
      allowed: values.slice(0, MAX_CHOICES).map(shown),
      more: Math.max(0, values.length - MAX_CHOICES),
      actual: shown(value),
    }));
  };
}

/** The checks of allOf, anyOf, oneOf and not; `part` makes the check of one of their schemas. */
export function alternativeChecks(schema: Schema, part: (schema: Schema) => Check): Check[] {
  const { allOf, anyOf, oneOf, not } = schema;
  const checks: Check[] = [];
  if (allOf.length > 0) checks.push(allOfCheck(allOf.map(part)));
  if (anyOf.length > 0) checks.push(anyOfCheck(schema, anyOf.map(part)));
  if (oneOf.length > 0) checks.push(oneOfCheck(schema, oneOf.map(part)));
  if (not !== undefined) checks.push(notCheck(schema, part(not)));
  return checks;
}

function allOfCheck(parts: readonly Check[]): Check {
  const all = every(parts);
  return (value, search) => !search.mayTry(parts.length) || all(value, search);
}

function anyOfCheck(schema: Schema, parts: readonly Check[]): Check {
  return (value, search) => {
    for (const part of parts) {
      if (!search.mayTry(1)) return true;
      if (search.isValid(value, part)) return true;
    }
    return noneFault(schema, "anyOf", value, parts, search);
  };
}

function oneOfCheck(schema: Schema, parts: readonly Check[]): Check {
  return (value, search) => {
    let first = -1;
    for (let index = 0; index < parts.length; index++) {
      if (!search.mayTry(1)) return true;
      if (!search.isValid(value, parts[index] as Check)) continue;
      if (first >= 0) {
        const detail = { kind: "two-alternatives", alternatives: parts.length, first, second: index } as const;
        return search.fault(schema, "oneOf", () => detail);
      }
      first = index;
    }
    return first >= 0 || noneFault(schema, "oneOf", value, parts, search);
  };
}

function notCheck(schema: Schema, part: Check): Check {
  return (value, search) => {
    if (!search.mayTry(1)) return true;
    if (!search.isValid(value, part)) return true;
    return search.fault(schema, "not", () => ({ kind: "not" }));
  };
}

/** The fault of the alternative that comes closest: the first of those with the fewest faults. */
function noneFault(
  schema: Schema,
  keyword: "anyOf" | "oneOf",
  value: Json,
  parts: readonly Check[],
  search: Search,
): false {
  if (search.isOver) return false;
  let closest = search.faultsOf(value, parts[0] as Check);
  let position = 0;
  for (let index = 1; index < Math.min(parts.length, MAX_COMPARED); index++) {
    const found = search.faultsOf(value, parts[index] as Check);
    if (found.faults.length < closest.faults.length) [closest, position] = [found, index];
  }
  search.blocksRules ||= closest.blocksRules;
  return search.fault(schema, keyword, () => {
    const [fault] = closest.faults;
    const why = fault && { field: fieldBelow(fault, search), detail: fault.detail };
    const alternatives = { alternatives: parts.length, closest: position };
    return { kind: "no-alternative", keyword, ...alternatives, ...(why && { why }) };
  });
}

/** Among how many alternatives the closest one is looked for. */
const MAX_COMPARED = 20;

function fieldBelow({ path }: ObjectFault, search: Search): string {
  return printPath(path.slice(search.path.length));
}
