// How is a field of a value read, and which error does a missing field give?
import type { Node } from "../ast.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import type { Worker } from "../value/equality.ts";
import { Instance } from "../value/instance.ts";
import { isMap, mapGet } from "../value/map-access.ts";
import { CelError, isJsonMap, isList, type Range, type Result, type Value } from "../value/value.ts";
import type { Reading } from "./number-reading.ts";

/** The key or index does not exist: "absent" for an optional field or index. */
export class NoElement extends CelError {}

/** The map has no such key. */
export function noSuchKey(key: Value, node: Node): NoElement {
  return new NoElement(() => `no such key: ${typeof key === "string" ? key : describeValue(key)}`, rangeOf(node));
}

/** The field of any value; of an optional what is in it, as an optional again. */
export function fieldOf(worker: Worker, value: Value, key: string, missing: NoElement, reading: Reading): Result {
  if (isMap(value)) {
    const field = mapGet(value, key, worker);
    return field === undefined ? missing : isJsonMap(value) ? reading(field) : field;
  }
  if (value instanceof Optional) {
    if (value.content === undefined) return value;
    const inner = fieldOf(worker, value.content, key, missing, reading);
    return inner === missing ? Optional.none : inner instanceof CelError ? inner : new Optional(inner);
  }
  if (isList(value)) return notAnIndex(key, missing.range);
  if (value instanceof Instance) return instanceField(value, key, missing);
  return new NoElement(() => `${missing.message} (the value is ${describeValue(value)})`, missing.range);
}

/** A declared field of an object of a program's own type. */
function instanceField(value: Instance, key: string, missing: NoElement): Result {
  const field = value.field(key);
  if (field === undefined) return missing;
  return field instanceof CelError && missing.range !== undefined ? field.placed(missing.range) : field;
}

/** Is it an absent optional? */
export function isNone(result: Result): boolean {
  return result instanceof Optional && result.content === undefined;
}

/** A list has no such key, because it has indexes. */
export function notAnIndex(key: Value, at: Range | undefined): CelError {
  return new CelError(() => `a list is indexed by an int, not by ${describeValue(key)}`, at);
}

/** The position of the part in the expression. */
export function rangeOf({ start, end }: Range): Range {
  return { start, end };
}
