// How does it read that an object is not valid, or was not checked to its end?

import type { Kind } from "../../crd/validate/expectation.ts";
import type { FaultDetail, NumberRange, UndecidedReason } from "../../crd/validate/fault.ts";
import type { ShownValue } from "../../crd/validate/value-text.ts";
import { counted, enumerated } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { grouped } from "./crd-words.ts";

/** What is wrong with a value, as the predicate of a sentence about it; what a rule says is a sentence of its own. */
export const faultText: (fault: FaultDetail) => string = byKind({
  type: (fault) => `must be ${typesText(fault.expected)}, but is ${KINDS[fault.is]}`,
  "not-whole": (fault) =>
    `must be ${typesText(fault.expected)}, but is ${fault.actual}${fault.isTooLarge ? ", too large" : ""}`,
  range: (fault) => `must be ${RANGES[fault.range]}, but is ${fault.actual}`,
  "unusable-bound": (fault) =>
    `no number is valid, because the ${fault.keyword} ${fault.bound} of the schema is not ${RANGES[fault.range]}; correct the schema`,
  bound: (fault) => {
    const [exclusive, inclusive] = fault.keyword === "minimum" ? ["more than", "at least"] : ["less than", "at most"];
    return `must be ${fault.isExclusive ? exclusive : inclusive} ${fault.limit}, but is ${fault.actual}`;
  },
  multipleOf: (fault) => `must be a multiple of ${fault.factor}, but is ${fault.actual}`,
  "not-divisible": (fault) =>
    `the API server cannot divide ${fault.actual} by ${fault.factor}; give multipleOf of 1 or more for integers`,
  size: (fault) => {
    const [bound, unit] = SIZES[fault.keyword];
    return `must have ${bound} ${counted(fault.limit, unit)}, but has ${fault.actual}`;
  },
  required: () => "is required, but not there",
  "embedded-required": () => "is required in an embedded resource, but not there",
  empty: () => "must not be empty",
  negative: () => "must not be negative",
  not: () => "must not be valid under the schema of not, but is",
  "other-field": (fault) => `no other fields are allowed, but there is ${fault.name}`,
  pattern: (fault) => `must match ${fault.expected}, but is ${fault.actual}`,
  format: (fault) => `must be of the format ${fault.expected}, but is ${fault.actual}`,
  enum: (fault) => `must be ${choicesText(fault.allowed, fault.more)}, but is ${valueText(fault.actual)}`,
  "no-alternative": (fault) => {
    const { keyword, alternatives, closest, why } = fault;
    const reason = why === undefined ? "" : `: ${why.field || "it"} ${faultText(why.detail)}`;
    const valid = keyword === "anyOf" ? "at least one" : "one";
    return `must be valid under ${valid} of ${alternatives} alternatives, but is under none; the ${ordinal(closest)} comes closest${reason}`;
  },
  "two-alternatives": (fault) =>
    `must be valid under one of ${fault.alternatives} alternatives, but is under the ${ordinal(fault.first)} and the ${ordinal(fault.second)}`,
  "repeated-item": (fault) => `must have each item once, but ${valueText(fault.actual)} is repeated`,
  "repeated-in-set": (fault) => `must be once in the set, but ${valueText(fault.actual)} is there before`,
  "not-an-object": (fault) => `must be an object, because the list is a map, but is ${valueText(fault.actual)}`,
  "repeated-keys": (fault) => {
    const keys = fault.keys.map(({ name, value }) =>
      value === undefined ? `no ${name}` : `${name}: ${valueText(value)}`,
    );
    return `must have keys of its own, but ${keys.join(", ")} is there before`;
  },
  "not-text": (fault) => `must be text, but is ${KINDS[fault.is]}`,
  "not-metadata": (fault) => `must be an object, but is ${KINDS[fault.is]}`,
  "api-version": (fault) => `must be a version, or a group, a slash and a version, but is ${fault.actual}`,
  shape: (fault) => `must be ${SHAPES[fault.expected]}, but is ${valueText(fault.actual)}`,
  name: (fault) => `${fault.actual} is not valid: ${fault.mistakes.join("; ")}`,
  annotations: (fault) => `must have at most ${fault.limit} bytes together, but has ${fault.actual}`,
  rule: (fault) => fault.message,
  "rule-broken": (fault) => `does not keep a rule: ${fault.rule}`,
  "rule-error": (fault) => `the rule \`${fault.rule}\` cannot be evaluated: ${fault.error}`,
});

/** Why an object was not checked to its end, without a full stop. */
export const undecidedText: (reason: UndecidedReason) => string = byKind({
  "values-too-deep": (reason) => `values more than ${reason.levels} deep are not compared`,
  "lists-too-deep": (reason) => `lists stand more than ${reason.levels} deep in each other`,
  alternatives: (reason) => `more than ${reason.limit} alternatives of the schema had to be tried`,
  defaults: (reason) => `defaults of more than ${reason.limit} values would have to be put in`,
  patterns: () => "the patterns of the schema are too many or too large together",
  "text-too-long": (reason) => `a text of ${reason.length} characters is too long for the pattern ${reason.pattern}`,
  "rules-not-compiled": (reason) =>
    `${reason.left} validation rules were not evaluated: there are more than ${reason.limit}, or they are too long`,
  rule: (reason) => {
    const { rule, field, limit, error } = reason;
    const why =
      limit === undefined
        ? error
        : `the rules of the object cost more than ${grouped(limit)}; no further rules were evaluated`;
    return `the rule \`${rule}\` on ${field || "the object"} was not decided, because ${why}`;
  },
});

const KINDS: Readonly<Record<Kind, string>> = {
  text: "text",
  number: "a number",
  flag: "true or false",
  list: "a list",
  object: "an object",
  null: "null",
};

const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["array", "a list"],
  ["object", "an object"],
  ["integer", "a whole number"],
  ["number", "a number"],
  ["boolean", "true or false"],
]);

const RANGES: Readonly<Record<NumberRange, string>> = {
  int32: "an integer of 32 bits",
  int64: "an integer of 64 bits",
  float: "a number of 32 bits",
};

const SIZES = {
  minLength: ["at least", "character"],
  maxLength: ["at most", "character"],
  minItems: ["at least", "item"],
  maxItems: ["at most", "item"],
  minProperties: ["at least", "field"],
  maxProperties: ["at most", "field"],
} as const;

const SHAPES = {
  text: "text",
  object: "an object",
  "whole number": "a whole number",
  time: "a time like 2006-01-02T15:04:05Z",
  "texts by name": "an object of texts",
  "list of texts": "a list of texts",
  "list of objects": "a list of objects",
} as const;

function typesText(types: readonly string[]): string {
  const names = types.map((type) => TYPES.get(type) ?? `of the type ${type.slice(0, 60)}`);
  return names.length === 0 ? "text" : names.join(" or ");
}

function valueText(value: ShownValue): string {
  if (typeof value === "string") return value;
  return "items" in value ? `a list of ${value.items}` : "an object";
}

function choicesText(allowed: readonly ShownValue[], more: number): string {
  const texts = allowed.map(valueText);
  return more > 0 ? `${texts.join(", ")} or one of ${more} more` : enumerated(texts, "or") || "nothing";
}

function ordinal(index: number): string {
  const place = index + 1;
  const ending = place % 100 > 10 && place % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}
