// How does a macro go through a list or a map?
//
// Costs are those of the loop that cel-go makes of a macro: an accumulator that is read (1) and tested (1, or 2 with a
// negation) in every round, lists that are made and joined (12). An error does not end a loop, because a later element
// may absorb it, or because cel-go pays for the rest as well.
import type { Fold, Node } from "../ast.ts";
import { CelMap, type MapKey } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { isMap, mapEntries, mapGet, mapKeys } from "../value/map-access.ts";
import { CelError, isJsonMap, isList, type Result, type Value } from "../value/value.ts";
import type { Frame, Step } from "./frame.ts";
import { insert, LIST_COST, MAP_COST } from "./plan-container.ts";
import type { Planner } from "./planner.ts";

/** One round: sets the variables for an element. */
interface Rounds {
  /** What is gone through: the elements of a list, or the keys of a map. */
  readonly items: readonly Value[];
  /** The values that belong to the items, for macros with two variables. */
  readonly values: readonly Value[] | undefined;
}

/** The closure of a macro. */
export function planFold(planner: Planner, node: Fold): Step {
  const slot = planner.slot(node);
  const variables = [{ name: node.variable, slot }];
  if (node.second !== undefined) variables.push({ name: node.second, slot: slot + 1 });
  const range = planner.plan(node.range);
  // A variable of an outer binding may have had the same place before.
  planner.lazy.delete(slot);
  planner.lazy.delete(slot + 1);
  const part = (inner: Node | undefined): Step | undefined =>
    inner === undefined ? undefined : planner.planFor(inner, variables);
  const predicate = part(node.predicate);
  const transform = part(node.transform);
  const loop = loopOf(node, slot, predicate, transform);
  const two = node.second !== undefined;
  const { reading } = planner;
  if (!two && !planner.traced && loop.overList !== undefined) {
    const { overList } = loop;
    return (frame) => {
      const over = range(frame);
      if (Array.isArray(over)) return overList(frame, over);
      return over instanceof CelError ? over : rounds(over, false, reading, node, frame, loop.run);
    };
  }
  return (frame) => {
    const over = range(frame);
    return over instanceof CelError ? over : rounds(over, two, reading, node, frame, loop.run);
  };
}

function rounds(
  over: Value,
  two: boolean,
  reading: (value: Value) => Value,
  node: Fold,
  frame: Frame,
  run: (frame: Frame, rounds: Rounds) => Result,
): Result {
  if (isList(over)) {
    return run(
      frame,
      two ? { items: over.map((_, index) => index), values: over } : { items: over, values: undefined },
    );
  }
  if (!isMap(over))
    return new CelError(`cannot go through ${describeValue(over)}: it is no list and no map`, {
      start: node.range.start,
      end: node.range.end,
    });
  if (!two) return run(frame, { items: mapKeys(over), values: undefined });
  const entries = mapEntries(over);
  const input = isJsonMap(over);
  return run(frame, {
    items: entries.map(([key]) => key),
    values: entries.map(([, value]) => (input ? reading(value) : value)),
  });
}

interface Loop {
  readonly run: (frame: Frame, rounds: Rounds) => Result;
  /** The same over a list with one variable: the commonest case without a detour. */
  readonly overList?: (frame: Frame, list: readonly Value[]) => Result;
}

function loopOf(node: Fold, slot: number, predicate: Step | undefined, transform: Step | undefined): Loop {
  switch (node.fold) {
    case "all":
      return quantifier(node, slot, predicate as Step, true);
    case "exists":
      return quantifier(node, slot, predicate as Step, false);
    case "existsOne":
      return existsOne(node, slot, predicate as Step);
    case "filter":
      return collecting(node, slot, predicate, undefined);
    case "map":
    case "transformList":
      return collecting(node, slot, predicate, transform);
    case "transformMap":
    case "transformMapEntry":
      return mapping(node, slot, predicate, transform as Step);
  }
}

function notBool(value: Value, node: Fold): CelError {
  const at = node.predicate as Node;
  return new CelError(`the condition is ${describeValue(value)}, not a bool`, { start: at.start, end: at.end });
}

/** `all` and `exists`: the first element that decides ends it, and makes earlier errors irrelevant. */
function quantifier(node: Fold, slot: number, predicate: Step, neutral: boolean): Loop {
  const testCost = neutral ? 2 : 3;
  const decide = (frame: Frame, items: readonly Value[], values: readonly Value[] | undefined): Result => {
    const { slots } = frame;
    const count = items.length;
    let outcome: Result = neutral;
    for (let index = 0; index < count; index++) {
      slots[slot] = items[index] as Value;
      if (values !== undefined) slots[slot + 1] = values[index] as Value;
      frame.charge(testCost + 1);
      const verdict = predicate(frame);
      if (verdict === neutral) continue;
      if (verdict === !neutral) {
        // The test before the next round finds out that it is over.
        frame.charge(index + 1 < count ? testCost + 1 : 1);
        return verdict;
      }
      if (outcome === neutral) outcome = verdict instanceof CelError ? verdict : notBool(verdict, node);
    }
    frame.charge(1);
    return outcome;
  };
  return {
    run: (frame, { items, values }) => decide(frame, items, values),
    overList: (frame, list) => decide(frame, list, undefined),
  };
}

function existsOne(node: Fold, slot: number, predicate: Step): Loop {
  return {
    run: (frame, { items, values }) => {
      const { slots } = frame;
      let found = 0;
      let error: CelError | undefined;
      for (let index = 0; index < items.length; index++) {
        slots[slot] = items[index] as Value;
        if (values !== undefined) slots[slot + 1] = values[index] as Value;
        const verdict = predicate(frame);
        if (verdict === true) {
          found++;
          frame.charge(2);
        } else if (verdict !== false) {
          error = verdict instanceof CelError ? verdict : notBool(verdict, node);
        }
      }
      frame.charge(2);
      return error ?? found === 1;
    },
  };
}

/** `filter`, `map`, `transformList`. */
function collecting(node: Fold, slot: number, predicate: Step | undefined, transform: Step | undefined): Loop {
  const keptSlot = slot + (node.fold === "filter" && node.second !== undefined ? 1 : 0);
  return {
    run: (frame, { items, values }) => {
      const { slots } = frame;
      const list: Value[] = [];
      let error: CelError | undefined;
      // The empty list to begin with is made when it is first looked at.
      let begun = items.length === 0;
      if (begun) frame.charge(LIST_COST);
      for (let index = 0; index < items.length; index++) {
        slots[slot] = items[index] as Value;
        if (values !== undefined) slots[slot + 1] = values[index] as Value;
        const verdict = predicate === undefined ? true : predicate(frame);
        if (verdict !== true && verdict !== false) {
          error = verdict instanceof CelError ? verdict : notBool(verdict, node);
          begun = true;
          continue;
        }
        if (!begun) frame.charge(LIST_COST);
        begun = true;
        if (!verdict) continue;
        const value = transform === undefined ? (slots[keptSlot] as Result) : transform(frame);
        frame.charge(transform === undefined ? LIST_COST + 3 : LIST_COST + 2);
        if (value instanceof CelError) error ??= value;
        else if (error === undefined) list.push(value);
      }
      frame.charge(1);
      frame.allocate(list.length);
      return error ?? list;
    },
  };
}

/** `transformMap` and `transformMapEntry`. */
function mapping(node: Fold, slot: number, predicate: Step | undefined, transform: Step): Loop {
  const entries = node.fold === "transformMapEntry";
  const at = { start: (node.transform as Node).start, end: (node.transform as Node).end };
  return {
    run: (frame, { items, values }) => {
      const { slots } = frame;
      const map = new Map<MapKey, readonly [Value, Value]>();
      let error: CelError | undefined;
      let begun = items.length === 0;
      if (begun) frame.charge(MAP_COST);
      for (let index = 0; index < items.length; index++) {
        const key = items[index] as Value;
        slots[slot] = key;
        slots[slot + 1] = values?.[index] as Value;
        const verdict = predicate === undefined ? true : predicate(frame);
        if (verdict !== true && verdict !== false) {
          error = verdict instanceof CelError ? verdict : notBool(verdict, node);
          begun = true;
          continue;
        }
        if (!begun) frame.charge(MAP_COST);
        begun = true;
        if (!verdict) continue;
        frame.charge(1);
        // cel-go does not look further than the broken accumulator when the call has three arguments.
        if (error !== undefined && !entries) continue;
        if (!entries) frame.charge(1);
        const value = transform(frame);
        frame.charge(1);
        if (value instanceof CelError) error ??= value;
        else if (error === undefined) {
          const wrong = entries ? insertAll(map, value) : insert(map, key, value);
          if (wrong !== undefined) error = new CelError(wrong, at);
        }
      }
      frame.charge(1);
      frame.allocate(map.size);
      return error ?? new CelMap(map);
    },
  };
}

function insertAll(map: Map<MapKey, readonly [Value, Value]>, entry: Value): string | undefined {
  if (!isMap(entry)) return `transformMapEntry() needs a map, not ${describeValue(entry)}`;
  for (const key of mapKeys(entry)) {
    const wrong = insert(map, key, mapGet(entry, key) as Value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
