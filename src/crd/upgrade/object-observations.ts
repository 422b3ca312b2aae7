// How is it said what becomes of an object?

import type { CustomResource, CustomResourceDefinition } from "../../model/custom-resource.ts";
import type { Json } from "../../model/json.ts";
import { inside, type Path, type Place } from "../../model/place.ts";
import type { CrdCode } from "../rule.ts";
import type { ObjectFault } from "../validate/validator.ts";
import { fieldOf, valueBelow } from "./field-at.ts";
import { named, namedAll, type Observation } from "./observation.ts";

/** How many faults of one object are put into words. */
const MAX_STATED = 3;
const MAX_FAULT_LENGTH = 300;

/** It would no longer be valid. `wouldDrop`: the old CRD would drop a field that is not there if it were written. */
export function invalid(
  object: CustomResource,
  version: string,
  faults: readonly ObjectFault[],
  after: CustomResourceDefinition,
  wouldDrop: (path: Path) => boolean,
): Observation {
  const message = `${nameOf(object, after)}: ${inWords(faults)}`;
  const stuck = faults.slice(0, MAX_STATED).find(({ keyword, path }) => keyword === "required" && wouldDrop(path));
  const { path, keyword } = stuck ?? faults[0] ?? { path: [], keyword: "" };
  const [field, schema] = [fieldOf(path), `the schema of ${named(version)}`];
  const help =
    stuck !== undefined
      ? `nothing can be done to the object now, because the old schema would drop ${field}: give ${field} a default in ${schema}, ship a version in between that has it without requiring it, or add it to the CRD of the cluster first and then set it in the object`
      : keyword === "required"
        ? `set ${field} in the object before the upgrade; or leave it optional in ${schema}, or give it a default`
        : `change ${field} of the object before the upgrade, so that it is valid under both definitions; or let ${schema} allow it`;
  const observation = about("CRD301", object, version, path, message, help);
  return stuck === undefined ? observation : { ...observation, isStuck: true };
}

/** It is not valid, and was not before. */
export function wasInvalid(
  object: CustomResource,
  version: string,
  faults: readonly ObjectFault[],
  after: CustomResourceDefinition,
): Observation {
  const path = faults[0]?.path ?? [];
  const message = `${nameOf(object, after)} was not valid before: ${inWords(faults)}`;
  const help = `mend ${fieldOf(path)} of the object: as it is, the API server takes no change of it in ${named(version)}`;
  return about("CRD303", object, version, path, message, help);
}

/** Fields of it would be dropped; `isStored`: because it is stored in that version from now on. */
export function losesData(
  object: CustomResource,
  version: string,
  dropped: readonly Path[],
  after: CustomResourceDefinition,
  isStored: boolean,
): Observation {
  const path = dropped[0] ?? [];
  const fields = dropped.slice(0, MAX_STATED).map(fieldOf);
  const more = dropped.length > MAX_STATED ? ` and ${dropped.length - MAX_STATED} more` : "";
  const message = `${nameOf(object, after)} loses ${fields.map(shortened).join(", ")}${more}: the schema of ${named(version)} does not have it`;
  const help = `keep ${fieldOf(path)} in the schema of ${named(version)}, or copy its value to where the new operator looks for it before the upgrade`;
  const why = `whichever version it is written in, it is stored in ${named(version)} from now on: the value is gone then`;
  return { ...about("CRD302", object, version, path, message, help), ...(isStored && { why }) };
}

/** A limit was hit. */
export function notDecided(
  object: CustomResource,
  version: string,
  why: string,
  after: CustomResourceDefinition,
): Observation {
  const help = `try the change on a cluster: kubectl apply --dry-run=server with the new CRD and the object in ${named(version)}`;
  const message = `${nameOf(object, after)} was not checked to its end: ${shortened(why)}`;
  return about("CRD304", object, version, [], message, help);
}

/** It is given in a version that there is not. */
export function unknownVersion(object: CustomResource, before: CustomResourceDefinition): Observation {
  const versions = before.versions.map(({ name }) => name);
  const message = `${nameOf(object, before)} is given in ${named(object.version)}, but the definition that is there has ${namedAll(versions)}`;
  const help = `give the object in ${namedAll(versions, "or")}, or give the definition that is really on the cluster as the old one`;
  const why =
    "an object that the cluster cannot have in that version says nothing about the upgrade: it was not checked";
  return { ...about("CRD304", object, object.version, ["apiVersion"], message, help), why };
}

/** A webhook converts it, and it is given in no version that is served before and after. */
export function nowhereJudged(object: CustomResource, after: CustomResourceDefinition): Observation {
  const given = after.versions.find(({ name }) => name === object.version);
  const lacks = given === undefined ? "the new CRD does not have" : "is not served before and after";
  const served = after.versions.filter((version) => version.served).map(({ name }) => name);
  const message = `${nameOf(object, after)} is given in ${named(object.version)}, which ${lacks}: it was not checked`;
  const help = `give the object in ${namedAll(served, "or")}, as the API server converts it today`;
  const why = "a webhook converts objects: what this one is in another version is not known here";
  return { ...about("CRD304", object, object.version, ["apiVersion"], message, help), why };
}

function about(
  code: CrdCode,
  object: CustomResource,
  version: string,
  path: Path,
  message: string,
  help: string,
): Observation {
  const { namespace, name } = object;
  const field = path.length === 0 ? "" : fieldOf(path);
  return { code, version, path: field, message, help, object: { namespace, name }, place: nearest(object, path) };
}

/** `winches "old-faithful" in namespace quay-north`. */
function nameOf({ name, namespace }: CustomResource, { plural }: CustomResourceDefinition): string {
  const where = namespace === undefined ? "" : ` in namespace ${named(namespace)}`;
  return `${named(plural)} ${JSON.stringify(shortened(name))}${where}`;
}

function inWords(faults: readonly ObjectFault[]): string {
  const said = faults.slice(0, MAX_STATED).map(faultInWords);
  if (faults.length > MAX_STATED) said.push(`and ${faults.length - MAX_STATED} more`);
  return said.join("; ");
}

/** What a rule says is a sentence of its own. */
function faultInWords({ path, keyword, message }: ObjectFault): string {
  const field = path.length === 0 ? "the object" : fieldOf(path);
  return shortened(keyword === "x-kubernetes-validations" ? `${field}: ${message}` : `${field} ${message}`);
}

function shortened(text: string): string {
  return text.length <= MAX_FAULT_LENGTH ? text : `${text.slice(0, MAX_FAULT_LENGTH)}…`;
}

/** The value at a path, or the nearest above it that is written: a field may be missing, or come from a default. */
function nearest({ place, object }: CustomResource, path: Path): Place {
  const steps: (string | number)[] = [];
  let value: Json | undefined = object;
  for (const step of path) {
    value = valueBelow(value, step);
    if (value === undefined) break;
    steps.push(step);
  }
  return steps.length === 0 ? place : inside(place, ...steps);
}
