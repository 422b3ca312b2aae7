// Which CEL rules does a property contain, in any spelling of constraints? Only rules are extracted; constraints are
// not validated here.
import type { Property } from "../model/catalog.ts";
import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { writtenKey } from "./constraint-fields.ts";

/** A rule and its path in the property. */
export interface CelRule {
  readonly text: string;
  readonly path: Path;
}

/** The property types that can contain rules. */
export const RULE_TYPES: readonly string[] = ["olm.constraint", "olm.constraint.cel"];

/** The rules of a property. */
export function celRules(property: Property): readonly CelRule[] {
  if (property.type === "olm.constraint.cel") return ruleOf(property.value, ["value"], ["rule"]);
  if (property.type !== "olm.constraint") return [];
  const rules: CelRule[] = [];
  collect(property.value, ["value"], rules);
  return rules;
}

const COMPOUNDS: readonly string[] = ["all", "any", "none", "not"];

function collect(constraint: Json | undefined, path: Path, rules: CelRule[]): void {
  if (!isObject(constraint)) return;
  if (isCel(constraint)) rules.push(...ruleOf(constraint, path, ["rule", "source"]));
  for (const key of Object.keys(constraint)) {
    const content = constraint[key] as Json;
    if (key.toLowerCase() === "cel") rules.push(...ruleOf(content, [...path, key], ["rule"]));
    if (!COMPOUNDS.includes(key.toLowerCase()) || !isObject(content)) continue;
    const children = writtenKey(content, "constraints");
    const list = children === undefined ? undefined : content[children];
    if (children === undefined || list === undefined || !isList(list)) continue;
    for (const [index, child] of list.entries()) collect(child, [...path, key, children, index], rules);
  }
}

/** Is it evaluated as CEL, as far as it states? */
function isCel(constraint: JsonObject): boolean {
  const key = writtenKey(constraint, "evaluator");
  const evaluator = key === undefined ? undefined : constraint[key];
  if (evaluator === undefined || !isObject(evaluator)) return key === undefined;
  const id = writtenKey(evaluator, "id");
  const name = id === undefined ? "cel" : evaluator[id];
  return typeof name === "string" && name.toLowerCase() === "cel";
}

function ruleOf(value: Json | undefined, path: Path, keys: readonly string[]): readonly CelRule[] {
  if (!isObject(value)) return [];
  return keys.flatMap((wanted) => {
    const key = writtenKey(value, wanted);
    const text = key === undefined ? undefined : value[key];
    return key === undefined || typeof text !== "string" ? [] : [{ text, path: [...path, key] }];
  });
}
