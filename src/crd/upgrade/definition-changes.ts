// What else changes about a definition: its scope and names, where objects are stored, how they are converted, which
// subresources they have?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { given, isObject, type JsonObject, own } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import {
  type DefinitionChange,
  hasWebhook,
  placeOfNamed,
  specOf,
  storageVersions,
  versionAsWritten,
  versionsByName,
} from "./definition-change.ts";
import { type Observe, observation } from "./observation.ts";

/** Changes of the definition as a whole, and of everything in its versions except the schema. */
export function observeDefinitionChanges(change: DefinitionChange, objectsGiven: boolean, observe: Observe): void {
  identity(change, observe);
  storageMoves(change, observe);
  conversion(change, objectsGiven, observe);
  subresources(change, observe);
}

function identity({ before, after }: DefinitionChange, observe: Observe): void {
  const [from, to] = [before.scope, after.scope];
  if (from !== to)
    observe(observation("CRD104", "", inside(after.place, "spec", "scope"), { from, to }, { old: from, new: to }));
  for (const [part, ...above] of [["group"], ["kind", "names"], ["plural", "names"]] as const) {
    const [from, to] = [before[part], after[part]];
    if (from === to) continue;
    const place = inside(after.place, "spec", ...above, part);
    observe(observation("CRD105", "", place, { part, from, to }, { old: from, new: to }));
  }
}

function storageMoves({ before, after }: DefinitionChange, observe: Observe): void {
  const [old, otherOld] = storageVersions(before);
  const [now, otherNow] = storageVersions(after);
  if (now === undefined || otherNow !== undefined) return;
  if (old !== undefined && otherOld === undefined && old !== now) {
    const detail = { from: old, kind: after.kind, isKept: versionsByName(after).has(old) };
    observe(observation("CRD108", now, placeOfNamed(after, now, "storage"), detail, { old, new: now }));
  }
  if (after.versions.some(({ name, served }) => name === now && served)) return;
  observe(observation("CRD109", now, placeOfNamed(after, now, "served"), {}));
}

function conversion({ before, after }: DefinitionChange, objectsGiven: boolean, observe: Observe): void {
  // A single version is read as itself.
  if (hasWebhook(before) && !hasWebhook(after) && versionsByName(after).size > 1) {
    const strategies = { old: before.conversionStrategy, new: after.conversionStrategy };
    observe(observation("CRD110", "", inside(before.place, "spec", "conversion"), {}, strategies));
  }
  if (hasWebhook(after) && objectsGiven)
    observe(observation("CRD111", "", inside(after.place, "spec", "conversion"), {}));
}

function subresources(change: DefinitionChange, observe: Observe): void {
  const { after, kept } = change;
  for (const { name, old, new: now } of kept) {
    if (!old.subresources.includes("status") && now.subresources.includes("status"))
      observe(
        observation("CRD114", name, subresourcesPlace(after, name), { subresource: "status" }, { path: ".status" }),
      );
    if (old.subresources.includes("scale") && now.subresources.includes("scale")) scalePaths(change, name, observe);
    for (const subresource of old.subresources) {
      if (now.subresources.includes(subresource)) continue;
      observe(observation("CRD112", name, subresourcesPlace(after, name), { subresource }));
    }
  }
}

const SCALE_PATHS: readonly string[] = ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];

function scalePaths({ before, after }: DefinitionChange, name: string, observe: Observe): void {
  const [old, now] = [scaleOf(before, name), scaleOf(after, name)];
  for (const key of SCALE_PATHS) {
    const [was, is] = [textIn(old, key), textIn(now, key)];
    if (was === is) continue;
    const detail = { subresource: "scale", key, ...given({ from: was, to: is }) } as const;
    const more = { path: is ?? was ?? "", ...given({ old: was, new: is }) };
    observe(observation("CRD114", name, subresourcesPlace(after, name), detail, more));
  }
}

/** The subresource scale of a version, as written there or for all versions. */
function scaleOf(definition: CustomResourceDefinition, name: string): JsonObject {
  const mine = own(versionAsWritten(definition, name) ?? {}, "subresources");
  const written = isObject(mine) ? mine : own(specOf(definition), "subresources");
  const scale = isObject(written) ? own(written, "scale") : undefined;
  return isObject(scale) ? scale : {};
}

/** An empty path counts as absent. */
function textIn(object: JsonObject, key: string): string | undefined {
  const text = own(object, key);
  return typeof text === "string" && text !== "" ? text : undefined;
}

function subresourcesPlace(after: CustomResourceDefinition, name: string): Place {
  const written = versionAsWritten(after, name);
  const isShared = written === undefined || !Object.hasOwn(written, "subresources");
  if (isShared && Object.hasOwn(specOf(after), "subresources")) return inside(after.place, "spec", "subresources");
  return placeOfNamed(after, name, "subresources");
}
