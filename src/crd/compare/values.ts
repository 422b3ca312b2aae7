// Which values of a field are allowed, filled in or treated in another way? Keywords about the value itself; bounds, types
// and compositions are compared elsewhere.

import { canonicalText, compareText, type Json } from "../../model/json.ts";
import type { SchemaCode } from "../rule.ts";
import type { SchemaDifference } from "./difference.ts";
import { type Pair, tell } from "./pair.ts";
import { compareRules } from "./rules.ts";
import { listTypeOf, mapTypeOf, sortedByText } from "./schema-json.ts";
import { shown, shownChange, shownList } from "./shown.ts";

type Effect = SchemaDifference["effect"];

/** Keywords that are true or false: what it means that they become true (on) or false (off). */
const FLAGS: readonly {
  readonly field: "preserveUnknownFields" | "embeddedResource" | "uniqueItems";
  readonly keyword: string;
  readonly code: SchemaCode;
  readonly on: readonly [Effect, string];
  readonly off: readonly [Effect, string];
}[] = [
  {
    field: "preserveUnknownFields",
    keyword: "x-kubernetes-preserve-unknown-fields",
    code: "CRD215",
    on: ["looser", "fields that the schema does not name are now kept"],
    off: ["tighter", "fields that the schema does not name are no longer kept"],
  },
  {
    field: "embeddedResource",
    keyword: "x-kubernetes-embedded-resource",
    code: "CRD216",
    on: ["tighter", "must now be a Kubernetes object with apiVersion, kind and metadata"],
    off: [
      "different",
      "is no longer read as a Kubernetes object: its apiVersion, kind and metadata are fields as any other",
    ],
  },
  {
    field: "uniqueItems",
    keyword: "uniqueItems",
    code: "CRD220",
    on: ["tighter", "the items must now differ from each other"],
    off: ["looser", "the items need no longer differ from each other"],
  },
];

/** Formats that take every value of another one. */
const WIDER = new Map([
  ["int32", "int64"],
  ["float", "double"],
]);

/** Tells every difference of the keywords of this file. */
export function compareValues(pair: Pair): void {
  for (const { field, keyword, code, on, off } of FLAGS) {
    if (pair.old[field] === pair.new[field]) continue;
    const [effect, message] = pair.new[field] ? on : off;
    tell(
      pair,
      code,
      effect,
      { keyword, old: pair.old[field] || undefined, new: pair.new[field] || undefined },
      message,
    );
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
  if (!is) tell(pair, "CRD208", "tighter", change, "null is no longer allowed");
  else if (values === undefined) tell(pair, "CRD208", "looser", change, "null is now allowed");
  else tell(pair, "CRD208", "different", change, "null is now kept instead of dropped, but is none of the enum");
}

function compareEnums(pair: Pair): void {
  const before = pair.old.enum;
  const after = pair.new.enum;
  if (before === after) return;
  const change = { keyword: "enum", old: before, new: after };
  if (before === undefined)
    tell(pair, "CRD203", "tighter", change, `must now be one of ${shownList(distinct(after ?? []))}`);
  else if (after === undefined)
    tell(pair, "CRD203", "looser", change, `may now be any value (was one of ${shownList(distinct(before))})`);
  else {
    const kept = new Set(after.map(canonicalText));
    const removed = distinct(before.filter((value) => !kept.has(canonicalText(value))));
    if (removed.length === 0) return;
    const message = `${shownList(removed)} can no longer be chosen; allowed are ${shownList(distinct(after))}`;
    tell(pair, "CRD203", "tighter", change, message);
  }
}

function compareDefaults(pair: Pair): void {
  const before = pair.old.default;
  const after = pair.new.default;
  if (isSame(before, after)) return;
  const change = { keyword: "default", old: before, new: after };
  if (after === undefined)
    tell(pair, "CRD207", "different", change, `there is no default any more (was ${shown(before as Json)})`);
  else {
    const values = before === undefined ? `${shown(after)} (there was none)` : shownChange(after, before);
    tell(pair, "CRD207", "different", change, `the default is now ${values}`);
  }
}

function compareFormats(pair: Pair): void {
  const before = pair.old.format;
  const after = pair.new.format;
  if (before === after) return;
  const change = { keyword: "format", old: before, new: after };
  if (after === undefined)
    tell(pair, "CRD214", "looser", change, `need no longer have the format ${shown(before as Json)}`);
  else if (before === undefined) tell(pair, "CRD214", "tighter", change, `must now have the format ${shown(after)}`);
  else {
    const effect = WIDER.get(before) === after ? "looser" : WIDER.get(after) === before ? "tighter" : "different";
    const verb = effect === "looser" ? "may" : "must";
    tell(pair, "CRD214", effect, change, `${verb} now have the format ${shownChange(after, before)}`);
  }
}

function comparePatterns(pair: Pair): void {
  const before = pair.old.pattern;
  const after = pair.new.pattern;
  if (before === after) return;
  const change = { keyword: "pattern", old: before, new: after };
  if (after === undefined) tell(pair, "CRD206", "looser", change, `need no longer match ${shown(before as Json)}`);
  else if (before === undefined) tell(pair, "CRD206", "tighter", change, `must now match ${shown(after)}`);
  else tell(pair, "CRD206", "different", change, `must now match ${shownChange(after, before)}`);
}

function compareListTypes(pair: Pair): void {
  const keyword = "x-kubernetes-list-type";
  const before = listTypeOf(pair.old);
  const after = listTypeOf(pair.new);
  if (before !== after) {
    const effect = after === undefined ? "looser" : before === undefined ? "tighter" : "different";
    const change = { keyword, old: pair.old.listType, new: pair.new.listType };
    const keys = after === "map" ? ` with the keys ${shownList(keysOf(pair.new.listMapKeys))}` : "";
    tell(
      pair,
      "CRD212",
      effect,
      change,
      `the list type is now ${after ?? "atomic"}${keys} (was ${before ?? "atomic"})`,
    );
  } else if (after === "map") {
    const [wereKeys, areKeys] = [keysOf(pair.old.listMapKeys), keysOf(pair.new.listMapKeys)];
    if (isSame(wereKeys, areKeys)) return;
    const change = { keyword: "x-kubernetes-list-map-keys", old: wereKeys, new: areKeys };
    const message = `items are now told apart by ${shownList(areKeys)} (was ${shownList(wereKeys)})`;
    tell(pair, "CRD212", "different", change, message);
  }
}

function compareMapTypes(pair: Pair): void {
  const before = mapTypeOf(pair.old);
  const after = mapTypeOf(pair.new);
  if (before === after) return;
  const change = { keyword: "x-kubernetes-map-type", old: pair.old.mapType, new: pair.new.mapType };
  const message = `the map type is now ${after ?? "granular"} (was ${before ?? "granular"})`;
  tell(pair, "CRD213", "different", change, message);
}

function compareOthers(pair: Pair): void {
  const before = pair.old.other;
  const after = pair.new.other;
  if (before.size === 0 && after.size === 0) return;
  for (const keyword of new Set([...before.keys(), ...after.keys()])) {
    const [then, now] = [before.get(keyword), after.get(keyword)];
    if (isSame(then, now)) continue;
    const change = { keyword, old: then, new: now };
    const name = shown(keyword);
    if (now === undefined) tell(pair, "CRD299", "different", change, `${name} is gone (was ${shown(then as Json)})`);
    else {
      const values = then === undefined ? `${shown(now)} (was not there)` : shownChange(now, then);
      tell(pair, "CRD299", "different", change, `${name} is now ${values}`);
    }
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
