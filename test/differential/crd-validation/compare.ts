// Do we validate an object as the API server does?

import { checkRules } from "../../../src/crd/cel-rules/check-rules.ts";
import { readSchema } from "../../../src/crd/schema/read-schema.ts";
import type { ReadSchema } from "../../../src/crd/schema/schema.ts";
import { NOTHING_KNOWN } from "../../../src/crd/upgrade/circumstances.ts";
import type { ObjectFault, Validator, Verdict } from "../../../src/crd/validate/validator.ts";
import { validatorFor } from "../../../src/crd/validate/validator-for.ts";
import { readJson } from "../../../src/input/json-text.ts";
import { canonicalText, type Json, type JsonObject } from "../../../src/model/json.ts";
import { faultText } from "../../../src/render/sentence/object-fault.ts";

/** Cases under one schema, as ask.mjs writes them. */
export interface Group {
  readonly section: string;
  /** The schema of `.spec`, or of the whole object. */
  readonly spec?: JsonObject;
  readonly root?: JsonObject;
  readonly preserveUnknownFields?: boolean;
  /** Why the API server would not take the schema. */
  readonly schemaFaults?: readonly (readonly [path: string, type: string])[];
  readonly cases: readonly Case[];
}

export interface Case {
  /** `.spec`, or the whole object. */
  readonly value?: Json;
  readonly object?: JsonObject;
  /** `.spec` as it was. */
  readonly old?: Json;
  /** A whole number is written as a fraction: `1.0`. */
  readonly fraction?: boolean;
  readonly answer: Answer;
}

type KeywordAt = readonly [path: string, keyword: string];
type RuleAt = readonly [path: string, type: string, detail: string];

/** The answer of the API server; the faults by the validator that found them. */
export interface Answer {
  readonly error?: string;
  /** A request with this object cannot be read. */
  readonly refused?: boolean;
  /** The object as it is served, unless nothing changes. */
  readonly object?: JsonObject;
  readonly dropped?: readonly string[];
  readonly metadata?: readonly KeywordAt[];
  readonly schema?: readonly KeywordAt[];
  readonly embedded?: readonly KeywordAt[];
  readonly lists?: readonly KeywordAt[];
  readonly rules?: readonly RuleAt[];
  readonly rulesSkipped?: boolean;
  readonly ratchetedRules?: readonly RuleAt[];
}

/** One case of a group that we validate otherwise. */
export interface Disagreement {
  readonly section: string;
  readonly schema: string;
  readonly object: string;
  readonly about: "validity" | "faults" | "object" | "metadata" | "dropped" | "rules" | "undecided" | "schema";
  readonly fraction: boolean;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Differences that are meant to be, and why. */
export const ON_PURPOSE: readonly { readonly why: string; readonly is: (found: Disagreement) => boolean }[] = [
  {
    why: "1.0 is the same number as 1, and -0.0 as 0; to the API server it is a fraction, of which it says other things",
    is: ({ fraction }) => fraction,
  },
  {
    why: "as a bound of fractions, 2^63 - 1 becomes a negative number in the API server, which then refuses everything",
    is: ({ section, schema }) => section === "bounds" && schema.includes("9223372036854775807"),
  },
  {
    why: "the API server writes metadata anew: nulls and empty texts go, fields of owner references come; we leave it",
    is: ({ about }) => about === "metadata",
  },
  {
    why: "the API server reads the shortest decimal text of a number as one of 32 bits; we round the number",
    is: ({ object }) => object.includes("3.4028235677973366e+38"),
  },
];

/** Is it a difference that is meant to be? */
export function isOnPurpose(found: Disagreement): boolean {
  return ON_PURPOSE.some(({ is }) => is(found));
}

const HEAD: JsonObject = { apiVersion: "example.org/v1", kind: "Case", metadata: { name: "a", namespace: "b" } };
const MAX_DEPTH = 100;

/** A line of the table; integers keep their digits. */
export function readGroup(line: string): Group {
  return readJson(line, MAX_DEPTH) as unknown as Group;
}

/** What we validate otherwise. Objects under a schema that no API server would take are not validated. */
export function disagreements(group: Group): readonly Disagreement[] {
  const read = readSchema(group.root ?? { type: "object", properties: { spec: group.spec as JsonObject } });
  const { schema } = read;
  const aboutSchema = schemaDifferences(group, read);
  if (aboutSchema.length > 0 || group.schemaFaults !== undefined)
    return aboutSchema.map((difference) => ({ ...subject(group), object: "", fraction: false, ...difference }));
  const validator = validatorFor(schema, {
    preserveUnknownFields: group.preserveUnknownFields === true,
    celCostLimit: NOTHING_KNOWN.celCostLimit,
  });
  return group.cases.flatMap((one) =>
    differences(one, validator).map((difference) => ({
      ...subject(group),
      fraction: one.fraction === true,
      object: canonicalText(one.object ?? { old: one.old ?? null, value: one.value as Json }),
      ...difference,
    })),
  );
}

function subject(group: Group): Pick<Disagreement, "section" | "schema"> {
  return { section: group.section, schema: canonicalText((group.root ?? group.spec) as JsonObject) };
}

type Difference = Pick<Disagreement, "about" | "ours" | "theirs">;

function differences(one: Case, validator: Validator): readonly Difference[] {
  const { answer } = one;
  const object = wholeObject(one, one.value);
  const old = one.old === undefined ? undefined : wholeObject(one, one.old);
  const verdict = validator.validate(object, { old, mostFaults: 1_000_000 });
  // An object whose rules cost too much is rejected; for us it is undecided.
  const exceedsCostLimit = answer.rules?.some(([, , detail]) => detail.includes("cost limit exceeded")) === true;
  if (exceedsCostLimit !== (verdict.undecided !== undefined))
    return [{ about: "undecided", ours: verdict.undecided, theirs: answer }];
  if (exceedsCostLimit) return [];
  const rules = answer.rulesSkipped === true ? [] : ((old === undefined ? answer.rules : answer.ratchetedRules) ?? []);
  const invalid = isRefused(answer) || countOf(answer) + rules.length > 0;
  if (invalid !== verdict.faults.length > 0)
    return [{ about: "validity", ours: verdict.faults.map(faultLine), theirs: answer }];
  // What cannot be read is repaired by the API server when it comes from its store: we only report it.
  if (isRefused(answer)) return [];
  return [
    ...faultDifferences(answer, verdict),
    ...ruleDifferences(rules, verdict),
    ...objectDifferences(answer, object, verdict),
  ];
}

/**
 * Of what is wrong with a schema, patterns and rules are compared; the rest we do not look for, and the API server may not
 * come to the rules because of it.
 */
function schemaDifferences(group: Group, { schema, faults }: ReadSchema): readonly Difference[] {
  const texts = (paths: readonly string[]): string => [...new Set(paths)].sort().join();
  const isChecked = (path: string): boolean =>
    /\.(pattern|rule|messageExpression|message|fieldPath|reason|optionalOldSelf)$|^$/.test(path);
  const places = (group.schemaFaults ?? []).map(([path]) => plainPath(path));
  if (!places.every(isChecked)) return [];
  const theirs = texts(places);
  const bad = faults.filter(({ kind }) => kind === "bad-pattern").map(({ at }) => at);
  const ours = texts([...bad, ...checkRules(schema).map(({ at }) => at)].map((at) => plainPath(at.join("."))));
  return ours === theirs ? [] : [{ about: "schema", ours, theirs }];
}

function wholeObject(one: Case, spec: Json | undefined): JsonObject {
  return one.object ?? { ...HEAD, spec: spec as Json };
}

function isRefused({ refused, error }: Answer): boolean {
  return refused === true || error !== undefined;
}

function countOf({ metadata = [], schema = [], embedded = [], lists = [] }: Answer): number {
  return metadata.filter(isCompared).length + schema.length + embedded.length + lists.length;
}

/** That an object has a name and a namespace is not asked of the schema. */
function isCompared([path, type]: KeywordAt): boolean {
  return type !== "FieldValueRequired" || (path !== "metadata.name" && path !== "metadata.namespace");
}

const RULE = "x-kubernetes-validations";
/** For allOf, the faults inside are reported instead. */
const COMPOSITION: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not"]);

/** Both as `path keyword`. */
function faultDifferences(answer: Answer, { faults }: Verdict): readonly Difference[] {
  const named = (name: string) => (pairs: readonly KeywordAt[] | undefined) =>
    (pairs ?? []).map(([path]) => [path, name] as const);
  const theirs = [
    ...(answer.schema ?? []),
    ...named("metadata")(answer.metadata?.filter(isCompared)),
    ...named("x-kubernetes-embedded-resource")(answer.embedded),
    ...named("x-kubernetes-list-type")(answer.lists),
  ]
    .filter(([, keyword]) => keyword !== "allOf")
    .map(([path, keyword]) => [plainPath(path), keyword] as const);
  const ours = faults
    .filter(({ keyword }) => keyword !== RULE)
    .map((fault) => [placeOf(fault), fault.keyword] as const);
  const [ourTexts, theirTexts] = [simplified(ours, theirs), simplified(theirs, ours)];
  return ourTexts.join() === theirTexts.join() ? [] : [{ about: "faults", ours: ourTexts, theirs: theirTexts }];
}

/** The API server reports that one of the labels or annotations is wrong, but not which. */
function placeOf({ path }: ObjectFault): string {
  return plainPath(path.join(".")).replace(/((?:^|\.)metadata\.(?:labels|annotations))\..*$/, "$1");
}

/**
 * Where a value has a wrong type, that alone counts, and where a text has a wrong length, its pattern does not: the API
 * server stops there. If a value matches no alternative, the faults of the closest one do not count.
 */
function simplified(faults: readonly KeywordAt[], others: readonly KeywordAt[]): readonly string[] {
  const typed = new Set([...faults, ...others].filter(([, keyword]) => keyword === "type").map(([path]) => path));
  const composed = [...faults, ...others].filter(([, keyword]) => COMPOSITION.has(keyword)).map(([path]) => path);
  const measured = new Set(others.filter(([, keyword]) => /^(min|max)Length$/.test(keyword)).map(([path]) => path));
  const formats = new Set([...faults, ...others].filter(([, keyword]) => keyword === "format").map(([path]) => path));
  // To the API server, a value of another type does not have the format.
  const alike = faults.map(([path, keyword]): KeywordAt => {
    const isOfType = keyword === "format" && typed.has(path);
    return [path, isOfType || (keyword === "type" && formats.has(path)) ? "type or format" : keyword];
  });
  const kept = alike.filter(([path, keyword]) => {
    if (typed.has(path) && !keyword.startsWith("type")) return false;
    if (measured.has(path) && (keyword === "pattern" || keyword === "minLength")) return false;
    return COMPOSITION.has(keyword) || !composed.some((holder) => path === holder || path.startsWith(`${holder}.`));
  });
  return [...new Set(kept.map((fault) => fault.join(" ")))].sort();
}

/** By place; with the message only if the author of the rule chose it. */
function ruleDifferences(rules: readonly RuleAt[], { faults }: Verdict): readonly Difference[] {
  const theirs = rules.map(([path]) => plainPath(path)).sort();
  const ours = faults
    .filter(({ keyword }) => keyword === RULE)
    .map(placeOf)
    .sort();
  if (theirs.join() !== ours.join()) return [{ about: "rules", ours: faults.map(faultLine), theirs: rules }];
  const messages = faults.map(({ detail }) => faultText(detail));
  const missing = rules.filter(
    ([, , detail]) =>
      !/ rule: |failed rule|rule compile error|cost/.test(detail) &&
      !messages.some((message) => message.includes(detail)),
  );
  return missing.length === 0 ? [] : [{ about: "rules", ours: messages, theirs: missing }];
}

/** The result for metadata is compared separately. */
function objectDifferences(answer: Answer, given: JsonObject, verdict: Verdict): readonly Difference[] {
  const [ours, theirs] = [servedText(verdict.object), servedText(answer.object ?? given)];
  const dropped = verdict.dropped.map((path) => plainPath(path.join("."))).sort();
  const theirDropped = (answer.dropped ?? []).map(plainPath).sort();
  if (ours === theirs && dropped.join() === theirDropped.join()) return [];
  const outside = (paths: readonly string[]): string => paths.filter((path) => !/(^|\.)metadata\./.test(path)).join();
  if (outside(dropped) !== outside(theirDropped)) return [{ about: "dropped", ours: dropped, theirs: theirDropped }];
  const bare = (value: JsonObject): string => servedText(withoutMetadata(value));
  const isMetadata = bare(verdict.object) === bare(answer.object ?? given);
  return [{ about: isMetadata ? "metadata" : "object", ours, theirs }];
}

function withoutMetadata(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMetadata);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "metadata");
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutMetadata(item)]));
}

/** Integers that are more than 64 bits can hold are fractions to the API server. */
function servedText(value: Json): string {
  const isShort = (digits: bigint): boolean => BigInt.asIntN(64, digits) === digits;
  const rounded = (item: Json): Json => {
    if (typeof item === "bigint") return isShort(item) ? item : Number(item);
    if (Array.isArray(item)) return item.map(rounded);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, rounded(inner)]));
  };
  return canonicalText(rounded(value));
}

function faultLine({ path, keyword, detail }: ObjectFault): string {
  return `${path.join(".")} ${keyword}: ${faultText(detail)}`;
}

/** Steps with dots between them, whether they are fields, keys or positions. */
function plainPath(path: string): string {
  return path
    .replaceAll(/[.[\]]+/g, ".")
    .replace(/^\./, "")
    .replace(/\.$/, "");
}
