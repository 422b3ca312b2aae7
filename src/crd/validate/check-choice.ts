// Is a value one of those, or valid under as many of those schemas, as a schema allows? Facts: kube-openapi's common and
// schema-props validators.

import type { Json } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import type { Schema } from "../schema/schema.ts";
import { type Identity, identityOf, TOO_DEEP_TO_COMPARE } from "./identity.ts";
import type { Check, Search } from "./search.ts";
import { anyShown, shown } from "./shown.ts";
import type { ObjectFault } from "./validator.ts";

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
    return search.fault(schema, "enum", () => `must be ${anyShown(values)}, but is ${shown(value)}`);
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
  return (value, search) => {
    if (!search.mayTry(parts.length)) return true;
    let valid = true;
    for (const part of parts) {
      if (part(value, search)) continue;
      valid = false;
      if (search.isOver) break;
    }
    return valid;
  };
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
        const message = (): string =>
          `must be valid under one of ${parts.length} alternatives, but is under the ${ordinal(first)} and the ${ordinal(index)}`;
        return search.fault(schema, "oneOf", message);
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
    return search.fault(schema, "not", () => "must not be valid under the schema of not, but is");
  };
}

/** Says why the value is not valid under the alternative that comes closest: the first of those with the fewest faults. */
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
    const why = fault === undefined ? "" : `: ${fieldBelow(fault, search)}${fault.message}`;
    const valid = keyword === "anyOf" ? "at least one" : "one";
    return `must be valid under ${valid} of ${parts.length} alternatives, but is under none; the ${ordinal(position)} comes closest${why}`;
  });
}

/** Of how many alternatives it is told which one comes closest. */
const MAX_COMPARED = 20;

function fieldBelow({ path }: ObjectFault, search: Search): string {
  const below = path.slice(search.path.length);
  return below.length === 0 ? "it " : `${printPath(below)} `;
}

function ordinal(index: number): string {
  const place = index + 1;
  const ending = place % 100 > 10 && place % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}
