// Is a list valid? Follows kube-openapi's slice validator, and pkg/apiserver/schema/listtype of apiextensions-apiserver.

import { isObject, type Json, own } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { FaultDetail } from "./fault.ts";
import { type Identity, identityOf, identityOfFields, TOO_DEEP_TO_COMPARE } from "./identity.ts";
import { type Check, type CheckOf, type Search, sizeChecks } from "./validation-run.ts";
import { type ShownValue, shown, shownScalar } from "./value-text.ts";

type List = readonly Json[];
type ListCheck = CheckOf<List>;

/** The checks of a schema for lists; `part` makes the check of an item. */
export function listChecks(schema: Schema, part: (schema: Schema) => Check, isStructural: boolean): ListCheck[] {
  const { items } = schema;
  const checks: ListCheck[] = [];
  if (items !== undefined) checks.push(itemsCheck(() => part(items)));
  checks.push(...sizeChecks(schema, ["minItems", "maxItems"], (list: List) => list.length));
  if (schema.uniqueItems) checks.push(uniqueCheck(schema));
  if (isStructural && schema.listType === "set") checks.push(setCheck(schema));
  if (isStructural && schema.listType === "map") checks.push(mapCheck(schema));
  return checks;
}

function itemsCheck(make: () => Check): ListCheck {
  let check: Check | undefined;
  return (list, search) => {
    check ??= make();
    let valid = true;
    const end = search.path.push(0) - 1;
    for (let index = 0; index < list.length; index++) {
      search.path[end] = index;
      if (check(list[index] as Json, search)) continue;
      valid = false;
      if (search.isOver) break;
    }
    search.path.pop();
    return valid;
  };
}

function uniqueCheck(schema: Schema): ListCheck {
  return (list, search) => {
    const [position] = repeated(list, identityOf, search);
    if (position === undefined) return true;
    return search.fault(schema, "uniqueItems", () => ({ kind: "repeated-item", actual: shownItem(list, position) }));
  };
}

function setCheck(schema: Schema): ListCheck {
  return (list, search) => {
    const again = repeated(list, identityOf, search);
    for (const position of again) {
      const actual = shownItem(list, position);
      search.fault(schema, "x-kubernetes-list-type", () => ({ kind: "repeated-in-set", actual }), [position]);
    }
    return again.length === 0;
  };
}

function shownItem(list: List, position: number): ShownValue {
  return shown(list[position] as Json);
}

/** An item that is null has no keys, like an object without them. */
function mapCheck(schema: Schema): ListCheck {
  const names = schema.listMapKeys;
  const identityOfKeys = (item: Json): Identity | undefined => identityOfFields(item, names);
  return (list, search) => {
    const stranger = list.findIndex((item) => item !== null && !isObject(item));
    if (stranger >= 0) {
      const actual = shownItem(list, stranger);
      return search.fault(schema, "x-kubernetes-list-type", () => ({ kind: "not-an-object", actual }), [stranger]);
    }
    const again = repeated(list, identityOfKeys, search);
    for (const position of again) {
      const detail = (): FaultDetail => ({ kind: "repeated-keys", keys: shownKeys(list[position], names) });
      search.fault(schema, "x-kubernetes-list-type", detail, [position], "x-kubernetes-list-map-keys");
    }
    return again.length === 0;
  };
}

/** How many keys of an item are shown. */
const MAX_KEYS = 5;

type ShownKeys = Extract<FaultDetail, { readonly kind: "repeated-keys" }>["keys"];

function shownKeys(item: Json | undefined, names: readonly string[]): ShownKeys {
  return names.slice(0, MAX_KEYS).map((name) => {
    const value = isObject(item) ? own(item, name) : undefined;
    return value === undefined ? { name: shownScalar(name) } : { name, value: shown(value) };
  });
}

const NONE: readonly number[] = [];

/** For each value that is there more than once: the position of the second. */
function repeated(list: List, identity: (item: Json) => Identity | undefined, search: Search): readonly number[] {
  if (list.length <= 1) return NONE;
  const seen = new Set<Identity>();
  for (let position = 0; position < list.length; position++) {
    const found = identity(list[position] as Json);
    if (found === undefined) {
      search.giveUp(TOO_DEEP_TO_COMPARE);
      return NONE;
    }
    seen.add(found);
  }
  return seen.size === list.length ? NONE : secondPositions(list, identity);
}

function secondPositions(list: List, identity: (item: Json) => Identity | undefined): readonly number[] {
  const seen = new Map<Identity | undefined, number>();
  const seconds: number[] = [];
  for (const [position, item] of list.entries()) {
    const found = identity(item);
    const times = (seen.get(found) ?? 0) + 1;
    seen.set(found, times);
    if (times === 2) seconds.push(position);
  }
  return seconds;
}
