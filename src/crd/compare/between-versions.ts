// Which served versions of a kind differ from each other since the new CRD? Without a webhook, an object that was
// written in one version is read in another as it is.

import { canonicalText, type Json } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { compareVersionNames } from "../version-order.ts";
import { compareSchemas, type KeptUnknown } from "./compare-schemas.ts";
import type { SchemaDifference } from "./difference.ts";

/** A version of a definition, as far as it is compared with the others. */
export interface VersionSchema {
  readonly name: string;
  readonly served: boolean;
  readonly schema: Schema;
  /** How many nodes the schema has. */
  readonly size: number;
}

/** A difference between two versions, the older one first. */
export interface VersionDifference {
  readonly from: string;
  readonly to: string;
  readonly difference: SchemaDifference;
}

/** The maximum number of nodes to compare; above it, only neighbouring versions are compared. */
const MAX_COMPARED = 1_000_000;

/** Whether the served versions are few and small enough to compare each with each, and not only with its neighbours. */
export function areAllCompared(versions: readonly VersionSchema[]): boolean {
  const served = versions.filter((version) => version.served);
  return (served.length - 1) * served.reduce((sum, { size }) => sum + size, 0) <= MAX_COMPARED;
}

/**
 * What differs between any two served versions of the new CRD, and did not between the same two of the old one;
 * `kept`: whether the old and the new CRD keep what no schema names.
 */
export function differencesBetweenVersions(
  before: readonly VersionSchema[],
  after: readonly VersionSchema[],
  kept: KeptUnknown = { old: false, new: false },
): readonly VersionDifference[] {
  const isComplete = areAllCompared(before) && areAllCompared(after);
  const known = new Set(differencesAmong(before, isComplete, kept.old).map(keyOf));
  return differencesAmong(after, isComplete, kept.new).filter((difference) => !known.has(keyOf(difference)));
}

function differencesAmong(
  versions: readonly VersionSchema[],
  isComplete: boolean,
  isKept: boolean,
): readonly VersionDifference[] {
  const kept = { old: isKept, new: isKept };
  const served = versions.filter((version) => version.served).sort((a, b) => compareVersionNames(a.name, b.name));
  const reach = isComplete ? served.length : 1;
  return served.flatMap((from, index) =>
    served.slice(index + 1, index + 1 + reach).flatMap((to) =>
      compareSchemas(from.schema, to.schema, kept).map((difference) => ({
        from: from.name,
        to: to.name,
        difference,
      })),
    ),
  );
}

/** What makes a difference the same one: everything but its place. */
function keyOf({ from, to, difference }: VersionDifference): string {
  const { code, path, detail, old: before, new: after } = difference;
  return canonicalText([from, to, code, path, detail as unknown as Json, orNothing(before), orNothing(after)]);
}

function orNothing(value: Json | undefined): Json {
  return value === undefined ? [] : [value];
}
