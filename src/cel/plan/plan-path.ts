// How is a path through the input read: `a.b["c"]`, `has(a.b)`, `a.?b`, `list[0]`, `condition ? a : b`?
//
// cel-go calls this an attribute. Each field or index that is looked at costs 1, found or not; the name at its root costs
// 1 unless the path is part of another path or a branch of a conditional; an absent optional field costs nothing.
import type { Call, Identifier, Node, Select } from "../ast.ts";
import { isConditional, operandOf, rootIsConditional } from "../check/attribute.ts";
import { fieldName } from "../check/checked.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { isMap, mapGet } from "../value/map-access.ts";
import { Double, Uint } from "../value/number.ts";
import { Boxed, CelError, isJsonMap, isList, type Range, type Result, type Value } from "../value/value.ts";
import { failing, located } from "./error.ts";
import type { Frame, Step } from "./frame.ts";
import type { Reading } from "./number-reading.ts";
import type { Planner } from "./planner.ts";

/** There is no such key or index: what an optional field or index takes for "absent". */
class NoElement extends CelError {}

function noSuchKey(key: Value, node: Node): NoElement {
  return new NoElement(`no such key: ${typeof key === "string" ? key : describeValue(key)}`, range(node));
}

/** The closure for a path; `whole` when it stands by itself and its root is charged. */
export function planAttribute(planner: Planner, node: Node, whole: boolean): Step {
  if (isConditional(node)) return planConditional(planner, node as Call);
  const charge = whole && !rootIsConditional(planner.checked, node) ? 1 : 0;
  const fused = planner.traced ? undefined : fusedPath(planner, node, charge);
  if (fused !== undefined) return fused;
  const step = planLink(planner, node);
  if (charge === 0) return step;
  return (frame) => {
    const result = step(frame);
    frame.charge(1);
    return result;
  };
}

function planLink(planner: Planner, node: Node): Step {
  const reference = planner.reference(node);
  if (reference?.kind === "variable") return planVariable(planner, node, reference.name);
  if (reference?.kind === "local") return planLocal(planner, reference.slot);
  if (node.kind === "select") return planSelect(planner, node);
  if (node.kind === "call") return planIndex(planner, node);
  return failing(`no such variable ${(node as Identifier).name}`, node);
}

/** Keys that every object inherits: only these need a look at whether the key is the object's own. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

function planVariable(planner: Planner, node: Node, name: string): Step {
  const { reading } = planner;
  const missing = new CelError(`the variable ${name} has no value`, range(node));
  const inherited = INHERITED.has(name);
  return (frame) => {
    const value =
      inherited && !Object.hasOwn(frame.bindings, name) ? undefined : (frame.bindings[name] as Value | undefined);
    return value === undefined ? missing : reading(value);
  };
}

function planLocal(planner: Planner, slot: number): Step {
  const lazy = planner.lazy.get(slot);
  if (lazy !== undefined) return lazy;
  return (frame) => frame.slots[slot] as Result;
}

/** The commonest paths, in one closure: a variable and then fields with names known before. */
function fusedPath(planner: Planner, node: Node, charge: number): Step | undefined {
  const keys: string[] = [];
  const missing: NoElement[] = [];
  let root = node;
  for (;;) {
    const reference = planner.reference(root);
    if (reference?.kind === "variable" || reference?.kind === "local") break;
    const key = constantField(planner, root);
    if (key === undefined) return undefined;
    keys.unshift(key);
    missing.unshift(noSuchKey(key, root));
    root = operandOf(root) as Node;
  }
  const reference = planner.reference(root);
  const start = planLink(planner, root);
  if (keys.length === 0 || keys.some((key) => INHERITED.has(key))) return undefined;
  if (reference?.kind === "local" && planner.lazy.get(reference.slot) === undefined && keys.length === 1) {
    return localField(reference.slot, keys[0] as string, missing[0] as NoElement, charge, planner.reading);
  }
  const { reading } = planner;
  const count = keys.length;
  return (frame) => {
    let value = start(frame);
    for (let index = 0; index < count; index++) {
      if (
        typeof value !== "object" ||
        value === null ||
        Array.isArray(value) ||
        value instanceof Boxed ||
        value instanceof CelError
      ) {
        return generalPath(frame, value, keys, missing, index, charge, reading);
      }
      const next: Value | undefined = (value as { readonly [key: string]: Value })[keys[index] as string];
      if (next === undefined) {
        frame.charge(index + 1 + charge);
        return missing[index] as NoElement;
      }
      value = next;
    }
    frame.charge(count + charge);
    return reading(value as Value);
  };
}

/** The rest of a path where something else than a plain object was met. */
function generalPath(
  frame: Frame,
  from: Result,
  keys: readonly string[],
  missing: readonly NoElement[],
  at: number,
  charge: number,
  reading: Reading,
): Result {
  let value = from;
  let index = at;
  for (; index < keys.length && !(value instanceof CelError); index++) {
    const next = fieldOf(value, keys[index] as string, missing[index] as NoElement, reading);
    // Behind an optional an absent field is no error, and costs nothing.
    if (value instanceof Optional && isNone(next)) {
      frame.charge(index + charge);
      return next;
    }
    value = next;
  }
  frame.charge(index + charge);
  return value;
}

/** `x.name` where `x` is a macro's variable. */
function localField(slot: number, key: string, missing: NoElement, charge: number, reading: Reading): Step {
  const cost = 1 + charge;
  return (frame) => {
    const value = frame.slots[slot] as Result;
    if (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      !(value instanceof Boxed) &&
      !(value instanceof CelError)
    ) {
      frame.charge(cost);
      const field = (value as { readonly [key: string]: Value })[key];
      return field === undefined ? missing : reading(field);
    }
    if (value instanceof CelError) {
      frame.charge(charge);
      return value;
    }
    frame.charge(cost);
    return fieldOf(value, key, missing, reading);
  };
}

/** The name of a field that is selected plainly: `a.b` or `a["b"]`. */
function constantField(planner: Planner, node: Node): string | undefined {
  if (node.kind === "select") return node.optional || node.test ? undefined : fieldName(planner.checked, node);
  if (node.kind !== "call" || node.name !== "_[_]") return undefined;
  const key = node.args[1] as Node;
  return key.kind === "literal" && typeof key.value === "string" ? key.value : undefined;
}

/** The field of any value; of an optional what is in it, as an optional again. */
function fieldOf(value: Value, key: string, missing: NoElement, reading: Reading): Result {
  if (isMap(value)) {
    const field = mapGet(value, key);
    return field === undefined ? missing : isJsonMap(value) ? reading(field) : field;
  }
  if (value instanceof Optional) {
    if (value.content === undefined) return value;
    const inner = fieldOf(value.content, key, missing, reading);
    return inner === missing ? Optional.none : inner instanceof CelError ? inner : new Optional(inner);
  }
  if (isList(value)) return notAnIndex(key, missing.range);
  return new NoElement(`${missing.message} (the value is ${describeValue(value)})`, missing.range);
}

function isNone(result: Result): boolean {
  return result instanceof Optional && result.content === undefined;
}

function planSelect(planner: Planner, node: Select): Step {
  const operand = planner.planInner(node.operand);
  const { optional, test } = node;
  const field = fieldName(planner.checked, node);
  const { reading } = planner;
  const missing = noSuchKey(field, node);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof CelError) return value;
    const result = fieldOf(value, field, missing, reading);
    const maybe = optional || value instanceof Optional;
    // Behind an optional that has a value, only `.?` and has() take something without fields for "absent".
    const absent = result instanceof NoElement ? optional || test : value instanceof Optional && isNone(result);
    if (!(maybe && absent)) frame.charge(1);
    if (result instanceof CelError && !absent) return result;
    if (test) return !absent;
    if (!maybe) return result;
    return absent ? Optional.none : value instanceof Optional ? result : new Optional(result as Value);
  };
}

function planIndex(planner: Planner, node: Call): Step {
  const operand = planner.planInner(node.args[0] as Node);
  const key = planner.planInner(node.args[1] as Node);
  const optional = node.name === "_[?_]";
  const { reading } = planner;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof CelError || isNone(value)) return value;
    const maybe = optional || value instanceof Optional;
    const at = key(frame);
    const result = at instanceof CelError ? at : elementOf(value, at, node, reading);
    const absent = result instanceof NoElement ? optional : value instanceof Optional && isNone(result);
    if (!(maybe && (absent || result instanceof CelError))) frame.charge(1);
    if (result instanceof CelError && !absent) return located(result, node);
    if (!maybe) return result;
    return absent ? Optional.none : value instanceof Optional ? result : new Optional(result as Value);
  };
}

/** The element of any value, or why there is none. */
function elementOf(value: Value, key: Value, node: Node, reading: Reading): Result {
  if (isList(value)) return listElement(value, key, node);
  if (isMap(value)) {
    const found = mapGet(value, key);
    if (found === undefined) return noSuchKey(key, node);
    return isJsonMap(value) ? reading(found) : found;
  }
  if (value instanceof Optional) {
    if (value.content === undefined) return value;
    const inner = elementOf(value.content, key, node, reading);
    return inner instanceof NoElement && (isList(value.content) || isMap(value.content))
      ? Optional.none
      : inner instanceof CelError
        ? inner
        : new Optional(inner);
  }
  return new NoElement(`${noSuchKey(key, node).message} (the value is ${describeValue(value)})`, range(node));
}

function notAnIndex(key: Value, at: Range | undefined): CelError {
  return new CelError(`a list is indexed by an int, not by ${describeValue(key)}`, at);
}

function listElement(list: readonly Value[], key: Value, node: Node): Result {
  const index = key instanceof Uint || key instanceof Double ? Number(key.value) : key;
  if (typeof index !== "number" && typeof index !== "bigint") return notAnIndex(key, range(node));
  if (!Number.isInteger(Number(index))) return new CelError(`a list is indexed by a whole number, not by ${index}`);
  const element = list[Number(index)];
  return element === undefined
    ? new NoElement(`index out of bounds: ${index} (the list has ${list.length} elements)`, range(node))
    : element;
}

/** `condition ? yes : no`: names in the branches are not charged. */
function planConditional(planner: Planner, node: Call): Step {
  const [condition, yes, no] = node.args as [Node, Node, Node];
  const decide = planner.plan(condition);
  const then = planner.planInner(yes);
  const otherwise = planner.planInner(no);
  return (frame) => {
    const decision = decide(frame);
    if (decision === true) return then(frame);
    if (decision === false) return otherwise(frame);
    if (decision instanceof CelError) return decision;
    return new CelError(`the condition is ${describeValue(decision)}, not a bool`, range(condition));
  };
}

function range(node: Node): { readonly start: number; readonly end: number } {
  return { start: node.start, end: node.end };
}
