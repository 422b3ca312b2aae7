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
  for (const user of lost(change, circumstances.requiredBy)) observe(requiredVersion(user, change));
  for (const user of lost(change, circumstances.ownedBy)) observe(ownedElsewhere(user, change));
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
  for (const { version, by } of usersOf(before, circumstances.requiredBy)) {
    const isServed = before.versions.some(({ name, served }) => name === version && served);
    if (!isServed || others.some((owner) => owner.version === version)) continue;
    observe({
      code: "CRD103",
      version,
      path: "",
      message: `${by} requires ${named(before.kind)} ${named(version)}, but ${named(before.name)} is no longer there`,
      user: by,
      help: `keep ${named(before.name)} until ${by} is gone or no longer requires it`,
      place: placeOfNamed(before, version, "served"),
    });
  }
}

function storedVersions({ before, after }: DefinitionChange, { stored }: Circumstances, observe: Observe): void {
  const remaining = versionsByName(after);
  const recorded = new Set(stored ?? before.storedVersions);
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

/** Users of a version that was served and no longer is. */
function lost({ before, after }: DefinitionChange, users: readonly ApiUser[]): readonly ApiUser[] {
  const [old, remaining] = [versionsByName(before), versionsByName(after)];
  return usersOf(before, users).filter(({ version }) => old.get(version)?.served && !remaining.get(version)?.served);
}

function requiredVersion({ version, by }: ApiUser, { before, after }: DefinitionChange): Observation {
  return {
    code: "CRD103",
    version,
    path: "",
    message: `${by} requires ${named(before.kind)} ${named(version)}, which the new CRD ${becomes(after, version)}`,
    user: by,
    help: `keep ${named(version)} with served: true until ${by} no longer requires it, but ${instead(after)}`,
    place: placeGone(before, after, version, "served"),
  };
}

function ownedElsewhere({ version, by }: ApiUser, { before, after }: DefinitionChange): Observation {
  return {
    code: "CRD106",
    version,
    path: "",
    message: `${by} works with ${named(before.kind)} ${named(version)}, which the new CRD ${becomes(after, version)}`,
    user: by,
    help: `update ${by} to one that owns ${instead(after)} first, or keep ${named(version)} with served: true`,
    place: placeGone(before, after, version, "served"),
  };
}

function becomes(after: CustomResourceDefinition, version: string): string {
  return versionsByName(after).has(version) ? "no longer serves" : "does not have";
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
