// What can the author of a definition do about a difference between schemas, and why does one matter that is not what its
// rule is mostly about?

import type { SchemaDifference } from "../compare/difference.ts";
import type { SchemaCode } from "../rule.ts";
import { subjectOf } from "./field-at.ts";
import { named } from "./observation.ts";

/** Advice about the change of a field in a version that stays. */
export function helpAbout(difference: SchemaDifference, version: string): string {
  const { code, path, effect } = difference;
  const field = subjectOf(path);
  if (code === "CRD201" && path === ".")
    return difference.new === "object"
      ? "nothing: it says what was so anyway"
      : "write type: object again: whatever else it is, it is no custom resource";
  if (effect === "none") return "nothing: it is the same for every object";
  if (effect === "looser")
    return `nothing, if it is meant; make sure that whoever reads ${field} in ${named(version)} is ready for it`;
  if (code === "CRD202" && effect === "different")
    return `nothing, if its default is right for every object that does not say ${field}; otherwise leave it optional`;
  return ADVICE[code](field, named(version), difference.old === undefined);
}

/** Why a difference matters after which objects stay valid. */
export function whyLooser(code: SchemaCode): string {
  return `objects stay valid, but ${LOOSER.get(code) ?? "clients may meet values that they did not before"}`;
}

const LOOSER: ReadonlyMap<SchemaCode, string> = new Map<SchemaCode, string>([
  ["CRD201", "clients may meet values of a type that they do not expect"],
  ["CRD208", "clients may meet nulls where there were none"],
  ["CRD209", "nobody checks its values any more, and a misspelt one is not noticed"],
  ["CRD211", "clients may meet keys and values that were dropped or refused before"],
  ["CRD212", "items may be there twice, and server-side apply replaces the list as a whole"],
  ["CRD215", "what was dropped so far is kept, and a misspelt field is not noticed"],
  ["CRD217", "clients may meet texts where there were numbers, or numbers where there were texts"],
  ["CRD220", "clients may meet the same item twice"],
]);

/** Why a difference between two served versions matters. */
export const WHY_BETWEEN =
  "without a webhook an object is the same in every version: what is fine in one may be refused, dropped or not understood in the other";

/** Advice about a field that differs between two served versions. */
export function helpBetween({ path }: SchemaDifference, from: string, to: string): string {
  const field = path === "." ? "the schema" : path;
  return `make ${field} alike in ${named(from)} and ${named(to)}, stop serving one of them, or convert objects by a webhook`;
}

/** Advice about a field that the storage version had, and another one in which objects are stored or read has otherwise. */
export function helpFromStorage({ path }: SchemaDifference, from: string, to: string, isStored: boolean): string {
  const field = path === "." ? "the schema" : path;
  return `make ${field} in ${named(to)} as it is in ${named(from)} before objects are ${isStored ? "stored" : "read"} in it, or convert objects by a webhook`;
}

/** Why it matters that a version has a schema for the first time. */
export const WHY_FIRST_SCHEMA = "objects that are not valid under the schema can no longer be written";
/** What happens as well where unknown fields are dropped. */
export const WHY_FIRST_LOSS = "and values under fields that it does not name are lost";

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
