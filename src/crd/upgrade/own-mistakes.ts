// What is wrong with the versions of a definition by itself, regardless of the old one?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { inside } from "../../model/place.ts";
import type { ApiUser } from "./circumstances.ts";
import { placeOfNamed, placeOfVersion, storageVersions, versionsByName } from "./definition-change.ts";
import { type Observe, observation } from "./observation.ts";

/** Versions that the API server would not take, and versions that the operator owns but does not get. */
export function observeOwnMistakes(
  after: CustomResourceDefinition,
  before: CustomResourceDefinition | undefined,
  owned: readonly ApiUser[],
  observe: Observe,
): void {
  storage(after, observe);
  firstVersion(after, observe);
  ownedVersions(after, owned, observe);
  repeated(after, observe);
  withoutSchema(after, before, observe);
}

function storage(after: CustomResourceDefinition, observe: Observe): void {
  const stored = storageVersions(after);
  if (stored.length === 1) return;
  const last = after.versions.findLastIndex(({ storage }) => storage);
  const place = last < 0 ? inside(after.place, "spec", "versions") : placeOfVersion(after, last, "storage");
  observe(observation("CRD001", "", place, { storage: stored, versions: after.versions.map(({ name }) => name) }));
}

function firstVersion(after: CustomResourceDefinition, observe: Observe): void {
  const { apiVersion, specVersion, versions } = after;
  const first = versions[0];
  if (apiVersion !== "v1beta1" || !specVersion || first === undefined || first.name === specVersion) return;
  const detail = { first: first.name, isListed: versions.some(({ name }) => name === specVersion) };
  const more = { old: first.name, new: specVersion };
  observe(observation("CRD002", specVersion, inside(after.place, "spec", "version"), detail, more));
}

function ownedVersions(after: CustomResourceDefinition, owned: readonly ApiUser[], observe: Observe): void {
  const versions = versionsByName(after);
  for (const { version: name, by } of usersOf(after, owned)) {
    const version = versions.get(name);
    if (version?.served) continue;
    const detail = { by, kind: after.kind, served: servedBy(after) };
    const all = { ...detail, versions: [...versions.keys()] };
    observe(
      version === undefined
        ? observation("CRD003", name, inside(after.place, "spec", "versions"), all)
        : observation("CRD004", name, placeOfNamed(after, name, "served"), detail),
    );
  }
}

/** The names of the versions that are served. */
export function servedBy({ versions }: CustomResourceDefinition): readonly string[] {
  return versions.filter(({ served }) => served).map(({ name }) => name);
}

/** Those of the users who use the kind that is defined; each version and user once. */
export function usersOf(definition: CustomResourceDefinition, users: readonly ApiUser[]): readonly ApiUser[] {
  const seen = new Set<string>();
  return users.filter(({ group, kind, version, by }) => {
    const key = JSON.stringify([version, by]);
    if (group !== definition.group || kind !== definition.kind || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function repeated(after: CustomResourceDefinition, observe: Observe): void {
  const seen = new Map<string, number>();
  for (const [index, { name }] of after.versions.entries()) {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    if (times !== 2) continue;
    observe(observation("CRD005", name, placeOfVersion(after, index, "name"), {}));
  }
}

function withoutSchema(
  after: CustomResourceDefinition,
  before: CustomResourceDefinition | undefined,
  observe: Observe,
): void {
  const old = before === undefined ? undefined : versionsByName(before);
  for (const [index, { name, schema }] of after.versions.entries()) {
    const had = old?.get(name);
    if (schema !== undefined || (had !== undefined && had.schema === undefined)) continue;
    observe(observation("CRD006", name, placeOfVersion(after, index), {}));
  }
}
