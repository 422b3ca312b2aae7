// What must happen to stored objects before a version of their kind, or its conversion webhook, is removed? Objects
// may still be stored in a version that is no longer the storage version: all are rewritten, if that loses nothing,
// and the version is removed from `status.storedVersions`.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { CrdFinding } from "../crd/finding.ts";
import { rewriteLoss } from "../crd/rewrite-loss.ts";
import type { SeverityChoices } from "../crd/upgrade/circumstances.ts";
import { storageVersions, versionsByName } from "../crd/upgrade/definition-change.ts";
import { unconvertedVersions } from "../crd/upgrade/unconverted.ts";
import { type Bundle, kindKey } from "../model/catalog.ts";
import type { CustomResource, CustomResourceDefinition } from "../model/custom-resource.ts";
import { getOrAdd } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import type { ClusterDefinition, Problem } from "../model/problem.ts";
import { ownersOfKind } from "../rule/crd/api-needs.ts";
import { severityChoices } from "../rule/crd/crd-changes.ts";

/** What must be done to a CRD before a bundle removes versions or their conversion. */
export interface Migration {
  /** As on the cluster before. */
  readonly definition: ClusterDefinition;
  /** The bundle that removes them, the first by name. */
  readonly bundle: string;
  /** The removed or no longer converted versions in which objects may be stored. */
  readonly removed: readonly string[];
  /** The version in which every object must be stored: the storage version of the cluster. */
  readonly storage: string;
  /** The resulting `status.storedVersions`. */
  readonly left: readonly string[];
  /** What objects may lose when they are rewritten, where that does not forbid it. */
  readonly loss: readonly CrdFinding[];
}

/**
 * The problem after every possible migration: objects are stored in the storage versions only. OLM has no migrations.
 * Equal definitions stay the same objects, and results are cached.
 */
export function withMigrations(problem: Problem): Problem {
  const { definitions, options } = problem;
  if (options.compat || definitions === undefined) return problem;
  const rewriting = new Rewriting(problem);
  const list = definitions.map((one) => rewriting.of(one).after);
  if (list.every((one, index) => one === definitions[index])) return problem;
  return { ...problem, definitions: sameList(definitions, list) };
}

const listsAfter = new WeakMap<readonly ClusterDefinition[], readonly ClusterDefinition[]>();

/** The previous list, if it is equal. */
function sameList(
  definitions: readonly ClusterDefinition[],
  list: readonly ClusterDefinition[],
): readonly ClusterDefinition[] {
  const last = listsAfter.get(definitions);
  if (last?.every((one, index) => one === list[index])) return last;
  listsAfter.set(definitions, list);
  return list;
}

/** The objects that can be rewritten. */
interface Rewritten {
  /** The versions without stored objects afterwards; none if rewriting is impossible or would lose data. */
  readonly removable: ReadonlySet<string>;
  readonly loss: readonly CrdFinding[];
  /** The definition after every object was rewritten. */
  readonly after: ClusterDefinition;
}

const known = new WeakMap<ClusterDefinition, Map<string, Rewritten>>();

/**
 * How the objects of a cluster can be rewritten. That depends on the owners of their kinds and on the configured
 * severities.
 */
class Rewriting {
  readonly #problem: Problem;
  readonly #severities: SeverityChoices;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#severities = severityChoices(problem.options);
  }

  of(one: ClusterDefinition): Rewritten {
    const all = getOrAdd(known, one, () => new Map<string, Rewritten>());
    const candidates = removableVersions(one.definition);
    const owners = candidates.size === 0 ? 1 : ownersOfKind(this.#problem, kindKey(one.definition));
    const key = JSON.stringify([owners, [...this.#severities]]);
    return getOrAdd(all, key, () => this.#rewritten(one, candidates, owners));
  }

  #rewritten(one: ClusterDefinition, candidates: ReadonlySet<string>, owners: number): Rewritten {
    const { definition, objects, isPartial = false } = one;
    const known = { owners, objects, isPartial, severities: this.#severities };
    const loss = rewriteLoss(definition, [...candidates], known);
    const removable = loss.some(({ severity }) => severity === "error") ? NONE : candidates;
    const storedVersions = storedIn(definition).filter((name) => !removable.has(name));
    const isSame = removable.size === 0 && definition.storedVersions.length === storedVersions.length;
    return { removable, loss, after: isSame ? one : { ...one, definition: { ...definition, storedVersions } } };
  }
}

/**
 * The versions without stored objects after every object was rewritten. None if that is impossible: the target
 * version is unknown, none is served, or an object may be stored in a version that the cluster can no longer read.
 */
function removableVersions(definition: CustomResourceDefinition): ReadonlySet<string> {
  const [storage, ...more] = storageVersions(definition);
  const stored = storedIn(definition);
  const isReadable = stored.every((name) => versionsByName(definition).has(name));
  const isServed = definition.versions.some(({ served }) => served);
  if (storage === undefined || more.length > 0 || !isReadable || !isServed) return NONE;
  return new Set(stored.filter((name) => name !== storage));
}

/** The versions in which objects may be stored; if unknown, all. */
function storedIn(definition: CustomResourceDefinition): readonly string[] {
  const { storedVersions } = definition;
  return storedVersions.length > 0 ? storedVersions : [...versionsByName(definition).keys()];
}

const NONE: ReadonlySet<string> = new Set();

/** The migrations needed by bundles that are installed together, by definition name. */
export function migrationsFor(problem: Problem, bundles: readonly Bundle[]): readonly Migration[] {
  const { definitions = [], options } = problem;
  if (options.compat) return [];
  const rewriting = new Rewriting(problem);
  const found = new Map<ClusterDefinition, { readonly bundle: string; readonly removed: Set<string> }>();
  const byName = bundles.toSorted((a, b) => compareText(a.name, b.name));
  for (const definition of definitions) {
    const { removable } = rewriting.of(definition);
    if (removable.size === 0) continue;
    for (const bundle of byName) {
      const brought = broughtFor(definition.definition, bundle, definitions);
      const removed = brought.flatMap((one) => [
        ...[...removable].filter((name) => !versionsByName(one).has(name)),
        ...unconvertedVersions(definition.definition, one, [...removable]),
      ]);
      if (removed.length === 0) continue;
      const known = found.get(definition);
      if (known === undefined) found.set(definition, { bundle: bundle.name, removed: new Set(removed) });
      else for (const name of removed) known.removed.add(name);
    }
  }
  return [...found]
    .map(([definition, { bundle, removed }]) => migration(definition, bundle, removed, rewriting.of(definition).loss))
    .sort((a, b) => compareText(a.definition.definition.name, b.definition.definition.name));
}

/** The definitions of a bundle that replace one of the cluster: of the same name, or else of the same kind. */
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

function migration(
  definition: ClusterDefinition,
  bundle: string,
  removed: ReadonlySet<string>,
  loss: readonly CrdFinding[],
): Migration {
  const stored = storedIn(definition.definition);
  const [storage] = storageVersions(definition.definition) as readonly [string];
  return {
    definition,
    bundle,
    removed: [...new Set(stored)].filter((name) => removed.has(name)),
    storage,
    left: [...new Set([...stored.filter((name) => !removed.has(name)), storage])],
    loss,
  };
}

/** The problem after stored objects were rewritten and their former versions removed from the status. */
export function migrated(problem: Problem, migrations: readonly Migration[]): Problem {
  if (migrations.length === 0) return problem;
  const byName = new Map(migrations.map((one) => [one.definition.definition.name, one]));
  const definitions = (problem.definitions ?? []).map((one) => {
    const migration = byName.get(one.definition.name);
    return migration === undefined ? one : afterMigration(one, migration);
  });
  return { ...problem, definitions };
}

/**
 * Objects given in a removed version are read in the other from now on; the result of a conversion webhook is
 * unknown.
 */
function afterMigration(one: ClusterDefinition, { removed, storage, left }: Migration): ClusterDefinition {
  const definition = { ...one.definition, storedVersions: left };
  const { objects } = one;
  if (objects === undefined || !objects.some(({ version }) => removed.includes(version))) return { ...one, definition };
  if (definition.conversionStrategy === "Webhook")
    return { definition, objects: objects.filter(({ version }) => !removed.includes(version)), isPartial: true };
  return {
    ...one,
    definition,
    objects: objects.map((object) => (removed.includes(object.version) ? inVersion(object, storage) : object)),
  };
}

function inVersion(resource: CustomResource, version: string): CustomResource {
  const apiVersion = `${resource.group}/${version}`;
  return { ...resource, version, apiVersion, object: { ...resource.object, apiVersion } };
}
