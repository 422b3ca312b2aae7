// Which installed operators match a predicate? APIs and packages are looked up in an index: of hundreds of operators,
// only a few have to be evaluated.

import type { Predicate } from "../constraint/predicate-key.ts";
import { providedApis } from "../constraint/provided-apis.ts";
import { gvkKey } from "../model/catalog.ts";
import { getOrAdd, groupedByAll } from "../model/grouped.ts";
import type { Installed } from "../model/problem.ts";
import { type CatalogWorld, packagesOf } from "./catalog-world.ts";

/** Up to this number operators are evaluated one by one. */
const FEW = 8;

/** Operators by API and package, each in the order of the list. */
interface Index {
  readonly byApi: ReadonlyMap<string, readonly Installed[]>;
  readonly byPackage: ReadonlyMap<unknown, readonly Installed[]>;
}

const indexes = new WeakMap<readonly Installed[], Index>();

/** The operators that match, in order. */
export function matchingOperators(
  world: CatalogWorld,
  predicate: Predicate,
  operators: readonly Installed[],
): readonly Installed[] {
  return possible(predicate, operators).filter(({ properties }) => world.isMatch(predicate, properties));
}

function possible({ constraint }: Predicate, operators: readonly Installed[]): readonly Installed[] {
  if (operators.length <= FEW || (constraint.kind !== "gvk" && constraint.kind !== "package")) return operators;
  const { byApi, byPackage } = indexOf(operators);
  const found = constraint.kind === "gvk" ? byApi.get(gvkKey(constraint.gvk)) : byPackage.get(constraint.name);
  return found ?? [];
}

function indexOf(operators: readonly Installed[]): Index {
  return getOrAdd(indexes, operators, () => ({
    byApi: groupedByAll(operators, ({ properties }) => providedApis(properties)),
    byPackage: groupedByAll(operators, ({ properties }) => packagesOf(properties)),
  }));
}
