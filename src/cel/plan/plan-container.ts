// How are lists and maps made?

import type { ListLiteral, MapLiteral, MessageLiteral, Node } from "../ast.ts";
import { LIST_COST, MAP_COST, MESSAGE_COST } from "../cost/size.ts";
import { CelMap, type MapKey, Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { lookupWork, mapKey } from "../value/map-access.ts";
import { isDouble } from "../value/number.ts";
import { CelError, type Result, type Value } from "../value/value.ts";
import { rangeOf } from "./field.ts";
import type { Frame, Step } from "./frame.ts";
import { failing, type Planner } from "./planner.ts";

/** `[a, ?b]` */
export function planList(planner: Planner, node: ListLiteral): Step {
  const constant = planner.traced ? undefined : constantList(node);
  if (constant !== undefined) {
    return (frame) => {
      frame.charge(LIST_COST);
      return constant;
    };
  }
  const elements = node.elements.map(({ value, optional }) => ({ step: planner.plan(value), optional, at: value }));
  return (frame) => {
    const list: Value[] = [];
    for (const { step, optional, at } of elements) {
      const value = step(frame);
      if (value instanceof CelError) {
        frame.charge(LIST_COST);
        return value;
      }
      if (!optional) list.push(value);
      else if (!(value instanceof Optional)) {
        frame.charge(LIST_COST);
        return notOptional(value, at);
      } else if (value.content !== undefined) list.push(value.content);
    }
    frame.charge(LIST_COST);
    frame.allocate(list.length);
    return list;
  };
}

/** The list, if all its elements are literals: it is made once, because values are immutable. */
export function constantList(node: ListLiteral): readonly Value[] | undefined {
  const list: Value[] = [];
  for (const { value, optional } of node.elements) {
    if (value.kind !== "literal" || optional) return undefined;
    list.push(value.value);
  }
  return list;
}

/** `{k: v, ?k: v}` */
export function planMap(planner: Planner, node: MapLiteral): Step {
  const entries = node.entries.map((entry) => ({
    key: planner.plan(entry.key),
    value: planner.plan(entry.value),
    optional: entry.optional,
    keyNode: entry.key,
    valueNode: entry.value,
  }));
  const make = (frame: Frame): Result => {
    const made = new Map<MapKey, readonly [Value, Value]>();
    for (const { key, value, optional, keyNode, valueNode } of entries) {
      const keyValue = key(frame);
      if (keyValue instanceof CelError) return keyValue;
      const content = value(frame);
      if (content instanceof CelError) return content;
      if (optional && !(content instanceof Optional)) return notOptional(content, valueNode);
      const kept = optional ? (content as Optional).content : content;
      if (kept === undefined) continue;
      const error = insert(frame, made, keyValue, kept);
      if (error !== undefined) return error.placed(keyNode);
    }
    frame.allocate(made.size);
    return new CelMap(made);
  };
  return (frame) => {
    const map = make(frame);
    frame.charge(MAP_COST);
    return map;
  };
}

/** `Name{field: value}` */
export function planMessage(planner: Planner, node: MessageLiteral): Step {
  const reference = planner.reference(node);
  if (reference?.kind !== "message") return failing(`no such message type: ${node.name}`, node);
  const fields = node.fields.map(({ name, value, optional }) => ({
    name,
    optional,
    step: planner.plan(value),
    at: value,
  }));
  const make = (frame: Frame): Result => {
    const given = new Map<string, Value>();
    for (const { name, optional, step, at } of fields) {
      const value = step(frame);
      if (value instanceof CelError) return value;
      if (optional && !(value instanceof Optional)) return notOptional(value, at);
      const kept = optional ? (value as Optional).content : value;
      if (kept !== undefined) given.set(name, kept);
    }
    const made = reference.message.make(given, frame);
    return made instanceof CelError ? made.placed(node) : made;
  };
  return (frame) => {
    const message = make(frame);
    frame.charge(MESSAGE_COST);
    return message;
  };
}

/** Adds an entry; returns an error for an invalid or duplicate key. */
export function insert(
  frame: Frame,
  map: Map<MapKey, readonly [Value, Value]>,
  key: Value,
  value: Value,
): CelError | undefined {
  const kept = isDouble(key) ? undefined : mapKey(key);
  if (kept === undefined)
    return new CelError(() => `a key of a map must be a string, int, uint or bool, not ${describeValue(key)}`);
  // It is looked for twice: to see whether it is there, and to set it.
  if (typeof kept === "string") frame.work(2 * lookupWork(kept, map));
  if (map.has(kept)) return new CelError(() => `the map has the key ${describeValue(key)} twice`);
  map.set(kept, [key, value]);
  return undefined;
}

function notOptional(value: Value, at: Node): CelError {
  return new CelError(() => `an element with ? must be an optional, not ${describeValue(value)}`, rangeOf(at));
}
