// What can be wrong with a CustomResourceDefinition, or with the change from one to the next? Each kind of finding has a
// stable code. docs/crd.md explains every one of them; severity.ts says how serious each is.

/** What a rule says, and which row of the table of severities it is in. */
export interface CrdRule {
  readonly name: string;
  readonly kind: RuleKind;
  /** What was found, in general. */
  readonly meaning: string;
  /** Why it matters to the administrator of the cluster. */
  readonly why: string;
}

/** The rows of the table of severities. */
export type RuleKind =
  /** The definition cannot be applied as it is, or the upgrade loses or breaks something. */
  | "never"
  /** Probably not meant. */
  | "doubtful"
  /** Worth knowing. */
  | "remark"
  /** A change of a schema that may make objects invalid. */
  | "schema"
  /** A change of unknown meaning. */
  | "unknown"
  /** An object that is there would be invalid or lose something. */
  | "object";

/** Every rule, by its code. Codes are never given to another rule. */
export const CRD_RULES = {
  // The definition by itself.
  CRD001: {
    name: "storage-version",
    kind: "never",
    meaning: "not exactly one version is the storage version",
    why: "the API server refuses the definition: it would not know in which version to store objects",
  },
  CRD002: {
    name: "first-version",
    kind: "never",
    meaning: "the version of a v1beta1 definition is not the first of its versions",
    why: "the API server refuses the definition",
  },
  CRD003: {
    name: "owned-version-missing",
    kind: "never",
    meaning: "the operator owns a version that the definition of its bundle does not have",
    why: "the operator would wait for a version that never comes",
  },
  CRD004: {
    name: "owned-version-not-served",
    kind: "never",
    meaning: "the operator owns a version that the definition of its bundle does not serve",
    why: "the operator could neither read nor write objects in that version",
  },
  CRD005: {
    name: "duplicate-version",
    kind: "never",
    meaning: "a definition has a version twice",
    why: "the API server refuses the definition",
  },
  CRD006: {
    name: "schema-missing",
    kind: "doubtful",
    meaning: "a version has no schema",
    why: "anything may be stored, and v1 definitions without a schema are refused",
  },
  CRD007: {
    name: "schema-unusable",
    kind: "doubtful",
    meaning: "a part of a schema is not what the API server takes, or is more than can be checked",
    why: "that part was not checked; everything else was",
  },
  CRD008: {
    name: "bad-pattern",
    kind: "doubtful",
    meaning: "a pattern is not a regular expression of RE2, or too large a one",
    why: "texts at that place were not checked",
  },
  CRD009: {
    name: "rule-does-not-compile",
    kind: "doubtful",
    meaning: "a validation rule does not compile",
    why: "the API server refuses a definition with such a rule; objects were not checked against it",
  },
  CRD010: {
    name: "rule-too-expensive",
    kind: "doubtful",
    meaning: "a validation rule may cost more than the API server allows",
    why: "the API server refuses a definition with such a rule",
  },
  // The change of versions.
  CRD101: {
    name: "stored-version-removed",
    kind: "never",
    meaning: "a version in which objects may be stored is no longer there",
    why: "the API server refuses the change while status.storedVersions has the version; without that, objects stored in it could no longer be read",
  },
  CRD102: {
    name: "served-version-removed",
    kind: "never",
    meaning: "a version goes that was still served",
    why: "clients that still use that version fail at once",
  },
  CRD103: {
    name: "required-version-removed",
    kind: "never",
    meaning: "a version that an operator requires is removed or no longer served",
    why: "that operator would stop working",
  },
  CRD104: {
    name: "scope-changed",
    kind: "never",
    meaning: "the scope changes between Namespaced and Cluster",
    why: "the API server refuses the change: every object would have to be created again",
  },
  CRD105: {
    name: "identity-changed",
    kind: "never",
    meaning: "the group, kind or plural changes",
    why: "the API server refuses the change: it would be another kind of objects",
  },
  CRD106: {
    name: "owned-elsewhere",
    kind: "never",
    meaning: "a version is removed or no longer served that another owner still works with",
    why: "the other operator reads and writes objects in that version",
  },
  CRD107: {
    name: "definition-removed",
    kind: "doubtful",
    meaning: "the definition is no longer there",
    why: "the objects stay, but no operator looks after them any more",
  },
  CRD108: {
    name: "storage-version-changed",
    kind: "remark",
    meaning: "another version becomes the storage version",
    why: "objects that are there stay stored in the old one until each is written again",
  },
  CRD109: {
    name: "storage-not-served",
    kind: "doubtful",
    meaning: "the storage version is not served",
    why: "objects are stored in a version that no client can use, and it cannot be removed before storage moves on",
  },
  CRD110: {
    name: "conversion-removed",
    kind: "doubtful",
    meaning: "objects are no longer converted by a webhook",
    why: "versions whose schemas differ are then read as if they were the same",
  },
  CRD111: {
    name: "conversion-unknown",
    kind: "remark",
    meaning: "a webhook converts objects between versions",
    why: "what it makes of an object cannot be known here: objects are checked in the version in which they were given only",
  },
  CRD112: {
    name: "subresource-removed",
    kind: "doubtful",
    meaning: "a subresource (status, scale) is no longer there",
    why: "clients that write to it get an error",
  },
  CRD113: {
    name: "storage-lacks-field",
    kind: "doubtful",
    meaning: "a version has a field that the storage version does not have",
    why: "what is written in it is stored without that field, and no client gets an error",
  },
  CRD114: {
    name: "subresource-changed",
    kind: "doubtful",
    meaning: "scale reads and writes other fields, or status becomes a subresource of its own",
    why: "clients that write as before change nothing, or something else than before",
  },
  CRD115: {
    name: "stored-versions-unknown",
    kind: "doubtful",
    meaning: "a version is removed, and status.storedVersions is not known",
    why: "objects that are still stored in it could no longer be read",
  },
  CRD116: {
    name: "served-version-ends",
    kind: "doubtful",
    meaning: "a version that was served is no longer served",
    why: "clients that still use the version fail as soon as the change is applied",
  },
  CRD117: {
    name: "unserved-version-removed",
    kind: "remark",
    meaning: "a version goes that was not served",
    why: "nothing is stored in it by status.storedVersions, and it cannot be served again",
  },
  CRD118: {
    name: "no-version-served",
    kind: "never",
    meaning: "no version is served any more",
    why: "objects can be neither read nor written, and no operator can work with them",
  },
  CRD119: {
    name: "stored-version-unconverted",
    kind: "never",
    meaning: "the webhook goes that converted a version in which objects may be stored",
    why: "such objects are read as if they were of another version: fields that it does not have are lost",
  },
  // Schemas.
  CRD201: {
    name: "type-changed",
    kind: "schema",
    meaning: "a field has another type",
    why: "values that are stored, and clients that read and write them, have the old type",
  },
  CRD202: {
    name: "required-added",
    kind: "schema",
    meaning: "a field is required that was not",
    why: "objects without it can no longer be written",
  },
  CRD203: {
    name: "enum-narrowed",
    kind: "schema",
    meaning: "values can no longer be chosen, or any value can",
    why: "objects that have another value can no longer be written",
  },
  CRD204: {
    name: "minimum-raised",
    kind: "schema",
    meaning: "a lower bound is new or another one (minimum, minLength, minItems, minProperties)",
    why: "objects below it can no longer be written",
  },
  CRD205: {
    name: "maximum-lowered",
    kind: "schema",
    meaning: "an upper bound is new or another one (maximum, maxLength, maxItems, maxProperties)",
    why: "objects above it can no longer be written",
  },
  CRD206: {
    name: "pattern-changed",
    kind: "schema",
    meaning: "a pattern is new, another one, or gone",
    why: "texts that do not match it can no longer be written",
  },
  CRD207: {
    name: "default-changed",
    kind: "schema",
    meaning: "a default is new, another one, or gone",
    why: "objects that do not say the value get another one than before, or none",
  },
  CRD208: {
    name: "nullable-changed",
    kind: "schema",
    meaning: "null is allowed that was not, or no longer",
    why: "nulls are dropped or kept where they were not before, and clients may not expect them",
  },
  CRD209: {
    name: "field-removed",
    kind: "schema",
    meaning: "a field is no longer there",
    why: "its values are dropped when an object is read, and lost when it is written",
  },
  CRD210: {
    name: "composition-changed",
    kind: "schema",
    meaning: "allOf, anyOf, oneOf or not differ",
    why: "objects that were fine may no longer be",
  },
  CRD211: {
    name: "additional-properties-changed",
    kind: "schema",
    meaning: "other keys are allowed that were not, or no longer, or their values differ",
    why: "values under such keys are dropped or no longer valid",
  },
  CRD212: {
    name: "list-type-changed",
    kind: "schema",
    meaning: "a list is merged or compared in another way (x-kubernetes-list-type, x-kubernetes-list-map-keys)",
    why: "lists with repeated items may no longer be valid, and server-side apply merges differently",
  },
  CRD213: {
    name: "map-type-changed",
    kind: "schema",
    meaning: "a map is merged in another way (x-kubernetes-map-type)",
    why: "server-side apply merges it differently",
  },
  CRD214: {
    name: "format-changed",
    kind: "schema",
    meaning: "a format is new, another one, or gone",
    why: "texts and numbers that do not have it can no longer be written",
  },
  CRD215: {
    name: "unknown-fields-changed",
    kind: "schema",
    meaning: "unknown fields are dropped that were kept, or kept that were dropped",
    why: "values under fields that the schema does not name are lost",
  },
  CRD216: {
    name: "embedded-resource-changed",
    kind: "schema",
    meaning: "a value is read as a Kubernetes object, or no longer is",
    why: "such values need apiVersion and kind, and their metadata is checked",
  },
  CRD217: {
    name: "int-or-string-changed",
    kind: "schema",
    meaning: "a value may no longer be either a number or a text, or now may",
    why: "values of the other type can no longer be written",
  },
  CRD218: {
    name: "rule-changed",
    kind: "schema",
    meaning: "a validation rule is new, another one, or gone",
    why: "objects that do not keep it can no longer be written",
  },
  CRD219: {
    name: "multiple-of-changed",
    kind: "schema",
    meaning: "a number must be a multiple of another one than before, or of none",
    why: "other numbers can no longer be written",
  },
  CRD220: {
    name: "unique-items-added",
    kind: "schema",
    meaning: "the items of a list must differ from each other, or no longer have to",
    why: "lists with repeated items can no longer be written",
  },
  CRD299: {
    name: "unknown-difference",
    kind: "unknown",
    meaning: "something differs of which no meaning is known here",
    why: "what it does to objects is not known here: look it up",
  },
  // Objects that are there.
  CRD301: {
    name: "object-invalid",
    kind: "object",
    meaning: "an object that is there is not valid under the new CRD",
    why: "it can be read, but a change of it is refused (since Kubernetes 1.30 only one that touches what is invalid)",
  },
  CRD302: {
    name: "object-loses-data",
    kind: "object",
    meaning: "an object that is there has a field that the new CRD drops",
    why: "the value is gone as soon as the object is written again",
  },
  CRD303: {
    name: "object-was-invalid",
    kind: "doubtful",
    meaning: "an object that is there is not valid, and was not valid before",
    why: "the upgrade changes nothing about it",
  },
  CRD304: {
    name: "object-not-decided",
    kind: "doubtful",
    meaning: "an object could not be checked to its end",
    why: "a limit was hit: whether it is valid is not known",
  },
} as const;

/** The code of a rule. */
export type CrdCode = keyof typeof CRD_RULES;

/** The codes of differences between schemas. */
export type SchemaCode = Extract<CrdCode, `CRD2${string}`>;

/** What a rule says. */
export function ruleOf(code: CrdCode): CrdRule {
  return CRD_RULES[code];
}
