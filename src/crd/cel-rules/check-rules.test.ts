// What does the API server refuse? The verdicts are those of apiextensions-apiserver v0.36.3 (apis/.../validation); most of the
// cases were run there, the others were read from its source.

import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { ruleFaultText } from "../../render/sentence/schema-fault.ts";
import { readSchema } from "../schema/read-schema.ts";
import { checkRules } from "./check-rules.ts";

const INT: JsonObject = { type: "integer" };
const TEXT: JsonObject = { type: "string" };

function ruled(schema: JsonObject, ...rules: readonly (string | JsonObject)[]): JsonObject {
  return { ...schema, "x-kubernetes-validations": rules.map((rule) => (isObject(rule) ? rule : { rule })) };
}

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

/** What is wrong with the schema of a `spec`. */
function faultsOf(spec: JsonObject): readonly string[] {
  const { schema, faults } = readSchema(object({ spec }));
  expect(faults).toEqual([]);
  return checkRules(schema).map(({ kind, path, detail }) => `${kind} ${path}: ${ruleFaultText(detail)}`);
}

interface Case {
  readonly name: string;
  readonly spec: JsonObject;
  readonly fault?: string;
}

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    test.for(cases)("$name", ({ spec, fault }) => {
      const faults = faultsOf(spec);
      if (fault === undefined) expect(faults).toEqual([]);
      else expect(faults.join("\n")).toContain(fault);
    });
  });
}

const REPLICAS = object({ replicas: INT, status: TEXT, l: { type: "array", items: TEXT } });
const ANYTHING: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };
const NO_FIELD = "does not compile: .spec has no field";

table("types", [
  {
    name: "an operator on other types",
    spec: ruled(REPLICAS, "self.replicas + 'a' == 'b'"),
    fault: "`+` does not work on int and string",
  },
  {
    name: "an unknown field",
    spec: ruled(REPLICAS, "self.staus == ''"),
    fault: `${NO_FIELD} \`staus\` (column 6); did you mean \`status\`?`,
  },
  {
    name: "a function as a field",
    spec: ruled(REPLICAS, "has(self.size)"),
    fault: "`size` is a function; write size()",
  },
  {
    name: "an unknown variable",
    spec: ruled(REPLICAS, "sel.replicas > 1"),
    fault: "no such variable `sel` (column 1); did you mean `self`?",
  },
  {
    name: "the second line",
    spec: ruled(REPLICAS, { rule: "true &&\nself.x", message: "m" }),
    fault: "(line 2, column 6)",
  },
  { name: "no bool", spec: ruled(REPLICAS, "self.replicas"), fault: "the expression must give bool and gives int" },
  {
    name: "dyn is no bool",
    spec: ruled({ "x-kubernetes-int-or-string": true }, "self"),
    fault: "the expression must give bool and gives dyn",
  },
  { name: "an object is no map", spec: ruled(REPLICAS, "self.size() == 1"), fault: "size" },
  {
    name: "objects of two places are two types",
    spec: ruled(object({ a: object({ x: INT }), b: object({ x: INT }) }), "self.a == self.b"),
    fault: "`==` does not work on .spec.a and .spec.b",
  },
  { name: "an object may be null", spec: ruled(object({ a: object({ x: INT }) }), "self.a != null") },
  {
    name: "a text may not",
    spec: ruled(REPLICAS, "self.status != null"),
    fault: "`!=` does not work on string and null",
  },
  { name: "a number is a double", spec: ruled({ type: "number" }, "self > 1 && self + 1.0 > 2.0 && self != 1.5") },
  { name: "and no int", spec: ruled({ type: "number" }, "self == 1"), fault: "double and int" },
  {
    name: "unknown fields are not seen",
    spec: ruled(object({ a: INT }, ANYTHING), "has(self.b)"),
    fault: `${NO_FIELD} \`b\``,
  },
  {
    name: "nor fields without a type",
    spec: ruled(object({ a: ANYTHING }), "has(self.a)"),
    fault: `${NO_FIELD} \`a\``,
  },
  {
    name: "nor lists of them",
    spec: ruled(object({ a: { type: "array", items: ANYTHING } }), "has(self.a)"),
    fault: `${NO_FIELD} \`a\``,
  },
  {
    name: "rules on them",
    spec: ruled(ANYTHING, "true"),
    fault: "does-not-compile .spec: rules cannot see these values",
  },
  {
    name: "additionalProperties: true",
    spec: ruled({ type: "object", additionalProperties: true }, "has(self.a)"),
    fault: NO_FIELD,
  },
  {
    name: "an embedded resource has its names",
    spec: ruled(
      { type: "object", "x-kubernetes-embedded-resource": true, ...ANYTHING },
      "self.metadata.name != '' && self.kind != ''",
    ),
  },
  {
    name: "and no other metadata",
    spec: ruled({ type: "object", "x-kubernetes-embedded-resource": true, ...ANYTHING }, "has(self.metadata.labels)"),
    fault: ".spec.metadata has no field `labels`",
  },
  {
    name: "names that are no identifiers",
    spec: ruled(
      object({ "a-b": INT, "a.b": INT, "a/b": INT, a__b: INT, in: INT, x___y: INT, while: INT, self: INT }),
      "has(self.a__dash__b) && has(self.a__dot__b) && has(self.a__slash__b) && has(self.a__underscores__b)",
      "has(self.__in__) && has(self.x__underscores___y) && has(self.__while__) && has(self.self)",
    ),
  },
  {
    name: "names that cannot be written",
    spec: ruled(object({ "a b": INT, "1a": INT }), "has(self.a)"),
    fault: NO_FIELD,
  },
  {
    name: "literals of mixed types",
    spec: ruled(INT, "[1, 'a'].size() == 2"),
    fault: "an element is string, but the first is int",
  },
  { name: "in the arguments of format()", spec: ruled(INT, "'%s %d'.format(['a', self]) == ''") },
  { name: "functions that Kubernetes has not", spec: ruled(INT, "math.abs(self) == 1"), fault: "math" },
]);

const OPTIONAL = { rule: "self > 1", optionalOldSelf: true };

table("oldSelf", [
  { name: "is of the type of self", spec: ruled(INT, "self >= oldSelf") },
  {
    name: "is an optional",
    spec: ruled(INT, { rule: "self > oldSelf", optionalOldSelf: true }),
    fault: "int and optional_type(int)",
  },
  {
    name: "optional and not used",
    spec: ruled(INT, OPTIONAL),
    fault: 'optionalOldSelf is set, but the rule "self > 1" does not use `oldSelf`',
  },
  {
    name: "below items that have no old value",
    spec: { type: "array", maxItems: 3, items: object({ a: ruled(INT, "self == oldSelf") }) },
    fault: "cannot be used: items of the list .spec have no old value",
  },
  {
    name: "below items of type map",
    spec: {
      type: "array",
      maxItems: 3,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: object({ k: TEXT, a: ruled(INT, "self == oldSelf") }, { required: ["k"] }),
    },
  },
]);

table("oldSelf in lists of lists", [
  {
    name: "a list of type map in a list of another type",
    spec: {
      type: "array",
      maxItems: 3,
      items: {
        type: "array",
        maxItems: 3,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: object({ k: TEXT, a: ruled(INT, "self == oldSelf") }, { required: ["k"] }),
      },
    },
    fault: "cannot be used: items of the list .spec have no old value",
  },
]);

table("the schema around a rule", [
  {
    name: "a fieldPath with an unknown escape",
    spec: ruled(
      { type: "object", maxProperties: 1, additionalProperties: INT },
      { rule: "true", fieldPath: "['\\q']" },
    ),
    fault: "the fieldPath leads to nothing",
  },
  { name: "an empty rule", spec: ruled(INT, " "), fault: "the rule is empty" },
  { name: "a blank message", spec: ruled(INT, { rule: "true", message: " " }), fault: "the message is blank" },
  { name: "a message of two lines", spec: ruled(INT, { rule: "true", message: "a\nb" }), fault: "line breaks" },
  { name: "a rule of two lines", spec: ruled(INT, "self >\n1"), fault: "a rule with line breaks needs a message" },
  { name: "a blank messageExpression", spec: ruled(INT, { rule: "true", messageExpression: " " }), fault: "is blank" },
  {
    name: "a messageExpression that gives no text",
    spec: ruled(INT, { rule: "true", messageExpression: "self" }),
    fault: "must give string and gives int",
  },
  { name: "an unknown reason", spec: ruled(INT, { rule: "true", reason: "Nope" }), fault: "the reason must be one of" },
  { name: "a known reason", spec: ruled(INT, { rule: "true", reason: "FieldValueDuplicate" }) },
  { name: "a fieldPath", spec: ruled(REPLICAS, { rule: "true", fieldPath: ".replicas" }) },
  {
    name: "a fieldPath to nothing",
    spec: ruled(REPLICAS, { rule: "true", fieldPath: ".b" }),
    fault: "the fieldPath leads to nothing",
  },
  {
    name: "a fieldPath without a dot",
    spec: ruled(REPLICAS, { rule: "true", fieldPath: "replicas" }),
    fault: "the fieldPath leads to nothing",
  },
]);

const EVERY_PAIR = "self.all(x, self.all(y, x == y))";

table("costs", [
  {
    name: "lists without bounds",
    spec: ruled({ type: "array", items: TEXT }, EVERY_PAIR),
    fault:
      'too-expensive .spec: the rule "self.all(x, self.all(y, x == y))" may cost more than 100 times the limit of 10,000,000\n',
  },
  { name: "with bounds", spec: ruled({ type: "array", maxItems: 10, items: { ...TEXT, maxLength: 10 } }, EVERY_PAIR) },
  {
    name: "values below a list without bounds",
    spec: {
      type: "array",
      items: object({ a: ruled({ ...TEXT, maxLength: 100 }, `self.contains('${"a".repeat(37)}')`) }),
    },
    fault: "may cost 16.9 times the limit of 10,000,000\n",
  },
  {
    name: "values below bounds",
    spec: {
      type: "object",
      maxProperties: 1000,
      additionalProperties: { type: "array", maxItems: 1000, items: ruled(INT, "self > 1") },
    },
  },
  {
    name: "a message",
    spec: ruled(INT, { rule: "self > 1", messageExpression: "'is ' + string(self)" }),
    fault: "too-expensive",
  },
  {
    name: "values of a map without bounds",
    spec: { type: "object", additionalProperties: ruled(INT, "self > 1 && self > 2 && self > 3 && self > 4") },
    fault: "may cost 1.2583 times the limit",
  },
  {
    name: "a message is made once",
    spec: {
      type: "array",
      maxItems: 1_000_000,
      items: ruled({ ...TEXT, maxLength: 10 }, { rule: "self == ''", messageExpression: "self + self + self + self" }),
    },
  },
  {
    name: "all rules together",
    spec: object(
      Object.fromEntries(
        Array.from({ length: 15 }, (_, index) => [
          `f${index}`,
          { type: "array", items: ruled(INT, "self > 1 && self > 2") },
        ]),
      ),
    ),
  },
  {
    name: "too many together",
    spec: object(
      Object.fromEntries(
        Array.from({ length: 17 }, (_, index) => [
          `f${index}`,
          { type: "array", items: ruled(INT, "self > 1 && self > 2") },
        ]),
      ),
    ),
    fault: "all rules together may cost 1.0",
  },
]);

test("a fault has its place", () => {
  const { schema } = readSchema(
    object({ "a-b": { type: "array", items: ruled(INT, "true", { rule: "x", messageExpression: "y" }) } }),
  );
  expect(checkRules(schema).map(({ at, path }) => [printPath(at), path])).toEqual([
    ["properties.a-b.items.x-kubernetes-validations[1].rule", ".a-b[*]"],
    ["properties.a-b.items.x-kubernetes-validations[1].messageExpression", ".a-b[*]"],
  ]);
});

test("a schema without rules has no faults; too many rules are named", () => {
  expect(checkRules(readSchema(object({ a: INT })).schema)).toEqual([]);
  const many = ruled(INT, ...Array.from({ length: 10_002 }, () => "true"));
  expect(faultsOf(many)).toEqual([
    "too-expensive : 2 rules were not compiled: there are more than 10,000, or they are too long",
  ]);
});

test("a rule of a megabyte is named", () => {
  expect(faultsOf(ruled(INT, `true${" && true".repeat(200_000)}`))[0]).toContain("at most 100000 are read");
});
