// Which versions are removed, or no longer served, although objects are stored in them or operators use them?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { inside, type Place } from "../../model/place.ts";
import type { CrdDetails } from "../finding.ts";
import type { ApiUser, Circumstances } from "./circumstances.ts";
import { type DefinitionChange, placeOfNamed, storageVersions, versionsByName } from "./definition-change.ts";
import { type Observation, type Observe, observation } from "./observation.ts";
import { servedBy, usersOf } from "./own-mistakes.ts";

/** Versions that go although objects are stored in them, or operators work with them. */
export function observeVersionChanges(change: DefinitionChange, circumstances: Circumstances, observe: Observe): void {
  storedVersions(change, circumstances, observe);
  servedVersions(change, circumstances.compat, observe);
  unservedVersions(change, observe);
  const { before, after } = change;
  for (const user of lost(change, circumstances.requiredBy)) observe(lostVersion("CRD103", user, before, after));
  for (const user of lost(change, circumstances.ownedBy)) observe(lostVersion("CRD106", user, before, after));
}

/** Versions that have to be served and are not. A version that neither definition has is ignored. */
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
      observe(lostVersion("CRD103", user, before, after));
  }
}

/** The definition is removed: no operator looks after its objects. */
export function observeRemoval(before: CustomResourceDefinition, circumstances: Circumstances, observe: Observe): void {
  const others = usersOf(before, circumstances.ownedBy);
  const owners = [...new Set(others.map(({ by }) => by))];
  observe(observation("CRD107", "", before.place, { crd: before.name, plural: before.plural, owners }));
  for (const user of usersOf(before, circumstances.requiredBy)) {
    const { version } = user;
    if (!isServed(before, version) || others.some((owner) => owner.version === version)) continue;
    observe(requiredButGone(user, before));
  }
}

function requiredButGone(user: ApiUser, before: CustomResourceDefinition): Observation {
  const { version } = user;
  const detail = { kind: before.kind, crd: before.name, lost: "definition-removed", served: [] } as const;
  return observation("CRD103", version, placeOfNamed(before, version, "served"), detail, named(user));
}

/** The versions in which objects may be stored, as far as that is recorded; nothing if it is unknown. */
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
  // The current storage version counts even if it is not recorded.
  const names = new Set([...recorded, ...storageVersions(before)]);
  const storage = storageVersions(after)[0];
  for (const name of names) {
    if (remaining.has(name)) continue;
    observe(
      observation("CRD101", name, placeGone(before, after, name, "storage"), {
        kind: before.kind,
        crd: before.name,
        isRecorded: recorded.has(name),
        ...(storage !== undefined && { storage }),
        left: [...names].filter((one) => remaining.has(one)),
      }),
    );
  }
  for (const [name, { served }] of versionsByName(before)) {
    if (remaining.has(name) || names.has(name)) continue;
    if (known === undefined)
      observe(observation("CRD115", name, placeGone(before, after, name, "storage"), { crd: before.name }));
    else if (!served) observe(observation("CRD117", name, placeGone(before, after, name, "served"), {}));
  }
}

function servedVersions({ before, after }: DefinitionChange, compat: boolean, observe: Observe): void {
  const remaining = versionsByName(after);
  for (const [name, { served }] of versionsByName(before)) {
    if (!served || remaining.has(name)) continue;
    observe(observation("CRD102", name, placeGone(before, after, name, "served"), { compat }));
  }
}

/** Versions that stay and are no longer served; if none is served at all, only that is reported. */
function unservedVersions({ before, after, kept }: DefinitionChange, observe: Observe): void {
  if (!after.versions.some(({ served }) => served)) {
    if (before.versions.some(({ served }) => served)) observe(noneServed(after));
    return;
  }
  for (const { name, old, new: now } of kept) {
    if (!old.served || now.served) continue;
    observe(observation("CRD116", name, placeOfNamed(after, name, "served"), { served: servedBy(after) }));
  }
}

function noneServed(after: CustomResourceDefinition): Observation {
  const [storage] = storageVersions(after);
  return observation("CRD118", "", inside(after.place, "spec", "versions"), {
    kind: after.kind,
    ...(storage !== undefined && { storage }),
  });
}

/** Users of a version that was served and no longer is. */
function lost({ before, after }: DefinitionChange, users: readonly ApiUser[]): readonly ApiUser[] {
  return usersOf(before, users).filter(({ version }) => isServed(before, version) && !isServed(after, version));
}

function isServed(definition: CustomResourceDefinition, version: string): boolean {
  return versionsByName(definition).get(version)?.served === true;
}

function lostVersion(
  code: "CRD103" | "CRD106",
  user: ApiUser,
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition,
): Observation {
  const { version } = user;
  const place =
    before === undefined ? placeOfNamed(after, version, "served") : placeGone(before, after, version, "served");
  return observation(code, version, place, lostDetail(before, after, version), named(user));
}

function named({ by, runsIn }: ApiUser): Pick<Observation, "user" | "userIn"> {
  return { user: by, ...(runsIn !== undefined && { userIn: runsIn }) };
}

function lostDetail(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition,
  version: string,
): CrdDetails["CRD106"] {
  const { kind, name: crd } = before ?? after;
  const wasServed = before !== undefined && isServed(before, version);
  const lost = !versionsByName(after).has(version) ? "removed" : wasServed ? "no-longer-served" : "not-served";
  return { kind, crd, lost, served: servedBy(after) };
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
