// How does it read that a part of a schema, or a rule in it, cannot be used? And what helps?

import type { RuleFaultDetail, RuleText } from "../../crd/cel-rules/check-rules.ts";
import type { KeywordValue, SchemaFaultDetail } from "../../crd/schema/schema.ts";
import { byKind } from "../kit/by-kind.ts";
import { grouped } from "./crd-words.ts";

/** What is wrong with a part of a schema, without a full stop. */
export const schemaFaultText: (fault: SchemaFaultDetail) => string = byKind({
  "keyword-value": (fault) =>
    `${fault.keyword} must be ${EXPECTED[fault.expected]}, but is ${fault.is}; it was left out`,
  "not-a-schema": (fault) => `a schema must be an object, but is ${fault.is}; it was left out`,
  "keyword-not-allowed": (fault) => `${fault.keyword} is not allowed; it was left out`,
  "null-type": () => "type null is not allowed, say nullable",
  "items-by-position": () => "a schema for each position is not allowed",
  "unique-items": () => "uniqueItems is not allowed, say x-kubernetes-list-type: set",
  "properties-and-others": () => "properties and additionalProperties are not allowed together",
  "rule-shape": () => "a validation rule must be an object with the text rule; it was left out",
  levels: (fault) => `schemas stand more than ${fault.limit} deep in each other; what is here was not read`,
  nodes: (fault) => `the schema has more than ${grouped(fault.limit)} parts; the others were not read`,
  faults: (fault) => `more than ${grouped(fault.limit)} parts cannot be used; the others are not listed`,
  "value-levels": (fault) =>
    `the values of ${fault.keyword} stand more than ${fault.limit} deep in each other; it was left out`,
  pattern: (fault) => `the pattern cannot be used: ${fault.mistake}`,
  patterns: () =>
    "the patterns of the schema are too many or too large together; those after this one were not looked at",
});

const EXPECTED: Readonly<Record<KeywordValue, string>> = {
  flag: "true or false",
  number: "a number",
  "whole number": "a whole number",
  text: "text",
  texts: "a list of texts",
  object: "an object",
  list: "a list",
  schema: "a schema",
  schemas: "a list of schemas",
  "flag or schema": "true, false or a schema",
  rules: "a list of rules",
};

/** What is wrong with a rule, without a full stop. */
export const ruleFaultText: (fault: RuleFaultDetail) => string = byKind({
  "not-compiled": (fault) =>
    `${grouped(fault.left)} rules were not compiled: there are more than ${grouped(fault.limit)}, or they are too long`,
  untyped: () => "rules cannot see these values: the schema does not say of which type they, or what is in them, are",
  empty: () => "the rule is empty",
  issue: (fault) => {
    const { message, hint, line, column } = fault;
    const place = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
    return `${nameOf(fault)} does not compile: ${message} (${place})${hint === undefined ? "" : `; ${hint}`}`;
  },
  "message-blank": () => "the message is blank",
  "message-breaks": () => "the message has line breaks",
  "message-missing": () => "a rule with line breaks needs a message",
  "expression-blank": () => "the messageExpression is blank",
  "field-path": () => "the fieldPath leads to nothing that the schema has below the rule",
  reason: (fault) => `the reason must be one of ${fault.allowed.join(", ")}`,
  "no-old-self": (fault) =>
    `the rule ${fault.rule} cannot be used: items of the list ${fault.list || "itself"} have no old value, \`oldSelf\` needs x-kubernetes-list-type map`,
  "old-self-unused": (fault) => `optionalOldSelf is set, but the rule ${fault.rule} does not use \`oldSelf\``,
  cost: (fault) => `${nameOf(fault)} may cost ${excessText(fault)}`,
  "total-cost": (fault) =>
    `all rules together may cost ${excessText(fault)}; the most expensive is on ${fault.path || "the object"}`,
});

function nameOf({ of, text }: RuleText): string {
  return `the ${of} ${text}`;
}

function excessText({ factor, limit }: { readonly factor?: number; readonly limit: number }): string {
  const times = factor === undefined ? "more than 100 times" : `${factor.toFixed(factor < 1.5 ? 4 : 1)} times`;
  return `${times} the limit of ${grouped(limit)}`;
}
