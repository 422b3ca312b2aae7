// Which random objects are valid for random schemas? The same seed gives the same cases everywhere. No number is written as
// `1.0`: to the API server that is another value than `1`, to us it is not.

const FORMATS = [
  "date",
  "date-time",
  "duration",
  "ipv4",
  "ipv6",
  "cidr",
  "uuid",
  "byte",
  "hostname",
  "email",
  "uri",
  "mac",
  "int32",
  "nonsense",
];
const PATTERNS = ["^a", "b$", "^[a-z]+$", "^[0-9]*$", "x", ".", "^(a|b)*$", "\\d"];
const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "ba",
  "abc",
  "x",
  "1",
  "12",
  "-3",
  "50%",
  "é",
  "😀",
  "2024-01-02",
  "2024-01-02T03:04:05Z",
  "1h",
  "1.2.3.4",
  "::1",
  "10.0.0.0/8",
  "YQ==",
  "a@b.org",
  "a.b",
  "http://a/b",
];
const NAMES = ["a", "b", "c", "d", "e"];

const RULES = {
  string: [
    "self.size() < 3",
    "self.startsWith('a')",
    "self != 'ab'",
    "self.matches('^[a-z]*$')",
    "self == oldSelf",
    "self.contains('b')",
    "self in ['a', 'b', 'ab']",
  ],
  integer: ["self > 2", "self % 2 == 0", "self >= oldSelf", "self != 100", "self - oldSelf < 3"],
  number: ["self > 1.0", "self < 3.5", "self >= oldSelf", "int(self) % 2 == 0"],
  boolean: ["self", "self == oldSelf", "!self || !oldSelf"],
  array: [
    "self.size() > 1",
    "self.all(i, i == i)",
    "self.exists(i, i != self[0])",
    "self.size() >= oldSelf.size()",
    "self == oldSelf",
    "self[1] == self[0]",
  ],
  object: [
    "has(self.a)",
    "!has(self.b) || has(self.c)",
    "has(self.d) == has(oldSelf.d)",
    "self == oldSelf",
    "self.?e.hasValue()",
  ],
  map: ["self.size() < 3", "self.all(k, k < 'c')", "'a' in self", "oldSelf.all(k, k in self)"],
};

/** A source of cases: each call returns a schema and a number of objects. With rules, objects may have been others before. */
export function generator(seed, withRules = false) {
  let state = seed >>> 0 || 1;
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = (items) => items[below(items.length)];
  const chance = (oneIn) => below(oneIn) === 0;
  const integer = () => pick([below(5), below(12) - 4, below(3), 100 * below(4)]);
  const number = () => pick([integer(), integer() / 2, integer() / 10, 2n ** 53n + BigInt(below(3))]);

  /** The bounds that go with a type, some of them. */
  function bounds(type) {
    const some = {};
    const maybe = (key, make) => {
      if (chance(4)) some[key] = make();
    };
    if (type === "string") {
      maybe("minLength", () => below(3));
      maybe("maxLength", () => 1 + below(6));
      if (chance(6)) some.pattern = pick(PATTERNS);
      if (chance(6)) some.format = pick(FORMATS);
      if (chance(8))
        some.enum = [pick(TEXTS), pick(TEXTS), pick(TEXTS)].filter((text, index, all) => all.indexOf(text) === index);
    } else if (type === "integer" || type === "number") {
      const value = type === "integer" ? integer : () => integer() / 2;
      maybe("minimum", value);
      maybe("maximum", value);
      if (some.minimum !== undefined && chance(3)) some.exclusiveMinimum = true;
      if (some.maximum !== undefined && chance(3)) some.exclusiveMaximum = true;
      if (chance(6)) some.multipleOf = pick(type === "integer" ? [2, 3] : [0.5, 0.1, 2]);
      if (chance(8)) some.enum = [value(), value(), value()].filter((item, index, all) => all.indexOf(item) === index);
    } else if (type === "array") {
      maybe("minItems", () => below(3));
      maybe("maxItems", () => 1 + below(3));
    } else if (type === "object") {
      if (chance(8)) some.minProperties = below(3);
      if (chance(8)) some.maxProperties = 1 + below(4);
    }
    return some;
  }

  /** Composition may have bounds only, no types. */
  function composed(schema) {
    const one = () => {
      if (schema.type !== "object" || schema.properties === undefined) return bounds(schema.type);
      const names = Object.keys(schema.properties);
      if (names.length === 0) return {};
      const name = pick(names);
      return chance(2) ? { required: [name] } : { properties: { [name]: bounds(schema.properties[name].type) } };
    };
    const key = pick(["allOf", "anyOf", "oneOf", "not"]);
    return key === "not" ? { not: one() } : { [key]: [one(), one()] };
  }

  /** Rules that fit the type of a schema, mostly none. */
  function ruled(schema) {
    const texts = RULES[schema.type === "object" && schema.additionalProperties ? "map" : schema.type];
    if (!withRules || texts === undefined || !chance(4)) return schema;
    const rules = [pick(texts), pick(texts)].slice(below(2)).map((rule) => {
      const more = pick([
        {},
        {},
        { message: "not so" },
        { messageExpression: "'not ' + 'so'" },
        { reason: "FieldValueForbidden" },
      ]);
      const once =
        rule.includes("oldSelf") && chance(4)
          ? { rule: "!oldSelf.hasValue() || self == oldSelf.value()", optionalOldSelf: true }
          : { rule };
      return { ...once, ...more };
    });
    return { ...schema, "x-kubernetes-validations": rules };
  }

  function scalarSchema() {
    if (chance(10)) return { "x-kubernetes-int-or-string": true };
    const type = pick(["string", "string", "integer", "number", "boolean"]);
    return { type, ...bounds(type) };
  }

  function objectSchema(depth) {
    if (chance(6)) return { type: "object", additionalProperties: schemaOf(depth - 1), ...bounds("object") };
    const properties = {};
    for (const name of NAMES) if (chance(2)) properties[name] = schemaOf(depth - 1);
    const required = Object.keys(properties).filter(() => chance(4));
    const schema = { type: "object", properties, ...bounds("object") };
    if (required.length > 0) schema.required = required;
    if (chance(8)) schema["x-kubernetes-preserve-unknown-fields"] = true;
    return schema;
  }

  function listSchema(depth) {
    const kind = below(4);
    if (kind === 0) {
      const type = pick(["string", "integer", "number"]);
      return { type: "array", items: { type }, "x-kubernetes-list-type": "set" };
    }
    if (kind === 1) {
      const items = { type: "object", properties: { k: { type: "string" }, v: schemaOf(depth - 1) }, required: ["k"] };
      return { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };
    }
    return { type: "array", items: schemaOf(depth - 1), ...bounds("array") };
  }

  function schemaOf(depth) {
    const shape = depth <= 0 ? 0 : below(5);
    let schema = shape < 2 ? scalarSchema() : shape < 4 ? objectSchema(depth) : listSchema(depth);
    if (chance(5)) schema.nullable = true;
    if (schema.type !== undefined && schema.type !== "boolean" && chance(7))
      schema = { ...schema, ...composed(schema) };
    if (chance(withRules ? 20 : 6)) schema.default = sample(schema, 0);
    return ruled(schema);
  }

  /** A value that fits the schema roughly; about one in `wild` is nonsense. */
  function sample(schema, wild) {
    if (wild > 0 && chance(wild)) return pick([null, 1, "a", true, [], {}, 1.5, [1], { a: 1 }, 2n ** 63n]);
    if (schema.enum !== undefined && !chance(4)) return pick(schema.enum);
    switch (schema.type) {
      case "string":
        return pick(TEXTS);
      case "integer":
        return integer();
      case "number":
        return number();
      case "boolean":
        return chance(2);
      case "array":
        return Array.from({ length: below(4) }, () => sample(schema.items, wild));
      case "object": {
        const made = {};
        for (const [name, property] of Object.entries(schema.properties ?? {}))
          if (!chance(4)) made[name] = sample(property, wild);
        if (schema.additionalProperties)
          for (const name of NAMES) if (chance(3)) made[name] = sample(schema.additionalProperties, wild);
        if (wild > 0 && chance(5)) made[pick(["zz", "b", "Z"])] = pick([1, null, { y: 1 }]);
        return made;
      }
      default:
        return chance(2) ? integer() : pick(TEXTS);
    }
  }

  return (cases) => {
    const spec = ruled({ ...objectSchema(3), type: "object" });
    const one = () => {
      const value = sample(spec, pick([0, 25, 12]));
      return withRules && chance(2) ? { value, old: chance(3) ? value : sample(spec, 0) } : { value };
    };
    return { section: withRules ? "random rules" : "random", spec, cases: Array.from({ length: cases }, one) };
  };
}
