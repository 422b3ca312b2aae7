// Which operator does a rule nearly match, and which values prevent it?

import type { Constraint } from "../../constraint/constraint.ts";
import { neededBy } from "../../constraint/needed-properties.ts";
import { requiredProperty } from "../../constraint/plain-rule.ts";
import { type Miss, missOf } from "../../constraint/rule-values.ts";
import { canonicalText, type Json } from "../../model/json.ts";
import { shortened } from "../../text/words.ts";
import type { CatalogIndex } from "../catalog-index.ts";
import { newestFirst, type Operator, propertiesOf } from "../member.ts";
import type { NearMiss, OperatorId } from "./fact.ts";

/** Number of bundles evaluated: each may use the full CEL cost limit. */
const MAX_EVALUATED = 6;
/** Longer values are shortened. */
const MAX_LENGTH = 60;

type IdOf = (self: Operator) => OperatorId;

/** Why a rule of a constraint is false for an operator; undefined if its values do not show it. */
export function missFor(constraint: Constraint, member: Operator, idOf: IdOf): NearMiss | undefined {
  const miss = missOf(constraint, propertiesOf(member));
  return miss === undefined || miss.error !== undefined ? undefined : nearMiss(constraint, member, miss, idOf);
}

function nearMiss(constraint: Constraint, member: Operator, { values, error }: Miss, idOf: IdOf): NearMiss {
  const operator = idOf(member);
  if (error !== undefined) return { operator, values: [], error };
  const tested = constraint.kind === "cel" ? requiredProperty(constraint) : undefined;
  const own = propertiesOf(member).find(({ type }) => type === tested?.type);
  if (own === undefined) return { operator, values };
  const value = canonicalText(own.value as Json);
  return { operator, values, property: { type: own.type, value: shortened(value, MAX_LENGTH) } };
}

/**
 * The operator that nearly matches, and why it does not: for a rule that no bundle of the catalog satisfies. If the
 * rule does not show what it is about, only an error that it raises for every bundle evaluated.
 */
export function nearestMiss(constraint: Constraint, index: CatalogIndex, idOf: IdOf): NearMiss | undefined {
  const need = neededBy(constraint);
  if (need === undefined) return commonError(constraint, index, idOf);
  let best: { readonly member: Operator; readonly miss: Miss } | undefined;
  for (const member of newestFirst(index.having(need)).slice(0, MAX_EVALUATED)) {
    const miss = missOf(constraint, propertiesOf(member));
    if (miss !== undefined && (best === undefined || miss.score > best.miss.score)) best = { member, miss };
  }
  return best === undefined ? undefined : nearMiss(constraint, best.member, best.miss, idOf);
}

function commonError(constraint: Constraint, index: CatalogIndex, idOf: IdOf): NearMiss | undefined {
  const heads = [...index.catalog.packages.keys()].flatMap((name) => index.chainOf(name).slice(0, 1));
  const misses = heads
    .slice(0, MAX_EVALUATED)
    .map((member) => ({ member, miss: missOf(constraint, propertiesOf(member)) }));
  const [first] = misses;
  if (first?.miss === undefined || !misses.every(({ miss }) => miss?.error !== undefined)) return undefined;
  return nearMiss(constraint, first.member, first.miss, idOf);
}
