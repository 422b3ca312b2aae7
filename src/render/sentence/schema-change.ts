// How does a difference between two schemas read? The predicate of a sentence about the field: "must now be of type …".

import type { FieldSchema, NumberBound, SchemaChange, SizeKeyword } from "../../crd/compare/difference.ts";
import type { Listing } from "../../crd/compare/value-text.ts";
import { andMore } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";

/** What differs, without the field and without a full stop. */
export const schemaChangeText: (change: SchemaChange) => string = byKind({
  size: (change) => {
    const [least, unit] = SIZES[change.keyword];
    const count = `${change.now} ${unit}${change.now === "1" ? "" : "s"}`;
    return `must now have ${least ? "at least" : "at most"} ${count}${wasText(change.was)}`;
  },
  bound: boundText,
  type: (change) => {
    if (change.now === undefined) return `may now be of any type (was ${change.was})`;
    return `${change.isLooser ? "may" : "must"} now be of type ${change.now} (was ${change.was ?? "of any type"})`;
  },
  "object-type": () => "is now said to be an object, which every custom resource is",
  multipleOf: demanded("be a multiple of", "need only"),
  default: (change) => {
    if (change.now === undefined) return `there is no default any more (was ${change.was})`;
    return `the default is now ${change.now}${change.was === undefined ? " (there was none)" : wasText(change.was)}`;
  },
  format: demanded("have the format", "may now"),
  pattern: demanded("match"),
  rule: demanded("keep the rule"),
  not: (change) => {
    if (change.now === undefined) return `may now be ${change.was}`;
    return `must now not be ${change.now}${wasText(change.was)}`;
  },
  "map-type": (change) => `the map type is now ${change.now}${wasText(change.was)}`,
  "list-type": (change) => {
    const keys = change.keys === undefined ? "" : ` with the keys ${listText(change.keys)}`;
    return `the list type is now ${change.now}${keys} (was ${change.was})`;
  },
  "list-keys": (change) => `items are now identified by ${listText(change.now)} (was ${listText(change.was)})`,
  required: (change) => {
    if (change.default === undefined) return "must now be given";
    return `must now be given; where it is not, its default ${change.default} fills it`;
  },
  "field-removed": (change) => {
    if (change.kept === undefined) return "the field is no longer there";
    return change.kept === "as-other-key"
      ? "the field is no longer there; its values are now those of any other key"
      : "the field is no longer there; its values are kept, but not checked";
  },
  items: (change) => {
    if (change.become === "described") return `the items must now be ${change.now} (was anything)`;
    return change.become === "kept" ? "the fields of items are now kept" : "nothing is said about the items any more";
  },
  "other-keys": (change) => {
    if (change.become === "checked") return `the values of other keys must now be ${change.values}`;
    if (change.become === "allowed-as") return `other keys are now allowed, with values that are ${change.values}`;
    return OTHER_KEYS[change.become];
  },
  branches: branchesText,
  flag: (change) => FLAGS[change.field][change.isOn ? "on" : "off"],
  nullable: (change) => NULLABLE[change.become],
  enum: (change) => {
    if (change.become === "new") return `must now be one of ${listText(change.now)}`;
    if (change.become === "gone") return `may now be any value (was one of ${listText(change.was)})`;
    return `${listText(change.removed)} can no longer be chosen; allowed are ${listText(change.now)}`;
  },
  keyword: (change) => {
    if (change.now === undefined) return `${change.keyword} is gone (was ${change.was})`;
    return `${change.keyword} is now ${change.now}${change.was === undefined ? " (was not there)" : wasText(change.was)}`;
  },
  "new-field": (change) => {
    if ("wasOtherKey" in change)
      return `the field is new: so far it was a key as any other, with values that are ${change.was ?? "any"}; from now on it must be ${demandText(change.must)}`;
    return change.must === undefined
      ? "the field is new, and nothing is said about it: so far anything was kept here, from now on objects lose their fields"
      : `the field is new: so far anything was kept here, from now on it must be ${demandText(change.must)}`;
  },
});

/** Whether it is a lower bound, and of what. */
const SIZES: Readonly<Record<SizeKeyword, readonly [boolean, string]>> = {
  minLength: [true, "character"],
  minItems: [true, "item"],
  minProperties: [true, "key"],
  maxLength: [false, "character"],
  maxItems: [false, "item"],
  maxProperties: [false, "key"],
};

const OTHER_KEYS = {
  refused: "other keys are no longer allowed",
  "not-refused": "other keys are no longer refused",
  dropped: "other keys are no longer kept",
  unchecked: "the values of other keys are no longer checked",
  emptied: "other keys may now have any value, but objects under them lose their fields",
  allowed: "other keys are now allowed",
  "any-value": "other keys may now have any value",
} as const;

const FLAGS = {
  preserveUnknownFields: {
    on: "fields that the schema does not name are now kept",
    off: "fields that the schema does not name are no longer kept",
  },
  embeddedResource: {
    on: "must now be a Kubernetes object with apiVersion, kind and metadata",
    off: "is no longer read as a Kubernetes object: its apiVersion, kind and metadata are fields as any other",
  },
  uniqueItems: {
    on: "the items must now differ from each other",
    off: "the items need no longer differ from each other",
  },
} as const;

const NULLABLE = {
  refused: "null is no longer allowed",
  allowed: "null is now allowed",
  "kept-beside-enum": "null is now kept instead of dropped, but is none of the enum",
} as const;

function boundText({ keyword, become, now, was }: Extract<SchemaChange, { readonly kind: "bound" }>): string {
  const words = (bound: NumberBound): string => {
    const [exclusive, inclusive] = keyword === "minimum" ? ["greater than", "at least"] : ["less than", "at most"];
    return `${bound.isExclusive ? exclusive : inclusive} ${bound.value}`;
  };
  const then = was && words(was);
  if (now === undefined) return `need no longer be ${then}`;
  // Where the words are the same, the number says enough.
  const earlier = become === "narrower" && (was?.isExclusive ?? false) === now.isExclusive ? was?.value : then;
  return `${become === "relaxed" ? "may" : "must"} now be ${words(now)}${wasText(earlier)}`;
}

function branchesText(change: Extract<SchemaChange, { readonly kind: "branches" }>): string {
  const { keyword, become, added, removed } = change;
  if (become === "new") return `${keyword} is new: ${listText(added)}`;
  if (become === "gone") return `${keyword} is gone; it was ${listText(removed)}`;
  const parts = [
    ...(added.values.length > 0 ? [`now also has ${listText(added)}`] : []),
    ...(removed.values.length > 0 ? [`no longer has ${listText(removed)}`] : []),
  ];
  return `${keyword} ${parts.join(" and ")}`;
}

function demandText(must: FieldSchema): string {
  if ("schema" in must) return must.schema;
  return `of type ${must.type}, ${must.isPruned ? "and what its schema does not name is dropped" : "as its schema says"}`;
}

type ValueChange = Extract<SchemaChange, { readonly isLooser?: boolean | undefined }>;

/** What a value must do now, may do (`looser`), or need no longer do. */
function demanded(verb: string, looser = "must now"): (change: Omit<ValueChange, "kind">) => string {
  return ({ now, was, isLooser }) =>
    now === undefined
      ? `need no longer ${verb} ${was}`
      : `${isLooser ? looser : "must now"} ${verb} ${now}${wasText(was)}`;
}

function wasText(was: string | undefined): string {
  return was === undefined ? "" : ` (was ${was})`;
}

function listText({ values, more }: Listing): string {
  return andMore(values, more);
}
