// Of whom is a rule nearly true, and which values are in the way?

import type { Constraint } from "../../constraint/constraint.ts";
import { neededBy } from "../../constraint/needed-properties.ts";
import { askedProperty } from "../../constraint/plain-rule.ts";
import { type Miss, missOf } from "../../constraint/rule-values.ts";
import { gvkKey } from "../../model/catalog.ts";
import { canonicalText, type Json } from "../../model/json.ts";
import type { CatalogIndex, Node } from "../catalog-index.ts";
import { propertiesOf, type Self } from "../member.ts";
import { memberText, newestFirst } from "./version-runs.ts";

/** So many bundles are asked at most: each may cost as much as a rule may cost. */
const MOST_ASKED = 6;
/** Longer values are cut. */
const LONGEST = 60;

/** Why a rule of a constraint is false of a member: `x 1.0.0 has tier = "silver"`. Nothing if no value tells. */
export function falseFor(constraint: Constraint, member: Self): string | undefined {
  const miss = missOf(constraint, propertiesOf(member));
  return miss === undefined || miss.isError ? undefined : missText(constraint, member, miss);
}

function missText(constraint: Constraint, member: Self, { isError, text }: Miss): string {
  const who = memberText(member);
  if (isError) return `of ${who} it cannot be told: ${text}`;
  const asked = constraint.kind === "cel" ? askedProperty(constraint) : undefined;
  const own = propertiesOf(member).find(({ type }) => type === asked?.type);
  if (own === undefined) return `of ${who}, ${text}`;
  const value = canonicalText(own.value as Json);
  return `${who} has ${own.type} = ${value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value}`;
}

/**
 * Of whom the rule is nearly true, and why not: for a rule that nobody of the catalog satisfies. Of a rule that does not say
 * what it is about, only that it ends with an error, if it does so for everybody who is asked.
 */
export function nearestText(constraint: Constraint, index: CatalogIndex): string | undefined {
  if (neededBy(constraint) === undefined) return errorText(constraint, index);
  let best: { readonly member: Self; readonly miss: Miss } | undefined;
  for (const member of newestFirst(possible(constraint, index)).slice(0, MOST_ASKED)) {
    const miss = missOf(constraint, propertiesOf(member));
    if (miss !== undefined && (best === undefined || miss.score > best.miss.score)) best = { member, miss };
  }
  return best === undefined ? undefined : missText(constraint, best.member, best.miss);
}

function errorText(constraint: Constraint, index: CatalogIndex): string | undefined {
  const heads = [...index.catalog.packages.keys()].flatMap((name) => index.chainOf(name).slice(0, 1));
  const misses = heads
    .slice(0, MOST_ASKED)
    .map((member) => ({ member, miss: missOf(constraint, propertiesOf(member)) }));
  const [first] = misses;
  if (first?.miss === undefined || !misses.every(({ miss }) => miss?.isError)) return undefined;
  return missText(constraint, first.member, first.miss);
}

/** The bundles that have what the rule is about. */
function possible(constraint: Constraint, index: CatalogIndex): readonly Node[] {
  const need = neededBy(constraint);
  if (need === undefined) return [];
  const { catalog } = index;
  switch (need.kind) {
    case "packages":
      return need.packages.flatMap((name) => index.chainOf(name));
    case "gvks":
      return need.gvks.flatMap((gvk) => catalog.providers.get(gvkKey(gvk)) ?? []).map((one) => index.nodeOf(one));
    case "types":
      return need.types.flatMap((type) => catalog.byPropertyType.get(type) ?? []).map((one) => index.nodeOf(one));
  }
}
