import fc from "fast-check";
import { expect, test } from "vitest";
import { constraintForm } from "../../test/constraint/constraint-form.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { printPath } from "../model/place.ts";
import type { Constraint, Requirements } from "./constraint.ts";
import { type ConstraintOptions, ConstraintReader, readRequirements } from "./read-requirements.ts";

const OPTIONS: ConstraintOptions = { compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 };

function read(value: Json, options: Partial<ConstraintOptions> = {}, type = "olm.constraint"): Requirements {
  return readRequirements([{ type, value }], { ...OPTIONS, ...options });
}

function formOf(requirements: Requirements): Json {
  expect(requirements.problems).toEqual([]);
  expect(requirements.requirements).toHaveLength(1);
  return constraintForm(requirements.requirements[0]?.constraint as Constraint);
}

/** `path[@offset][ key]: message | hint` */
function problemsOf({ problems }: Requirements): readonly string[] {
  return problems.map(({ path, offset, ofKey, message, hint }) => {
    const at = `${printPath(path)}${offset === undefined ? "" : `@${offset}`}${ofKey ? " key" : ""}`;
    return `${at}: ${message}${hint === undefined ? "" : ` | ${hint}`}`;
  });
}

const RULE = 'properties.exists(p, p.type == "certified")';
const CEL = `cel ${RULE}`;
const K: Json = { gvk: { group: "g", version: "v1", kind: "K" } };
const KEY = "gvk g/v1/K";

test.each<[Json, Json]>([
  [{ evaluator: { id: "cel" }, rule: RULE, message: "m", action: { id: "require" } }, CEL],
  [{ evaluator: { id: "cel" }, source: RULE, action: { id: "require" } }, CEL],
  [{ Evaluator: { ID: "CEL" }, Rule: RULE }, CEL],
  [{ cel: { rule: RULE } }, CEL],
  [{ CEL: { Rule: RULE } }, CEL],
  [K, KEY],
  [{ GVK: { Group: "g", VERSION: "v1", kind: "K" } }, KEY],
  [{ gvk: { group: "", version: "v1", kind: "Pod" } }, "gvk /v1/Pod"],
  [{ gvk: { group: "g", version: "v1", kind: "K" }, package: null, message: null }, KEY],
  [{ package: { name: "p", versionRange: ">=1.0.0" } }, "package p >=1.0.0"],
  [{ package: { packageName: "p", versionRange: ">=1.0.0" } }, "package p >=1.0.0"],
  [{ package: { packageName: "p", name: "p", versionRange: "1.x" } }, "package p 1.x"],
  [{ propertyEquals: { name: "n", value: "4.9" } }, { n: "4.9" }],
  [{ propertyequals: { name: "n", value: null } }, { n: null }],
  [{ propertyEquals: { name: "n", value: { a: [1] } } }, { n: { a: [1] } }],
  [{ all: { constraints: [] } }, ["all solution"]],
  [{ any: { constraints: [] } }, ["any solution"]],
  [{ none: { constraints: [K] } }, ["none solution", KEY]],
  [{ not: { Constraints: [K] } }, ["none solution", KEY]],
])("a spelling: %j", (value, expected) => {
  expect(formOf(read(value))).toEqual(expected);
});

test.each<[string, Json, Json]>([
  ["olm.gvk.required", { group: "g", version: "v1", kind: "K" }, KEY],
  ["olm.gvk.required", { group: "g", version: "v1", kind: "K", name: "ks.g" }, KEY],
  ["olm.package.required", { packageName: "p", versionRange: "1.0.0" }, "package p 1.0.0"],
  ["olm.package.required", { name: "p", versionRange: "1.0.0" }, "package p 1.0.0"],
  ["olm.label.required", { label: "lts" }, "label lts"],
  ["olm.constraint.cel", { rule: RULE, message: "m" }, CEL],
])("a property type of its own: %s %j", (type, value, expected) => {
  expect(formOf(read(value, {}, type))).toEqual(expected);
});

test("types that are not constraints require nothing", () => {
  expect(read("whatever", {}, "olm.unknown")).toEqual({ requirements: [], problems: [], hasCompounds: false });
  expect(read({}, {}, "olm.constraints")).toEqual({ requirements: [], problems: [], hasCompounds: false });
});

const ITS_FIELDS =
  "its fields are gvk, package, cel, propertyEquals, all, any, none, not, evaluator, rule, source, message, failureMessage, action";

test.each<[string, Json, readonly string[]]>([
  ["unknown key", { ...K, arbitrary: 1 }, [`arbitrary key: a constraint has no field "arbitrary" | ${ITS_FIELDS}`]],
  ["misspelt key", { ...K, mesage: "m" }, ['mesage key: a constraint has no field "mesage" | did you mean message?']],
  [
    "one key twice",
    { ...K, GVK: 1 },
    [
      'gvk key: the keys "GVK" and "gvk" are the same | remove one; case does not matter here',
      "GVK: gvk must be an object, but is a number",
    ],
  ],
  [
    "two kinds",
    { ...K, package: { name: "p", versionRange: "1.0.0" } },
    [
      "package key: the constraint has several kinds at once: gvk, package | put each into its own constraint, under all or any",
    ],
  ],
  [
    "a kind and an evaluator",
    { ...K, evaluator: { id: "cel" }, rule: RULE },
    [
      "evaluator key: the constraint has several kinds at once: gvk, evaluator | put each into its own constraint, under all or any",
    ],
  ],
  [
    "nothing at all",
    { message: "m" },
    [
      ": the constraint is empty: it does not require anything | write one of gvk, package, cel, propertyEquals, all, any, none",
    ],
  ],
  [
    "messages that differ",
    { ...K, message: "a", failureMessage: "b" },
    ["failureMessage: message and failureMessage differ, but mean the same | keep one"],
  ],
  [
    "a message that is no text",
    { ...K, message: 1 },
    ["message: message must be text, but is a number | put it into quotes"],
  ],
  [
    "unknown evaluator",
    { evaluator: { id: "lucky", package: "bobby" }, rule: "a" },
    ['evaluator.id: there is no evaluator "lucky" | the only one is cel'],
  ],
  ["no evaluator", { rule: RULE }, ["rule key: the rule has no evaluator | write cel: {rule: …}"]],
  ["evaluator without id", { evaluator: {}, rule: RULE }, ["evaluator: evaluator has no id | write id: cel"]],
  ["evaluator without rule", { evaluator: { id: "cel" } }, [": a constraint has no rule | add rule"]],
  [
    "rule and source",
    { evaluator: { id: "cel" }, rule: RULE, source: RULE },
    ["source key: rule and source mean the same | keep rule"],
  ],
  [
    "unknown action",
    { ...K, action: { id: "forbid" } },
    ['action.id: there is no action "forbid" | write require or conflict'],
  ],
  [
    "optional that is no bool",
    { ...K, action: { optional: "true" } },
    ["action.optional: optional must be true or false, but is text"],
  ],
  [
    "action inside",
    { all: { constraints: [{ ...K, action: { id: "require" } }] } },
    [
      "all.constraints[0].action key: only the outermost constraint can have an action | move it there, or write none for what must not be",
    ],
  ],
  [
    "an older type as a key",
    { any: { constraints: [{ "olm.gvk.required": { group: "g", version: "v1", kind: "K" } }] } },
    [
      'any.constraints[0]["olm.gvk.required"] key: "olm.gvk.required" is not allowed inside a constraint | write gvk: {group, version, kind}',
      "any.constraints[0]: the constraint is empty: it does not require anything | write one of gvk, package, cel, propertyEquals, all, any, none",
    ],
  ],
  [
    "a property as a child",
    { any: { constraints: [{ type: "olm.constraint", value: K }] } },
    [
      'any.constraints[0].type key: a constraint has no field "type": it is not a property | write only what would be its value',
      'any.constraints[0].value key: a constraint has no field "value": it is not a property | write only what would be its value',
      "any.constraints[0]: the constraint is empty: it does not require anything | write one of gvk, package, cel, propertyEquals, all, any, none",
    ],
  ],
  [
    "scope outside",
    { ...K, scope: "bundle" },
    ["scope key: only a compound has a scope | write it inside: all: {scope: bundle, constraints: […]}"],
  ],
  [
    "unknown scope",
    { all: { scope: "cluster", constraints: [] } },
    ['all.scope: there is no scope "cluster" | write solution or bundle'],
  ],
  ["a bare list", { all: [K] }, ["all: all must be an object, but is a list | write all: {constraints: […]}"]],
  ["no list", { not: {} }, ["not: not has no constraints | list them under constraints"]],
  [
    "constraints that are no list",
    { all: { constraints: K } },
    ["all.constraints: constraints must be a list, but is an object"],
  ],
  [
    "gvk without group",
    { gvk: { version: "v1", kind: "K" } },
    ['gvk: gvk has no group | add it; the group of the core APIs is ""'],
  ],
  [
    "several faults",
    { gvk: { group: "a/b", version: "", kind: 1 } },
    [
      "gvk.group: the group of an API must not contain slashes or spaces",
      "gvk.version: the version of an API must not be empty",
      "gvk.kind: kind must be text, but is a number | put it into quotes",
    ],
  ],
  ["gvk that is text", { gvk: "K" }, ["gvk: gvk must be an object, but is text"]],
  ["package without a range", { package: { name: "p" } }, ["package: package has no versionRange | add versionRange"]],
  [
    "package with two names",
    { package: { name: "p", packageName: "q", versionRange: "1.0.0" } },
    ["package.name: packageName and name differ, but mean the same | keep packageName"],
  ],
  [
    "package without a name",
    { package: { name: "", versionRange: "1.0.0" } },
    ["package.name: the name of the package is empty"],
  ],
  [
    "propertyEquals without a value",
    { propertyEquals: { name: "n" } },
    ["propertyEquals: propertyEquals has no value | add the value that the property must have"],
  ],
])("a mistake: %s", (_name, value, expected) => {
  const requirements = read(value);
  expect(problemsOf(requirements)).toEqual(expected);
  expect(requirements.requirements).toEqual([]);
});

test("mistakes of ranges and rules have an offset", () => {
  const [range] = read({ package: { name: "p", versionRange: ">=1.0.0 <2" } }).problems;
  expect([range?.path, range?.offset]).toEqual([["package", "versionRange"], 8]);
  const { problems } = read({
    all: { constraints: [{ cel: { rule: "propertis.exists(p, true)" } }, { cel: { rule: "true && 1" } }] },
  });
  expect(problems.map(({ path, offset }) => [printPath(path), offset])).toEqual([
    ["all.constraints[0].cel.rule", 0],
    ["all.constraints[1].cel.rule", 8],
  ]);
  expect(problems[0]?.message).toMatch(/^the rule cannot be compiled: .*propertis/);
  expect(problems[0]?.hint).toContain("properties");
});

test("the functions of compat are OLM's", () => {
  const value: Json = { cel: { rule: "'a'.charAt(0) == 'a'" } };
  expect(read(value).problems).toEqual([]);
  expect(read(value, { compat: true }).problems).toHaveLength(1);
});

test("several properties are separate, and a broken one does not hide the others", () => {
  const { requirements, problems } = readRequirements(
    [
      { type: "olm.package", value: { packageName: "p", version: "1.0.0" } },
      { type: "olm.constraint", value: {} },
      { type: "olm.constraint", value: K },
    ],
    OPTIONS,
  );
  expect(problems.map(({ property }) => property)).toEqual([1]);
  expect(requirements.map(({ property }) => property)).toEqual([2]);
});

test("what registries repeat counts once", () => {
  const gvk = { type: "olm.gvk.required", value: { group: "g", version: "v1", kind: "K" } };
  const label = { type: "olm.label.required", value: { label: "lts" } };
  const one = { type: "olm.package.required", value: { packageName: "p", versionRange: "1.x" } };
  const two = { type: "olm.package.required", value: { packageName: "p", versionRange: "1.x.x" } };
  const { requirements } = readRequirements([gvk, gvk, label, one, label, two, one], OPTIONS);
  expect(requirements.map(({ property }) => property)).toEqual([0, 2, 3, 5]);
});

test("a constraint of each level carries its message", () => {
  const { requirements } = read({ message: "out", all: { constraints: [{ ...(K as object), failureMessage: "in" }] } });
  const constraint = requirements[0]?.constraint;
  expect(constraint).toMatchObject({
    message: "out",
    path: [],
    constraints: [{ message: "in", path: ["all", "constraints", 0] }],
  });
});

test("conflict is a none of scope solution; the message is about the whole", () => {
  const conflict = { ...(K as object), message: "m", action: { id: "conflict", optional: true } };
  for (const compat of [false, true]) {
    const { requirements, hasCompounds } = read(conflict, { compat });
    expect(requirements).toMatchObject([{ action: "conflict", optional: true }]);
    expect(requirements[0]?.constraint).toMatchObject({ kind: "none", scope: "solution", message: "m" });
    expect(requirements[0]?.constraint).toMatchObject({ constraints: [{ kind: "gvk", message: undefined }] });
    expect(hasCompounds).toBe(false);
  }
});

const cel: Json = { cel: { rule: RULE } };

function nested(levels: number): Json {
  let value = K;
  for (let level = 1; level < levels; level++) value = { all: { constraints: [value] } };
  return value;
}

test("levels: the outermost is the first and the leaf counts", () => {
  expect(read(nested(10)).problems).toEqual([]);
  const { problems } = read(nested(11));
  expect(problems.map(({ message }) => message)).toEqual(["the constraint is nested deeper than 10 levels"]);
  expect(problems[0]?.path.filter((step) => step === "constraints")).toHaveLength(10);
  expect(read(nested(3), { maxDepth: 2 }).problems).toHaveLength(1);
});

test("no depth of input and no limit brings it down", () => {
  expect(read(nested(3000), { maxBytes: 1_000_000, maxDepth: 1_000_000 }).problems).toHaveLength(1);
  expect(read(nested(100_000)).problems.map(({ message }) => message)).toEqual([
    "the constraint is larger than 65536 bytes",
  ]);
});

test("a size at the limit is not too large", () => {
  const message = "é".repeat(100);
  const value: Json = { message, all: { constraints: [] } };
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  expect(read(value, { maxBytes: bytes }).problems).toEqual([]);
  expect(read(value, { maxBytes: bytes - 1 }).problems).toHaveLength(1);
});

test("a flood of mistakes is cut", () => {
  const value = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
  expect(read(value).problems).toHaveLength(100);
});

test("inherited names and prototypes are only keys", () => {
  const value = JSON.parse('{"__proto__": {"gvk": {}}, "constructor": 1, "gvk": {"toString": 1}}') as Json;
  expect(problemsOf(read(value)).map((text) => text.split(":")[0])).toEqual([
    "__proto__ key",
    "constructor key",
    "gvk.toString key",
    "gvk",
    "gvk",
    "gvk",
  ]);
});

test("a reader answers the same properties from memory and shares the programs of rules", () => {
  const reader = new ConstraintReader(OPTIONS);
  const properties = [{ type: "olm.constraint", value: cel }];
  const first = reader.of(properties);
  expect(reader.of(properties)).toBe(first);
  const [again] = reader.of([{ type: "olm.constraint", value: { CEL: { rule: RULE } } }]).requirements;
  const [requirement] = first.requirements;
  expect(requirement?.constraint.kind === "cel" && requirement.constraint.program).toBe(
    again?.constraint.kind === "cel" && again.constraint.program,
  );
});

const WORDS =
  "gvk GVK package cel propertyEquals all any none not evaluator rule source message failureMessage action group version kind name packageName versionRange value constraints scope id optional __proto__ x".split(
    " ",
  );

/** Values made of the words of constraints, in any order and nesting. */
const { anything } = fc.letrec<{ anything: Json }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<Json[]>("cel", "true", ">=1.0.0", "bundle", "solution", "", 1, true, null, 10n ** 20n),
    fc.array(tie("anything"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...WORDS), tie("anything")), { maxLength: 5 })
      .map((entries): Json => Object.fromEntries(entries)),
  ),
}));

function reversed(value: Json): Json {
  if (isList(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, content]) => [key, reversed(content)]),
  );
}

test("any value is a requirement or a problem, and the order of keys does not matter", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const { requirements, problems } = read(value);
      expect(requirements.length > 0).toBe(problems.length === 0);
      const again = read(reversed(value));
      expect(again.problems).toEqual(problems);
      expect(again.requirements.map(({ constraint }) => constraintForm(constraint))).toEqual(
        requirements.map(({ constraint }) => constraintForm(constraint)),
      );
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 50_000 : 2000 },
  );
});
