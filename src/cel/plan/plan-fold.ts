// How does a macro iterate over a list or a map?
//
// Costs are those of the loop that cel-go makes of a macro: an accumulator that is read (1) and tested (1, or 2 with a
// negation) in every round, lists that are made and joined (12). An error does not end a loop, because a later element
// may absorb it, or because cel-go pays for the rest as well. A round that cel-go does not charge, `filter(x, false)`, is
// counted as work.
import type { Fold, Node } from "../ast.ts";
import { LIST_COST, MAP_COST } from "../cost/size.ts";
import { CelMap, type MapKey } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { isMap, mapEntries, mapKeys } from "../value/map-access.ts";
import { CelError, isJsonMap, isList, type Result, type Value } from "../value/value.ts";
import { type Condition, decide, firstTest, planCondition } from "./condition.ts";
import { rangeOf } from "./field.ts";
import type { Frame, Step } from "./frame.ts";
import type { Reading } from "./number-reading.ts";
import { type Operand, planOperand, readOperand } from "./operand.ts";
import { insert } from "./plan-container.ts";
import type { Planner } from "./planner.ts";
import { passOver, type TextTest } from "./text-test.ts";

/**
 * Iterates over the elements of a list or the keys of a map; for macros with two variables, with the values that belong
 * to them.
 */
type Loop = (frame: Frame, items: readonly Value[], values: readonly Value[] | undefined) => Result;

/** The range of a macro, and how its elements are assigned to the variables. */
interface Range {
  readonly node: Fold;
  readonly operand: Operand;
  readonly slot: number;
  readonly two: boolean;
  readonly reading: Reading;
  /** Is the empty list or map to begin with free? */
  readonly folded: boolean;
}

/** The closure of a macro. */
export function planFold(planner: Planner, node: Fold): Step {
  const slot = planner.slot(node);
  const variables = [{ name: node.variable, slot }];
  if (node.second !== undefined) variables.push({ name: node.second, slot: slot + 1 });
  const operand = planOperand(planner, node.range);
  const condition = node.predicate === undefined ? undefined : planCondition(planner, node.predicate, variables);
  const transform = node.transform === undefined ? undefined : planner.planFor(node.transform, variables);
  const folded = planner.environment.costs === "api-server";
  const range = { node, operand, slot, two: node.second !== undefined, reading: planner.reading, folded };
  switch (node.fold) {
    case "all":
    case "exists": {
      const neutral = node.fold === "all";
      const first = firstTest(planner, node.predicate as Node, neutral);
      const ofElement = first?.field !== undefined && first.slot === slot && node.second === undefined;
      return planQuantifier(range, condition as Condition, neutral, ofElement ? first : undefined);
    }
    case "existsOne":
      return planExistsOne(range, condition as Condition);
    case "filter":
      return planCollecting(range, condition, undefined);
    case "map":
    case "transformList":
      return planCollecting(range, condition, transform);
    case "transformMap":
    case "transformMapEntry":
      return planMapping(range, condition, transform as Step);
  }
}

/** Iterates over everything but a list with one variable, the most common case, for which every macro has its own loop. */
function goThrough(frame: Frame, over: Result, { node, two, reading }: Range, loop: Loop): Result {
  if (over instanceof CelError) return over;
  if (isList(over)) {
    frame.work(over.length);
    return loop(frame, [...over.keys()], over);
  }
  if (!isMap(over))
    return new CelError(
      () => `cannot go through ${describeValue(over)}: it is no list and no map`,
      rangeOf(node.range),
    );
  if (!two) return loop(frame, mapKeys(over, frame), undefined);
  const entries = mapEntries(over, frame);
  const input = isJsonMap(over);
  return loop(
    frame,
    entries.map(([key]) => key),
    entries.map(([, value]) => (input ? reading(value) : value)),
  );
}

function notBool(value: Value, node: Fold): CelError {
  const at = rangeOf(node.predicate as Node);
  return new CelError(() => `the condition is ${describeValue(value)}, not a bool`, at);
}

/**
 * `all` and `exists`: the first element that decides ends it, and makes earlier errors irrelevant. Most elements do not, and
 * `first`, a test of a field of the element, is often enough to see that.
 */
function planQuantifier(range: Range, condition: Condition, neutral: boolean, first: TextTest | undefined): Step {
  const { node, slot } = range;
  const testCost = neutral ? 2 : 3;
  const loop: Loop = (frame, items, values) => {
    const { slots } = frame;
    const count = items.length;
    let outcome: Result = neutral;
    let passing = first;
    for (let index = 0; index < count; index++) {
      if (passing !== undefined) {
        const next = passOver(frame, items, index, passing, neutral, testCost + 1);
        // Where it is of no use once, it is not tried again.
        if (next === index) passing = undefined;
        else if (next === count) break;
        index = next;
      }
      slots[slot] = items[index] as Value;
      if (values !== undefined) slots[slot + 1] = values[index] as Value;
      frame.charge(testCost + 1);
      const verdict = decide(frame, condition);
      if (verdict === neutral) continue;
      if (verdict === !neutral) {
        // cel-go also charges the test before the next round, which ends the loop.
        frame.charge(index + 1 < count ? testCost + 1 : 1);
        return verdict;
      }
      if (outcome === neutral) outcome = verdict instanceof CelError ? verdict : notBool(verdict, node);
    }
    frame.charge(1);
    return outcome;
  };
  return (frame) => {
    const over = readOperand(frame, range.operand);
    return isList(over) && !range.two ? loop(frame, over, undefined) : goThrough(frame, over, range, loop);
  };
}

function planExistsOne(range: Range, condition: Condition): Step {
  const { node, slot } = range;
  const loop: Loop = (frame, items, values) => {
    const { slots } = frame;
    frame.work(items.length);
    let found = 0;
    let error: CelError | undefined;
    for (let index = 0; index < items.length; index++) {
      slots[slot] = items[index] as Value;
      if (values !== undefined) slots[slot + 1] = values[index] as Value;
      const verdict = decide(frame, condition);
      if (verdict === true) {
        found++;
        frame.charge(2);
      } else if (verdict !== false) {
        error = verdict instanceof CelError ? verdict : notBool(verdict, node);
      }
    }
    frame.charge(2);
    return error ?? found === 1;
  };
  return (frame) => {
    const over = readOperand(frame, range.operand);
    return isList(over) && !range.two ? loop(frame, over, undefined) : goThrough(frame, over, range, loop);
  };
}

/** `filter`, `map`, `transformList`. */
function planCollecting(range: Range, condition: Condition | undefined, transform: Step | undefined): Step {
  const { node, slot } = range;
  const keptSlot = slot + (node.fold === "filter" && node.second !== undefined ? 1 : 0);
  const firstCost = range.folded ? 0 : LIST_COST;
  const loop: Loop = (frame, items, values) => {
    const { slots } = frame;
    frame.work(items.length);
    const list: Value[] = [];
    let error: CelError | undefined;
    // The empty list to begin with is made when it is first looked at.
    let begun = items.length === 0;
    if (begun) frame.charge(firstCost);
    for (let index = 0; index < items.length; index++) {
      slots[slot] = items[index] as Value;
      if (values !== undefined) slots[slot + 1] = values[index] as Value;
      const verdict = condition === undefined ? true : decide(frame, condition);
      if (verdict !== true && verdict !== false) {
        error = verdict instanceof CelError ? verdict : notBool(verdict, node);
        begun = true;
        continue;
      }
      if (!begun) frame.charge(firstCost);
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
  };
  return (frame) => {
    const over = readOperand(frame, range.operand);
    return isList(over) && !range.two ? loop(frame, over, undefined) : goThrough(frame, over, range, loop);
  };
}

/** `transformMap` and `transformMapEntry`. */
function planMapping(range: Range, condition: Condition | undefined, transform: Step): Step {
  const { node, slot } = range;
  const entries = node.fold === "transformMapEntry";
  const firstCost = range.folded ? 0 : MAP_COST;
  const at = rangeOf(node.transform as Node);
  const loop: Loop = (frame, items, values) => {
    const { slots } = frame;
    frame.work(items.length);
    const map = new Map<MapKey, readonly [Value, Value]>();
    let error: CelError | undefined;
    let begun = items.length === 0;
    if (begun) frame.charge(firstCost);
    for (let index = 0; index < items.length; index++) {
      const key = items[index] as Value;
      slots[slot] = key;
      slots[slot + 1] = values?.[index] as Value;
      const verdict = condition === undefined ? true : decide(frame, condition);
      if (verdict !== true && verdict !== false) {
        error = verdict instanceof CelError ? verdict : notBool(verdict, node);
        begun = true;
        continue;
      }
      if (!begun) frame.charge(firstCost);
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
        error = (entries ? insertAll(frame, map, value) : insert(frame, map, key, value))?.placed(at);
      }
    }
    frame.charge(1);
    frame.allocate(map.size);
    return error ?? new CelMap(map);
  };
  return (frame) => {
    const over = readOperand(frame, range.operand);
    return isList(over) && !range.two ? loop(frame, over, undefined) : goThrough(frame, over, range, loop);
  };
}

function insertAll(frame: Frame, map: Map<MapKey, readonly [Value, Value]>, entry: Value): CelError | undefined {
  if (!isMap(entry)) return new CelError(() => `transformMapEntry() needs a map, not ${describeValue(entry)}`);
  for (const [key, value] of mapEntries(entry, frame)) {
    const wrong = insert(frame, map, key, value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
