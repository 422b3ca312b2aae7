// Which versions are removed, added and kept when one definition replaces another, and where are they written?

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { isList, isObject, type JsonObject, own } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { isSameSchema } from "./read-schemas.ts";

/** A version that both definitions have. */
export interface KeptVersion {
  readonly name: string;
  readonly old: CustomResourceVersion;
  readonly new: CustomResourceVersion;
  /** Equal except for documentation. */
  readonly hasSameSchema: boolean;
}

/** Both definitions, and the versions that they share. */
export interface DefinitionChange {
  readonly before: CustomResourceDefinition;
  readonly after: CustomResourceDefinition;
  /** In the order of the new CRD. */
  readonly kept: readonly KeptVersion[];
}

/** What changes from one definition to another. */
export function definitionChange(before: CustomResourceDefinition, after: CustomResourceDefinition): DefinitionChange {
  const old = versionsByName(before);
  const kept: KeptVersion[] = [];
  for (const [name, version] of versionsByName(after)) {
    const same = old.get(name);
    if (same !== undefined)
      kept.push({ name, old: same, new: version, hasSameSchema: isSameSchema(same.schema, version.schema) });
  }
  return { before, after, kept };
}

interface NamedVersions {
  readonly versions: ReadonlyMap<string, CustomResourceVersion>;
  readonly positions: ReadonlyMap<string, number>;
}

const known = new WeakMap<CustomResourceDefinition, NamedVersions>();

/** The versions of a definition; of two that have the same name, the first. */
export function versionsByName(definition: CustomResourceDefinition): ReadonlyMap<string, CustomResourceVersion> {
  return byName(definition).versions;
}

function byName(definition: CustomResourceDefinition): NamedVersions {
  return getOrAdd(known, definition, () => {
    const versions = new Map<string, CustomResourceVersion>();
    const positions = new Map<string, number>();
    for (const [position, version] of definition.versions.entries()) {
      if (versions.has(version.name)) continue;
      versions.set(version.name, version);
      positions.set(version.name, position);
    }
    return { versions, positions };
  });
}

/** The names of the versions in which objects are stored. */
export function storageVersions({ versions }: CustomResourceDefinition): readonly string[] {
  return versions.filter(({ storage }) => storage).map(({ name }) => name);
}

/** Objects that were stored in one version are stored in another from now on. */
export interface StorageMove {
  readonly from: CustomResourceVersion;
  readonly to: CustomResourceVersion;
}

/** The change of the storage version; undefined if it stays, or if either definition has not exactly one. */
export function storageMove({ before, after }: DefinitionChange): StorageMove | undefined {
  const [from, to] = [onlyStorage(before), onlyStorage(after)];
  return from === undefined || to === undefined || from.name === to.name ? undefined : { from, to };
}

/** Newly served versions, if no version is served both before and after: the only way to read objects. */
export function onlyWays({ after, kept }: DefinitionChange): readonly CustomResourceVersion[] {
  if (kept.some(({ old, new: now }) => old.served && now.served)) return [];
  return [...versionsByName(after).values()].filter(({ served }) => served);
}

/** The version in which objects are stored; undefined if that is not exactly one. */
export function onlyStorage({ versions }: CustomResourceDefinition): CustomResourceVersion | undefined {
  const [only, ...others] = versions.filter(({ storage }) => storage);
  return others.length === 0 ? only : undefined;
}

/** Whether a webhook converts objects between versions. */
export function hasWebhook(definition: CustomResourceDefinition): boolean {
  return definition.conversionStrategy === "Webhook";
}

/** The `spec` of a definition, as written. */
export function specOf(definition: CustomResourceDefinition): JsonObject {
  const spec = own(definition.object, "spec");
  return isObject(spec) ? spec : {};
}

/** A version as written; nothing if a v1beta1 definition only names it. */
export function versionAsWritten(definition: CustomResourceDefinition, name: string): JsonObject | undefined {
  const written = own(specOf(definition), "versions");
  const position = byName(definition).positions.get(name) ?? -1;
  const version = isList(written) ? written[position] : undefined;
  return isObject(version) ? version : undefined;
}

/** The place of a version, or of something in it; where a v1beta1 definition only names it, its name. */
export function placeOfVersion(
  definition: CustomResourceDefinition,
  index: number,
  ...steps: readonly string[]
): Place {
  const written = own(specOf(definition), "versions");
  if (!isList(written) || index < 0 || index >= written.length) return inside(definition.place, "spec", "version");
  const version = written[index];
  const isThere = steps.every((step) => isObject(version) && Object.hasOwn(version, step));
  return inside(definition.place, "spec", "versions", index, ...(isThere ? steps : []));
}

/** The place of the version of that name, or of something in it. */
export function placeOfNamed(definition: CustomResourceDefinition, name: string, ...steps: readonly string[]): Place {
  const position = byName(definition).positions.get(name);
  if (position === undefined) return inside(definition.place, "spec", "versions");
  return placeOfVersion(definition, position, ...steps);
}
