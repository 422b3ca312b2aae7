// How is a path read whose names are all known before: a variable, then fields?
import type { Node } from "../ast.ts";
import { operandOf } from "../check/attribute.ts";
import { fieldName } from "../check/checked.ts";
import { Optional } from "../value/boxes.ts";
import { Boxed, CelError, type JsonMap, type Result, type Value } from "../value/value.ts";
import { fieldOf, isNone, type NoElement, noSuchKey, rangeOf } from "./field.ts";
import type { Frame, Step } from "./frame.ts";
import type { Reading } from "./number-reading.ts";
import type { Planner } from "./planner.ts";

/** Keys that every object inherits: only these need a look at whether the key is the object's own. */
export const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A path whose names are all known before: a variable, then fields. */
export interface FixedPath {
  /** The variable of the environment at its root, when there is no slot. */
  readonly name: string;
  /** The slot of the macro variable at its root, or -1. */
  readonly slot: number;
  /** Computes the root if it is a binding that is evaluated at its first use. */
  readonly start: Step | undefined;
  readonly keys: readonly string[];
  /** The errors for missing keys, by position. */
  readonly missing: readonly NoElement[];
  /** The error for a variable without a value. */
  readonly unbound: CelError;
  /** What the root costs. */
  readonly charge: number;
  readonly reading: Reading;
}

/** The path that a part of an expression is, if it is of this commonest kind and leads through plain objects. `whole` when its root is charged. */
export function fixedPath(planner: Planner, node: Node, whole = true): FixedPath | undefined {
  if (planner.traced || planner.environment.data !== "json") return undefined;
  const keys: string[] = [];
  const missing: NoElement[] = [];
  let root = node;
  let reference = planner.reference(root);
  while (reference?.kind !== "variable" && reference?.kind !== "local") {
    const key = reference?.kind === "constant" ? undefined : constantField(planner, root);
    if (key === undefined || INHERITED.has(key)) return undefined;
    keys.unshift(key);
    missing.unshift(noSuchKey(key, root));
    root = operandOf(root) as Node;
    reference = planner.reference(root);
  }
  const name = reference.kind === "variable" ? reference.name : "";
  if (keys.length === 0 || INHERITED.has(name)) return undefined;
  const slot = reference.kind === "local" ? reference.slot : -1;
  const unbound = new CelError(`the variable ${name} has no value`, rangeOf(root));
  return {
    name,
    slot,
    start: planner.lazy.get(slot),
    keys,
    missing,
    unbound,
    charge: whole ? 1 : 0,
    reading: planner.reading,
  };
}

/** What is at the end of the path. */
export function readPath(frame: Frame, path: FixedPath): Result {
  const { keys, slot } = path;
  const root = slot < 0 ? frame.bindings[path.name] : path.start === undefined ? frame.slots[slot] : path.start(frame);
  if (root === undefined || root instanceof CelError)
    return generalPath(frame, (root as CelError | undefined) ?? path.unbound, path, 0);
  let value = root as Value;
  const count = keys.length;
  for (let index = 0; index < count; index++) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Boxed)
      return generalPath(frame, slot >= 0 && index === 0 ? value : path.reading(value), path, index);
    const next: Value | undefined = (value as JsonMap)[keys[index] as string];
    if (next === undefined) {
      frame.charge(index + 1 + path.charge);
      return path.missing[index] as NoElement;
    }
    value = next;
  }
  frame.charge(count + path.charge);
  return typeof value === "string" ? value : path.reading(value);
}

/** Reads the rest of a path from a value that is not a plain object. */
function generalPath(frame: Frame, from: Result, { keys, missing, charge, reading }: FixedPath, at: number): Result {
  let value = from;
  let index = at;
  for (; index < keys.length && !(value instanceof CelError); index++) {
    const next = fieldOf(frame, value, keys[index] as string, missing[index] as NoElement, reading);
    // After an optional, an absent field is not an error and costs nothing.
    if (value instanceof Optional && isNone(next)) {
      frame.charge(index + charge);
      return next;
    }
    value = next;
  }
  frame.charge(index + charge);
  return value;
}

/** The name of a field that is selected plainly: `a.b` or `a["b"]`. */
function constantField(planner: Planner, node: Node): string | undefined {
  if (node.kind === "select") return node.optional || node.test ? undefined : fieldName(planner.checked, node);
  if (node.kind !== "call" || node.name !== "_[_]") return undefined;
  const key = node.args[1] as Node;
  return key.kind === "literal" && typeof key.value === "string" ? key.value : undefined;
}
