// May the administrator's ConfigMap of runtime constraints be written? Not with a mistake: nothing would be installed or updated any more. Its
// deletion is never denied.

import { bundleRule } from "../constraint/bundle-environment.ts";
import { celRules } from "../constraint/cel-rules.ts";
import { ConstraintReader, constraintOptions } from "../constraint/read-requirements.ts";
import { readRuntimeList } from "../input/objects/runtime-constraints.ts";
import { type ConfigMap, RUNTIME_KEY } from "../model/config-map.ts";
import { compareFindings, type Finding } from "../model/finding.ts";
import { type JsonObject, own, partOf } from "../model/json.ts";
import { textUnder } from "../model/labels.ts";
import { inside } from "../model/place.ts";
import { DEFAULT_OPTIONS } from "../model/problem.ts";
import { listFindings } from "../resolve/prepare/runtime-constraints.ts";
import { counted } from "../text/words.ts";
import { type AdmissionRequest, ALLOWED, denialOf, type Verdict } from "./admission-review.ts";
import { placedLine, type ReviewedObject, reviewedObject } from "./reviewed-object.ts";

/** Which ConfigMap has the runtime constraints. */
export interface ConstraintsName {
  readonly namespace: string;
  readonly name: string;
}

/** A change of the runtime constraints: the new text of the list; without one, the ConfigMap is deleted. */
export interface ProposedConstraints {
  readonly text?: string;
}

/** The verdict, and the change that it allows. */
export interface ConstraintsVerdict {
  readonly verdict: Verdict;
  readonly proposed?: ProposedConstraints;
}

/** Reviews any ConfigMap. */
export function reviewConstraints(request: AdmissionRequest, wanted: ConstraintsName): ConstraintsVerdict {
  const { namespace, operation, object, oldObject } = request;
  if (nameOf(request) !== wanted.name || operation === "CONNECT") return { verdict: ALLOWED };
  if (namespace !== wanted.namespace)
    return { verdict: operation === "DELETE" ? ALLOWED : { warnings: [elsewhere(request, wanted)] } };
  if (operation === "DELETE") return { verdict: ALLOWED, proposed: {} };
  const read = reviewedObject(object ?? {}, request);
  const [map] = read.objects.configMaps;
  const lines = mistakesOf(read, map);
  const isSame = oldObject !== undefined && textOf(oldObject) === textOf(read.object);
  if (lines.length > 0) {
    // Labels and finalizers of a broken list can be changed.
    if (isSame) return { verdict: { warnings: lines } };
    const isOne = lines.length === 1;
    const mistakes = counted(lines.length, "mistake");
    const what = `the runtime constraints have ${mistakes}; until ${isOne ? "it is" : "they are"} fixed, nothing is installed or updated`;
    return { verdict: { denial: denialOf(what, lines), warnings: [] } };
  }
  if (map === undefined) return { verdict: ALLOWED };
  const text = textUnder(map.data, RUNTIME_KEY) as string;
  return { verdict: { warnings: doubtsAbout(text, map, read) }, ...(!isSame && { proposed: { text } }) };
}

/** The name of the object. That of a request may be empty if several objects are deleted at once. */
function nameOf({ name, operation, oldObject }: AdmissionRequest): string {
  const deleted = operation === "DELETE" ? own(partOf(oldObject ?? {}, "metadata"), "name") : undefined;
  return typeof deleted === "string" ? deleted : name;
}

function elsewhere({ namespace, name }: AdmissionRequest, wanted: ConstraintsName): string {
  return `the ConfigMap ${namespace}/${name} has no effect: runtime constraints are read from ${wanted.namespace}/${wanted.name}`;
}

function textOf(object: JsonObject): unknown {
  return own(partOf(object, "data"), RUNTIME_KEY);
}

function mistakesOf(read: ReviewedObject, map: ConfigMap | undefined): readonly string[] {
  const reader = new ConstraintReader(constraintOptions(DEFAULT_OPTIONS));
  const ofList: readonly Finding[] = map === undefined ? [] : listFindings(map, readRuntimeList, reader);
  return [...read.findings, ...ofList]
    .filter(({ severity }) => severity === "error")
    .sort(compareFindings)
    .map(({ place, ...finding }) => placedLine(finding, place, read.object));
}

/** What is valid, and probably not meant: misspelt fields of properties in rules, for example. */
function doubtsAbout(text: string, map: ConfigMap, { object }: ReviewedObject): readonly string[] {
  const { items } = readRuntimeList(text, inside(map.place, "data", RUNTIME_KEY));
  return items.flatMap(({ property, placeInside }) =>
    celRules(property).flatMap((rule) =>
      bundleRule(rule.text).warnings.map(({ message, hint, start }) => {
        const [, ...path] = rule.path;
        return placedLine({ message, help: hint }, placeInside(path, { offset: start }), object);
      }),
    ),
  );
}
