// Which parts of the new schemas cannot be used? What was wrong before already is not told again, unless it was not read
// and is not the same any more: nobody else would tell that change.

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { inside, type Path } from "../../model/place.ts";
import { isSameValue } from "../deep-value.ts";
import { checkRules, type RuleFault } from "../rules/check-rules.ts";
import { knownRules } from "../rules/known-rules.ts";
import type { SchemaFault } from "../schema/schema.ts";
import type { KeptVersion } from "./definition-change.ts";
import { fieldAt, subjectOf, valueBelow } from "./field-at.ts";
import { LimitedTelling, type Observation, type Observe } from "./observation.ts";
import { readOnce } from "./read-schemas.ts";

/** No more mistakes of one schema and code are told. */
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
    const telling = new LimitedTelling(observe, MAX_REPORTED);
    for (const mistake of newMistakes(schema, had?.old.schema)) telling.observe(told(mistake, version, after));
    telling.tellHowManyMore();
  }
}

/** What is wrong with a schema, or with a rule in it. */
interface Mistake {
  readonly code: "CRD007" | "CRD008" | "CRD009" | "CRD010";
  readonly at: Path;
  readonly message: string;
  readonly help: string;
  readonly unread?: SchemaFault["unread"];
}

function newMistakes(schema: JsonObject, before: JsonObject | undefined): readonly Mistake[] {
  const mistakes = mistakesIn(schema, before);
  if (mistakes.length === 0 || before === undefined) return mistakes;
  const known = new Map<string, (Json | undefined)[]>();
  for (const mistake of mistakesIn(before)) {
    const key = keyOfMistake(mistake, before);
    const values = known.get(key);
    if (values === undefined) known.set(key, [valueAt(before, mistake)]);
    else values.push(valueAt(before, mistake));
  }
  return mistakes.flatMap((mistake) => {
    const values = known.get(keyOfMistake(mistake, schema));
    if (values === undefined) return [mistake];
    const isUnread = mistake.unread !== undefined;
    if (!isUnread || values.some((value) => isSameValue(value, valueAt(schema, mistake)))) return [];
    return [{ ...mistake, message: `${mistake.message}, and it is not what it was before` }];
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

function ruleMistake({ kind, at, message }: RuleFault): Mistake {
  const isCostly = kind === "too-expensive";
  const [code, help] = isCostly ? (["CRD010", CHEAPER] as const) : (["CRD009", COMPILING] as const);
  return { code, at, message, help };
}

const CHEAPER =
  "bound the lists, maps and texts around it with maxItems, maxProperties and maxLength, or make the rule simpler";
const COMPILING = "mend the rule; `plimsoll cel check` shows what is wrong with an expression";

function mistakeOf({ kind, at, message, unread }: SchemaFault): Mistake {
  if (kind === "bad-pattern")
    return {
      code: "CRD008",
      at,
      message,
      help: "write a pattern that RE2 understands: no look-around, no back-references",
    };
  return { code: "CRD007", at, message, help: HELP[kind], unread };
}

const HELP: Readonly<Record<Exclude<SchemaFault["kind"], "bad-pattern">, string>> = {
  "not-allowed": "write it out with keywords that a CustomResourceDefinition may have",
  "wrong-shape": "write a value of the right type, or leave the keyword out",
  "too-deep": "make it flatter, or end it with x-kubernetes-preserve-unknown-fields: true",
  "too-large": "make the schema smaller, or split it into several kinds",
};

/** The same mistake in the same words at the same field, wherever that stands now. */
function keyOfMistake({ code, at, message }: Mistake, schema: JsonObject): string {
  const value = at.reduce(valueBelow, schema as Json | undefined);
  return JSON.stringify([code, fieldAt(at), message, typeof value === "string" ? value : ""]);
}

function told(
  { code, at, message, help }: Mistake,
  version: CustomResourceVersion,
  after: CustomResourceDefinition,
): Observation {
  const place = inside(after.place, ...version.schemaAt, ...at);
  const field = fieldAt(at);
  // What is about the whole schema has no field.
  const told = at.length === 0 ? message : `${subjectOf(field)}: ${message}`;
  return { code, version: version.name, path: field, message: told, help, place };
}
