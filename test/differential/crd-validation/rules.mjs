// What do validation rules (x-kubernetes-validations) accept? Values, types and names of fields.
import {
  ANY,
  BOOLEAN,
  few,
  fewKeys,
  INTEGER,
  list,
  NUMBER,
  object,
  ofSpec,
  raw,
  ruled,
  STRING,
  short,
  spec,
} from "./group.mjs";

const plain = [
  [
    spec({ x: INTEGER, y: INTEGER }, "self.x <= self.y"),
    [{ x: 1, y: 2 }, { x: 2, y: 1 }, { x: 1 }, {}, { x: "a", y: 1 }, { x: 1, y: raw("2.0") }],
  ],
  [spec({ x: INTEGER }, "!has(self.x) || self.x > 0"), [{}, { x: 1 }, { x: 0 }, { x: null }]],
  [
    spec({ x: { ...INTEGER, nullable: true } }, "has(self.x)", "self.x == null || self.x > 1"),
    [{}, { x: null }, { x: 1 }, { x: 2 }],
  ],
  [spec({ x: { ...INTEGER, default: 5 } }, "self.x == 5"), [{}, { x: 4 }, { x: null }]],
  [spec({ x: NUMBER }, "self.x == 1.5"), [{ x: 1.5 }, { x: 1 }, { x: raw("1.0") }, { x: 2n ** 53n + 1n }]],
  [spec({ x: NUMBER }, "self.x < 2"), [{ x: 1.5 }]],
  [spec({ x: NUMBER }, "double(self.x) < 2.0 && type(self.x) == double"), [{ x: 1.5 }, { x: 1 }, { x: 3 }]],
  [
    spec({ x: INTEGER }, "type(self.x) == int && self.x % 2 == 0"),
    [{ x: 2 }, { x: 3 }, { x: raw("4.0") }, { x: 2n ** 63n - 1n }],
  ],
  [
    spec({ x: BOOLEAN, y: BOOLEAN }, "self.x || self.y"),
    [{ x: true, y: false }, { x: false, y: false }, { x: true }, { y: true }],
  ],
  [
    spec({ x: short }, "self.x.startsWith('a')", "self.x.size() < 4"),
    [{ x: "abc" }, { x: "b" }, { x: "abcd" }, { x: "bbbb" }, { x: "" }],
  ],
  [spec({ x: { ...STRING, enum: ["a", "b"] } }, "self.x != 'b'"), [{ x: "a" }, { x: "b" }, { x: "c" }]],
  [object({ x: ruled(INTEGER, "self > 3") }), [{ x: 4 }, { x: 3 }, {}, { x: null }]],
  [object({ x: ruled({ ...INTEGER, nullable: true }, "self > 3") }), [{ x: 4 }, { x: 3 }, { x: null }]],
  [object({ x: few(ruled(INTEGER, "self > 3")) }), [{ x: [4, 5] }, { x: [1, 4, 2] }, { x: [] }]],
  [
    object({ x: ruled(few(INTEGER), "self.all(i, i > 3)", "self.size() > 1", "1 in self || self[0] > 5") }),
    [{ x: [4, 5] }, { x: [6] }, { x: [1, 2] }, { x: [] }],
  ],
  [
    object({ x: ruled(fewKeys(INTEGER), "'a' in self", "self.all(k, self[k] > 0)", "self.size() < 3", "self.a == 1") }),
    [{ x: { a: 1 } }, { x: { b: 1 } }, { x: { a: 0, b: 1, c: 2 } }, { x: {} }],
  ],
  [object({ x: fewKeys(ruled(short, "self.size() > 1")) }), [{ x: { a: "b", c: "de", "f.g": "" } }]],
  [
    spec({ x: object({ y: object({ z: INTEGER }) }) }, "self.x.y.z > 1"),
    [{ x: { y: { z: 2 } } }, { x: { y: {} } }, { x: {} }, {}],
  ],
  [
    spec({ x: object({ y: object({ z: INTEGER }) }) }, "has(self.x) && has(self.x.y) && self.x.y.z > 1"),
    [{ x: { y: { z: 2 } } }, { x: { y: {} } }, { x: {} }, {}],
  ],
  [
    spec(
      { x: few(object({ n: short, v: INTEGER })) },
      "self.x.exists_one(e, e.n == 'a')",
      "self.x.map(e, e.v).sum() < 10",
      "self.x.filter(e, has(e.v)).size() == self.x.size()",
    ),
    [
      { x: [{ n: "a", v: 1 }] },
      {
        x: [
          { n: "a", v: 5 },
          { n: "a", v: 6 },
        ],
      },
      { x: [{ n: "a" }] },
      { x: [] },
    ],
  ],
  [spec({ x: few(STRING) }, "self.x.isSorted()"), [{ x: ["a", "b"] }, { x: ["b", "a"] }]],
  [
    spec({ x: few(INTEGER) }, "self.x.min() >= 1 && self.x.max() <= 5 && self.x.indexOf(3) != 1"),
    [{ x: [1, 2] }, { x: [0, 1] }, { x: [1, 3] }, { x: [] }],
  ],
  [spec({ x: INTEGER }, "self.x / 0 == 1"), [{ x: 1 }]],
  [spec({ x: INTEGER }, "self.x + 9223372036854775807 > 0"), [{ x: 0 }, { x: 1 }]],
  [
    spec(
      { x: { "x-kubernetes-int-or-string": true } },
      "type(self.x) == int ? self.x < 100 : self.x.matches('^[0-9]+%$')",
    ),
    [{ x: 50 }, { x: 100 }, { x: "50%" }, { x: "a" }],
  ],
  [
    spec({ x: { "x-kubernetes-int-or-string": true } }, "self.x == '5' || self.x == 5"),
    [{ x: 5 }, { x: "5" }, { x: 6 }],
  ],
  [object({ x: ruled(object({ y: INTEGER }, ANY), "self.y > 0") }), [{ x: { y: 1, z: 2 } }, { x: { y: 0 } }]],
  [object({ x: ruled(object({ y: INTEGER }, ANY), "self.z > 0") }), [{ x: { y: 1, z: 2 } }]],
  [spec({ x: { ...ANY } }, "has(self.x)"), [{ x: 1 }, {}]],
  [spec({ x: { ...ANY } }, "self.x.y == 1"), [{ x: { y: 1 } }, { x: 1 }]],
  [
    spec(
      {
        x: list(INTEGER, { maxItems: 5, "x-kubernetes-list-type": "set" }),
        y: list(INTEGER, { maxItems: 5, "x-kubernetes-list-type": "set" }),
      },
      "self.x == self.y",
      "(self.x + self.y).size() < 4",
    ),
    [
      { x: [1, 2], y: [2, 1] },
      { x: [1], y: [2] },
      { x: [1, 2], y: [3, 4] },
    ],
  ],
  [
    spec(
      {
        x: list(object({ k: short, v: INTEGER }, { required: ["k"] }), {
          maxItems: 5,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
        }),
      },
      "self.x == [{'k':'a','v':1},{'k':'b','v':2}]",
      "self.x.exists(e, e.k == 'a')",
    ),
    [
      {
        x: [
          { k: "a", v: 1 },
          { k: "b", v: 2 },
        ],
      },
      {
        x: [
          { k: "b", v: 2 },
          { k: "a", v: 1 },
        ],
      },
      { x: [{ k: "b" }] },
    ],
  ],
  [
    spec(
      { x: { ...STRING, maxLength: 50 } },
      "self.x.find('[0-9]+') == '12'",
      "self.x.split(',').size() == 2",
      "self.x.lowerAscii() == self.x",
      "self.x.replace('a', 'b') != self.x",
    ),
    [{ x: "a12,b" }, { x: "A,b" }, { x: "x" }],
  ],
  [spec({ x: short }, "self.x.matches('^a+$')"), [{ x: "aaa" }, { x: "ab" }]],
  [spec({ x: short }, "self.x.matches('(')"), [{ x: "a" }]],
  [spec({ x: short }, "self.x.substring(5) == ''"), [{ x: "abcde" }, { x: "abc" }]],
  [spec({ x: short }, "self.?x.orValue('d') == 'd'", "self.?x.hasValue()"), [{}, { x: "d" }, { x: "e" }]],
  [
    spec(
      { x: fewKeys(short) },
      "self.x[?'k'].orValue('none') != 'none'",
      "self.?x[?'k'].or(optional.of('z')).value() == 'a'",
    ),
    [{ x: { k: "a" } }, { x: {} }, {}],
  ],
  [spec({ x: short }, "quantity(self.x).isGreaterThan(quantity('1Gi'))"), [{ x: "2Gi" }, { x: "1Mi" }, { x: "x" }]],
  [
    spec(
      { x: short },
      "isQuantity(self.x) && quantity(self.x).add(1).sub(quantity('1')).compareTo(quantity('5')) == 0",
    ),
    [{ x: "5" }, { x: "6" }, { x: "q" }],
  ],
  [
    spec({ x: short }, "isIP(self.x) && ip(self.x).family() == 4 && !ip(self.x).isLoopback()"),
    [{ x: "1.2.3.4" }, { x: "127.0.0.1" }, { x: "::1" }, { x: "x" }],
  ],
  [spec({ x: short }, "cidr('10.0.0.0/8').containsIP(self.x)"), [{ x: "10.1.2.3" }, { x: "11.0.0.1" }, { x: "x" }]],
  [
    spec({ x: short }, "isCIDR(self.x) && cidr(self.x).prefixLength() > 8"),
    [{ x: "10.0.0.0/16" }, { x: "10.0.0.0/8" }, { x: "y" }],
  ],
  [
    spec({ x: short }, "isSemver(self.x) && semver(self.x).isGreaterThan(semver('1.2.3'))"),
    [{ x: "1.3.0" }, { x: "1.2.3-a" }, { x: "v2" }],
  ],
  [
    spec(
      { x: { ...STRING, maxLength: 60 } },
      "isURL(self.x) && url(self.x).getScheme() == 'https' && url(self.x).getHostname() == 'a'",
    ),
    [{ x: "https://a/b" }, { x: "http://a" }, { x: "x" }],
  ],
  [spec({ x: short }, "!format.dns1123Label().validate(self.x).hasValue()"), [{ x: "a-b" }, { x: "A" }]],
  [spec({ x: short }, "!format.named(self.x).hasValue()"), [{ x: "dns1123Label" }, { x: "nope" }]],
  [
    spec({ x: short }, "cel.bind(v, self.x + 'z', v.size() < 4 && v != 'az')"),
    [{ x: "ab" }, { x: "a" }, { x: "abcd" }],
  ],
  [
    spec({ x: few(INTEGER) }, "self.x.all(i, v, i == v)", "self.x.transformList(i, v, v + i).size() > 1"),
    [{ x: [0, 1] }, { x: [1] }],
  ],
  [
    spec({ x: few(INTEGER) }, "sets.contains(self.x, [1, 2])", "sets.intersects(self.x, [3])"),
    [{ x: [1, 2, 3] }, { x: [1] }],
  ],
  [spec({ x: short }, "base64.decode(self.x) == b'ab'"), [{ x: "YWI=" }, { x: "??" }]],
  [spec({ x: short }, "'%s-%d'.format([self.x, 3]) == 'a-3'"), [{ x: "a" }, { x: "b" }]],
  [spec({ x: short }, "dyn(self.x) == 1"), [{ x: "a" }]],
  [spec({ x: short, y: INTEGER }, "[self.x, self.y].size() == 2"), [{ x: "a", y: 1 }]],
  [spec({ x: INTEGER }, "self.y > 1"), [{ x: 1 }]],
  [spec({ x: INTEGER }, "self.x"), [{ x: 1 }]],
  [spec({ x: INTEGER }, "self.x >"), [{ x: 1 }]],
  [spec({ x: INTEGER }, ""), [{ x: 1 }]],
  [spec({ x: INTEGER }, "self.x == '1'"), [{ x: 1 }]],
  [spec({ x: INTEGER }, "true"), [{ x: 1 }, {}]],
  [spec({ x: INTEGER }, "false"), [{ x: 1 }, {}]],
].map(([schema, values]) => ofSpec("rules", schema, values));

const FORMATTED = [
  ["date", "self.x.getFullYear() == 2024", ["2024-01-02", "2023-01-02"]],
  [
    "date-time",
    "self.x > timestamp('2024-01-01T00:00:00Z')",
    ["2024-06-01T00:00:00Z", "2023-06-01T00:00:00+05:00", "2024-06-01T00:00:00.5Z"],
  ],
  ["datetime", "self.x > timestamp('2024-01-01T00:00:00Z')", ["2024-06-01T00:00:00Z"]],
  ["date-time", "type(self.x) == google.protobuf.Timestamp", ["2024-06-01T00:00:00Z"]],
  ["duration", "self.x > duration('1m')", ["2m", "30s", "3 days", "1d"]],
  ["byte", "self.x == b'ab'", ["YWI=", "YQ=="]],
  ["byte", "size(self.x) == 2", ["YWI=", "YQ=="]],
  ["ipv4", "self.x == '1.2.3.4'", ["1.2.3.4", "1.2.3.5"]],
  ["uuid", "self.x.size() == 36", ["123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"]],
  ["nonsense", "self.x == 'a'", ["a", "b"]],
  ["quantity", "self.x == '1'", ["1", "2"]],
];
const formatted = FORMATTED.map(([format, text, values]) =>
  ofSpec(
    "rules on formats",
    spec({ x: { ...STRING, format, maxLength: 50 } }, text),
    values.map((x) => ({ x })),
  ),
);

const NAMES = [
  ["a-b", "a__dash__b"],
  ["a.b", "a__dot__b"],
  ["a/b", "a__slash__b"],
  ["__a", "__underscores__a"],
  ["a__b", "a__underscores__b"],
  ["namespace", "__namespace__"],
  ["in", "__in__"],
  ["true", "__true__"],
  ["self", "self"],
  ["if", "__if__"],
  ["package", "__package__"],
  ["_", "_"],
  ["a-_.b", "a__dash___dot__b"],
  ["int", "int"],
  ["type", "type"],
  ["x_y", "x_y"],
  ["1a", "1a"],
  ["a b", "a b"],
  ["é", "é"],
  ["const", "__const__"],
  ["Null", "Null"],
  ["size", "size"],
];
const names = NAMES.map(([name, escaped]) =>
  ofSpec("rules on escaped names", spec({ [name]: INTEGER }, `self.${escaped} > 1`), [
    { [name]: 2 },
    { [name]: 1 },
    {},
  ]),
);

export const RULES = [...plain, ...formatted, ...names];
