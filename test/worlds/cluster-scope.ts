// How does a small world look if its requests are ClusterExtensions? The same bundles and operators, with terms by chance.

import type { Catalog } from "../../src/model/catalog.ts";
import {
  CLUSTER_SCOPE,
  compareNamespaced,
  type ExtensionTerms,
  type Installed,
  type Problem,
  type Request,
} from "../../src/model/problem.ts";
import { parseConstraint, type VersionConstraint } from "../../src/semver/masterminds-range.ts";
import { Dice } from "./dice.ts";
import { generateWorld } from "./generate.ts";

const RANGES = [">=1.0.0", "<2.0.0", "1.x", "2.0.0", ">1.0.0, <3", "^1.1"];

/** A world of ClusterExtensions; the same for the same seed. */
export function generateClusterScope(seed: number): Problem {
  return asClusterScope(generateWorld(seed), new Dice(seed ^ 0x5ca1e));
}

/** The last of some namespaces becomes the cluster scope; the others see its operators there. */
export function withClusterScope(problems: readonly Problem[], seed: number): readonly Problem[] {
  const last = problems.at(-1);
  if (last === undefined) return [];
  const isLast = ({ namespace }: Installed): boolean => namespace === last.namespace;
  const others = problems.slice(0, -1).map((problem) => ({
    ...problem,
    elsewhere: problem.elsewhere
      .map((one) => (isLast(one) ? { ...one, namespace: CLUSTER_SCOPE } : one))
      .sort(compareNamespaced),
  }));
  return [...others, asClusterScope(last, new Dice(seed ^ 0x5ca1e))];
}

function asClusterScope(world: Problem, dice: Dice): Problem {
  const names = new Set<string>();
  // A ClusterCatalog has no namespace, so its name is its own.
  const catalogs = world.catalogs
    .filter(({ name }) => !names.has(name) && names.add(name))
    .map(({ namespace: _, ...catalog }): Catalog => catalog)
    .sort(compareNamespaced);
  const ids = new Set<string>();
  const requests = world.requests
    .filter(({ name }) => !ids.has(name) && ids.add(name))
    // A dependency may have come without a ClusterExtension.
    .filter(({ isGenerated }) => !isGenerated || dice.chance(0.5))
    .map(
      (request): Request => ({
        id: request.name,
        name: request.name,
        priority: request.priority,
        package: request.package,
        installed: request.installed,
        approval: "Automatic",
        extension: termsFor(request.package, catalogs, dice),
        place: request.place,
      }),
    )
    .sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  const { unapproved: _, neighbours: __, ...rest } = world;
  return {
    ...rest,
    namespace: CLUSTER_SCOPE,
    scope: "cluster",
    catalogs,
    unavailable: world.unavailable
      .filter(({ name }) => !names.has(name))
      .map(({ namespace: ___, ...catalog }) => catalog),
    requests,
    installed: world.installed.map((one) => ({ ...one, namespace: CLUSTER_SCOPE })),
    targets: { all: true, names: [] },
    options: { ...world.options, compat: false, allOrNothing: false },
  };
}

function termsFor(owner: string, catalogs: readonly Catalog[], dice: Dice): ExtensionTerms {
  const channels = catalogs.flatMap(({ packages }) => [...(packages.get(owner)?.channels.keys() ?? [])]);
  const versions = dice.chance(0.5) ? (parseConstraint(dice.pick(RANGES)) as VersionConstraint) : undefined;
  return {
    channels: dice.chance(0.4) ? [...new Set(dice.some(channels, 0.6))] : [],
    versions,
    catalogs: dice.chance(0.2) ? dice.some(catalogs, 0.7).map(({ name }) => name) : undefined,
    policy: dice.chance(0.4) ? "SelfCertified" : "CatalogProvided",
    crdUpgradeSafety: "Strict",
  };
}
