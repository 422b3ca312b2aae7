// What comes of a rule that is not kept? Messages, reasons and places; and what do rules cost?
import {
  ANY,
  few,
  fewKeys,
  INTEGER,
  list,
  map,
  object,
  ofRoot,
  ofSpec,
  rule,
  ruled,
  STRING,
  short,
  spec,
} from "./group.mjs";

const messages = [
  [rule("self.x > 1", { message: "x must exceed 1" })],
  [rule("self.x > 1", { message: "" })],
  [rule("self.x > 1", { message: "  " })],
  [rule("self.x > 1", { message: " padded " })],
  [rule("self.x > 1", { message: "two\nlines" })],
  [rule("self.x >\n 1")],
  [rule("self.x >\n 1", { message: "one line" })],
  [rule("  self.x > 1  ")],
  [rule("self.x > 1", { messageExpression: "'x is ' + string(self.x)" })],
  [rule("self.x > 1", { messageExpression: "'x is ' + string(self.x)", message: "plain" })],
  [rule("self.x > 1", { messageExpression: "'a\\nb'", message: "plain" })],
  [rule("self.x > 1", { messageExpression: "''", message: "plain" })],
  [rule("self.x > 1", { messageExpression: "'  '" })],
  [rule("self.x > 1", { messageExpression: "string(1 / self.x)", message: "plain" })],
  [rule("self.x > 1", { messageExpression: "string(1 / self.x)" })],
  [rule("self.x > 1", { messageExpression: "self.x" })],
  [rule("self.x > 1", { messageExpression: "'x' +" })],
  [rule("self.x > 1", { messageExpression: "self.y" })],
  [rule("self.x > 1", { messageExpression: "self.s" })],
  [rule("self.x > 1", { messageExpression: "' padded '" })],
  ...["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate", "Other", ""].map(
    (reason) => [rule("self.x > 1", { reason })],
  ),
  ...[
    ".x",
    ".y",
    ".o.p",
    ".l[0]",
    ".m.k",
    ".m['k']",
    ".nope",
    "x",
    ".",
    "",
    ".o['p']",
    ".o[p]",
    ".m.a.b",
    ".dash-ed",
    "['dash-ed']",
    ".l.x",
  ].map((fieldPath) => [rule("self.x > 1", { fieldPath, message: "no" })]),
  [rule("self.x > 1", { fieldPath: ".x", reason: "FieldValueRequired", messageExpression: "'because ' + self.s" })],
  ["self.x > 1", "self.x > 2", "self.x < 1", "self.s == 'b'"],
].map((rules) =>
  ofSpec(
    "messages",
    spec(
      {
        x: INTEGER,
        s: short,
        y: INTEGER,
        o: object({ p: INTEGER }),
        l: few(INTEGER),
        m: fewKeys(INTEGER),
        "dash-ed": INTEGER,
      },
      ...rules,
    ),
    [
      { x: 2, s: "b" },
      { x: 1, s: "b" },
      { x: 0, s: "a", o: { p: 1 }, l: [1], m: { k: 1 } },
    ],
  ),
);

const long = "x".repeat(3000);
const many = Array.from({ length: 300 }, (_, index) => index);
const text = (maxLength) => ({ ...STRING, maxLength });
/** Schemas of which the size decides whether the API server takes them: the largest that it does, found by trying. */
const LARGEST = [
  [1290, (most) => spec({ x: list(INTEGER, { maxItems: most }) }, "self.x.all(a, self.x.exists(b, a == b))")],
  [399999, (most) => spec({ x: list(text(50), { maxItems: most }) }, "self.x.all(a, a.matches('^x+$'))")],
  [7905, (most) => spec({ x: text(most), y: text(most) }, "self.x.contains(self.y)")],
  [
    1053,
    (most) =>
      spec({ x: map(text(10), { maxProperties: most }) }, "self.x.all(k, self.x.exists(j, self.x[j].startsWith(k)))"),
  ],
  [
    6666,
    (most) =>
      object({
        x: list(list(spec({ y: text(30) }, "self.y.lowerAscii() == 'a'"), { maxItems: 100 }), { maxItems: most }),
      }),
  ],
  [
    476190,
    (most) =>
      object({
        x: list(spec({ a: INTEGER, b: text(20) }, "has(self.b) && self.b.split(',').size() > 1"), { maxItems: most }),
      }),
  ],
  [403225, (most) => spec({ x: text(most) }, "self.x.split(',').all(p, p.replace('a', 'b').size() > 1)")],
  [
    121802,
    (most) =>
      spec(
        { x: list(text(100), { maxItems: most }) },
        "self.x.isSorted() && self.x.indexOf('a') >= 0 && self.x == self.x",
      ),
  ],
];
const largest = LARGEST.flatMap(([most, schema]) =>
  [most, most + 1].map((size) => ofSpec("costs", schema(size), [{}])),
);

const costs = [
  // What it really costs is too much.
  ofSpec("costs at work", LARGEST[0][1](1290), [
    { x: Array.from({ length: 900 }, (_, index) => index) },
    { x: many.slice(0, 200) },
  ]),
  ofSpec("costs", spec({ x: list(INTEGER) }, "self.x.all(a, self.x.all(b, a + b >= 0))"), [{ x: many.slice(0, 20) }]),
  ofSpec("costs", spec({ x: list(STRING) }, "self.x.all(a, a.matches('^x*$'))"), [{ x: ["x"] }]),
  ofSpec("costs", spec({ x: list(INTEGER, { maxItems: 1000 }) }, "self.x.all(a, self.x.exists(b, a == b))"), [
    { x: many.slice(0, 50) },
  ]),
  ofSpec("costs", spec({ x: list(INTEGER, { maxItems: 300 }) }, "self.x.all(a, self.x.exists(b, a == b))"), [
    { x: many.slice(0, 50) },
  ]),
  ofSpec(
    "costs",
    spec({ x: list(INTEGER, { maxItems: 300 }) }, "self.x.all(a, self.x.all(b, self.x.all(c, a + b + c >= 0)))"),
    [{ x: many.slice(0, 120) }],
  ),
  ofSpec("costs", spec({ x: STRING }, "self.x.matches('^x*$')"), [{ x: long }]),
  ofSpec("costs", spec({ x: { ...STRING, maxLength: 5000 } }, "self.x.matches('^x*$')"), [{ x: long }]),
  ofSpec("costs", object({ x: list(list(list(ruled(STRING, "self.contains('y')")))) }), [{ x: [[["y", "x"]]] }]),
  ofSpec("costs", object({ x: list(list(ruled(INTEGER, "self > 0"))) }), [{ x: [[1, 0]] }]),
  ofSpec("costs", object({ x: list(ruled(object({ y: STRING }), "self.y == 'a'")) }), [
    { x: [{ y: "a" }, { y: "b" }] },
  ]),
];

const HEAD = { apiVersion: "example.org/v1", kind: "Case" };
const roots = [
  ofRoot(
    "rules on whole objects",
    ruled(
      object({ spec: object({ x: INTEGER }) }),
      "self.metadata.name == 'a'",
      "self.kind == 'Case' && self.apiVersion == 'example.org/v1'",
    ),
    [
      { ...HEAD, metadata: { name: "a", namespace: "b" } },
      { ...HEAD, metadata: { name: "c", namespace: "b" } },
      { ...HEAD, metadata: { generateName: "c", namespace: "b" } },
    ],
  ),
  ofRoot("rules on whole objects", ruled(object({ spec: object({ x: INTEGER }) }), "self.metadata.namespace == 'b'"), [
    { ...HEAD, metadata: { name: "a", namespace: "b" } },
  ]),
  ofRoot("rules on whole objects", ruled(object({ spec: object({ x: INTEGER }) }), "!has(self.metadata.labels)"), [
    { ...HEAD, metadata: { name: "a", namespace: "b" } },
  ]),
  ofRoot(
    "rules on whole objects",
    ruled(
      object({ metadata: object({ name: { ...STRING, maxLength: 5 } }), spec: object({ x: INTEGER }) }),
      "self.metadata.name.size() < 3",
      "has(self.metadata.generateName)",
    ),
    [
      { ...HEAD, metadata: { name: "abc", namespace: "b" } },
      { ...HEAD, metadata: { name: "ab", namespace: "b", generateName: "a" } },
    ],
  ),
  ofRoot(
    "rules on whole objects",
    ruled(
      object({ spec: object({ x: INTEGER }), status: object({ y: INTEGER }) }),
      "!has(self.status) || self.status.y <= self.spec.x",
    ),
    [
      { ...HEAD, metadata: { name: "a", namespace: "b" }, spec: { x: 1 }, status: { y: 2 } },
      { ...HEAD, metadata: { name: "a", namespace: "b" }, spec: { x: 1 } },
    ],
  ),
  ofSpec(
    "rules on whole objects",
    object({
      t: ruled(
        { type: "object", "x-kubernetes-embedded-resource": true, ...ANY },
        "self.kind == 'Pod'",
        "self.metadata.name == 'a'",
      ),
    }),
    [
      { t: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } } },
      { t: { apiVersion: "v1", kind: "Pod", metadata: { name: "b" } } },
      { t: { apiVersion: "v1", kind: "Pod" } },
    ],
  ),
  ofSpec(
    "rules on whole objects",
    object({ t: ruled({ type: "object", "x-kubernetes-embedded-resource": true, ...ANY }, "self.spec.x == 1") }),
    [{ t: { apiVersion: "v1", kind: "Pod", spec: { x: 1 } } }],
  ),
];

const composed = [
  ofSpec(
    "rules in composition",
    object({
      x: { ...INTEGER, anyOf: [{ minimum: 3, "x-kubernetes-validations": [rule("self > 5")] }, { maximum: 1 }] },
    }),
    [{ x: 4 }, { x: 6 }, { x: 0 }],
  ),
  ofSpec(
    "rules in composition",
    object({ x: { ...INTEGER, allOf: [{ "x-kubernetes-validations": [rule("self > 5")] }] } }),
    [{ x: 4 }, { x: 6 }],
  ),
  ofSpec(
    "rules in composition",
    object({
      x: object(
        { y: INTEGER },
        { allOf: [{ properties: { y: { "x-kubernetes-validations": [rule("self > 5", { message: "m" })] } } }] },
      ),
    }),
    [{ x: { y: 4 } }, { x: { y: 6 } }],
  ),
  ofSpec(
    "rules in composition",
    ruled(object({ x: { ...INTEGER, maximum: 3 }, y: { ...STRING, pattern: "^a" } }), "self.x > 10"),
    [{ x: 4, y: "a" }, { x: 1, y: "b" }, { x: "a", y: "b" }, { x: 20 }],
  ),
];

export const RULE_CASES = [...messages, ...largest, ...costs, ...roots, ...composed];
