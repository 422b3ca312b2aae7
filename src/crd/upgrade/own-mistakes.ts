// What is wrong with the versions of a definition by itself, whatever was there before?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { inside } from "../../model/place.ts";
import type { ApiUser } from "./circumstances.ts";
import { placeOfNamed, placeOfVersion, storageVersions, versionsByName } from "./definition-change.ts";
import { named, namedAll, type Observe } from "./observation.ts";

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
  observe({
    code: "CRD001",
    version: "",
    path: "",
    message:
      stored.length === 0
        ? "no version is the storage version"
        : `${stored.length} versions are the storage version: ${namedAll(stored)}`,
    help:
      stored.length === 0
        ? `write storage: true at one of the versions: ${namedAll(after.versions.map(({ name }) => name))}`
        : `write storage: true at one of ${namedAll(stored)} only, and storage: false at the others`,
    place: last < 0 ? inside(after.place, "spec", "versions") : placeOfVersion(after, last, "storage"),
  });
}

function firstVersion(after: CustomResourceDefinition, observe: Observe): void {
  const { apiVersion, specVersion, versions } = after;
  const first = versions[0];
  if (apiVersion !== "v1beta1" || !specVersion || first === undefined || first.name === specVersion) return;
  const isThere = versions.some(({ name }) => name === specVersion);
  observe({
    code: "CRD002",
    version: specVersion,
    path: "",
    message: `spec.version is ${named(specVersion)}, but the first of spec.versions is ${named(first.name)}`,
    help: isThere
      ? `move ${named(specVersion)} to the top of spec.versions, or leave spec.version out`
      : `write version: ${named(first.name)}, or leave spec.version out`,
    old: first.name,
    new: specVersion,
    place: inside(after.place, "spec", "version"),
  });
}

function ownedVersions(after: CustomResourceDefinition, owned: readonly ApiUser[], observe: Observe): void {
  const versions = versionsByName(after);
  for (const { version: name, by } of usersOf(after, owned)) {
    const version = versions.get(name);
    if (version?.served) continue;
    const served = after.versions.filter((one) => one.served).map((one) => one.name);
    const owner = `${named(after.kind)} ${named(name)}`;
    const instead = served.length === 0 ? "" : `, or own ${namedAll(served, "or")} instead`;
    observe(
      version === undefined
        ? {
            code: "CRD003",
            version: name,
            path: "",
            message: `${by} owns ${owner}, but the definition has only ${namedAll([...versions.keys()])}`,
            help: `add ${named(name)} to the definition${instead} in the ClusterServiceVersion`,
            place: inside(after.place, "spec", "versions"),
          }
        : {
            code: "CRD004",
            version: name,
            path: "",
            message: `${by} owns ${owner}, but the definition has it with served: false`,
            help: `write served: true at ${named(name)}${instead} in the ClusterServiceVersion`,
            place: placeOfNamed(after, name, "served"),
          },
    );
  }
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
    observe({
      code: "CRD005",
      version: name,
      path: "",
      message: `version ${named(name)} is there more than once`,
      help: `keep one ${named(name)} and remove the others, or give them names of their own`,
      place: placeOfVersion(after, index, "name"),
    });
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
    observe({
      code: "CRD006",
      version: name,
      path: "",
      message: `version ${named(name)} has no schema`,
      help: `write schema.openAPIV3Schema for ${named(name)}; with type: object and x-kubernetes-preserve-unknown-fields: true it takes anything`,
      place: placeOfVersion(after, index),
    });
  }
}
