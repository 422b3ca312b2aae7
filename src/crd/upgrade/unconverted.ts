// What happens to objects that only a webhook can convert, once it is gone? They are read as if they had been written in the
// version in which objects are stored from now on: fields that its schema does not have are lost.

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { inside } from "../../model/place.ts";
import type { Circumstances } from "./circumstances.ts";
import { type DefinitionChange, hasWebhook, storageVersions, versionsByName } from "./definition-change.ts";
import { type Observe, observation } from "./observation.ts";
import { isSameSchema } from "./read-schemas.ts";

/**
 * Of the versions in which objects may be stored, those that a webhook converted to the new storage version and nothing
 * converts any more. A version that goes is not among them, nor one whose schema is that of the new storage version.
 */
export function unconvertedVersions(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  stored: readonly string[],
): readonly string[] {
  const [storage, ...others] = storageVersions(after);
  if (!hasWebhook(before) || hasWebhook(after) || storage === undefined || others.length > 0) return [];
  const [old, now] = [versionsByName(before), versionsByName(after)];
  const target = now.get(storage)?.schema;
  return [...new Set(stored)].filter(
    (name) => name !== storage && now.has(name) && !isSameSchema(old.get(name)?.schema, target),
  );
}

/** The webhook goes, and objects may still be stored in versions that it converted. */
export function observeUnconverted(
  { before, after }: DefinitionChange,
  { stored }: Circumstances,
  observe: Observe,
): void {
  const [storage] = storageVersions(after);
  const [former] = storageVersions(before);
  const recorded = [...(stored ?? before.storedVersions), ...storageVersions(before)];
  for (const version of unconvertedVersions(before, after, recorded)) {
    const detail = { kind: before.kind, crd: before.name, storage: storage as string, isMoved: former !== storage };
    observe(observation("CRD119", version, inside(before.place, "spec", "conversion"), detail));
  }
}
