// Where in the new CRD is a finding shown in a pull request, which has the new CRD only?

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import type { Json } from "../../model/json.ts";
import { inside, type Path, type Place } from "../../model/place.ts";
import type { CrdFinding } from "../finding.ts";
import { placeOfNamed, versionsByName } from "./definition-change.ts";
import { valueBelow } from "./field-at.ts";

/** The nearest place in the new CRD for a finding in the old one; other places are unchanged. */
export function placeInNew(
  { place }: CrdFinding,
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition,
): Place {
  const steps = before && stepsBelow(before.place, place);
  if (before === undefined || steps === undefined || stepsBelow(after.place, place) !== undefined) return place;
  const path = ofSameVersion(steps, before, after);
  let length = 0;
  for (let value: Json | undefined = after.object; length < path.length; length++) {
    value = valueBelow(value, path[length] as string | number);
    if (value === undefined) break;
  }
  return inside(after.place, ...path.slice(0, length));
}

/** The version of the new CRD that a finding is about, for a finding about an object that is in no file. */
export function placeOfSubject({ version }: CrdFinding, after: CustomResourceDefinition): Place {
  return placeOfNamed(after, version, "schema");
}

/** The steps from a document, or a value in it, to a place; nothing if it is elsewhere. */
function stepsBelow(from: Place, to: Place): Path | undefined {
  const [above, path] = [from.path ?? [], to.path ?? []];
  const isSame = from.source === to.source && from.line === to.line && from.column === to.column;
  return isSame && above.every((step, index) => step === path[index]) ? path.slice(above.length) : undefined;
}

/** A version may have another index in the new CRD; the path to one that is gone ends at the list of versions. */
function ofSameVersion(steps: Path, before: CustomResourceDefinition, after: CustomResourceDefinition): Path {
  const [spec, versions, index, ...rest] = steps;
  if (spec !== "spec" || versions !== "versions" || typeof index !== "number") return steps;
  const name = before.versions[index]?.name ?? "";
  if (!versionsByName(after).has(name)) return [spec, versions];
  return [spec, versions, after.versions.findIndex((version) => version.name === name), ...rest];
}
