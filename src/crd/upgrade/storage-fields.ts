// Which fields can be written in a version and are never stored? Without a webhook what is written in any version is stored
// as the storage version has it (schemaCoercingConverter of apiextensions-apiserver v0.37).

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import {
  type DefinitionChange,
  hasWebhook,
  storageMove,
  storageVersions,
  versionsByName,
} from "./definition-change.ts";
import { droppedBetween } from "./dropped-fields.ts";
import type { Observe } from "./observation.ts";
import { schemaPlace } from "./schema-changes.ts";

/** How many fields of one version are named. */
const MAX_STATED = 3;

/** Fields of served versions that the storage version does not have, except those that were not stored before either. */
export function observeStorageFields(change: DefinitionChange, observe: Observe): void {
  const { before, after } = change;
  const storage = storageOf(after);
  if (storage === undefined || hasWebhook(after) || after.preserveUnknownFields) return;
  for (const [name, version] of versionsByName(after)) {
    // From the old storage version to the new one, every difference is reported by itself.
    if (!version.served || name === storage.name || name === storageMove(change)?.from.name) continue;
    const known = lostBefore(before, name);
    const lost = droppedBetween(version, storage).filter(({ path }) => !known.has(path));
    const [first] = lost;
    if (first === undefined) continue;
    observe({
      code: "CRD113",
      version: name,
      path: first.path,
      detail: {
        storage: storage.name,
        fields: lost.slice(0, MAX_STATED).map(({ code, path }) => ({ path, isAny: code !== "CRD209" })),
        moreFields: Math.max(0, lost.length - MAX_STATED),
      },
      place: schemaPlace(after, version, first),
    });
  }
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
