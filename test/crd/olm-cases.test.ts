// Is the change of a CustomResourceDefinition checked as OLM checks it, or as docs/crd.md defines where that is different?
// Each case has the id of the behaviour: M is OLM v0, which looks at objects; N is OLM v1, which compares schemas. M17, who
// is an owner, is shown in crd-upgrades.test.ts, where operators are.

import { describe, expect, test } from "vitest";
import { CRD_RULES, type CrdCode } from "../../src/crd/finding-codes.ts";
import { readCrdSettings } from "../../src/crd/settings.ts";
import { type Circumstances, NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import type { CustomResourceDefinition } from "../../src/model/custom-resource.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { checkUpgrade } from "./in-words.ts";
import { definition, spec, user, winch } from "./winches.ts";

/** Codes by severity, each once. */
interface CodesBySeverity {
  readonly error?: readonly CrdCode[];
  readonly warning?: readonly CrdCode[];
  readonly info?: readonly CrdCode[];
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly before: CustomResourceDefinition | undefined;
  readonly after: CustomResourceDefinition;
  readonly given?: Partial<Circumstances>;
  /** With one owner; with two, where that is different; as OLM, where that is different. */
  readonly expect: CodesBySeverity;
  readonly several?: CodesBySeverity;
  readonly compat?: CodesBySeverity;
}

function codesBySeverity(
  before: Case["before"],
  after: Case["after"],
  circumstances: Partial<Circumstances>,
): CodesBySeverity {
  const found = checkUpgrade(before, after, { ...NOTHING_KNOWN, ...circumstances });
  const bySeverity: Partial<Record<"error" | "warning" | "info", CrdCode[]>> = {};
  for (const { severity, code } of found) {
    bySeverity[severity] ??= [];
    if (!bySeverity[severity].includes(code)) bySeverity[severity].push(code);
  }
  for (const codes of Object.values(bySeverity)) codes.sort();
  return bySeverity;
}

const replicas = (bounds: JsonObject): JsonObject => spec({ replicas: { type: "integer", ...bounds } });
const one = (schema: JsonObject, flags = "served storage"): CustomResourceDefinition =>
  definition({ versions: { v2: { flags, schema } } });
const sized = (size: number, version = "v2") => [winch("my-crontab", version, { replicas: size })];

const TWO = (v1: string, v2: string, first: JsonObject, second: JsonObject, webhook = false) =>
  definition({ versions: { v1: { flags: v1, schema: first }, v2: { flags: v2, schema: second } }, webhook });

const MIN2 = replicas({ minimum: 2 });
const ANY = replicas({});
const MAX9 = replicas({ maximum: 9 });
const MAX50 = replicas({ maximum: 50 });
const FREE = spec({ foobarbaz: { type: "string", enum: ["foo", "bar", "baz"] } });
const LESS = spec({ foobarbaz: { type: "string", enum: ["foo", "bar"] } });
const STILL: CodesBySeverity = {};

const OBJECTS: readonly Case[] = [
  {
    id: "M01",
    title: "nothing changes",
    before: one(MIN2),
    after: one(MIN2),
    given: { objects: sized(2) },
    expect: STILL,
  },
  {
    id: "M02",
    title: "an object is above the new maximum",
    before: one(ANY),
    after: one(MAX9),
    given: { objects: sized(10) },
    expect: { warning: ["CRD205", "CRD301"] },
    several: { error: ["CRD205", "CRD301"] },
    compat: { error: ["CRD301"], info: ["CRD205"] },
  },
  {
    id: "M04",
    title: "objects are not validated in a version that is no longer served",
    before: TWO("served storage", "served", ANY, ANY),
    after: TWO("served storage", "", ANY, MAX9),
    given: { objects: sized(10, "v1") },
    expect: { warning: ["CRD116"], info: ["CRD205"] },
    several: { warning: ["CRD116", "CRD205"] },
    compat: { info: ["CRD116", "CRD205"] },
  },
  {
    id: "M05",
    title:
      "objects are not validated in a version that was not served before; that it differs from the others is reported",
    before: TWO("served storage", "", ANY, ANY),
    after: TWO("served storage", "served", ANY, MAX9),
    given: { objects: sized(10, "v1") },
    expect: { warning: ["CRD205"] },
    several: { error: ["CRD205"] },
    compat: { info: ["CRD205"] },
  },
  {
    id: "M06",
    title: "a definition with a single version, v1beta1",
    before: definition({
      versions: {},
      apiVersion: "v1beta1",
      spec: { version: "v1", versions: [], preserveUnknownFields: false, validation: { openAPIV3Schema: ANY } },
    }),
    after: definition({
      versions: {},
      apiVersion: "v1beta1",
      spec: { version: "v1", versions: [], preserveUnknownFields: false, validation: { openAPIV3Schema: MAX50 } },
    }),
    given: { objects: sized(100, "v1") },
    expect: { warning: ["CRD205", "CRD301"] },
    several: { error: ["CRD205", "CRD301"] },
    compat: { error: ["CRD301"], info: ["CRD205"] },
  },
  {
    id: "M06b",
    title: "an object that was above the maximum before: OLM does not ask for that",
    before: one(MAX50),
    after: one(MAX50),
    given: { objects: sized(100) },
    expect: { warning: ["CRD303"] },
    compat: { error: ["CRD303"] },
  },
  {
    id: "M08",
    title: "M02 where the new CRD converts objects by a webhook",
    before: TWO("served", "served storage", ANY, ANY),
    after: TWO("served", "served storage", ANY, MAX9, true),
    given: { objects: sized(10) },
    expect: { warning: ["CRD205", "CRD301"], info: ["CRD111"] },
    several: { error: ["CRD205", "CRD301"], info: ["CRD111"] },
    compat: { warning: ["CRD301"], info: ["CRD111", "CRD205"] },
  },
  {
    id: "M09",
    title: "a stored version is gone",
    before: definition({ versions: { v1alpha2: "storage", v1alpha3: "served" }, stored: ["v1alpha2"] }),
    after: definition({ versions: { v1alpha3: "served storage" } }),
    expect: { error: ["CRD101"], info: ["CRD108"] },
  },
  {
    id: "M10",
    title: "both stored versions stay",
    before: definition({
      versions: { v1alpha2: "served", v1alpha3: "served storage" },
      stored: ["v1alpha2", "v1alpha3"],
    }),
    after: definition({ versions: { v1alpha2: "served", v1alpha3: "served storage" } }),
    expect: STILL,
  },
  {
    id: "M12",
    title: "all versions stay, with a looser schema",
    before: TWO("served", "served storage", MAX9, MAX9),
    after: TWO("served", "served storage", MAX50, MAX50),
    given: { objects: [...sized(9, "v1"), winch("other", "v2", { replicas: 1 })] },
    expect: STILL,
  },
  {
    id: "M13",
    title: "all versions stay, with a tighter schema than an object",
    before: TWO("served", "served storage", MAX50, MAX50),
    after: TWO("served", "served storage", MAX9, MAX9),
    given: { objects: sized(10, "v1") },
    expect: { warning: ["CRD205", "CRD301"] },
    several: { error: ["CRD205", "CRD301"] },
    compat: { error: ["CRD301"], info: ["CRD205"] },
  },
  {
    id: "M14",
    title: "a version is gone that was served but is not stored: OLM allows it, seed 004 does not",
    before: definition({ versions: { v1alpha1: "served", v1: "served storage" }, stored: ["v1"] }),
    after: definition({ versions: { v1: "served storage" } }),
    given: { objects: [] },
    expect: { error: ["CRD102"] },
    compat: { info: ["CRD102"] },
  },
  {
    id: "M16",
    title: "a version that is no longer served goes",
    before: definition({ versions: { v1alpha1: "", v1: "served storage" }, stored: ["v1"] }),
    after: definition({ versions: { v1: "served storage" } }),
    given: { objects: [] },
    expect: { info: ["CRD117"] },
  },
  {
    id: "M18",
    title: "one owner: it is upgraded at once; OLM still asks what M02 asks",
    before: one(MAX50),
    after: one(MAX9),
    given: { objects: sized(10) },
    expect: { warning: ["CRD205", "CRD301"] },
    several: { error: ["CRD205", "CRD301"] },
    compat: { error: ["CRD301"], info: ["CRD205"] },
  },
  {
    id: "M18b",
    title: "one owner: it is upgraded at once, but never loses what is stored (M09)",
    before: definition({ versions: { v1: "", v2: "served storage" }, stored: ["v1", "v2"] }),
    after: definition({ versions: { v2: "served storage" } }),
    given: { objects: [] },
    expect: { error: ["CRD101"] },
  },
];

/** A change of the schema of the only version, objects not given: fine, or a finding. */
function schemaCase(id: string, title: string, before: JsonObject, after: JsonObject, code?: CrdCode): Case {
  return {
    id,
    title,
    before: one(before),
    after: one(after),
    expect: code === undefined ? STILL : { warning: [code] },
    several: code === undefined ? STILL : { error: [code] },
    compat: code === undefined ? STILL : { error: [code] },
  };
}

const field = (schema: JsonObject): JsonObject => spec({ field: schema });
const bounds = (
  id: string,
  name: string,
  type: string,
  code: CrdCode,
  [low, middle, high]: readonly number[],
): Case[] => [
  schemaCase(id, `${name} added`, field({ type }), field({ type, [name]: middle as number }), code),
  schemaCase(
    id,
    `${name} narrower`,
    field({ type, [name]: low as number }),
    field({ type, [name]: middle as number }),
    code,
  ),
  schemaCase(id, `${name} wider`, field({ type, [name]: high as number }), field({ type, [name]: middle as number })),
  schemaCase(id, `${name} gone`, field({ type, [name]: middle as number }), field({ type })),
];
const TYPES = [
  ["imum", "integer"],
  ["Length", "string"],
  ["Items", "array"],
  ["Properties", "object"],
] as const;
const text = (more: JsonObject): JsonObject => field({ type: "string", ...more });

const SCHEMAS: readonly Case[] = [
  {
    id: "N01",
    title: "the scope changes to Cluster",
    before: one(ANY),
    after: definition({ versions: { v2: { flags: "served storage", schema: ANY } }, spec: { scope: "Cluster" } }),
    expect: { error: ["CRD104"] },
  },
  {
    id: "N01",
    title: "the scope changes to Namespaced",
    before: definition({ versions: { v2: { flags: "served storage", schema: ANY } }, spec: { scope: "Cluster" } }),
    after: one(ANY),
    expect: { error: ["CRD104"] },
  },
  {
    id: "N02",
    title: "a stored version is removed",
    before: definition({ versions: { v1: "", v2: "served storage" }, stored: ["v1", "v2"] }),
    after: definition({ versions: { v2: "served storage" } }),
    expect: { error: ["CRD101"] },
  },
  schemaCase(
    "N04",
    "an optional field is added",
    ANY,
    spec({ replicas: { type: "integer" }, brake: { type: "string" } }),
  ),
  schemaCase(
    "N05",
    "required is added",
    ANY,
    spec({ replicas: { type: "integer" } }, { required: ["replicas"] }),
    "CRD202",
  ),
  schemaCase("N05", "required is removed", spec({ replicas: { type: "integer" } }, { required: ["replicas"] }), ANY),
  schemaCase("N06", "the type changes", field({ type: "boolean" }), field({ type: "string" }), "CRD201"),
  schemaCase("N08", "enum is added", text({}), text({ enum: ["a"] }), "CRD203"),
  schemaCase("N08", "a value is removed", text({ enum: ["a", "b"] }), text({ enum: ["a"] }), "CRD203"),
  schemaCase("N08", "a value is added", text({ enum: ["a"] }), text({ enum: ["a", "b"] })),
  ...TYPES.flatMap(([name, type]) => bounds("N09", `min${name}`, type, "CRD204", [1, 2, 3])),
  ...TYPES.flatMap(([name, type]) => bounds("N10", `max${name}`, type, "CRD205", [3, 2, 1])),
  schemaCase("N12", "null becomes allowed", text({}), text({ nullable: true }), "CRD208"),
  schemaCase("N12", "null is no longer allowed", text({ nullable: true }), text({}), "CRD208"),
  schemaCase("N13", "oneOf is added", text({}), text({ oneOf: [{ minLength: 1 }, { maxLength: 3 }] }), "CRD210"),
  schemaCase("N14", "a description changes", text({ description: "a" }), text({ description: "b" })),
  {
    id: "N16",
    title: "two served versions begin to differ",
    before: TWO("served storage", "served", FREE, FREE),
    after: TWO("served storage", "served", FREE, LESS),
    expect: { warning: ["CRD203"] },
    several: { error: ["CRD203"] },
    compat: { error: ["CRD203"] },
  },
  {
    id: "N16",
    title: "a version is added that differs from the one that is there",
    before: definition({ versions: { v1: { flags: "served storage", schema: FREE } } }),
    after: TWO("served storage", "served", FREE, LESS),
    expect: { warning: ["CRD203"] },
    several: { error: ["CRD203"] },
    compat: { error: ["CRD203"] },
  },
  {
    id: "N17",
    title: "N16 with a conversion webhook",
    before: definition({ versions: { v1: { flags: "served storage", schema: FREE } } }),
    after: TWO("served storage", "served", FREE, LESS, true),
    expect: STILL,
  },
  {
    id: "N18",
    title: "N16 that was so before",
    before: TWO("served storage", "served", FREE, LESS),
    after: definition({
      versions: {
        v1: { flags: "served storage", schema: FREE },
        v2: { flags: "served", schema: LESS },
        v3: { flags: "", schema: LESS },
      },
    }),
    expect: STILL,
  },
  { id: "N20", title: "the definition is not on the cluster", before: undefined, after: one(MAX9), expect: STILL },
];

describe.each([
  ["OLM v0", OBJECTS],
  ["OLM v1", SCHEMAS],
])("%s", (_, cases) => {
  for (const { id, title, before, after, given = {}, ...expected } of cases) {
    test(`${id}: ${title}`, () => {
      expect(codesBySeverity(before, after, given)).toEqual(expected.expect);
      expect(codesBySeverity(before, after, { ...given, owners: 2 })).toEqual(expected.several ?? expected.expect);
    });

    test(`${id} with --compat=olm: ${title}`, () => {
      const compat = expected.compat ?? expected.expect;
      expect(codesBySeverity(before, after, { ...given, compat: true })).toEqual(compat);
      expect(codesBySeverity(before, after, { ...given, compat: true, owners: 2 })).toEqual(compat);
    });
  }
});

test("M02 names the object, the field and both values", () => {
  const [finding] = checkUpgrade(one(ANY), one(MAX9), { ...NOTHING_KNOWN, objects: sized(10) }).filter(
    ({ code }) => code === "CRD301",
  );
  expect(finding).toMatchObject({
    crd: "winches.harbour.example.com",
    version: "v2",
    path: ".spec.replicas",
    message: 'winches "my-crontab" in namespace quay-north: .spec.replicas must be at most 9, but is 10',
    object: { namespace: "quay-north", name: "my-crontab" },
    place: { source: "my-crontab.yaml", path: ["spec", "replicas"] },
  });
});

test("M09 has the steps to take, in order", () => {
  const before = definition({ versions: { v1alpha2: "storage", v1alpha3: "served" }, stored: ["v1alpha2"] });
  const [finding] = checkUpgrade(
    before,
    definition({ versions: { v1alpha3: "served storage" } }),
    NOTHING_KNOWN,
  ).filter(({ code }) => code === "CRD101");
  expect(finding?.message).toBe(
    "objects may be stored in v1alpha2 (status.storedVersions), but the new CRD does not have it",
  );
  expect(finding?.help).toBe(
    [
      "in this order: (1) ship a bundle that still has v1alpha2, with served: false and storage: false, and storage: true at v1alpha3",
      "(2) write every stored Winch again, unchanged, so that it is stored in v1alpha3",
      "(3) set status.storedVersions of winches.harbour.example.com to [v1alpha3]",
      "(4) ship the bundle without v1alpha2",
    ].join("; "),
  );
});

test("M14 with --compat=olm notes that OLM allows it", () => {
  const before = definition({ versions: { v1alpha1: "served", v1: "served storage" }, stored: ["v1"] });
  const after = definition({ versions: { v1: "served storage" } });
  const [finding] = checkUpgrade(before, after, { ...NOTHING_KNOWN, compat: true });
  expect(finding?.message).toBe("v1alpha1 was still served and is gone from the new CRD; OLM allows that");
});

test("N16 names both versions and the field", () => {
  const before = definition({ versions: { v1: { flags: "served storage", schema: FREE } } });
  const [finding] = checkUpgrade(before, TWO("served storage", "served", FREE, LESS), NOTHING_KNOWN);
  expect(finding).toMatchObject({
    code: "CRD203",
    version: "v1 -> v2",
    path: ".spec.foobarbaz",
    message: '.spec.foobarbaz from v1 to v2: "baz" can no longer be chosen; allowed are "bar", "foo"',
    old: ["foo", "bar", "baz"],
    new: ["foo", "bar"],
    place: {
      path: [
        "spec",
        "versions",
        1,
        "schema",
        "openAPIV3Schema",
        "properties",
        "spec",
        "properties",
        "foobarbaz",
        "enum",
      ],
    },
  });
});

test("N20: a new definition is still checked alone", () => {
  const twice = definition({ versions: { v1: "served storage", v2: "served storage" } });
  expect(codesBySeverity(undefined, twice, { owned: [user("winch.v1", "v3")] })).toEqual({
    error: ["CRD001", "CRD003"],
  });
});

test("N21: settings can switch every finding off", () => {
  const severities = Object.fromEntries(Object.values(CRD_RULES).map(({ name }) => [name, "off"]));
  const choices = readCrdSettings({ severities }, { source: "settings.yaml", line: 1, column: 1 }, ({ message }) => {
    throw new Error(message);
  });
  for (const { before, after, given } of [...OBJECTS, ...SCHEMAS])
    for (const compat of [false, true])
      expect(codesBySeverity(before, after, { ...given, compat, severities: choices })).toEqual({});
});
