// Which parts of the new schemas cannot be used? What was wrong before already is left out, unless it was not read and is
// not the same any more: no comparison would show that change.

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import { addTo } from "../../model/grouped.ts";
import { canonicalText, type Json, type JsonObject } from "../../model/json.ts";
import { inside, type Path } from "../../model/place.ts";
import { checkRules, type RuleFault, type RuleFaultDetail } from "../cel-rules/check-rules.ts";
import { knownRules } from "../cel-rules/known-rules.ts";
import { isSameValue } from "../deep-value.ts";
import type { SchemaFault, SchemaFaultDetail } from "../schema/schema.ts";
import type { KeptVersion } from "./definition-change.ts";
import { fieldAt, valueBelow } from "./field-at.ts";
import { CappedFindings, type Observation, type Observe } from "./observation.ts";
import { readOnce } from "./read-schemas.ts";

/** No more mistakes of one schema and code are reported. */
const MAX_REPORTED = 100;

/** Mistakes in the schemas of the new CRD; `kept` are the versions that the old one has, too. */
export function observeSchemaMistakes(
  after: CustomResourceDefinition,
  kept: readonly KeptVersion[],
  observe: Observe,
): void {
  const old = new Map(kept.map((version) => [version.new, version]));
  const seen = new Set<JsonObject>();
  for (const version of after.versions) {
    const { schema } = version;
    if (schema === undefined || seen.has(schema)) continue;
    seen.add(schema); // v1beta1 has one schema for all versions
    const had = old.get(version);
    if (had?.hasSameSchema) continue;
    const capped = new CappedFindings(observe, MAX_REPORTED);
    for (const mistake of newMistakes(schema, had?.old.schema)) capped.observe(observed(mistake, version, after));
    capped.end();
  }
}

/** What is wrong with a schema, or with a rule in it. */
type Mistake = MistakeCode & Readonly<{ at: Path; isChanged?: true; unread?: SchemaFault["unread"] }>;

type MistakeCode =
  | { readonly code: "CRD007"; readonly fault: SchemaFaultDetail & { readonly category: SchemaFault["kind"] } }
  | { readonly code: "CRD008"; readonly fault: SchemaFaultDetail }
  | { readonly code: "CRD009" | "CRD010"; readonly fault: RuleFaultDetail };

function newMistakes(schema: JsonObject, before: JsonObject | undefined): readonly Mistake[] {
  const mistakes = mistakesIn(schema, before);
  if (mistakes.length === 0 || before === undefined) return mistakes;
  const known = new Map<string, (Json | undefined)[]>();
  for (const mistake of mistakesIn(before)) {
    const key = keyOfMistake(mistake, before);
    addTo(known, key, valueAt(before, mistake));
  }
  return mistakes.flatMap((mistake) => {
    const values = known.get(keyOfMistake(mistake, schema));
    if (values === undefined) return [mistake];
    const isUnread = mistake.unread !== undefined;
    if (!isUnread || values.some((value) => isSameValue(value, valueAt(schema, mistake)))) return [];
    return [{ ...mistake, isChanged: true }];
  });
}

/** The value that was not read; where it is everything from some place on, that is a part of the whole. */
function valueAt(schema: JsonObject, { at, unread }: Mistake): Json | undefined {
  return unread === "rest" ? schema : at.reduce(valueBelow, schema as Json | undefined);
}

/** Compiling rules takes longest of all: those that the schema had before are left out. */
function mistakesIn(schema: JsonObject, before?: JsonObject): readonly Mistake[] {
  const read = readOnce(schema);
  const known = before === undefined ? undefined : knownRules(read.schema, readOnce(before).schema);
  return [...read.faults.map(mistakeOf), ...checkRules(read.schema, known).map(ruleMistake)];
}

function ruleMistake({ kind, at, detail }: RuleFault): Mistake {
  return { code: kind === "too-expensive" ? "CRD010" : "CRD009", at, fault: detail };
}

function mistakeOf({ kind, at, detail, unread }: SchemaFault): Mistake {
  if (kind === "bad-pattern") return { code: "CRD008", at, fault: detail };
  return { code: "CRD007", at, fault: { category: kind, ...detail }, unread };
}

/** The same mistake at the same field, even if the field has moved. */
function keyOfMistake({ code, at, fault }: Mistake, schema: JsonObject): string {
  const value = at.reduce(valueBelow, schema as Json | undefined);
  return canonicalText([code, fieldAt(at), fault as unknown as Json, typeof value === "string" ? value : ""]);
}

function observed(
  { code, at, fault, isChanged }: Mistake,
  version: CustomResourceVersion,
  after: CustomResourceDefinition,
): Observation {
  return {
    code,
    version: version.name,
    path: fieldAt(at),
    detail: { kind: "mistake", fault, hasField: at.length > 0, ...(isChanged && { isChanged }) },
    place: inside(after.place, ...version.schemaAt, ...at),
  } as Observation;
}
