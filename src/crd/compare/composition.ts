// Do allOf, anyOf, oneOf and not differ? Branches have no order: they are compared by their canonical form.

import type { Json } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { SchemaDifference } from "./difference.ts";
import { type Pair, report } from "./pair.ts";
import { canonicalBranches, canonicalSchema } from "./schema-json.ts";
import { shownChange, shownList } from "./value-text.ts";

type Effect = SchemaDifference["effect"];

const KEYWORDS = ["allOf", "anyOf", "oneOf"] as const;
type Keyword = (typeof KEYWORDS)[number];

/** The long form of x-kubernetes-int-or-string; beside it, it has no effect. */
const INTEGER_TEXT = '{"type":"integer"}';
const STRING_TEXT = '{"type":"string"}';
const EITHER_TEXT = `{"anyOf":[${INTEGER_TEXT},${STRING_TEXT}]}`;

/** Reports each of them that differs. */
export function compareCompositions(pair: Pair): void {
  for (const keyword of KEYWORDS)
    if (pair.old[keyword].length > 0 || pair.new[keyword].length > 0) compareBranches(pair, keyword);
  if (pair.old.not !== undefined || pair.new.not !== undefined) compareNot(pair);
}

function compareBranches(pair: Pair, keyword: Keyword): void {
  const isEither = pair.old.intOrString || pair.new.intOrString;
  const before = branchesOf(pair.old, keyword, isEither);
  const after = branchesOf(pair.new, keyword, isEither);
  const added = without(after, before);
  const removed = without(before, after);
  if (added.length === 0 && removed.length === 0) return;
  const change = { keyword, old: listOf(before), new: listOf(after) };
  const [effect, become] =
    before.size === 0
      ? (["tighter", "new"] as const)
      : after.size === 0
        ? (["looser", "gone"] as const)
        : ([effectOf(keyword, added, removed), "changed"] as const);
  const lists = { added: shownList(added), removed: shownList(removed) };
  report(pair, "CRD210", effect, change, { kind: "branches", keyword, become, ...lists });
}

/** What must hold beside others makes it narrower, what may hold instead of others makes it wider. */
function effectOf(keyword: Keyword, added: readonly Json[], removed: readonly Json[]): Effect {
  if (keyword === "oneOf" || (added.length > 0 && removed.length > 0)) return "different";
  return (keyword === "allOf") === added.length > 0 ? "tighter" : "looser";
}

function compareNot(pair: Pair): void {
  const before = pair.old.not && canonicalSchema(pair.old.not);
  const after = pair.new.not && canonicalSchema(pair.new.not);
  if (before?.text === after?.text) return;
  const change = { keyword: "not", old: before?.json, new: after?.json };
  const effect = after === undefined ? "looser" : before === undefined ? "tighter" : "different";
  report(pair, "CRD210", effect, change, { kind: "not", ...shownChange(after?.json, before?.json) });
}

/** Branches by their text: the canonical form of each, and how often it occurs. */
type Branches = ReadonlyMap<string, { readonly json: Json; readonly count: number }>;

function branchesOf(schema: Schema, keyword: Keyword, isEither: boolean): Branches {
  const branches = new Map<string, { readonly json: Json; readonly count: number }>();
  for (const { json, text } of canonicalBranches(schema[keyword])) {
    branches.set(text, { json, count: (branches.get(text)?.count ?? 0) + 1 });
  }
  if (!isEither) return branches;
  if (keyword === "allOf") branches.delete(EITHER_TEXT);
  if (keyword === "anyOf" && branches.size === 2 && branches.has(INTEGER_TEXT) && branches.has(STRING_TEXT))
    branches.clear();
  return branches;
}

/** The branches of which the others have fewer. */
function without(branches: Branches, others: Branches): readonly Json[] {
  return [...branches]
    .filter(([text, { count }]) => count > (others.get(text)?.count ?? 0))
    .map(([, { json }]) => json);
}

function listOf(branches: Branches): readonly Json[] | undefined {
  return branches.size === 0 ? undefined : [...branches.values()].map(({ json }) => json);
}
