// Which updates of objects do rules allow?
import { few, fewKeys, INTEGER, list, map, object, ofChange, rule, ruled, short, spec } from "./group.mjs";

const keyed = (properties) =>
  list(object({ k: short, ...properties }, { required: ["k"] }), {
    maxItems: 5,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  });
export const CHANGES = [
  [
    spec({ x: INTEGER }, "self.x >= oldSelf.x"),
    [
      [{ x: 1 }, { x: 2 }],
      [{ x: 2 }, { x: 1 }],
      [{ x: 1 }, { x: 1 }],
      [{}, { x: 1 }],
      [{ x: 1 }, {}],
      [undefined, { x: 1 }],
    ],
  ],
  [
    object({ x: ruled(INTEGER, "self == oldSelf") }),
    [
      [{ x: 1 }, { x: 1 }],
      [{ x: 1 }, { x: 2 }],
      [{}, { x: 2 }],
      [{ x: 1 }, {}],
      [undefined, { x: 1 }],
    ],
  ],
  [
    object({ x: ruled(short, rule("self == oldSelf", { message: "is immutable" })) }),
    [
      [{ x: "a" }, { x: "a" }],
      [{ x: "a" }, { x: "b" }],
    ],
  ],
  [
    object({
      x: ruled(INTEGER, rule("oldSelf.hasValue() ? self >= oldSelf.value() : self > 0", { optionalOldSelf: true })),
    }),
    [
      [{ x: 3 }, { x: 2 }],
      [{ x: 1 }, { x: 2 }],
      [{}, { x: 0 }],
      [{}, { x: 1 }],
      [undefined, { x: 0 }],
      [undefined, { x: 1 }],
    ],
  ],
  [
    object({ x: ruled(INTEGER, rule("oldSelf.orValue(5) == 5", { optionalOldSelf: true })) }),
    [
      [{ x: 5 }, { x: 1 }],
      [{ x: 4 }, { x: 1 }],
      [undefined, { x: 1 }],
    ],
  ],
  [object({ x: ruled(INTEGER, rule("self > 0", { optionalOldSelf: true })) }), [[undefined, { x: 1 }]]],
  [
    object({ x: ruled(INTEGER, rule("self == oldSelf", { optionalOldSelf: false })) }),
    [
      [{ x: 1 }, { x: 2 }],
      [undefined, { x: 1 }],
    ],
  ],
  [object({ x: few(ruled(INTEGER, "self >= oldSelf")) }), [[{ x: [1] }, { x: [0] }]]],
  [
    object({ x: keyed({ v: ruled(INTEGER, "self >= oldSelf") }) }),
    [
      [
        {
          x: [
            { k: "a", v: 1 },
            { k: "b", v: 5 },
          ],
        },
        {
          x: [
            { k: "b", v: 4 },
            { k: "a", v: 2 },
          ],
        },
      ],
      [{ x: [{ k: "a", v: 1 }] }, { x: [{ k: "c", v: 0 }] }],
    ],
  ],
  [
    object({
      x: list(
        object(
          { k: short, v: INTEGER },
          { required: ["k"], "x-kubernetes-validations": [rule("self.v >= oldSelf.v")] },
        ),
        { maxItems: 5, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
      ),
    }),
    [
      [
        {
          x: [
            { k: "a", v: 1 },
            { k: "b", v: 5 },
          ],
        },
        {
          x: [
            { k: "b", v: 4 },
            { k: "a", v: 2 },
          ],
        },
      ],
    ],
  ],
  [object({ x: fewKeys(ruled(INTEGER, "self >= oldSelf")) }), [[{ x: { a: 1, b: 2 } }, { x: { a: 0, c: 0 } }]]],
  [
    object({ x: map(ruled(INTEGER, "self >= oldSelf"), { maxProperties: 5, "x-kubernetes-map-type": "atomic" }) }),
    [[{ x: { a: 1 } }, { x: { a: 0 } }]],
  ],
  [
    object({ x: object({ y: ruled(INTEGER, "self >= oldSelf") }, { "x-kubernetes-map-type": "atomic" }) }),
    [[{ x: { y: 1 } }, { x: { y: 0 } }]],
  ],
  [
    object({ x: ruled(few(INTEGER), "oldSelf.all(i, i in self)") }),
    [
      [{ x: [1] }, { x: [1, 2] }],
      [{ x: [1, 2] }, { x: [1] }],
    ],
  ],
  [
    object({ x: ruled(keyed({}), "oldSelf.all(e, e in self)") }),
    [
      [{ x: [{ k: "a" }] }, { x: [{ k: "b" }, { k: "a" }] }],
      [{ x: [{ k: "a" }] }, { x: [] }],
    ],
  ],
  [
    spec({ x: INTEGER, y: INTEGER }, "self.x < 3"),
    [
      [{ x: 5 }, { x: 5 }],
      [
        { x: 5, y: 1 },
        { x: 5, y: 2 },
      ],
      [{ x: 5 }, { x: 6 }],
    ],
  ],
  [
    object({ x: ruled(INTEGER, "self < 3"), y: INTEGER }),
    [
      [
        { x: 5, y: 1 },
        { x: 5, y: 2 },
      ],
      [{ x: 5 }, { x: 6 }],
    ],
  ],
  [
    object({ x: { ...INTEGER, maximum: 3 }, y: INTEGER }),
    [
      [
        { x: 5, y: 1 },
        { x: 5, y: 2 },
      ],
      [{ x: 5 }, { x: 6 }],
      [{ x: 1 }, { x: 4 }],
    ],
  ],
  [
    object({ x: ruled({ ...INTEGER, default: 3 }, "self == oldSelf") }),
    [
      [{}, { x: 3 }],
      [{}, { x: 4 }],
      [{ x: 4 }, {}],
    ],
  ],
  [
    object({ x: ruled({ ...INTEGER, nullable: true }, "self == oldSelf") }),
    [
      [{ x: null }, { x: 3 }],
      [{ x: 3 }, { x: null }],
    ],
  ],
  [
    object({
      x: list(
        ruled(
          object({ v: INTEGER }),
          rule("!oldSelf.hasValue() || self.v >= oldSelf.value().v", { optionalOldSelf: true }),
        ),
        { maxItems: 5 },
      ),
    }),
    [[{ x: [{ v: 2 }] }, { x: [{ v: 1 }] }]],
  ],
].map(([schema, pairs]) => ofChange("changes", schema, pairs));
