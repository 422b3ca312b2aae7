// How does a difference between the schemas of two definitions, or of two versions, read? And what can the author of the
// definition do about it?

import type { SchemaDetail, StatementOf, VersionPair } from "../../crd/finding.ts";
import type { SchemaCode } from "../../crd/finding-codes.ts";
import { named } from "./crd-words.ts";
import { schemaChangeText } from "./schema-change.ts";

export interface CrdSentences {
  /** What is wrong, with the values. */
  readonly message: string;
  /** Why it matters here, where that is not what the rule says in general. */
  readonly why?: string | undefined;
  /** What to do about it. */
  readonly help: string;
}

const MAX_SUBJECT_LENGTH = 160;

/** A field as the subject of a sentence; of a very long path, its ends. */
export function subjectOf(field: string): string {
  if (field === ".") return "the object";
  if (field.length <= MAX_SUBJECT_LENGTH) return field;
  return `${field.slice(0, MAX_SUBJECT_LENGTH / 2)}…${field.slice(-MAX_SUBJECT_LENGTH / 2)}`;
}

export function schemaSentences(finding: StatementOf<SchemaCode>): CrdSentences {
  const { version, path, detail } = finding;
  switch (detail.kind) {
    case "difference": {
      const { change, between } = detail;
      const where =
        between === undefined ? `in ${named(version)}` : `from ${named(between.from)} to ${named(between.to)}`;
      const message = `${subjectOf(path)} ${where}: ${schemaChangeText(change)}`;
      if (between === undefined)
        return { message, why: whyWithin(finding.code, detail), help: helpWithin(finding, detail) };
      return { message, why: whyBetween(between), help: helpBetween(path, between) };
    }
    case "unknown-fields":
      return detail.areKept
        ? {
            message: "fields that no schema names were dropped, and are kept from now on",
            why: whyLooser("CRD215"),
            help: "write preserveUnknownFields: false, unless it is meant",
          }
        : {
            message: "fields that no schema names were kept, and are dropped from now on",
            help: "name every field that objects have in the schemas, or write x-kubernetes-preserve-unknown-fields: true where others are to stay",
          };
    case "schema":
      return detail.isNew
        ? {
            message: `${named(version)} has a schema now; so far it took and kept anything`,
            why: whyFirstSchema(detail.areKept),
            help: detail.areKept
              ? `make sure that every object is valid under the schema of ${named(version)}; nothing is dropped, as the definition keeps unknown fields`
              : `make sure that every object is valid under the schema of ${named(version)} and has no field that it does not name; write x-kubernetes-preserve-unknown-fields: true where others are to stay`,
          }
        : {
            message: `${named(version)} has no schema any more: it takes and keeps anything`,
            why: whyLooser("CRD215"),
            help: `write the schema of ${named(version)} again`,
          };
    case "first-schema": {
      const { from, to, because } = detail.between;
      return {
        message: `objects were stored in ${named(from)}, which has no schema, and are ${because} in ${named(to)}, which has one`,
        why: whyFirstSchema(detail.areKept),
        help: `make sure that the schema of ${named(to)} names everything that objects have`,
      };
    }
    case "not-selectable":
      return {
        message: `${named(version)} can no longer be selected by ${named(path)}`,
        help: `write ${named(path)} under selectableFields of ${named(version)} again: field selectors with it would fail`,
      };
    case "field": {
      const { field, become } = detail;
      const whose = version === "" ? "the definition" : named(version);
      return {
        message: `${named(field)} of ${whose} is ${become === "changed" ? "another one" : become}`,
        help: `look up what ${named(field)} means to the API server, then say so by the severity of unknown-difference`,
      };
    }
  }
}

type Difference = Extract<SchemaDetail, { readonly kind: "difference" }>;

/** Advice about the change of a field in a version that stays. */
function helpWithin({ code, path, version }: StatementOf<SchemaCode>, { change, effect, isNew }: Difference): string {
  const field = subjectOf(path);
  if (code === "CRD201" && path === ".")
    return change.kind === "object-type" || (change.kind === "type" && change.now === "object")
      ? "nothing: it says what was so anyway"
      : "write type: object again: a custom resource is an object";
  if (effect === "none") return "nothing: it is the same for every object";
  if (effect === "looser")
    return `nothing, if it is meant; make sure that clients that read ${field} in ${named(version)} are ready for it`;
  if (code === "CRD202" && effect === "different")
    return `nothing, if its default is right for every object that does not say ${field}; otherwise leave it optional`;
  return ADVICE[code](field, named(version), isNew);
}

function whyWithin(code: SchemaCode, { change, effect }: Difference): string | undefined {
  if (code === "CRD202" && effect === "different") return "objects that do not say it get the default";
  if (effect === "none" || (effect === "looser" && change.kind === "type" && change.now === "object"))
    return "nothing changes for objects";
  return effect === "looser" ? whyLooser(code) : undefined;
}

/** Why a difference matters after which objects stay valid. */
function whyLooser(code: SchemaCode): string {
  return `objects stay valid, but ${LOOSER.get(code) ?? "clients may meet values that they did not before"}`;
}

const LOOSER: ReadonlyMap<SchemaCode, string> = new Map<SchemaCode, string>([
  ["CRD201", "clients may meet values of a type that they do not expect"],
  ["CRD208", "clients may meet nulls where there were none"],
  ["CRD209", "its values are no longer checked, and a misspelt one is not noticed"],
  ["CRD211", "clients may meet keys and values that were dropped or refused before"],
  ["CRD212", "items may be there twice, and server-side apply replaces the list as a whole"],
  ["CRD215", "what was dropped so far is kept, and a misspelt field is not noticed"],
  ["CRD217", "clients may meet texts where there were numbers, or numbers where there were texts"],
  ["CRD220", "clients may meet the same item twice"],
]);

function whyFirstSchema(areKept: boolean): string {
  const why = "objects that are not valid under the schema can no longer be written";
  return areKept ? why : `${why}, and values under fields that it does not name are lost`;
}

function whyBetween({ from, to, because, isDropped }: VersionPair): string {
  if (!isDropped)
    return "without a webhook an object is the same in every version: what is fine in one may be refused, dropped or not understood in the other";
  return because === "stored"
    ? `objects are stored in ${named(to)} from now on, in whichever version they are written`
    : `objects were stored in ${named(from)}, and can be read and written in ${named(to)} from now on`;
}

/** Advice about a field that two versions have otherwise. */
function helpBetween(path: string, { from, to, because }: VersionPair): string {
  const field = path === "." ? "the schema" : path;
  return because === "served"
    ? `make ${field} alike in ${named(from)} and ${named(to)}, stop serving one of them, or convert objects by a webhook`
    : `make ${field} in ${named(to)} as it is in ${named(from)} before objects are ${because} in it, or convert objects by a webhook`;
}

type Advice = (field: string, version: string, isNew: boolean) => string;

const inNewVersion = (field: string, version: string): string =>
  `or change ${field} in a new version only and leave ${version} as it was`;

const onlyInNew = (version: string): string => `or write it in a new version only and leave ${version} as it was`;

/** Advice about a keyword that is another one, or is new. */
const keepOld =
  (what: string): Advice =>
  (field, version, isNew) =>
    isNew
      ? `leave the ${what} of ${field} out, ${onlyInNew(version)}`
      : `keep the old ${what} of ${field}, ${inNewVersion("it", version)}`;

const ADVICE: Readonly<Record<SchemaCode, Advice>> = {
  CRD201: (field, version, isNew) =>
    isNew
      ? `leave the type of ${field} open, ${onlyInNew(version)}`
      : `keep the type of ${field} and add another field for the new one, ${inNewVersion("it", version)}`,
  CRD202: (field, version) => `leave ${field} optional or give it a default, ${inNewVersion("it", version)}`,
  CRD203: (field, version, isNew) =>
    isNew
      ? `leave enum of ${field} out and let the operator refuse other values, ${onlyInNew(version)}`
      : `keep the old values of ${field} in enum and let the operator refuse or translate them, ${inNewVersion("it", version)}`,
  CRD204: keepOld("lower bound"),
  CRD205: keepOld("upper bound"),
  CRD206: (field, version, isNew) =>
    isNew
      ? `leave the pattern of ${field} out and let the operator refuse other texts, ${onlyInNew(version)}`
      : `keep a pattern of ${field} that matches everything that the old one did, ${inNewVersion("it", version)}`,
  CRD207: keepOld("default"),
  CRD208: (field, version) => `keep nullable of ${field} as it was, ${inNewVersion("it", version)}`,
  CRD209: (field, version) =>
    `keep ${field} in the schema of ${version} and say in its description that it is no longer used; remove it in a new version only`,
  CRD210: (field, version) => `keep the old conditions of ${field}, ${inNewVersion("them", version)}`,
  CRD211: (field, version) => `keep additionalProperties of ${field} as it was, ${inNewVersion("it", version)}`,
  CRD212: (field, version) => `keep the list type and keys of ${field}, ${inNewVersion("them", version)}`,
  CRD213: (field, version) => `keep the map type of ${field}, ${inNewVersion("it", version)}`,
  CRD214: keepOld("format"),
  CRD215: (field, version) =>
    `keep x-kubernetes-preserve-unknown-fields: true at ${field}, or name every field that objects of ${version} have there`,
  CRD216: (field, version) =>
    `keep x-kubernetes-embedded-resource of ${field} as it was, ${inNewVersion("it", version)}`,
  CRD217: (field, version) => `keep x-kubernetes-int-or-string of ${field} as it was, ${inNewVersion("it", version)}`,
  CRD218: (field, version) =>
    `let the rule of ${field} hold for unchanged values, too (self == oldSelf || …, with optionalOldSelf), or make sure that every object of ${version} keeps it`,
  CRD219: keepOld("multipleOf"),
  CRD220: (field, version) => `leave uniqueItems of ${field} out, ${inNewVersion("it", version)}`,
  CRD299: (field, version) =>
    `look up what it means to the API server; if it is fine for ${field} in ${version}, say so by the severity of unknown-difference`,
};
