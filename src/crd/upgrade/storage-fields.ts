// Which fields can be written in a version and are never stored? Without a webhook what is written in any version is stored
// as the storage version has it (schemaCoercingConverter of apiextensions-apiserver v0.37).

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import { inside, keyOf } from "../../model/place.ts";
import type { SchemaDifference } from "../compare/difference.ts";
import {
  type DefinitionChange,
  hasWebhook,
  storageMove,
  storageVersions,
  versionsByName,
} from "./definition-change.ts";
import { droppedBetween } from "./dropped-fields.ts";
import { subjectOf } from "./field-at.ts";
import { named, type Observe } from "./observation.ts";

/** How many fields of one version are named. */
const MAX_STATED = 3;

/** Fields of served versions that the storage version does not have; those that were not stored before are not told again. */
export function observeStorageFields(change: DefinitionChange, observe: Observe): void {
  const { before, after } = change;
  const storage = storageOf(after);
  if (storage === undefined || hasWebhook(after) || after.preserveUnknownFields) return;
  for (const [name, version] of versionsByName(after)) {
    // Where objects were stored, every difference from where they will be is told by itself.
    if (!version.served || name === storage.name || name === storageMove(change)?.from.name) continue;
    const known = lostBefore(before, name);
    const lost = droppedBetween(version, storage).filter(({ path }) => !known.has(path));
    const [first] = lost;
    if (first === undefined) continue;
    const fields = lost.slice(0, MAX_STATED).map(fieldOf);
    if (lost.length > MAX_STATED) fields.push(`${lost.length - MAX_STATED} more`);
    const [here, there] = [named(name), named(storage.name)];
    observe({
      code: "CRD113",
      version: name,
      path: first.path,
      message: `${here} has ${fields.join(", ")}, but objects are stored in ${there}, which does not`,
      help: `add ${lost.length === 1 ? "it" : "them"} to the schema of ${there}, write storage: true at ${here} instead, or convert objects by a webhook`,
      place:
        first.code === "CRD209"
          ? keyOf(inside(after.place, ...version.schemaAt, ...first.at.slice(0, -1)), String(first.at.at(-1)))
          : inside(after.place, ...version.schemaAt, ...first.at),
    });
  }
}

function fieldOf({ code, path }: SchemaDifference): string {
  return code === "CRD209" ? subjectOf(path) : `any field in ${subjectOf(path)}`;
}

function storageOf(definition: CustomResourceDefinition): CustomResourceVersion | undefined {
  const [name, other] = storageVersions(definition);
  return name === undefined || other !== undefined ? undefined : versionsByName(definition).get(name);
}

function lostBefore(before: CustomResourceDefinition, name: string): ReadonlySet<string> {
  const [version, storage] = [versionsByName(before).get(name), storageOf(before)];
  if (!version?.served || storage === undefined || hasWebhook(before) || before.preserveUnknownFields) return new Set();
  return new Set(droppedBetween(version, storage).map(({ path }) => path));
}
