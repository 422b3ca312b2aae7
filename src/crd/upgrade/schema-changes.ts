// What differs between the schemas of a version before and after, between the versions that are served, and between the
// version in which objects were stored and the one in which they will be?

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import { canonicalText } from "../../model/json.ts";
import { inside, keyOf, type Place } from "../../model/place.ts";
import { areAllCompared, differencesBetweenVersions, type VersionSchema } from "../compare/between-versions.ts";
import { compareSchemas, type KeptUnknown } from "../compare/compare-schemas.ts";
import type { SchemaDifference } from "../compare/difference.ts";
import type { VersionPair } from "../finding.ts";
import {
  type DefinitionChange,
  hasWebhook,
  type KeptVersion,
  onlyStorage,
  onlyWays,
  placeOfNamed,
  storageMove,
  versionsByName,
} from "./definition-change.ts";
import { drops } from "./dropped-fields.ts";
import { type Observation, type Observe, observation } from "./observation.ts";
import { isSameSchema, readOnce } from "./read-schemas.ts";

/** Differences of schemas, version by version, then between versions that are served side by side. */
export function observeSchemaChanges(change: DefinitionChange, compat: boolean, observe: Observe): void {
  for (const version of change.kept) withinVersion(change, version, observe);
  if (hasWebhook(change.after)) return;
  const known = new Set<string>();
  betweenVersions(change, compat, (observation) => {
    known.add(keyOfObservation(observation));
    observe(observation);
  });
  // OLM v1 does not ask where objects are stored.
  if (compat) return;
  fromStorage(change, (observation) => {
    if (!known.has(keyOfObservation(observation))) observe(observation);
  });
}

/** The same difference, whether it matters between served versions or between storage versions. */
function keyOfObservation({ version, code, path, old, new: now }: Observation): string {
  return canonicalText([version, code, path, old === undefined ? [] : [old], now === undefined ? [] : [now]]);
}

function withinVersion({ before, after }: DefinitionChange, version: KeptVersion, observe: Observe): void {
  const { name, old, new: now, hasSameSchema } = version;
  if (hasSameSchema) return;
  if (old.schema === undefined || now.schema === undefined) {
    observe(schemaComesOrGoes(after, version));
    return;
  }
  const kept = keptUnknown(before, after);
  for (const difference of compareSchemas(readOnce(old.schema).schema, readOnce(now.schema).schema, kept)) {
    const place = difference.gone ? schemaPlace(before, old, difference) : schemaPlace(after, now, difference);
    observe(observed(difference, place, name, name));
  }
}

/** A definition of v1beta1 may keep what no schema names. */
function keptUnknown(before: CustomResourceDefinition, after: CustomResourceDefinition): KeptUnknown {
  return { old: before.preserveUnknownFields, new: after.preserveUnknownFields };
}

/** Without a schema, anything may be stored. */
function schemaComesOrGoes(after: CustomResourceDefinition, { name, new: now }: KeptVersion): Observation {
  const isNew = now.schema !== undefined;
  const place = isNew ? inside(after.place, ...now.schemaAt) : placeOfNamed(after, name);
  const detail = { kind: "schema", isNew, areKept: after.preserveUnknownFields } as const;
  return observation("CRD215", name, place, detail, { path: ".", effect: isNew ? "tighter" : "looser" });
}

/** What differed before already is left out, unless a webhook took care of it (OLM v1 does not ask for that). */
function betweenVersions({ before, after, kept }: DefinitionChange, compat: boolean, observe: Observe): void {
  const wereConverted = hasWebhook(before) && !compat;
  const served = after.versions.filter((version) => version.served);
  const stays = new Set(kept.filter(({ old, hasSameSchema }) => old.served && hasSameSchema).map(({ name }) => name));
  if (served.length < 2 || (!wereConverted && served.every(({ name }) => stays.has(name)))) return;
  const versions = versionsByName(after);
  const names = new Set(served.map(({ name }) => name));
  const known = wereConverted ? [] : schemasOf(before).filter(({ name }) => names.has(name));
  const schemas = schemasOf(after);
  if (!areAllCompared(schemas) || !areAllCompared(known)) observe(onlyNeighbours(after, served.length));
  for (const { from, to, difference } of differencesBetweenVersions(known, schemas, keptUnknown(before, after))) {
    const name = difference.gone ? from : to;
    const version = versions.get(name);
    const place = version === undefined ? placeOfNamed(after, name) : schemaPlace(after, version, difference);
    observe(observed(difference, place, `${from} -> ${to}`, to, { from, to, because: "served" }));
  }
}

/** What was stored so far is stored in another version from now on, or can be read in another one only. */
function fromStorage(change: DefinitionChange, observe: Observe): void {
  const from = onlyStorage(change.before);
  if (from === undefined) return;
  const moved = storageMove(change)?.to;
  for (const to of new Set([...(moved === undefined ? [] : [moved]), ...onlyWays(change)]))
    if (to.name !== from.name && to.schema !== undefined && !isSameSchema(from.schema, to.schema))
      fromStorageTo(change, from, to, to === moved, observe);
}

function fromStorageTo(
  { before, after }: DefinitionChange,
  from: CustomResourceVersion,
  to: CustomResourceVersion,
  isStored: boolean,
  observe: Observe,
): void {
  const pair: VersionPair = { from: from.name, to: to.name, because: isStored ? "stored" : "read" };
  const version = `${from.name} -> ${to.name}`;
  if (from.schema === undefined || to.schema === undefined) {
    const areKept = after.preserveUnknownFields;
    const detail = { kind: "first-schema", areKept, between: pair } as const;
    const more = { path: ".", shownBy: to.name, effect: areKept ? "different" : "tighter" } as const;
    observe(observation("CRD215", version, inside(after.place, ...to.schemaAt), detail, more));
    return;
  }
  const kept = keptUnknown(before, after);
  for (const difference of compareSchemas(readOnce(from.schema).schema, readOnce(to.schema).schema, kept)) {
    const place = difference.gone ? schemaPlace(before, from, difference) : schemaPlace(after, to, difference);
    observe(observed(difference, place, version, to.name, { ...pair, isDropped: drops(difference) }));
  }
}

function onlyNeighbours(after: CustomResourceDefinition, served: number): Observation {
  return observation("CRD007", "", inside(after.place, "spec", "versions"), { kind: "neighbours", served });
}

/** Each version once: of two with the same name, the first. A version without a schema has nothing to differ in. */
function schemasOf(definition: CustomResourceDefinition): readonly VersionSchema[] {
  return [...versionsByName(definition).values()].flatMap(({ name, served, schema }) =>
    schema === undefined ? [] : [{ name, served, schema: readOnce(schema).schema, size: readOnce(schema).size }],
  );
}

function observed(
  difference: SchemaDifference,
  place: Place,
  version: string,
  shownBy: string,
  between?: VersionPair,
): Observation {
  const { code, path, effect, unseenByOlm, old, new: now, detail: change } = difference;
  // What is required is the field that the path names.
  const isShown = now !== undefined && code !== "CRD202";
  return {
    code,
    version,
    path,
    detail: { kind: "difference", change, effect, isNew: old === undefined, ...(between && { between }) },
    ...(old !== undefined && { old }),
    ...(isShown && { new: now }),
    place,
    effect,
    unseenByOlm,
    shownBy,
  };
}

/** The place of a difference in the schema of a version. */
export function schemaPlace(
  definition: CustomResourceDefinition,
  { schemaAt }: CustomResourceVersion,
  { code, at }: SchemaDifference,
): Place {
  const field = at.at(-1);
  // Of a field that is gone, its name is shown, not the first line of its schema.
  if (code === "CRD209" && typeof field === "string")
    return keyOf(inside(definition.place, ...schemaAt, ...at.slice(0, -1)), field);
  return inside(definition.place, ...schemaAt, ...at);
}
