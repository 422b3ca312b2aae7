// How does it read that an object is not valid, or was not checked to its end?

import type { Kind } from "../../crd/validate/expectation.ts";
import type { FaultDetail, NumberRange, UndecidedReason } from "../../crd/validate/fault.ts";
import type { ShownValue } from "../../crd/validate/shown.ts";
import { counted, enumerated } from "../../text/words.ts";
import { grouped } from "./crd-words.ts";

/** What is wrong with a value, as the predicate of a sentence about it; what a rule says is a sentence of its own. */
export function faultText(fault: FaultDetail): string {
  switch (fault.kind) {
    case "type":
      return `must be ${typesText(fault.expected)}, but is ${KINDS[fault.is]}`;
    case "not-whole":
      return `must be ${typesText(fault.expected)}, but is ${fault.actual}${fault.isTooLarge ? ", too large" : ""}`;
    case "range":
      return `must be ${RANGES[fault.range]}, but is ${fault.actual}`;
    case "unusable-bound":
      return `no number is valid, because the ${fault.keyword} ${fault.bound} of the schema is not ${RANGES[fault.range]}; correct the schema`;
    case "bound": {
      const [exclusive, inclusive] = fault.keyword === "minimum" ? ["more than", "at least"] : ["less than", "at most"];
      return `must be ${fault.isExclusive ? exclusive : inclusive} ${fault.limit}, but is ${fault.actual}`;
    }
    case "multipleOf":
      return `must be a multiple of ${fault.factor}, but is ${fault.actual}`;
    case "not-divisible":
      return `the API server cannot divide ${fault.actual} by ${fault.factor}; give multipleOf of 1 or more for integers`;
    case "size": {
      const [bound, unit] = SIZES[fault.keyword];
      return `must have ${bound} ${counted(fault.limit, unit)}, but has ${fault.actual}`;
    }
    case "required":
      return "is required, but not there";
    case "embedded-required":
      return "is required in an embedded resource, but not there";
    case "empty":
      return "must not be empty";
    case "negative":
      return "must not be negative";
    case "not":
      return "must not be valid under the schema of not, but is";
    case "other-field":
      return `no other fields are allowed, but there is ${fault.name}`;
    case "pattern":
      return `must match ${fault.expected}, but is ${fault.actual}`;
    case "format":
      return `must be of the format ${fault.expected}, but is ${fault.actual}`;
    case "enum":
      return `must be ${choicesText(fault.allowed, fault.more)}, but is ${valueText(fault.actual)}`;
    case "no-alternative": {
      const { keyword, alternatives, closest, why } = fault;
      const reason = why === undefined ? "" : `: ${why.field || "it"} ${faultText(why.detail)}`;
      const valid = keyword === "anyOf" ? "at least one" : "one";
      return `must be valid under ${valid} of ${alternatives} alternatives, but is under none; the ${ordinal(closest)} comes closest${reason}`;
    }
    case "two-alternatives":
      return `must be valid under one of ${fault.alternatives} alternatives, but is under the ${ordinal(fault.first)} and the ${ordinal(fault.second)}`;
    case "repeated-item":
      return `must have each item once, but ${valueText(fault.actual)} is repeated`;
    case "repeated-in-set":
      return `must be once in the set, but ${valueText(fault.actual)} is there before`;
    case "not-an-object":
      return `must be an object, because the list is a map, but is ${valueText(fault.actual)}`;
    case "repeated-keys": {
      const keys = fault.keys.map(({ name, value }) =>
        value === undefined ? `no ${name}` : `${name}: ${valueText(value)}`,
      );
      return `must have keys of its own, but ${keys.join(", ")} is there before`;
    }
    case "not-text":
      return `must be text, but is ${KINDS[fault.is]}`;
    case "not-metadata":
      return `must be an object, but is ${KINDS[fault.is]}`;
    case "api-version":
      return `must be a version, or a group, a slash and a version, but is ${fault.actual}`;
    case "shape":
      return `must be ${SHAPES[fault.expected]}, but is ${valueText(fault.actual)}`;
    case "name":
      return `${fault.actual} is not valid: ${fault.mistakes.join("; ")}`;
    case "annotations":
      return `must have at most ${fault.limit} bytes together, but has ${fault.actual}`;
    case "rule":
      return fault.message;
    case "rule-broken":
      return `does not keep a rule: ${fault.rule}`;
    case "rule-error":
      return `the rule \`${fault.rule}\` cannot be evaluated: ${fault.error}`;
  }
}

/** Why an object was not checked to its end, without a full stop. */
export function undecidedText(reason: UndecidedReason): string {
  switch (reason.kind) {
    case "values-too-deep":
      return `values more than ${reason.levels} deep are not compared`;
    case "lists-too-deep":
      return `lists stand more than ${reason.levels} deep in each other`;
    case "alternatives":
      return `more than ${reason.limit} alternatives of the schema had to be tried`;
    case "defaults":
      return `defaults of more than ${reason.limit} values would have to be put in`;
    case "patterns":
      return "the patterns of the schema are too many or too large together";
    case "text-too-long":
      return `a text of ${reason.length} characters is too long for the pattern ${reason.pattern}`;
    case "rules-not-compiled":
      return `${reason.left} validation rules were not evaluated: there are more than ${reason.limit}, or they are too long`;
    case "rule": {
      const { rule, field, limit, error } = reason;
      const why =
        limit === undefined
          ? error
          : `the rules of the object cost more than ${grouped(limit)}; no further rules were evaluated`;
      return `the rule \`${rule}\` on ${field || "the object"} was not decided, because ${why}`;
    }
  }
}

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
