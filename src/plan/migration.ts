// What has to happen to stored objects before a version of their kind may go? Objects may still be stored in a version that
// is no longer the storage version: they are all written again, and the cluster is told that nothing is stored there any more.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import { storageVersions, versionsByName } from "../crd/upgrade/definition-change.ts";
import { type Bundle, kindKey } from "../model/catalog.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { compareText } from "../model/json.ts";
import type { ClusterDefinition, Problem } from "../model/problem.ts";

/** What has to be done to a custom kind before a bundle takes versions away from it. */
export interface Migration {
  /** As the cluster has it before. */
  readonly definition: ClusterDefinition;
  /** The bundle that takes them away, the first by name. */
  readonly bundle: string;
  /** The versions that go, and in which objects may be stored. */
  readonly removed: readonly string[];
  /** The version in which every object has to be stored again: the storage version of the cluster. */
  readonly storage: string;
  /** What `status.storedVersions` says then. */
  readonly left: readonly string[];
}

/**
 * The problem in which every migration has been done: objects are stored in the storage versions only. OLM knows no
 * migrations. Equal definitions stay the same objects, and so do those that come out, however often it is asked.
 */
export function withMigrations(problem: Problem): Problem {
  const { definitions, options } = problem;
  if (options.compat || definitions === undefined) return problem;
  const after = allMigrated(definitions);
  return after === definitions ? problem : { ...problem, definitions: after };
}

const listsAfter = new WeakMap<readonly ClusterDefinition[], readonly ClusterDefinition[]>();
const after = new WeakMap<ClusterDefinition, ClusterDefinition>();

function allMigrated(definitions: readonly ClusterDefinition[]): readonly ClusterDefinition[] {
  let known = listsAfter.get(definitions);
  if (known === undefined) {
    const list = definitions.map(withoutRemovable);
    known = list.some((one, index) => one !== definitions[index]) ? list : definitions;
    listsAfter.set(definitions, known);
  }
  return known;
}

function withoutRemovable(one: ClusterDefinition): ClusterDefinition {
  let known = after.get(one);
  if (known === undefined) {
    const removable = removableVersions(one.definition);
    const storedVersions = storedIn(one.definition).filter((name) => !removable.has(name));
    known = removable.size === 0 ? one : { ...one, definition: { ...one.definition, storedVersions } };
    after.set(one, known);
  }
  return known;
}

/**
 * The versions in which nothing is stored once every object was written again. None where that cannot be done: nobody knows
 * into which version, none is served, or an object may be stored in a version that the cluster can no longer read.
 */
function removableVersions(definition: CustomResourceDefinition): ReadonlySet<string> {
  const [storage, ...more] = storageVersions(definition);
  const stored = storedIn(definition);
  const isReadable = stored.every((name) => versionsByName(definition).has(name));
  const isServed = definition.versions.some(({ served }) => served);
  if (storage === undefined || more.length > 0 || !isReadable || !isServed) return NONE;
  return new Set(stored.filter((name) => name !== storage));
}

/** The versions in which objects may be stored: where that is not known, any that there is. */
function storedIn(definition: CustomResourceDefinition): readonly string[] {
  const { storedVersions } = definition;
  return storedVersions.length > 0 ? storedVersions : [...versionsByName(definition).keys()];
}

const NONE: ReadonlySet<string> = new Set();

/** The migrations that some bundles need which are installed together, by the name of the definition. */
export function migrationsFor(problem: Problem, bundles: readonly Bundle[]): readonly Migration[] {
  const { definitions = [], options } = problem;
  if (options.compat) return [];
  const found = new Map<ClusterDefinition, { readonly bundle: string; readonly removed: Set<string> }>();
  const byName = bundles.toSorted((a, b) => compareText(a.name, b.name));
  for (const definition of definitions) {
    const removable = removableVersions(definition.definition);
    if (removable.size === 0) continue;
    for (const bundle of byName) {
      const brought = broughtFor(definition.definition, bundle, definitions);
      const removed = brought.flatMap((one) => [...removable].filter((name) => !versionsByName(one).has(name)));
      if (removed.length === 0) continue;
      const known = found.get(definition);
      if (known === undefined) found.set(definition, { bundle: bundle.name, removed: new Set(removed) });
      else for (const name of removed) known.removed.add(name);
    }
  }
  return [...found]
    .map(([definition, { bundle, removed }]) => migration(definition, bundle, removed))
    .sort((a, b) => compareText(a.definition.definition.name, b.definition.definition.name));
}

/** The definitions of a bundle that take the place of one of the cluster: of the same name, or else of the same kind. */
function broughtFor(
  there: CustomResourceDefinition,
  { properties }: Bundle,
  all: readonly ClusterDefinition[],
): readonly CustomResourceDefinition[] {
  return bundleDefinitions(properties).definitions.filter(
    (one) =>
      one.name === there.name ||
      (kindKey(one) === kindKey(there) && !all.some(({ definition }) => definition.name === one.name)),
  );
}

function migration(definition: ClusterDefinition, bundle: string, removed: ReadonlySet<string>): Migration {
  const stored = storedIn(definition.definition);
  const [storage] = storageVersions(definition.definition) as readonly [string];
  return {
    definition,
    bundle,
    removed: [...new Set(stored)].filter((name) => removed.has(name)),
    storage,
    left: [...new Set([...stored.filter((name) => !removed.has(name)), storage])],
  };
}
