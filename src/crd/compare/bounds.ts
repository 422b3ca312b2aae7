// Which bounds of a field became narrower? Bounds of numbers, and of how many characters, items or keys there may be.

import type { Bound } from "../schema/schema.ts";
import { type Pair, tell } from "./pair.ts";

const LEAST = [
  { keyword: "minLength", unit: "character" },
  { keyword: "minItems", unit: "item" },
  { keyword: "minProperties", unit: "key" },
] as const;

const MAX_COUNT = [
  { keyword: "maxLength", unit: "character" },
  { keyword: "maxItems", unit: "item" },
  { keyword: "maxProperties", unit: "key" },
] as const;

/** Tells bounds that are new or narrower, and those that no longer exclude the bound itself. */
export function compareBounds(pair: Pair): void {
  compareMinimum(pair);
  compareMaximum(pair);
  for (const { keyword, unit } of LEAST) {
    const before = pair.old[keyword];
    const after = pair.new[keyword];
    if (after === undefined || after <= (before ?? 0)) continue;
    const change = { keyword, old: before, new: after };
    tell(pair, "CRD204", "tighter", change, `must now have at least ${counted(after, unit)}${was(before)}`);
  }
  for (const { keyword, unit } of MAX_COUNT) {
    const before = pair.old[keyword];
    const after = pair.new[keyword];
    if (after === undefined || (before !== undefined && after >= before)) continue;
    const change = { keyword, old: before, new: after };
    tell(pair, "CRD205", "tighter", change, `must now have at most ${counted(after, unit)}${was(before)}`);
  }
  compareMultipleOf(pair);
}

function compareMinimum(pair: Pair): void {
  const before = pair.old.minimum;
  const after = pair.new.minimum;
  const isRaised = after !== undefined && (before === undefined || after > before);
  compareBound(pair, {
    code: "CRD204",
    keywords: ["minimum", "exclusiveMinimum"],
    before,
    after,
    wasExclusive: pair.old.exclusiveMinimum,
    isExclusive: pair.new.exclusiveMinimum,
    isNarrower: isRaised,
    words: { exclusive: "greater than", inclusive: "at least" },
  });
}

function compareMaximum(pair: Pair): void {
  const before = pair.old.maximum;
  const after = pair.new.maximum;
  const isLowered = after !== undefined && (before === undefined || after < before);
  compareBound(pair, {
    code: "CRD205",
    keywords: ["maximum", "exclusiveMaximum"],
    before,
    after,
    wasExclusive: pair.old.exclusiveMaximum,
    isExclusive: pair.new.exclusiveMaximum,
    isNarrower: isLowered,
    words: { exclusive: "less than", inclusive: "at most" },
  });
}

interface NumberBound {
  readonly code: "CRD204" | "CRD205";
  /** The bound, and whether it is excluded itself. */
  readonly keywords: readonly [string, string];
  readonly before: Bound | undefined;
  readonly after: Bound | undefined;
  readonly wasExclusive: boolean;
  readonly isExclusive: boolean;
  readonly isNarrower: boolean;
  readonly words: { readonly exclusive: string; readonly inclusive: string };
}

/** A bound that excludes itself says so only where there is a bound. */
function compareBound(pair: Pair, bound: NumberBound): void {
  const { before, after, words } = bound;
  const wasExclusive = bound.wasExclusive && before !== undefined;
  const isExclusive = bound.isExclusive && after !== undefined;
  const then = before === undefined ? undefined : `${wasExclusive ? words.exclusive : words.inclusive} ${before}`;
  const now = after === undefined ? undefined : `${isExclusive ? words.exclusive : words.inclusive} ${after}`;
  if (bound.isNarrower) {
    // Where the words are the same, the number says enough.
    const earlier = wasExclusive === isExclusive ? before : then;
    const change = { keyword: bound.keywords[0], old: before, new: after };
    tell(pair, bound.code, "tighter", change, `must now be ${now}${was(earlier)}`);
  } else if (wasExclusive !== isExclusive) {
    const effect = isExclusive && before === after ? "tighter" : "looser";
    const change = { keyword: bound.keywords[1], old: wasExclusive || undefined, new: isExclusive || undefined };
    const verb = effect === "tighter" ? "must" : "may";
    const message = now === undefined ? `need no longer be ${then}` : `${verb} now be ${now}${was(then)}`;
    tell(pair, bound.code, effect, change, message);
  }
}

function compareMultipleOf(pair: Pair): void {
  const keyword = "multipleOf";
  const before = pair.old.multipleOf;
  const after = pair.new.multipleOf;
  if (before === after) return;
  const change = { keyword, old: before, new: after };
  if (after === undefined) tell(pair, "CRD219", "looser", change, `need no longer be a multiple of ${before}`);
  else {
    const isLooser = before !== undefined && Number(before) % Number(after) === 0;
    const message = `${isLooser ? "need only" : "must now"} be a multiple of ${after}${was(before)}`;
    tell(pair, "CRD219", isLooser ? "looser" : "tighter", change, message);
  }
}

function counted(count: Bound, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

function was(before: Bound | string | undefined): string {
  return before === undefined ? "" : ` (was ${before})`;
}
