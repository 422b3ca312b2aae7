// Does a value fit a parameter of a function?
import type { Type } from "../type.ts";
import { Bytes, TypeValue } from "../value/boxes.ts";
import type { Worker } from "../value/equality.ts";
import { firstEntry, isMap } from "../value/map-access.ts";
import { isDouble, isInt, Uint } from "../value/number.ts";
import { Boxed, isList, type Value } from "../value/value.ts";
import { SHORT } from "./frame.ts";

/** Does the value fit? */
export type Fit = (value: Value, worker: Worker) => boolean;

/** A test for values of the type. Lists and maps are also validated by their first element, unless only the outside counts. */
export function fits(type: Type, inside = true): Fit {
  switch (type.kind) {
    case "null":
      return (value) => value === null;
    case "bool":
      return (value) => typeof value === "boolean";
    case "int":
      return isInt;
    case "uint":
      return (value) => value instanceof Uint;
    case "double":
      return isDouble;
    case "string":
      return (value) => typeof value === "string";
    case "bytes":
      return (value) => value instanceof Bytes;
    case "timestamp":
    case "duration":
      return (value) => value instanceof Boxed && value.type.kind === type.kind;
    case "type":
      return (value) => value instanceof TypeValue;
    case "list": {
      if (!inside) return isList;
      const element = fits(type.element);
      return (value, worker) => isList(value) && (value.length === 0 || element(value[0] as Value, worker));
    }
    case "map":
      return mapFits(fits(type.key), fits(type.value), !inside || (isAnything(type.key) && isAnything(type.value)));
    case "object":
      return isMap;
    case "opaque":
      return (value) => value instanceof Boxed && value.type.kind === "opaque" && value.type.name === type.name;
    case "wrapper": {
      const inner = fits(type.of);
      return (value, worker) => value === null || inner(value, worker);
    }
    default:
      return () => true;
  }
}

function mapFits(key: Fit, content: Fit, any: boolean): Fit {
  if (any) return isMap;
  return (value, worker) => {
    if (!isMap(value)) return false;
    // To find one entry of a large map of the input takes as long as to find all.
    const size = worker.mapSize(value);
    if (size > SHORT) worker.work(size);
    const first = firstEntry(value);
    return first === undefined || (key(first[0], worker) && content(first[1], worker));
  };
}

function isAnything(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "parameter";
}
