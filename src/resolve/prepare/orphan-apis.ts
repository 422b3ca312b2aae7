// Which APIs have no operator? A CustomResourceDefinition that no operator owns provides nothing: its objects are
// stored, but not reconciled.

import { gvkKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { compareText } from "../../model/json.ts";

/** The served APIs of definitions without an owner, by key. */
export function orphanApis({ customResourceDefinitions, installedOperators }: ClusterObjects): readonly string[] {
  const owned = new Set(
    installedOperators.flatMap(({ customResourceDefinitions: { owned: apis } }) =>
      apis.map(({ group, kind }) => JSON.stringify([group, kind])),
    ),
  );
  return customResourceDefinitions
    .filter(({ group, kind }) => !owned.has(JSON.stringify([group, kind])))
    .flatMap(({ group, kind, versions }) =>
      versions.filter(({ served }) => served).map(({ name }) => gvkKey({ group, version: name, kind })),
    )
    .sort(compareText);
}
