// Which versions are taken away from whoever stores, uses or requires them?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { inside, type Place } from "../../model/place.ts";
import type { ApiUser, Circumstances } from "./circumstances.ts";
import { type DefinitionChange, placeOfNamed, storageVersions, versionsByName } from "./definition-change.ts";
import { named, namedAll, type Observation, type Observe } from "./observation.ts";
import { usersOf } from "./own-mistakes.ts";

/** Versions that go although objects are stored in them, or somebody works with them. */
export function observeVersionChanges(change: DefinitionChange, circumstances: Circumstances, observe: Observe): void {
  storedVersions(change, circumstances, observe);
  servedVersions(change, circumstances.compat, observe);
  unservedVersions(change, observe);
  for (const user of lost(change, circumstances.requiredBy))
    observe(requiredVersion(user, change.before, change.after));
  for (const user of lost(change, circumstances.ownedBy)) observe(ownedElsewhere(user, change));
}

/** Versions that have to be served and are not. A version that neither definition has is nothing to speak of. */
export function observeDemands(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
  { demanded }: Circumstances,
  observe: Observe,
): void {
  const definition = before ?? after;
  if (definition === undefined) return;
  const has = (one: CustomResourceDefinition | undefined, version: string): one is CustomResourceDefinition =>
    one !== undefined && versionsByName(one).has(version);
  for (const user of usersOf(definition, demanded)) {
    const { version } = user;
    if (after === undefined) {
      if (has(before, version)) observe(requiredButGone(user, before));
    } else if (!isServed(after, version) && (has(before, version) || has(after, version)))
      observe(requiredVersion(user, before, after));
  }
}

/** The definition is not there any more: nobody looks after its objects. */
export function observeRemoval(before: CustomResourceDefinition, circumstances: Circumstances, observe: Observe): void {
  const others = usersOf(before, circumstances.ownedBy);
  const owners = [...new Set(others.map(({ by }) => by))];
  observe({
    code: "CRD107",
    version: "",
    path: "",
    message:
      owners.length === 0
        ? `${named(before.name)} is no longer there`
        : `${named(before.name)} is no longer there, but ${owners.join(" and ")} still ${owners.length === 1 ? "owns" : "own"} it`,
    help: `put ${named(before.name)} back, or say who looks after the ${named(before.plural)} that are there`,
    place: before.place,
  });
  for (const user of usersOf(before, circumstances.requiredBy)) {
    const { version } = user;
    if (!isServed(before, version) || others.some((owner) => owner.version === version)) continue;
    observe(requiredButGone(user, before));
  }
}

function requiredButGone({ version, by }: ApiUser, before: CustomResourceDefinition): Observation {
  return {
    code: "CRD103",
    version,
    path: "",
    message: `${by} requires ${named(before.kind)} ${named(version)}, but ${named(before.name)} is no longer there`,
    user: by,
    help: `keep ${named(before.name)} until ${by} is gone or no longer requires it`,
    place: placeOfNamed(before, version, "served"),
  };
}

/** The versions in which objects may be stored, as far as that is recorded; nothing where it is not known. */
export function recordedVersions(
  { storedVersions: status }: CustomResourceDefinition,
  stored: readonly string[] | undefined,
): readonly string[] | undefined {
  // The API server records the storage version of every CRD: an empty list is that of a manifest, not of a cluster.
  return stored ?? (status.length === 0 ? undefined : status);
}

function storedVersions({ before, after }: DefinitionChange, { stored }: Circumstances, observe: Observe): void {
  const remaining = versionsByName(after);
  const known = recordedVersions(before, stored);
  const recorded = new Set(known);
  // Whatever is recorded: where objects are stored now, they are stored.
  const names = new Set([...recorded, ...storageVersions(before)]);
  const storage = storageVersions(after)[0];
  for (const name of names) {
    if (remaining.has(name)) continue;
    const [version, elsewhere] = [named(name), storage === undefined ? "another version" : named(storage)];
    const left = [...names].filter((one) => remaining.has(one));
    observe({
      code: "CRD101",
      version: name,
      path: "",
      message: recorded.has(name)
        ? `objects may be stored in ${version} (status.storedVersions), but the new CRD does not have it`
        : `objects are stored in ${version}, but the new CRD does not have it`,
      help: [
        `in this order: (1) ship a bundle that still has ${version}, with served: false and storage: false, and storage: true at ${elsewhere}`,
        `(2) write every stored ${named(before.kind)} again, unchanged, so that it is stored in ${elsewhere}`,
        `(3) set status.storedVersions of ${named(before.name)} to [${(left.length > 0 ? left.map(named) : [elsewhere]).join(", ")}]`,
        `(4) ship the bundle without ${version}`,
      ].join("; "),
      place: placeGone(before, after, name, "storage"),
    });
  }
  for (const [name, { served }] of versionsByName(before)) {
    if (remaining.has(name) || names.has(name)) continue;
    if (known === undefined) observe(maybeStored(name, before, after));
    else if (!served) observe(unservedGone(name, before, after));
  }
}

function maybeStored(name: string, before: CustomResourceDefinition, after: CustomResourceDefinition): Observation {
  return {
    code: "CRD115",
    version: name,
    path: "",
    message: `${named(name)} is removed, and whether objects are stored in it is not known: status.storedVersions was not given`,
    help: `look at the cluster (kubectl get customresourcedefinitions.apiextensions.k8s.io ${named(before.name)} -o jsonpath='{.status.storedVersions}') and name these versions with \`crd check --stored\`, or give the CRD of the cluster as the old one`,
    place: placeGone(before, after, name, "storage"),
  };
}

function unservedGone(name: string, before: CustomResourceDefinition, after: CustomResourceDefinition): Observation {
  return {
    code: "CRD117",
    version: name,
    path: "",
    message: `${named(name)}, which was not served, is gone from the new CRD`,
    help: "nothing: no object is stored in it, and no client could use it",
    place: placeGone(before, after, name, "served"),
  };
}

function servedVersions({ before, after }: DefinitionChange, compat: boolean, observe: Observe): void {
  const remaining = versionsByName(after);
  for (const [name, { served }] of versionsByName(before)) {
    if (!served || remaining.has(name)) continue;
    observe({
      code: "CRD102",
      version: name,
      path: "",
      message: `${named(name)} was still served and is gone from the new CRD${compat ? "; OLM allows that" : ""}`,
      help: `mark ${named(name)} as deprecated, so that its users are warned; then ship a bundle that has it with served: false; remove it in the one after, once nothing is stored in it`,
      place: placeGone(before, after, name, "served"),
    });
  }
}

/** Versions that stay and are no longer served; where none is, that says it all. */
function unservedVersions({ before, after, kept }: DefinitionChange, observe: Observe): void {
  if (!after.versions.some(({ served }) => served)) {
    if (before.versions.some(({ served }) => served)) observe(noneServed(after));
    return;
  }
  for (const { name, old, new: now } of kept) {
    if (!old.served || now.served) continue;
    observe({
      code: "CRD116",
      version: name,
      path: "",
      message: `${named(name)} was served and no longer is`,
      help: `make sure that every client uses ${instead(after)}, then accept it: by the severity of served-version-ends (--crd-settings)`,
      place: placeOfNamed(after, name, "served"),
    });
  }
}

function noneServed(after: CustomResourceDefinition): Observation {
  const [storage] = storageVersions(after);
  return {
    code: "CRD118",
    version: "",
    path: "",
    message: `no version of ${named(after.kind)} is served any more`,
    help: `write served: true at ${storage === undefined ? "one of the versions" : named(storage)}`,
    place: inside(after.place, "spec", "versions"),
  };
}

/** Users of a version that was served and no longer is. */
function lost({ before, after }: DefinitionChange, users: readonly ApiUser[]): readonly ApiUser[] {
  return usersOf(before, users).filter(({ version }) => isServed(before, version) && !isServed(after, version));
}

function isServed(definition: CustomResourceDefinition, version: string): boolean {
  return versionsByName(definition).get(version)?.served === true;
}

function requiredVersion(
  { version, by }: ApiUser,
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition,
): Observation {
  return {
    code: "CRD103",
    version,
    path: "",
    message: `${by} requires ${named((before ?? after).kind)} ${named(version)}, which the new CRD ${becomes(before, after, version)}`,
    user: by,
    help: `keep ${named(version)} with served: true until ${by} no longer requires it, but ${instead(after)}`,
    place: before === undefined ? placeOfNamed(after, version, "served") : placeGone(before, after, version, "served"),
  };
}

function ownedElsewhere({ version, by }: ApiUser, { before, after }: DefinitionChange): Observation {
  return {
    code: "CRD106",
    version,
    path: "",
    message: `${by} works with ${named(before.kind)} ${named(version)}, which the new CRD ${becomes(before, after, version)}`,
    user: by,
    help: `update ${by} to one that owns ${instead(after)} first, or keep ${named(version)} with served: true`,
    place: placeGone(before, after, version, "served"),
  };
}

function becomes(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition,
  version: string,
): string {
  if (!versionsByName(after).has(version)) return "does not have";
  return before !== undefined && isServed(before, version) ? "no longer serves" : "does not serve";
}

function instead(after: CustomResourceDefinition): string {
  const served = after.versions.filter((version) => version.served).map(({ name }) => name);
  return served.length === 0 ? "another version" : namedAll(served, "or");
}

/** In the new CRD where it has the version, otherwise in the old one. */
function placeGone(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  name: string,
  step: string,
): Place {
  if (versionsByName(after).has(name)) return placeOfNamed(after, name, step);
  return versionsByName(before).has(name)
    ? placeOfNamed(before, name, "name")
    : inside(before.place, "status", "storedVersions");
}
