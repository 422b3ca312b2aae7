// May a Placement be written? Not with a mistake for which nothing would be decided, and which the write brings in: one that was there before
// only warns, so that an update of another field, or of half of the mistakes, is possible (as in Kubernetes' ratcheting).

import type { Finding } from "../model/finding.ts";
import { canonicalText, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { placementDoubts, withoutOwnFields } from "../placement/placement-findings.ts";
import { DEFAULT_MODE, OCM_MODE } from "../placement/placement-mode.ts";
import type { Mistake } from "../placement/placement-result.ts";
import { isIgnored } from "../placement/prepare/prepare.ts";
import { faultText } from "../render/sentence/placement-fault.ts";
import { counted } from "../text/words.ts";
import { type AdmissionRequest, ALLOWED, denialOf, type Verdict } from "./admission-review.ts";
import { placedLine, reviewedObject } from "./reviewed-object.ts";

/** Reviews a Placement. `compat`: it will be decided as OCM decides it. */
export function reviewPlacement(request: AdmissionRequest, compat: boolean): Verdict {
  const { operation, oldObject } = request;
  if (operation === "DELETE" || operation === "CONNECT") return ALLOWED;
  const object = named(request);
  if (oldObject !== undefined && isSame(oldObject, object, "spec")) return ALLOWED;
  const { mistakes, warnings, isIgnored } = judged(object, request, compat);
  if (isIgnored) return { warnings: [...linesOf(mistakes), ...warnings] };
  const before = oldObject === undefined || mistakes.length === 0 ? [] : judged(oldObject, request, compat).mistakes;
  const { added, kept } = divided(mistakes, before);
  const rest = [...linesOf(kept), ...warnings];
  if (added.length === 0) return { warnings: rest };
  const what = `the Placement has ${counted(added.length, "mistake")}; it would not be evaluated`;
  return { denial: denialOf(what, linesOf(added)), warnings: rest };
}

/** The object with a name: of one with a `generateName` it is made later, of this and five characters. */
function named({ object = {}, name }: AdmissionRequest): JsonObject {
  const metadata = partOf(object, "metadata");
  if (typeof own(metadata, "name") === "string") return object;
  const generated = own(metadata, "generateName");
  const made = name === "" && typeof generated === "string" ? `${generated}xxxxx` : name;
  return { ...object, metadata: { ...metadata, name: made } };
}

function isSame(a: JsonObject, b: JsonObject, field: string): boolean {
  return canonicalText(own(a, field) ?? null) === canonicalText(own(b, field) ?? null);
}

/** A mistake in words, and what is the same of two that are the same mistake, wherever they are. */
interface Judged {
  readonly line: string;
  readonly sameness: string;
}

function judged(
  object: JsonObject,
  request: AdmissionRequest,
  compat: boolean,
): { readonly mistakes: readonly Judged[]; readonly warnings: readonly string[]; readonly isIgnored: boolean } {
  const read = reviewedObject(object, request);
  const { placements } = read.objects;
  const [placement] = placements;
  const findings = withoutOwnFields(read.findings, placements).filter(isOfSpec);
  const ofReader = findings.map((finding) => ({ finding, line: placedLine(finding, finding.place, object) }));
  const { mistakes, warnings } =
    placement === undefined ? NONE : placementDoubts(placement, compat ? OCM_MODE : DEFAULT_MODE);
  const isError = ({ finding }: { readonly finding: Finding }): boolean => finding.severity === "error";
  return {
    mistakes: [
      ...ofReader
        .filter(isError)
        .map(({ finding, line }) => ({ line, sameness: samenessOf(finding, object, finding.message) })),
      ...mistakes.map((mistake) => ({
        line: lineOf(mistake, object),
        sameness: samenessOf(mistake, object, wrongIn(mistake)),
      })),
    ],
    warnings: [
      ...warnings.map((mistake) => lineOf(mistake, object)),
      ...ofReader.filter((one) => !isError(one)).map(({ line }) => line),
    ],
    isIgnored: placement !== undefined && isIgnored(placement),
  };
}

const NONE = { mistakes: [], warnings: [] };

/** The status is written by controllers, and is not reviewed. */
function isOfSpec({ place: { path = [] } }: Finding): boolean {
  return path[0] !== "status";
}

function lineOf({ fault, place }: Mistake, object: JsonObject): string {
  // The words about an expression say where it is; so does the place.
  const { message, hint } = fault.kind === "expression" ? fault : faultText(fault);
  return placedLine({ message, help: hint }, place, object);
}

/** A mistake stays the same if its field moves with its list, and is another one if its field changes. */
function samenessOf({ place: { path = [] } }: Pick<Mistake, "place">, object: JsonObject, what: Json): string {
  const steps = path.map((step) => (typeof step === "number" ? 0 : step));
  return canonicalText([steps, what, valueAt(object, path)]);
}

/** What is wrong, without where and how often. */
function wrongIn({ fault }: Mistake): Json {
  return Object.fromEntries(Object.entries(fault).filter(([field]) => !WHERE.has(field)));
}

const WHERE: ReadonlySet<string> = new Set(["predicate", "index", "path", "count"]);

function valueAt(object: JsonObject, path: Path): Json {
  let value: Json = object;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return null;
    value = (value as Readonly<Record<string | number, Json>>)[step] as Json;
  }
  return value;
}

/** The mistakes that were not there before, each as often as it is new; and the others. */
function divided(
  mistakes: readonly Judged[],
  before: readonly Judged[],
): { readonly added: readonly Judged[]; readonly kept: readonly Judged[] } {
  const left = new Map<string, number>();
  for (const { sameness } of before) left.set(sameness, (left.get(sameness) ?? 0) + 1);
  const added: Judged[] = [];
  const kept: Judged[] = [];
  for (const mistake of mistakes) {
    const count = left.get(mistake.sameness) ?? 0;
    left.set(mistake.sameness, count - 1);
    (count > 0 ? kept : added).push(mistake);
  }
  return { added, kept };
}

function linesOf(mistakes: readonly Judged[]): readonly string[] {
  return mistakes.map(({ line }) => line);
}
