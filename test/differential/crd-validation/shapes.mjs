// What is dropped, what is filled in, and what do lists have to be like?
import { ANY, BOOLEAN, INTEGER, list, map, object, ofField, ofSpec, raw, STRING } from "./group.mjs";

const pruning = [
  [object({ x: INTEGER }), [{ x: 1, y: 2 }, { y: { z: 1 } }, { x: { y: 1 } }, {}, { X: 1 }, { "x.y": 1 }]],
  [object({ x: object({ y: INTEGER }) }), [{ x: { y: 1, z: 2 }, w: 1 }, { x: null }, { x: [{ z: 1 }] }, { x: 1 }]],
  [
    object({ x: list(object({ y: INTEGER })) }),
    [{ x: [{ y: 1, z: 2 }, { z: 1 }, null, 3, [{ z: 1 }]] }, { x: { z: 1 } }],
  ],
  [map(object({ y: INTEGER })), [{ a: { y: 1, z: 2 }, b: { z: 1 }, c: 1, d: null }]],
  [map(true), [{ a: 1, b: { c: [{ d: 1 }] } }]],
  [map({}), [{ a: 1 }]],
  [map(ANY), [{ a: 1, b: { c: [{ d: 1 }] }, n: null }]],
  [object({}, ANY), [{ a: 1, b: { c: null } }, {}]],
  [object({ x: object({ y: INTEGER }) }, ANY), [{ x: { y: 1, z: 1 }, w: { z: 1 } }, { x: [{ z: 1 }] }]],
  [object({ x: object({ y: INTEGER }, ANY) }), [{ x: { y: 1, z: { q: 1 } }, w: 1 }]],
  [object({ x: object({ y: object({ z: INTEGER }) }, ANY) }), [{ x: { y: { z: 1, q: 1 }, r: 1 } }]],
  [object({ x: { ...ANY } }), [{ x: { y: 1 } }, { x: [1] }, { x: 1 }, { x: null }, { y: 1 }]],
  [object({ x: list({ ...ANY }) }), [{ x: [{ y: 1 }, 1, null] }]],
  [object({ x: list(object({}, ANY)) }), [{ x: [{ y: 1 }, {}] }]],
  [object({ x: map(list(STRING)) }, ANY), [{ x: { a: ["b", 1] }, y: 1 }]],
  [object({ x: { "x-kubernetes-int-or-string": true } }), [{ x: { y: 1 } }, { x: [1] }]],
  [object({ x: { type: "object" } }), [{ x: { y: 1 } }, { x: {} }]],
  [
    object({ apiVersion: STRING, kind: STRING, metadata: object({}) }),
    [{ apiVersion: "a", kind: 1, metadata: { name: "x" }, y: 1 }],
  ],
  [object({}), [{ apiVersion: "a", kind: "b", metadata: { name: "x" } }]],
  [object({ constructor: INTEGER }), [{ toString: 1, constructor: 2, hasOwnProperty: 1, valueOf: 2 }]],
  [object({ x: INTEGER, y: STRING }, { anyOf: [{ properties: { x: { minimum: 1 } } }] }), [{ x: 1, z: 1 }]],
  [{ type: "object" }, [{ a: 1 }, {}]],
].map(([schema, values]) => ofSpec("pruning", schema, values));

const nulls = [
  [object({ x: INTEGER, y: { ...INTEGER, nullable: true } }), [{ x: null, y: null }, { z: null }]],
  [
    object({ x: list(INTEGER), y: list({ ...INTEGER, nullable: true }) }),
    [
      { x: [null, 1], y: [null, 1] },
      { x: null, y: null },
    ],
  ],
  [map(INTEGER), [{ a: null, b: 1 }]],
  [map({ ...INTEGER, nullable: true }), [{ a: null, b: 1 }]],
  [map({ ...INTEGER, default: 3 }), [{ a: null, b: 1 }, {}]],
  [
    object({ x: { ...INTEGER, default: 1 }, y: { ...INTEGER, nullable: true, default: 2 } }),
    [{}, { x: null, y: null }, { x: 5, y: 6 }, { x: null }],
  ],
  [object({ x: object({ y: INTEGER }) }), [{ x: { y: null } }, { x: null }]],
  [object({ x: object({ y: INTEGER }, { nullable: true }) }), [{ x: { y: null } }, { x: null }]],
  [object({}, ANY), [{ x: null, y: { z: null } }]],
  [object({ x: { ...ANY } }), [{ x: null }, { x: { y: null } }, { x: [null] }]],
  [object({ x: { ...ANY, nullable: true } }), [{ x: null }]],
  [object({ x: { "x-kubernetes-int-or-string": true } }), [{ x: null }]],
  [list(object({ x: INTEGER }), { nullable: true }), [null, [null], [{ x: null }]]],
].map(([schema, values]) => ofSpec("nulls", schema, values));

const defaults = [
  [object({ x: { ...STRING, default: "d" } }), [{}, { x: "a" }, { x: "" }, { x: 1 }]],
  [
    object({ x: { ...BOOLEAN, default: false }, y: { ...INTEGER, default: 0 }, z: { ...STRING, default: "" } }),
    [{}, { x: true }],
  ],
  [object({ x: object({ y: { ...INTEGER, default: 1 } }) }), [{}, { x: {} }, { x: { y: 2 } }, { x: null }, { x: [] }]],
  [
    object({ x: object({ y: { ...INTEGER, default: 1 } }, { default: {} }) }),
    [{}, { x: {} }, { x: null }, { x: { y: 2 } }],
  ],
  [
    object({ x: object({ y: { ...INTEGER, default: 1 }, z: INTEGER }, { default: { z: 5 } }) }),
    [{}, { x: {} }, { x: { z: 6 } }],
  ],
  [object({ x: object({ y: { ...INTEGER, default: 1 } }, { default: { y: 9 } }) }), [{}, { x: {} }]],
  [object({ x: object({ y: INTEGER }, { default: { z: 1 } }) }), [{}, { x: {} }]],
  [object({ x: list(object({ y: { ...INTEGER, default: 1 } })) }), [{}, { x: [] }, { x: [{}, { y: 2 }, null] }]],
  [
    object({ x: list(object({ y: { ...INTEGER, default: 1 } }), { default: [{}, { y: 3 }] }) }),
    [{}, { x: [] }, { x: null }],
  ],
  [object({ x: list({ ...INTEGER, default: 7 }) }), [{ x: [null, 1] }, { x: [] }]],
  [map(object({ y: { ...INTEGER, default: 1 } })), [{ a: {}, b: { y: 2 } }, { a: null }]],
  [map(object({ y: INTEGER }, { default: { y: 4 } })), [{ a: {}, b: null }, {}]],
  [object({ x: object({ y: { ...INTEGER, default: 1 } }, ANY) }), [{ x: { z: 1 } }, {}]],
  [object({ x: { ...ANY, default: { a: [1, { b: null }] } } }), [{}, { x: 1 }]],
  [object({ x: { "x-kubernetes-int-or-string": true, default: "50%" } }), [{}, { x: 1 }]],
  [object({ x: { ...INTEGER, default: "a" } }), [{}]],
  [object({ x: { ...INTEGER, default: 5, maximum: 3 } }), [{}]],
  [object({ x: { ...STRING, default: null } }), [{}]],
  [object({ x: { ...STRING, nullable: true, default: null } }), [{}]],
  [object({ x: { ...STRING, default: "a", enum: ["b"] } }), [{}, { x: "b" }]],
  [
    object({
      x: object(
        { y: { ...STRING, default: "d" }, z: object({ w: { ...STRING, default: "e" } }, { default: {} }) },
        { default: {}, required: ["y"] },
      ),
    }),
    [{}, { x: { z: null } }],
  ],
  [object({ x: INTEGER, y: { ...INTEGER, default: 5 } }, { required: ["y"], maxProperties: 1 }), [{}, { x: 1 }]],
  [object({ x: { ...INTEGER, default: 1 } }, { anyOf: [{ properties: { x: { default: 2 } } }] }), [{}]],
  [object({ big: { ...INTEGER, default: 2n ** 53n + 1n } }), [{}, { big: 2n ** 53n + 3n }]],
  [
    object(
      { x: { ...INTEGER, default: 5 }, s: object({ x: { ...INTEGER, default: 6 } }, { default: {} }) },
      { required: ["x", "s"] },
    ),
    [{}, { s: { x: 1 } }],
  ],
].map(([schema, values]) => ofSpec("defaults", schema, values));

const listType = (type, items, more = {}) => list(items, { "x-kubernetes-list-type": type, ...more });
const listMap = (keys, items, more = {}) => listType("map", items, { "x-kubernetes-list-map-keys": keys, ...more });
const entry = (properties, required) => object(properties, { required });
const lists = [
  [listType("set", STRING), [["a", "b"], ["a", "a"], ["a", "b", "a", "a"], [], ["a", "b", "b", "a"], [1, 1]]],
  [
    listType("set", INTEGER),
    [
      [1, 2],
      [1, 1],
      [1, raw("1.0")],
      [2n ** 53n, 2n ** 53n + 1n],
      [1, "1"],
    ],
  ],
  [
    listType("set", { type: "number" }),
    [
      [1, raw("1.0")],
      [1.5, 1.5],
      [0, raw("-0.0")],
      [1, 2],
    ],
  ],
  [
    listType("set", BOOLEAN),
    [
      [true, false],
      [true, true],
    ],
  ],
  [
    listType("set", { "x-kubernetes-int-or-string": true }),
    [
      [1, "1"],
      ["a", "a"],
      [1, 1],
    ],
  ],
  [
    listType("set", object({ x: INTEGER }, { "x-kubernetes-map-type": "atomic" })),
    [
      [{ x: 1 }, { x: 2 }],
      [{ x: 1 }, { x: 1 }],
      [{}, {}],
      [{ x: 1, y: 1 }, { x: 1 }],
    ],
  ],
  [
    listType("set", list(INTEGER, { "x-kubernetes-list-type": "atomic" })),
    [
      [[1], [2]],
      [[1], [1]],
      [
        [1, 2],
        [2, 1],
      ],
    ],
  ],
  [listType("set", object({ x: INTEGER })), [[{ x: 1 }, { x: 1 }]]],
  [
    listType("set", { ...STRING, nullable: true }),
    [
      ["a", null],
      [null, null],
    ],
  ],
  [listType("atomic", STRING), [["a", "a"]]],
  [
    listMap(["k"], entry({ k: STRING, v: INTEGER }, ["k"])),
    [
      [{ k: "a" }, { k: "b" }],
      [
        { k: "a", v: 1 },
        { k: "a", v: 2 },
      ],
      [{ v: 1 }, { v: 2 }],
      [{ k: "a" }, { k: "b" }, { k: "a" }, { k: "a" }],
      [null],
      [1, 1],
      [{ k: 1 }, { k: 1 }],
      [],
    ],
  ],
  [
    listMap(["k", "p"], entry({ k: STRING, p: INTEGER, v: INTEGER }, ["k", "p"])),
    [
      [
        { k: "a", p: 1 },
        { k: "a", p: 2 },
      ],
      [
        { k: "a", p: 1 },
        { k: "a", p: 1 },
      ],
      [{ k: "a" }, { k: "a" }],
      [{ p: 1 }, { k: "b", p: 1 }],
    ],
  ],
  [
    listMap(["k", "p"], entry({ k: STRING, p: { ...STRING, default: "TCP" } }, ["k"])),
    [
      [{ k: "a" }, { k: "a", p: "TCP" }],
      [{ k: "a" }, { k: "a", p: "UDP" }],
      [{ k: "a" }, { k: "a" }],
    ],
  ],
  [
    listMap(["k"], entry({ k: { "x-kubernetes-int-or-string": true } }, ["k"])),
    [
      [{ k: 1 }, { k: "1" }],
      [{ k: 1 }, { k: 1 }],
    ],
  ],
  [
    listMap(["k"], entry({ k: BOOLEAN }, ["k"])),
    [
      [{ k: true }, { k: false }],
      [{ k: true }, { k: true }],
    ],
  ],
  [
    listMap(["k"], entry({ k: { type: "number" } }, ["k"])),
    [
      [{ k: 1 }, { k: raw("1.0") }],
      [{ k: 1.5 }, { k: 1.5 }],
    ],
  ],
  [listMap(["k"], entry({ k: STRING, n: listType("set", STRING) }, ["k"])), [[{ k: "a", n: ["x", "x"] }, { k: "a" }]]],
  [map(listType("set", STRING)), [{ m: ["a", "a"], "x.y": ["b", "b"] }]],
  [list(listType("set", STRING)), [[["a", "a"], ["b"]]]],
  [listMap([], entry({ k: STRING }, ["k"])), [[{ k: "a" }]]],
  [listMap(["q"], entry({ k: STRING }, ["k"])), [[{ k: "a" }, { k: "b" }]]],
  [listMap(["k"], entry({ k: STRING }, [])), [[{ k: "a" }, {}]]],
  [listType("bag", STRING), [["a"]]],
  [list(STRING, { "x-kubernetes-list-map-keys": ["k"] }), [["a"]]],
].map(([schema, values]) => ofField("lists", schema, values));

export const SHAPES = [...pruning, ...nulls, ...defaults, ...lists];
