// How is a path through the input read: `a.b["c"]`, `has(a.b)`, `a.?b`, `list[0]`, `condition ? a : b`?
//
// cel-go calls this an attribute. Each field or index that is looked at costs 1, found or not; the name at its root costs
// 1 unless the path is part of another path or a branch of a conditional; an absent optional field costs nothing.
import type { Call, Identifier, Node, Select } from "../ast.ts";
import { isConditional, rootIsConditional, rootIsVariable } from "../check/attribute.ts";
import { fieldName } from "../check/checked.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { isMap, mapGet } from "../value/map-access.ts";
import { int, isNumber } from "../value/number.ts";
import { Boxed, CelError, DataError, isJsonMap, isList, type Result, type Value } from "../value/value.ts";
import { fieldOf, isNone, NoElement, noSuchKey, notAnIndex, rangeOf } from "./field.ts";
import { fixedPath, INHERITED, readPath } from "./fixed-path.ts";
import type { Frame, Step } from "./frame.ts";
import type { Reading } from "./number-reading.ts";
import { failing, type Planner } from "./planner.ts";

/** The closure for a path; `whole` if it is not inside another path, so that its root is charged. */
export function planAttribute(planner: Planner, node: Node, whole: boolean): Step {
  if (isConditional(node)) return planConditional(planner, node as Call);
  const charge = whole && !rootIsConditional(planner.checked, node) ? 1 : 0;
  const path = fixedPath(planner, node, charge === 1);
  if (path !== undefined) return (frame) => readPath(frame, path);
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

function planVariable(planner: Planner, node: Node, name: string): Step {
  const { reading } = planner;
  const missing = new CelError(`the variable ${name} has no value`, rangeOf(node));
  const careful = INHERITED.has(name) || planner.environment.data !== "json";
  return (frame) => {
    const value =
      careful && !Object.hasOwn(frame.bindings, name) ? undefined : (frame.bindings[name] as Value | undefined);
    return value === undefined ? missing : reading(value);
  };
}

function planLocal(planner: Planner, slot: number): Step {
  const lazy = planner.lazy.get(slot);
  if (lazy !== undefined) return lazy;
  return (frame) => frame.slots[slot] as Result;
}

function planSelect(planner: Planner, node: Select): Step {
  const operand = planner.planInner(node.operand);
  const { optional, test } = node;
  const field = fieldName(planner.checked, node);
  const { reading } = planner;
  const missing = noSuchKey(field, node);
  const fromInput = rootIsVariable(planner.checked, node);
  // The API server lets has() look at the last field for free.
  const charge = test && planner.environment.costs === "api-server" ? 0 : 1;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof CelError) return value;
    const result = fieldOf(frame, value, field, missing, reading);
    const maybe = optional || value instanceof Optional;
    const absent = isAbsent(result, value, optional || test, fromInput);
    if (!(maybe && (absent || result instanceof CelError))) frame.charge(charge);
    if (result instanceof CelError && !absent) return result;
    if (test) return !absent;
    if (!maybe) return result;
    return absent ? Optional.none : value instanceof Optional ? result : new Optional(result as Value);
  };
}

/**
 * Is the result absent, not an error? `.?` and has() take any value without the field for absent. Behind an optional a
 * plain field does so too when the path leads into the input (cel-go; the official tests want an error for literals).
 */
function isAbsent(result: Result, of: Value, asked: boolean, fromInput: boolean): boolean {
  if (result instanceof NoElement) return asked || (fromInput && of instanceof Optional);
  return of instanceof Optional && isNone(result);
}

function planIndex(planner: Planner, node: Call): Step {
  const operand = planner.planInner(node.args[0] as Node);
  const key = planner.planInner(node.args[1] as Node);
  const optional = node.name === "_[?_]";
  const fromInput = rootIsVariable(planner.checked, node);
  const { reading } = planner;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof CelError || isNone(value)) return value;
    const maybe = optional || value instanceof Optional;
    const at = key(frame);
    if (at instanceof CelError) {
      // A key that cannot be computed is an error; only an element that is not there is absent.
      if (!maybe) frame.charge(1);
      return at;
    }
    const result = elementOf(frame, value, at, node, reading);
    const absent = isAbsent(result, value, optional, fromInput);
    if (!(maybe && (absent || result instanceof CelError))) frame.charge(1);
    if (result instanceof CelError && !absent) return result.placed(node);
    if (!maybe) return result;
    return absent ? Optional.none : value instanceof Optional ? result : new Optional(result as Value);
  };
}

/** The element at an index of any value, or an error. */
function elementOf(frame: Frame, value: Value, key: Value, node: Node, reading: Reading): Result {
  if (typeof key !== "string" && typeof key !== "boolean" && !isNumber(key))
    return new CelError(() => `${describeValue(key)} is neither a key nor an index`, rangeOf(node));
  if (isList(value)) return listElement(value, key, node);
  if (isMap(value)) {
    const found = mapGet(value, key, frame);
    if (found === undefined) return noSuchKey(key, node);
    return isJsonMap(value) ? reading(found) : found;
  }
  if (value instanceof Optional) {
    if (value.content === undefined) return value;
    const inner = elementOf(frame, value.content, key, node, reading);
    return inner instanceof NoElement && (isList(value.content) || isMap(value.content))
      ? Optional.none
      : inner instanceof CelError
        ? inner
        : new Optional(inner);
  }
  return new NoElement(() => `${noSuchKey(key, node).message} (the value is ${describeValue(value)})`, rangeOf(node));
}

function listElement(list: readonly Value[], key: Value, node: Node): Result {
  if (!isNumber(key)) return notAnIndex(key, rangeOf(node));
  const index = key instanceof Boxed ? key.value : key;
  if (!isIndex(index)) return notAnIndex(key, rangeOf(node));
  const element = list[Number(index)];
  if (element !== undefined) return element;
  if (index >= 0 && index < list.length) throw DataError.of(element);
  return new NoElement(`index out of bounds: ${index} (the list has ${list.length} elements)`, rangeOf(node));
}

/** Is it a whole number that an int can be? */
function isIndex(index: number | bigint): boolean {
  return typeof index === "bigint" ? int(index) !== undefined : Number.isInteger(index) && Math.abs(index) < 2 ** 63;
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
    return new CelError(() => `the condition is ${describeValue(decision)}, not a bool`, rangeOf(condition));
  };
}
