// What else changes about a definition: its scope and names, where objects are stored, how they are converted, which
// subresources they have?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { isObject, type JsonObject, own } from "../../model/json.ts";
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
import { named, type Observe } from "./observation.ts";

/** Changes of the definition as a whole, and of what its versions offer beside a schema. */
export function observeDefinitionChanges(change: DefinitionChange, objectsGiven: boolean, observe: Observe): void {
  identity(change, observe);
  storageMoves(change, observe);
  conversion(change, objectsGiven, observe);
  subresources(change, observe);
}

function identity({ before, after }: DefinitionChange, observe: Observe): void {
  if (before.scope !== after.scope)
    observe({
      code: "CRD104",
      version: "",
      path: "",
      message: `the scope changes from ${named(before.scope)} to ${named(after.scope)}`,
      help: `write scope: ${named(before.scope)} again; for another scope, define another kind and move the objects to it`,
      old: before.scope,
      new: after.scope,
      place: inside(after.place, "spec", "scope"),
    });
  const parts: readonly (readonly ["group" | "kind" | "plural", Place])[] = [
    ["group", inside(after.place, "spec", "group")],
    ["kind", inside(after.place, "spec", "names", "kind")],
    ["plural", inside(after.place, "spec", "names", "plural")],
  ];
  for (const [part, place] of parts) {
    if (before[part] === after[part]) continue;
    observe({
      code: "CRD105",
      version: "",
      path: "",
      message: `the ${part} changes from ${named(before[part])} to ${named(after[part])}`,
      help: `write ${part}: ${named(before[part])} again; another ${part} needs a definition of its own, and the objects moved to it`,
      old: before[part],
      new: after[part],
      place,
    });
  }
}

function storageMoves({ before, after }: DefinitionChange, observe: Observe): void {
  const [old, otherOld] = storageVersions(before);
  const [now, otherNow] = storageVersions(after);
  if (now === undefined || otherNow !== undefined) return;
  if (old !== undefined && otherOld === undefined && old !== now)
    observe({
      code: "CRD108",
      version: now,
      path: "",
      message: `objects are stored in ${named(now)} from now on, and were in ${named(old)}`,
      help: `${versionsByName(after).has(old) ? "keep" : "bring back"} ${named(old)} in the definition until every ${named(after.kind)} was written again and status.storedVersions no longer has ${named(old)}`,
      old,
      new: now,
      place: placeOfNamed(after, now, "storage"),
    });
  if (after.versions.some(({ name, served }) => name === now && served)) return;
  observe({
    code: "CRD109",
    version: now,
    path: "",
    message: `objects are stored in ${named(now)}, which is not served`,
    help: `write storage: true at a version that is served, or serve ${named(now)}`,
    place: placeOfNamed(after, now, "served"),
  });
}

function conversion({ before, after }: DefinitionChange, objectsGiven: boolean, observe: Observe): void {
  // A single version is read as itself.
  if (hasWebhook(before) && !hasWebhook(after) && versionsByName(after).size > 1)
    observe({
      code: "CRD110",
      version: "",
      path: "",
      message: "a webhook converted objects between versions, and no longer does",
      help: "keep spec.conversion until all objects are stored in one version and the schemas of the served versions are alike",
      old: before.conversionStrategy,
      new: after.conversionStrategy,
      place: inside(before.place, "spec", "conversion"),
    });
  if (hasWebhook(after) && objectsGiven)
    observe({
      code: "CRD111",
      version: "",
      path: "",
      message:
        "a webhook converts objects between versions: each was checked in the version in which it was given only",
      help: "give the objects in every version that is served, to check what the webhook makes of them",
      place: inside(after.place, "spec", "conversion"),
    });
}

function subresources(change: DefinitionChange, observe: Observe): void {
  const { after, kept } = change;
  for (const { name, old, new: now } of kept) {
    if (!old.subresources.includes("status") && now.subresources.includes("status"))
      observe({
        code: "CRD114",
        version: name,
        path: ".status",
        message: `${named(name)} has the subresource status from now on`,
        why: "what is written to the object itself no longer changes its status, and what is written to status changes nothing else",
        help: `make sure that whoever writes .status in ${named(name)} writes it to the subresource`,
        place: subresourcesPlace(after, name),
      });
    if (old.subresources.includes("scale") && now.subresources.includes("scale")) scalePaths(change, name, observe);
    for (const subresource of old.subresources) {
      if (now.subresources.includes(subresource)) continue;
      observe({
        code: "CRD112",
        version: name,
        path: "",
        message: `${named(name)} no longer has the subresource ${named(subresource)}`,
        help: `write subresources.${named(subresource)} at ${named(name)} again`,
        place: subresourcesPlace(after, name),
      });
    }
  }
}

const SCALE_PATHS: readonly string[] = ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];

function scalePaths({ before, after }: DefinitionChange, name: string, observe: Observe): void {
  const [old, now] = [scaleOf(before, name), scaleOf(after, name)];
  for (const key of SCALE_PATHS) {
    const [was, is] = [textIn(old, key), textIn(now, key)];
    if (was === is) continue;
    const [from, to] = [was, is].map((path) => (path === undefined ? "no field" : named(path)));
    observe({
      code: "CRD114",
      version: name,
      path: is ?? was ?? "",
      message: `${key} of the subresource scale of ${named(name)} is ${to}, and was ${from}`,
      why: "autoscalers and kubectl scale read and write another field than before",
      help:
        was === undefined
          ? `leave ${key} out, unless it is meant`
          : `write ${key}: ${named(was)} again, unless it is meant`,
      ...(was !== undefined && { old: was }),
      ...(is !== undefined && { new: is }),
      place: subresourcesPlace(after, name),
    });
  }
}

/** The subresource scale of a version, as written there or for all versions. */
function scaleOf(definition: CustomResourceDefinition, name: string): JsonObject {
  const mine = own(versionAsWritten(definition, name) ?? {}, "subresources");
  const written = isObject(mine) ? mine : own(specOf(definition), "subresources");
  const scale = isObject(written) ? own(written, "scale") : undefined;
  return isObject(scale) ? scale : {};
}

/** A path that is empty is none. */
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
