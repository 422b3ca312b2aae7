// Which bounds of a field became narrower? Bounds of numbers, and of how many characters, items or keys there may be.

import type { Bound } from "../schema/schema.ts";
import type { NumberBound, SizeKeyword } from "./difference.ts";
import { type Pair, report } from "./pair.ts";

const LOWER: readonly SizeKeyword[] = ["minLength", "minItems", "minProperties"];
const UPPER: readonly SizeKeyword[] = ["maxLength", "maxItems", "maxProperties"];

/** Bounds that are new or narrower, and those that no longer exclude the bound itself. */
export function compareBounds(pair: Pair): void {
  const { minimum: oldMinimum, maximum: oldMaximum } = pair.old;
  const { minimum, maximum } = pair.new;
  const isRaised = minimum !== undefined && (oldMinimum === undefined || minimum > oldMinimum);
  const isLowered = maximum !== undefined && (oldMaximum === undefined || maximum < oldMaximum);
  compareNumberBound(pair, "CRD204", "minimum", "exclusiveMinimum", isRaised);
  compareNumberBound(pair, "CRD205", "maximum", "exclusiveMaximum", isLowered);
  for (const keyword of LOWER) {
    const [before, after] = [pair.old[keyword], pair.new[keyword]];
    if (after !== undefined && after > (before ?? 0)) reportSize(pair, "CRD204", keyword, before, after);
  }
  for (const keyword of UPPER) {
    const [before, after] = [pair.old[keyword], pair.new[keyword]];
    if (after !== undefined && (before === undefined || after < before))
      reportSize(pair, "CRD205", keyword, before, after);
  }
  compareMultipleOf(pair);
}

function reportSize(
  pair: Pair,
  code: "CRD204" | "CRD205",
  keyword: SizeKeyword,
  before: Bound | undefined,
  after: Bound,
): void {
  const was = before === undefined ? {} : { was: String(before) };
  report(
    pair,
    code,
    "tighter",
    { keyword, old: before, new: after },
    { kind: "size", keyword, now: String(after), ...was },
  );
}

/** `exclusive…` means something only where there is a bound. */
function compareNumberBound(
  pair: Pair,
  code: "CRD204" | "CRD205",
  keyword: "minimum" | "maximum",
  exclusive: "exclusiveMinimum" | "exclusiveMaximum",
  isNarrower: boolean,
): void {
  const [before, after] = [pair.old[keyword], pair.new[keyword]];
  const was = boundOf(before, pair.old[exclusive]);
  const now = boundOf(after, pair.new[exclusive]);
  const values = { ...(now && { now }), ...(was && { was }) };
  if (isNarrower) {
    const change = { keyword, old: before, new: after };
    report(pair, code, "tighter", change, { kind: "bound", keyword, become: "narrower", ...values });
    return;
  }
  const [wasExclusive, isExclusive] = [was?.isExclusive === true, now?.isExclusive === true];
  if (wasExclusive === isExclusive) return;
  const isTighter = isExclusive && before === after;
  const change = { keyword: exclusive, old: wasExclusive || undefined, new: isExclusive || undefined };
  const become = isTighter ? "exclusive" : "relaxed";
  report(pair, code, isTighter ? "tighter" : "looser", change, { kind: "bound", keyword, become, ...values });
}

function boundOf(bound: Bound | undefined, isExclusive: boolean): NumberBound | undefined {
  return bound === undefined ? undefined : { value: String(bound), isExclusive };
}

function compareMultipleOf(pair: Pair): void {
  const { multipleOf: before } = pair.old;
  const { multipleOf: after } = pair.new;
  if (before === after) return;
  const isLooser = after === undefined || (before !== undefined && Number(before) % Number(after) === 0);
  report(
    pair,
    "CRD219",
    isLooser ? "looser" : "tighter",
    { keyword: "multipleOf", old: before, new: after },
    {
      kind: "multipleOf",
      isLooser,
      ...(after !== undefined && { now: String(after) }),
      ...(before !== undefined && { was: String(before) }),
    },
  );
}
