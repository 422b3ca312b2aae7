// Which values of a field are allowed, filled in or treated in another way? Keywords about the value itself; bounds, types
// and compositions are compared elsewhere.

import { canonicalText, compareText, type Json } from "../../model/json.ts";
import { type Pair, report } from "./pair.ts";
import { compareRules } from "./rules.ts";
import { listTypeOf, mapTypeOf, sortedByText } from "./schema-json.ts";
import { shown, shownChange, shownList } from "./value-text.ts";

/** Keywords that are true or false: the effect of becoming true (on) or false (off). */
const FLAGS = [
  ["preserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "CRD215", "looser", "tighter"],
  ["embeddedResource", "x-kubernetes-embedded-resource", "CRD216", "tighter", "different"],
  ["uniqueItems", "uniqueItems", "CRD220", "tighter", "looser"],
] as const;

/** Formats that take every value of another one. */
const WIDER = new Map([
  ["int32", "int64"],
  ["float", "double"],
]);

/** Reports every difference of the keywords of this file. */
export function compareValues(pair: Pair): void {
  for (const [field, keyword, code, on, off] of FLAGS) {
    const [was, is] = [pair.old[field], pair.new[field]];
    if (was === is) continue;
    const change = { keyword, old: was || undefined, new: is || undefined };
    report(pair, code, is ? on : off, change, { kind: "flag", field, isOn: is });
  }
  compareNullable(pair);
  compareEnums(pair);
  compareDefaults(pair);
  compareFormats(pair);
  comparePatterns(pair);
  compareListTypes(pair);
  compareMapTypes(pair);
  compareRules(pair);
  compareOthers(pair);
}

/** A null that is not allowed is dropped; one that is allowed is kept, and never found in an enum. */
function compareNullable(pair: Pair): void {
  const { nullable: was } = pair.old;
  const { nullable: is, enum: values } = pair.new;
  if (was === is) return;
  const change = { keyword: "nullable", old: was || undefined, new: is || undefined };
  const [effect, become] = !is
    ? (["tighter", "refused"] as const)
    : values === undefined
      ? (["looser", "allowed"] as const)
      : (["different", "kept-beside-enum"] as const);
  report(pair, "CRD208", effect, change, { kind: "nullable", become });
}

function compareEnums(pair: Pair): void {
  const before = pair.old.enum;
  const after = pair.new.enum;
  if (before === after) return;
  const change = { keyword: "enum", old: before, new: after };
  if (after === undefined) {
    const was = shownList(distinct(before ?? []));
    report(pair, "CRD203", "looser", change, { kind: "enum", become: "gone", was });
    return;
  }
  if (before === undefined) {
    report(pair, "CRD203", "tighter", change, { kind: "enum", become: "new", now: shownList(distinct(after)) });
    return;
  }
  const kept = new Set(after.map(canonicalText));
  const removed = distinct(before.filter((value) => !kept.has(canonicalText(value))));
  if (removed.length === 0) return;
  report(pair, "CRD203", "tighter", change, {
    kind: "enum",
    become: "narrower",
    removed: shownList(removed),
    now: shownList(distinct(after)),
  });
}

function compareDefaults(pair: Pair): void {
  const [before, after] = [pair.old.default, pair.new.default];
  if (isSame(before, after)) return;
  const change = { keyword: "default", old: before, new: after };
  report(pair, "CRD207", "different", change, { kind: "default", ...shownChange(after, before) });
}

function compareFormats(pair: Pair): void {
  const [before, after] = [pair.old.format, pair.new.format];
  if (before === after) return;
  const effect =
    after === undefined || (before !== undefined && WIDER.get(before) === after)
      ? "looser"
      : before === undefined || WIDER.get(after) === before
        ? "tighter"
        : "different";
  const change = { keyword: "format", old: before, new: after };
  report(pair, "CRD214", effect, change, {
    kind: "format",
    isLooser: effect === "looser",
    ...shownChange(after, before),
  });
}

function comparePatterns(pair: Pair): void {
  const [before, after] = [pair.old.pattern, pair.new.pattern];
  if (before === after) return;
  const effect = after === undefined ? "looser" : before === undefined ? "tighter" : "different";
  const change = { keyword: "pattern", old: before, new: after };
  report(pair, "CRD206", effect, change, { kind: "pattern", ...shownChange(after, before) });
}

function compareListTypes(pair: Pair): void {
  const keyword = "x-kubernetes-list-type";
  const before = listTypeOf(pair.old);
  const after = listTypeOf(pair.new);
  if (before === after && after !== "map") return;
  const [wereKeys, areKeys] = [keysOf(pair.old.listMapKeys), keysOf(pair.new.listMapKeys)];
  if (before !== after) {
    const effect = after === undefined ? "looser" : before === undefined ? "tighter" : "different";
    const change = { keyword, old: pair.old.listType, new: pair.new.listType };
    report(pair, "CRD212", effect, change, {
      kind: "list-type",
      now: after ?? "atomic",
      was: before ?? "atomic",
      ...(after === "map" && { keys: shownList(areKeys) }),
    });
  } else if (!isSame(wereKeys, areKeys)) {
    const change = { keyword: "x-kubernetes-list-map-keys", old: wereKeys, new: areKeys };
    const detail = { kind: "list-keys", now: shownList(areKeys), was: shownList(wereKeys) } as const;
    report(pair, "CRD212", "different", change, detail);
  }
}

function compareMapTypes(pair: Pair): void {
  const before = mapTypeOf(pair.old);
  const after = mapTypeOf(pair.new);
  if (before === after) return;
  const change = { keyword: "x-kubernetes-map-type", old: pair.old.mapType, new: pair.new.mapType };
  const detail = { kind: "map-type", now: after ?? "granular", was: before ?? "granular" } as const;
  report(pair, "CRD213", "different", change, detail);
}

function compareOthers(pair: Pair): void {
  const before = pair.old.other;
  const after = pair.new.other;
  if (before.size === 0 && after.size === 0) return;
  for (const keyword of new Set([...before.keys(), ...after.keys()])) {
    const [then, now] = [before.get(keyword), after.get(keyword)];
    if (isSame(then, now)) continue;
    const detail = { kind: "keyword", keyword: shown(keyword), ...shownChange(now, then) } as const;
    report(pair, "CRD299", "different", { keyword, old: then, new: now }, detail);
  }
}

function keysOf(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].sort(compareText);
}

/** Each value once, in the order of their texts. */
function distinct(values: readonly Json[]): readonly Json[] {
  return sortedByText([...new Map(values.map((value) => [canonicalText(value), value])).values()]);
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && canonicalText(a) === canonicalText(b);
}
