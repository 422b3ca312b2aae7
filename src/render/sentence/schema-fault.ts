// How does it read that a part of a schema, or a rule in it, cannot be used? And what helps?

import type { RuleFaultDetail, RuleText } from "../../crd/rules/check-rules.ts";
import type { KeywordValue, SchemaFaultDetail } from "../../crd/schema/schema.ts";
import { grouped } from "./crd-words.ts";

/** What is wrong with a part of a schema, without a full stop. */
export function schemaFaultText(fault: SchemaFaultDetail): string {
  switch (fault.kind) {
    case "keyword-value":
      return `${fault.keyword} must be ${EXPECTED[fault.expected]}, but is ${fault.is}; it was left out`;
    case "not-a-schema":
      return `a schema must be an object, but is ${fault.is}; it was left out`;
    case "keyword-not-allowed":
      return `${fault.keyword} is not allowed; it was left out`;
    case "null-type":
      return "type null is not allowed, say nullable";
    case "items-by-position":
      return "a schema for each position is not allowed";
    case "unique-items":
      return "uniqueItems is not allowed, say x-kubernetes-list-type: set";
    case "properties-and-others":
      return "properties and additionalProperties are not allowed together";
    case "rule-shape":
      return "a validation rule must be an object with the text rule; it was left out";
    case "levels":
      return `schemas stand more than ${fault.limit} deep in each other; what is here was not read`;
    case "nodes":
      return `the schema has more than ${grouped(fault.limit)} parts; the others were not read`;
    case "faults":
      return `more than ${grouped(fault.limit)} parts cannot be used; the others are not listed`;
    case "value-levels":
      return `the values of ${fault.keyword} stand more than ${fault.limit} deep in each other; it was left out`;
    case "pattern":
      return `the pattern cannot be used: ${fault.mistake}`;
    case "patterns":
      return "the patterns of the schema are too many or too large together; those after this one were not looked at";
  }
}

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
export function ruleFaultText(fault: RuleFaultDetail): string {
  switch (fault.kind) {
    case "not-compiled":
      return `${grouped(fault.left)} rules were not compiled: there are more than ${grouped(fault.limit)}, or they are too long`;
    case "untyped":
      return "rules cannot see these values: the schema does not say of which type they, or what is in them, are";
    case "empty":
      return "the rule is empty";
    case "issue": {
      const { message, hint, line, column } = fault;
      const place = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
      return `${nameOf(fault)} does not compile: ${message} (${place})${hint === undefined ? "" : `; ${hint}`}`;
    }
    case "message-blank":
      return "the message is blank";
    case "message-breaks":
      return "the message has line breaks";
    case "message-missing":
      return "a rule with line breaks needs a message";
    case "expression-blank":
      return "the messageExpression is blank";
    case "field-path":
      return "the fieldPath leads to nothing that the schema has below the rule";
    case "reason":
      return `the reason must be one of ${fault.allowed.join(", ")}`;
    case "no-old-self":
      return `the rule ${fault.rule} cannot be used: items of the list ${fault.list || "itself"} have no old value, \`oldSelf\` needs x-kubernetes-list-type map`;
    case "old-self-unused":
      return `optionalOldSelf is set, but the rule ${fault.rule} does not use \`oldSelf\``;
    case "cost":
      return `${nameOf(fault)} may cost ${excessText(fault)}`;
    case "total-cost":
      return `all rules together may cost ${excessText(fault)}; the most expensive is on ${fault.path || "the object"}`;
  }
}

function nameOf({ of, text }: RuleText): string {
  return `the ${of} ${text}`;
}

function excessText({ factor, limit }: { readonly factor?: number; readonly limit: number }): string {
  const times = factor === undefined ? "more than 100 times" : `${factor.toFixed(factor < 1.5 ? 4 : 1)} times`;
  return `${times} the limit of ${grouped(limit)}`;
}
