// Is every required API served? The definitions of the cluster decide; for a kind without one it is unknown.

import type { Constraint } from "../../src/constraint/constraint.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Installed, Problem } from "../../src/model/problem.ts";
import type { Cluster } from "./api-server.ts";
import { apiTexts, definitionsIn, providedIn, specOf } from "./bundle-manifests.ts";
import { readerFor } from "./table.ts";

/** APIs that were served and that a remaining operator needs, or that a new operator needs, and that are not served. */
export function* lostApis(before: Cluster, after: Cluster, start: Problem): Iterable<string> {
  const old = servedBy(manifestsOf(before));
  for (const operator of after.operators) {
    const isNew = !before.operators.includes(operator);
    const missing = isNew ? missedBy(operator, after, start) : [];
    for (const api of unservedFor(operator, after, start))
      if (old.get(api) === true || missing.includes(api)) yield `${operator.name} needs ${api}, which is not served`;
  }
}

/**
 * The APIs that an operator which comes needs and will miss. What an operator claims to provide although it is not served counts
 * as given: that world is at odds with itself. If a provider has no definition, it is unknown what its
 * image brings.
 */
export function missedBy(operator: Installed, cluster: Cluster, start: Problem): readonly string[] {
  const missing = unservedFor(operator, cluster, start);
  if (missing.length === 0) return [];
  const running = [start.node, ...start.installed, ...start.elsewhere].flatMap((one) => providedIn(one.properties));
  const claimed = new Set([...running, ...falseClaims(start)]);
  const isUnknown = (api: string): boolean =>
    cluster.operators.some(({ properties }) => providedIn(properties).includes(api) && !bringsKind(properties, api));
  return missing.filter((api) => !claimed.has(api) && !isUnknown(api));
}

/** The APIs that a bundle announces, and that the definition it brings does not serve. */
export function falseClaims({ catalogs }: Problem): readonly string[] {
  const bundles = catalogs.flatMap(({ packages }) =>
    [...packages.values()].flatMap((one) => [...one.bundles.values()]),
  );
  return bundles.flatMap(({ properties }) => {
    const own = servedBy(definitionsIn(properties));
    return providedIn(properties).filter((api) => bringsKind(properties, api) && own.get(api) !== true);
  });
}

function bringsKind(properties: Installed["properties"], api: string): boolean {
  return kindsIn(servedBy(definitionsIn(properties))).has(kindOf(api));
}

/**
 * The APIs that an operator needs and the definitions of the cluster do not serve; without those of a kind that it brings
 * itself and does not serve, which contradicts its own requirement.
 */
function unservedFor(operator: Installed, cluster: Cluster, start: Problem): readonly string[] {
  const { compat, crdSeverities = {} } = start.options;
  if (compat) return [];
  const counts = (code: string): boolean => (crdSeverities[code] ?? "error") === "error";
  const served = servedBy(manifestsOf(cluster));
  const kinds = kindsIn(served);
  const own = servedBy(definitionsIn(operator.properties));
  const isOwnChoice = (api: string): boolean => bringsKind(operator.properties, api) && own.get(api) !== true;
  const needed = [
    ...(counts("CRD103") ? requiredBy(operator, start) : []),
    ...(counts("CRD106") ? (operator.owned ?? []) : []),
  ];
  return needed.filter((api) => kinds.has(kindOf(api)) && served.get(api) !== true && !isOwnChoice(api));
}

function manifestsOf({ definitions }: Cluster): readonly JsonObject[] {
  return [...definitions.values()].map(({ manifest }) => manifest);
}

/** Each API of definitions, and whether one of them serves it. */
function servedBy(manifests: readonly JsonObject[]): ReadonlyMap<string, boolean> {
  const served = new Map<string, boolean>();
  for (const [api, isServed] of manifests.flatMap((one) => apiTexts(specOf(one))))
    served.set(api, isServed || served.get(api) === true);
  return served;
}

function kindsIn(apis: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  return new Set([...apis.keys()].map(kindOf));
}

/** `group/version/kind` without its version. */
function kindOf(api: string): string {
  return api.replace(/\/[^/]*\//, "/");
}

/** The APIs that an operator cannot do without. */
function requiredBy({ properties }: Installed, start: Problem): readonly string[] {
  const inside = (constraint: Constraint): readonly string[] => {
    if (constraint.kind === "gvk") return [`${constraint.gvk.group}/${constraint.gvk.version}/${constraint.gvk.kind}`];
    return constraint.kind === "all" ? constraint.constraints.flatMap(inside) : [];
  };
  const { requirements } = readerFor(start).of(properties);
  return requirements.flatMap(({ optional, constraint }) => (optional ? [] : inside(constraint)));
}
