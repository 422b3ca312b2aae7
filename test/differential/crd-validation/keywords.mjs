// What does each keyword of a schema mean for chosen values?
import { ANY, BOOLEAN, INTEGER, list, map, NUMBER, object, ofField, ofSpec, raw, STRING } from "./group.mjs";

const BIG = 2n ** 53n;
const NUMBERS = [
  0,
  1,
  -1,
  1.5,
  raw("1.0"),
  raw("1e3"),
  raw("-0.0"),
  raw("1.0e0"),
  BIG - 1n,
  BIG,
  BIG + 1n,
  -BIG - 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  -(2n ** 63n),
  -(2n ** 63n) - 1n,
  2n ** 64n,
  raw("1e18"),
  raw("1e19"),
  raw("1e308"),
  raw("1e-7"),
  2147483647,
  2147483648,
  -2147483648,
  -2147483649,
  raw("3.5e38"),
  raw("3.4e38"),
  raw("9007199254740993.0"),
];
const ALL = [{}, { x: 1 }, [], [1], "", "a", "1", "true", true, false, null, ...NUMBERS];

const TYPES = [object({}), object({ x: INTEGER }), map(INTEGER), list(INTEGER), STRING, INTEGER, NUMBER, BOOLEAN, ANY];
const nullable = (schema) => ({ ...schema, nullable: true });

const types = TYPES.flatMap((schema) => [ofField("type", schema, ALL), ofField("nullable", nullable(schema), ALL)]);

const INT_OR_STRING = { "x-kubernetes-int-or-string": true };
const intOrString = [
  INT_OR_STRING,
  nullable(INT_OR_STRING),
  { ...INT_OR_STRING, anyOf: [{ type: "integer" }, { type: "string" }] },
  { ...INT_OR_STRING, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+%?$" },
  { ...INT_OR_STRING, allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "^1" }] },
  { ...INT_OR_STRING, pattern: "^[0-9]+%$", maximum: 10 },
  { ...INT_OR_STRING, minLength: 2, minimum: 1 },
  { ...INT_OR_STRING, enum: ["a", 1] },
  { ...INT_OR_STRING, format: "int32" },
  { ...INT_OR_STRING, multipleOf: 2 },
].map((schema) => ofField("int-or-string", schema, [...ALL, "50%", "5 %", 10, 11, 2]));

const bounds = [
  { minimum: 2 },
  { maximum: 2 },
  { minimum: 2, exclusiveMinimum: true },
  { maximum: 2, exclusiveMaximum: true },
  { minimum: -1.5, maximum: 1.5 },
  { minimum: raw("1e3") },
  { maximum: BIG },
  { minimum: BIG },
  { maximum: BIG, exclusiveMaximum: true },
  { maximum: 2n ** 63n - 1n },
  { minimum: 2, maximum: 1 },
  { exclusiveMinimum: true },
  { minimum: 0, exclusiveMinimum: true },
  { maximum: 0.1 },
].flatMap((bound) => [
  ofField("bounds", { ...INTEGER, ...bound }, [
    1,
    2,
    3,
    -1,
    0,
    1000,
    BIG - 1n,
    BIG,
    BIG + 1n,
    2n ** 63n - 1n,
    raw("2.0"),
    1.9,
  ]),
  ofField("bounds", { ...NUMBER, ...bound }, [
    1,
    2,
    3,
    1.9,
    2.1,
    -1.5,
    0,
    raw("-0.0"),
    raw("1e3"),
    0.1,
    BIG,
    raw("9007199254740993.0"),
    "2",
  ]),
]);

const multipleOf = [
  [{ ...NUMBER, multipleOf: 0.1 }, [0, 0.1, 0.2, 0.3, 0.7, 1.1, 1, 0.15, -0.3, 1000000.1, raw("1e20"), "0.1", 4.35]],
  [{ ...NUMBER, multipleOf: 0.01 }, [0.01, 0.07, 1.13, 4.35, 19.99, 0.001, 1e6, 123456.78, 8.41]],
  [{ ...NUMBER, multipleOf: 2.5 }, [0, 2.5, 5, 7, -2.5, 1, raw("1e300")]],
  [{ ...NUMBER, multipleOf: raw("1e-7") }, [0, raw("1e-7"), raw("3e-7"), 1, raw("1.5e-7")]],
  [{ ...NUMBER, multipleOf: 3 }, [0, 3, 3.5, 9, -3, raw("3.0"), BIG, BIG + 1n, 2n ** 63n - 1n]],
  [{ ...INTEGER, multipleOf: 3 }, [0, 1, 3, -3, -4, BIG, BIG + 1n, 2n ** 63n - 1n, 3.5, raw("3.0"), null]],
  [{ ...INTEGER, multipleOf: 0.5 }, [0, 1, 3]],
  [{ ...INTEGER, multipleOf: 1.5 }, [0, 1, 3, 4]],
  [{ ...INTEGER, multipleOf: 1 }, [0, 1, BIG + 1n]],
  [{ ...INTEGER, multipleOf: 0 }, [0, 1]],
  [{ ...INTEGER, multipleOf: -2 }, [0, 1, 2, -2]],
].map(([schema, values]) => ofField("multipleOf", schema, values));

const FACE = "\u{1f600}";
const TEXTS = [
  "",
  "a",
  "ab",
  "abc",
  FACE,
  FACE + FACE,
  `${FACE}a`,
  "é",
  "e\u0301",
  "\u0000",
  "日本",
  "👩‍👩‍👧",
  "\ufffd",
  12,
];
const lengths = [
  { minLength: 1 },
  { minLength: 2 },
  { maxLength: 1 },
  { maxLength: 2 },
  { maxLength: 0 },
  { minLength: 0 },
  { minLength: 2, maxLength: 2 },
  { maxLength: 3, pattern: "^.$" },
].map((bound) => ofField("length", { ...STRING, ...bound }, TEXTS));

const sizes = [
  ...[
    { minItems: 1 },
    { minItems: 2 },
    { maxItems: 1 },
    { maxItems: 0 },
    { minItems: 0 },
    { minItems: 2, maxItems: 2 },
  ].map((bound) => ofField("items", list(INTEGER, bound), [[], [1], [1, 1], [1, 2, 3], null, ["a"], {}])),
  ...[{ minProperties: 1 }, { minProperties: 2 }, { maxProperties: 1 }, { maxProperties: 0 }].flatMap((bound) => [
    ofField("properties", map(INTEGER, bound), [{}, { x: 1 }, { x: 1, y: 2 }, { x: 1, y: 2, z: "3" }, [], null]),
    ofField("properties", object({ x: INTEGER, y: { ...INTEGER, default: 5 } }, bound), [
      {},
      { x: 1 },
      { x: 1, y: 2 },
      { u: 1, w: 2 },
      { x: null },
    ]),
  ]),
  ofField("uniqueItems", list(INTEGER, { uniqueItems: true }), [
    [1, 2],
    [1, 1],
  ]),
  ofField("uniqueItems", list(INTEGER, { uniqueItems: false }), [[1, 1]]),
];

const enums = [
  [{ ...STRING, enum: ["a", "b", ""] }, ["a", "b", "c", "", "A", null, 1]],
  [{ ...STRING, nullable: true, enum: ["a"] }, ["a", null, "b"]],
  [{ ...STRING, nullable: true, enum: ["a", null] }, ["a", null, "b"]],
  [{ ...STRING, enum: [] }, ["a", ""]],
  [{ ...INTEGER, enum: [1, 2, BIG + 1n] }, [1, 2, 3, raw("1.0"), BIG + 1n, BIG, "1", null]],
  [{ ...NUMBER, enum: [1, 1.5, raw("2.0")] }, [1, 1.5, 2, raw("1.0"), raw("2.0"), raw("15e-1"), 3]],
  [{ ...BOOLEAN, enum: [true] }, [true, false, null]],
  [list(INTEGER, { enum: [[1, 2], []] }), [[1, 2], [], [2, 1], [1], [raw("1.0"), 2]]],
  [
    object({ x: INTEGER, y: STRING }, { enum: [{ x: 1 }, { y: "a", x: 2 }] }),
    [{ x: 1 }, { x: 2, y: "a" }, { x: 2 }, {}, { x: 1, z: 1 }],
  ],
  [
    { ...ANY, enum: [1, "1", true, null, { a: [1] }, [null]] },
    [1, "1", true, false, null, { a: [1] }, { a: [2] }, [null], [], raw("1.0")],
  ],
  [map(INTEGER, { enum: [{ x: 1, y: 2 }] }), [{ y: 2, x: 1 }, { x: 1 }, { x: 1, y: 2, z: 3 }]],
].map(([schema, values]) => ofField("enum", schema, values));

const SUBJECTS = [
  "",
  "a",
  "ab",
  "aab",
  "abc",
  "A",
  "a\nb",
  "\n",
  "a\n",
  "é",
  FACE,
  "a.b",
  "a-b",
  "_",
  "1",
  "12",
  "0x1",
  " ",
  "日",
  "a/b",
  "aaaaaaaaaaaaaaaaaaaaaaaa!",
  "K",
  "\u212a",
  "x\u0000",
];
const PATTERNS = [
  "a",
  "^a",
  "a$",
  "^a$",
  "^$",
  "^[a-z]+$",
  "^(a+)+$",
  "(?i)^k$",
  "(?s)^a.b$",
  "^a.b$",
  "(?m)^b$",
  "\\d+",
  "^\\w$",
  "^\\pL+$",
  "^\\p{Greek}+$",
  "\\bab\\b",
  "^.$",
  "^.{2}$",
  "^(?:a|ab)(?:c|bcd)?$",
  "[[:alpha:]]",
  "^\\x{1F600}$",
  "\\Qa.b\\E",
  "^[^a]*$",
  "a{2,}",
  "(?U)a+",
  "\\z",
  "^\\s+$",
  "[\\d\\-]",
  "^(?P<n>a)$",
  "^(?<n>a)$",
  "(?=a)",
  "(a)\\1",
  "(",
  "a{1001}",
  "[a",
  "\\C",
  "^[\\w.-]+/[\\w.-]+$",
  "(?i)straße",
];
const patterns = PATTERNS.map((pattern) => ofField("pattern", list({ ...STRING, pattern }), [SUBJECTS]));

const required = [
  [object({ x: INTEGER, y: INTEGER }, { required: ["x"] }), [{}, { x: 1 }, { y: 1 }, { x: null }, { x: "1" }, null]],
  [object({ x: { ...INTEGER, nullable: true } }, { required: ["x"] }), [{}, { x: null }, { x: 1 }]],
  [object({ x: { ...INTEGER, default: 1 } }, { required: ["x"] }), [{}, { x: null }, { x: 2 }]],
  [object({ x: { ...INTEGER, nullable: true, default: 1 } }, { required: ["x"] }), [{}, { x: null }]],
  [object({ x: INTEGER }, { required: ["x", "y"] }), [{ x: 1 }, { x: 1, y: 2 }, {}]],
  [map(INTEGER, { required: ["k"] }), [{}, { k: 1 }, { k: null }, { j: 1 }]],
  [object({ x: INTEGER }, { required: ["y"], ...ANY }), [{ x: 1 }, { y: 2 }, { y: null }]],
  [
    object(
      { "": INTEGER, "a.b": INTEGER, "a/b": INTEGER, __proto__x: INTEGER, constructor: INTEGER, toString: INTEGER },
      { required: ["", "a.b", "constructor", "toString"] },
    ),
    [{}, { "": 1, "a.b": 1, constructor: 1, toString: 1 }, { "": "x", "a.b": "x", "a/b": "x" }],
  ],
  [list(object({ x: INTEGER }, { required: ["x"] })), [[{}], [{ x: 1 }, {}, { x: "a" }], [null], [[]], [1]]],
].map(([schema, values]) => ofField("required", schema, values));

const at = (schema) => object({ x: INTEGER, y: schema, z: STRING });
const composition = [
  [{ ...INTEGER, allOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 1, 3, 4, "a", null]],
  [{ ...INTEGER, anyOf: [{ minimum: 10 }, { maximum: 3 }] }, [0, 3, 5, 10, 11, "a"]],
  [{ ...INTEGER, oneOf: [{ minimum: 2 }, { maximum: 3 }] }, [1, 2, 3, 4, "a"]],
  [{ ...INTEGER, not: { minimum: 3 } }, [2, 3, 4, "a"]],
  [{ ...STRING, anyOf: [{ format: "ipv4" }, { format: "ipv6" }] }, ["1.2.3.4", "::1", "x", ""]],
  [{ ...STRING, oneOf: [{ pattern: "^a" }, { pattern: "b$" }, { enum: ["c"] }] }, ["a", "b", "ab", "c", "d"]],
  [{ ...STRING, not: { enum: ["a"] } }, ["a", "b"]],
  [{ ...STRING, not: { anyOf: [{ pattern: "^a" }, { pattern: "^b" }] } }, ["a", "b", "c"]],
  [
    { ...STRING, allOf: [{ not: { pattern: "x" } }, { anyOf: [{ minLength: 3 }, { enum: ["a"] }] }] },
    ["a", "b", "bcd", "bxd"],
  ],
  [
    object({ x: INTEGER, y: STRING, z: BOOLEAN }, { oneOf: [{ required: ["x"] }, { required: ["y"] }] }),
    [{}, { x: 1 }, { y: "a" }, { x: 1, y: "a" }, { z: true }, { x: null }],
  ],
  [
    object({ x: INTEGER, y: STRING }, { anyOf: [{ required: ["x"] }, { required: ["y"] }] }),
    [{}, { x: 1 }, { x: 1, y: "a" }],
  ],
  [
    object({ x: INTEGER, y: STRING }, { allOf: [{ required: ["x"] }, { required: ["y"] }] }),
    [{}, { x: 1 }, { x: 1, y: "a" }],
  ],
  [object({ x: INTEGER, y: STRING }, { not: { required: ["x", "y"] } }), [{}, { x: 1 }, { x: 1, y: "a" }]],
  [
    object(
      { x: INTEGER, y: STRING },
      { anyOf: [{ properties: { x: { minimum: 5 } }, required: ["x"] }, { properties: { y: { enum: ["b"] } } }] },
    ),
    [{}, { x: 1 }, { x: 6 }, { y: "b" }, { y: "a" }, { x: 1, y: "a" }],
  ],
  [
    object(
      { x: INTEGER, y: STRING },
      { oneOf: [{ properties: { x: { enum: [1] } } }, { properties: { x: { enum: [2] } }, required: ["y"] }] },
    ),
    [{ x: 1 }, { x: 2 }, { x: 2, y: "a" }, {}, { x: 3 }, { y: "a" }],
  ],
  [list(INTEGER, { anyOf: [{ minItems: 3 }, { items: { maximum: 2 } }] }), [[], [1, 2], [3], [3, 4, 5]]],
  [
    object({ x: INTEGER }, { allOf: [{ properties: { x: { maximum: 3 } } }, { properties: { x: { minimum: 1 } } }] }),
    [{ x: 0 }, { x: 2 }, { x: 4 }, {}],
  ],
  [
    at({ ...STRING, anyOf: [{ minLength: 2 }, { pattern: "^b$" }] }),
    [{ y: "a" }, { y: "b" }, { y: "aa" }, { x: "1", y: "a" }, { w: 1, y: "b" }],
  ],
  [object({ x: INTEGER }, { not: {} }), [{}, { x: 1 }]],
  [{ ...INTEGER, anyOf: [] }, [1]],
  [{ ...INTEGER, oneOf: [{}, {}] }, [1]],
  [{ ...INTEGER, oneOf: [{}] }, [1, "a"]],
  [
    object(
      { x: { ...INTEGER, nullable: true } },
      { anyOf: [{ required: ["x"] }, { properties: { x: { minimum: 1 } } }] },
    ),
    [{ x: null }, {}, { x: 0 }],
  ],
].map(([schema, values]) => ofField("composition", schema, values));

const inside = [
  ofSpec("nesting", object({ a: list(map(list(object({ b: INTEGER }, { required: ["b"] })))) }), [
    { a: [{ k: [{ b: 1 }, {}, { b: "x", c: 1 }] }, { k: null }, { j: [null, 1] }] },
    { a: [{}, [], null] },
    { a: [{ "a.b": [{ b: true }], "[0]": [{}], "": [{}] }] },
  ]),
  ofSpec("nesting", map(map(STRING)), [{ a: { b: 1 }, c: { d: "e" } }, { a: 1 }, { a: null }, { a: { b: null } }]),
  ofSpec("nesting", STRING, ["a", 1, null, {}]),
  ofSpec("nesting", { ...STRING, default: "x" }, ["a", null]),
  ofSpec("nesting", list(STRING, { minItems: 1 }), [["a"], [], {}, [1, null]]),
];

export const KEYWORDS = [
  ...types,
  ...intOrString,
  ...bounds,
  ...multipleOf,
  ...lengths,
  ...sizes,
  ...enums,
  ...patterns,
  ...required,
  ...composition,
  ...inside,
];
