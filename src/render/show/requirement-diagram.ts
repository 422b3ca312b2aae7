// Which packages need which others? A diagram of the whole: what the head of each default channel requires, by the name of
// a package or through an API that bundles of a package provide.

import type { FoundOverview } from "../../catalog/find.ts";
import { catalogLabel, packagesInOrder } from "../../catalog/order.ts";
import { statementsOf } from "../../catalog/statements.ts";
import { type Catalog, type Gvk, gvkKey } from "../../model/catalog.ts";
import type { Diagram, DiagramArrow, DiagramGroup } from "../kit/diagram.ts";
import { apiName } from "../sentence/constraint.ts";

/** Packages that need another or are needed; arrows start at the needed package, and are dashed for an API. */
export function requirementDiagram({ catalogs }: FoundOverview): Diagram {
  const edges = new Map<string, Omit<DiagramArrow, "from" | "to"> & { readonly from: string; readonly to: string }>();
  for (const { package: one } of packagesInOrder(catalogs)) {
    const bundle = one.channels.get(one.defaultChannel)?.head.bundle;
    if (bundle === undefined) continue;
    const { requires } = statementsOf(bundle);
    for (const { name, versionRange } of requires.packages)
      add(edges, { from: name, to: one.name, line: "solid", label: versionRange });
    for (const api of requires.apis)
      for (const from of providersOf(catalogs, api))
        if (from !== one.name) add(edges, { from, to: one.name, line: "dashed", label: apiName(api) });
  }
  const names = [...new Set([...edges.values()].flatMap(({ from, to }) => [from, to]))].sort();
  const ids = new Map(names.map((name, position) => [name, `n${position}`]));
  return {
    groups: groupsOf(catalogs, ids),
    arrows: [...edges.values()].map((edge) => ({
      ...edge,
      from: ids.get(edge.from) as string,
      to: ids.get(edge.to) as string,
    })),
  };
}

function add(edges: Map<string, DiagramArrow>, edge: DiagramArrow): void {
  const key = JSON.stringify([edge.from, edge.to, edge.label]);
  if (!edges.has(key)) edges.set(key, edge);
}

/** A package is drawn in the first catalog that has it; packages that no catalog has form their own group. */
function groupsOf(catalogs: readonly Catalog[], ids: ReadonlyMap<string, string>): DiagramGroup[] {
  const homeOf = (name: string): Catalog | undefined => catalogs.find((catalog) => catalog.packages.has(name));
  const group = (label: string, home: Catalog | undefined): DiagramGroup => ({
    label,
    boxes: [...ids]
      .filter(([name]) => homeOf(name) === home)
      .map(([name, id]) => ({ id, label: name, form: home === undefined ? "absent" : "plain" })),
  });
  return [
    ...catalogs.map((catalog) => group(catalogLabel(catalog, catalogs), catalog)),
    group("in no catalog", undefined),
  ].filter(({ boxes }) => boxes.length > 0);
}

function providersOf(catalogs: readonly Catalog[], api: Gvk): string[] {
  const bundles = catalogs.flatMap((catalog) => catalog.providers.get(gvkKey(api)) ?? []);
  return [...new Set(bundles.map((bundle) => bundle.package))].sort();
}
