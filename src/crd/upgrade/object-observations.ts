// What is observed of an object?

import type { CustomResource, CustomResourceDefinition } from "../../model/custom-resource.ts";
import type { Json } from "../../model/json.ts";
import { inside, type Path, type Place } from "../../model/place.ts";
import type { CrdDetails, CrdSubject } from "../finding.ts";
import type { UndecidedReason } from "../validate/fault.ts";
import type { ObjectFault } from "../validate/validator.ts";
import { fieldOf, valueBelow } from "./field-at.ts";
import type { Observation } from "./observation.ts";
import { servedBy } from "./own-mistakes.ts";

/** How many faults or fields of one object are named. */
const MAX_STATED = 3;

type Faults = readonly ObjectFault[];

/** It would no longer be valid. `wouldDrop`: the old CRD would drop a field that is not there if it were written. */
export function invalid(
  object: CustomResource,
  version: string,
  faults: Faults,
  plural: string,
  wouldDrop: (path: Path) => boolean,
): Observation {
  const stuck = faults.slice(0, MAX_STATED).find(({ keyword, path }) => keyword === "required" && wouldDrop(path));
  const { path, keyword } = stuck ?? faults[0] ?? { path: [], keyword: "" };
  const detail = { plural, ...stated(faults), isRequired: keyword === "required" };
  return { code: "CRD301", detail, ...about(object, version, path), ...(stuck !== undefined && { isStuck: true }) };
}

/** It is not valid, and was not before. */
export function wasInvalid(object: CustomResource, version: string, faults: Faults, plural: string): Observation {
  return { code: "CRD303", detail: { plural, ...stated(faults) }, ...about(object, version, faults[0]?.path ?? []) };
}

/** Fields of it would be dropped; `isStored`: because it is stored in that version from now on. */
export function losesData(
  object: CustomResource,
  version: string,
  dropped: readonly Path[],
  plural: string,
  isStored: boolean,
): Observation {
  const fields = dropped.slice(0, MAX_STATED).map(fieldOf);
  const detail = { plural, fields, moreFields: Math.max(0, dropped.length - MAX_STATED), isStored };
  return { code: "CRD302", detail, ...about(object, version, dropped[0] ?? []) };
}

/** A limit was hit. */
export function notDecided(
  object: CustomResource,
  version: string,
  reason: UndecidedReason,
  plural: string,
): Observation {
  return { code: "CRD304", detail: { plural, kind: "limit", reason }, ...about(object, version, []) };
}

/** It is given in a version that the old CRD does not have. */
export function unknownVersion(object: CustomResource, { plural, versions }: CustomResourceDefinition): Observation {
  const names = versions.map(({ name }) => name);
  const detail = { plural, kind: "unknown-version", versions: names } as const;
  return { code: "CRD304", detail, ...about(object, object.version, ["apiVersion"]) };
}

/** A webhook converts it, and it is given in no version that is served before and after. */
export function nowhereValidated(object: CustomResource, after: CustomResourceDefinition): Observation {
  const isRemoved = !after.versions.some(({ name }) => name === object.version);
  const detail = { plural: after.plural, kind: "no-version", isRemoved, served: servedBy(after) } as const;
  return { code: "CRD304", detail, ...about(object, object.version, ["apiVersion"]) };
}

function about(
  { namespace, name, place, object }: CustomResource,
  version: string,
  path: Path,
): Pick<CrdSubject, "version" | "path" | "object"> & { readonly place: Place } {
  return {
    version,
    path: path.length === 0 ? "" : fieldOf(path),
    object: { ...(namespace !== undefined && { namespace }), name },
    place: nearest(place, object, path),
  };
}

function stated(faults: Faults): Pick<CrdDetails["CRD303"], "faults" | "moreFaults"> {
  return {
    faults: faults
      .slice(0, MAX_STATED)
      .map(({ path, detail }) => ({ field: path.length === 0 ? "" : fieldOf(path), detail })),
    moreFaults: Math.max(0, faults.length - MAX_STATED),
  };
}

/** The value at a path, or the nearest above it that is written: a field may be missing, or come from a default. */
function nearest(place: Place, object: Json, path: Path): Place {
  const steps: (string | number)[] = [];
  let value: Json | undefined = object;
  for (const step of path) {
    value = valueBelow(value, step);
    if (value === undefined) break;
    steps.push(step);
  }
  return steps.length === 0 ? place : inside(place, ...steps);
}
