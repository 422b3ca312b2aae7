// Which kinds have objects but no definition in the input? An operator that owns such a kind is still in use.

import { kindKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { compareText } from "../../model/json.ts";
import type { ClusterDefinition, KindInUse } from "../../model/problem.ts";

/** The kinds that operators own and that have objects, except those with known definitions. */
export function kindsInUse(
  { installedOperators, customResources, rejected }: ClusterObjects,
  definitions: readonly ClusterDefinition[],
): readonly KindInUse[] {
  const known = new Set(definitions.map(({ definition }) => kindKey(definition)));
  const given = counted(customResources.map(kindKey));
  const unread = counted(rejected.map(({ kind }) => kind));
  const found = new Map<string, KindInUse>();
  for (const { customResourceDefinitions } of installedOperators)
    for (const { group, kind } of customResourceDefinitions.owned) {
      const key = kindKey({ group, kind });
      const count = (given.get(key) ?? 0) + (unread.get(kind) ?? 0);
      if (count > 0 && !known.has(key)) found.set(key, { group, kind, count });
    }
  return [...found.values()].sort((a, b) => compareText(a.group, b.group) || compareText(a.kind, b.kind));
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
