// What the change of a definition is found to be, beside each rule by itself (every-rule.test.ts), the cases of OLM
// (test/crd/olm-cases.test.ts) and the procedures (test/crd/procedures.test.ts).

import { describe, expect, test } from "vitest";
import { checkUpgrade, type FindingInWords } from "../../test/crd/in-words.ts";
import { definition, GROUP, PLAIN, spec, user, type WrittenDefinition, winch } from "../../test/crd/winches.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { definitionOf } from "../model/definition-of.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { type Circumstances, NOTHING_KNOWN } from "./upgrade/circumstances.ts";

const V1: WrittenDefinition["versions"] = { v1: "served storage" };

function found(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
  more: Partial<Circumstances> = {},
): readonly FindingInWords[] {
  return checkUpgrade(before, after, { ...NOTHING_KNOWN, ...more });
}

const codes = (findings: readonly FindingInWords[]) =>
  findings.map(({ code, version, path }) => [code, version, path].filter((part) => part !== "").join(" "));

const single = (schema: JsonObject, more: Partial<WrittenDefinition> = {}) =>
  definition({ versions: { v1: { flags: "served storage", schema } }, ...more });

test("nothing to nothing is nothing", () => {
  expect(found(undefined, undefined)).toEqual([]);
});

describe("findings come in order", () => {
  test("about the whole, then by version of the new CRD, then of the old one; by field and code", () => {
    const before = definition({
      versions: {
        v1: { flags: "served", schema: spec({ a: {}, b: {} }) },
        v0: "served",
        v2: { flags: "served storage", schema: spec({ a: {} }) },
      },
    });
    const after = definition({
      versions: {
        v2: { flags: "served storage", schema: spec({ a: { type: "string" } }) },
        v1: { flags: "served", schema: spec({ a: { minLength: 1, maxLength: 3 }, b: { maxLength: 2 }, z: {} }) },
      },
      spec: { scope: "Cluster" },
    });
    expect(codes(found(before, after))).toEqual([
      "CRD104",
      "CRD201 v1 -> v2 .spec.a",
      "CRD209 v1 -> v2 .spec.z",
      "CRD201 v2 .spec.a",
      "CRD204 v1 .spec.a",
      "CRD205 v1 .spec.a",
      "CRD205 v1 .spec.b",
      "CRD113 v1 .spec.z",
      "CRD102 v0",
      "CRD115 v0",
    ]);
  });

  test("in any order of users", () => {
    const before = definition({ versions: { v0: "served", ...V1 } });
    const requiredBy = ["crane", "buoy", "anchor", "crane"].map((name) => user(name, "v0"));
    const findings = found(before, definition({ versions: V1 }), { requiredBy });
    expect(found(before, definition({ versions: V1 }), { requiredBy: requiredBy.toReversed() })).toEqual(findings);
    expect(findings.filter(({ code }) => code === "CRD103").map(({ message }) => message.split(" ")[0])).toEqual([
      "anchor",
      "buoy",
      "crane",
    ]);
  });
});

describe("users of a version", () => {
  const before = definition({ versions: { v0: "served", vx: "", ...V1 }, stored: ["v1"] });
  const after = definition({ versions: V1 });

  test("count only if it was served, and is of this kind", () => {
    const other = { ...user("crane", "v0"), kind: "Crane" };
    const elsewhere = { ...user("crane", "v0"), group: "example.com" };
    const users = [user("crane", "vx"), user("crane", "v1"), user("crane", "v9"), other, elsewhere];
    expect(codes(found(before, after, { requiredBy: users, ownedBy: users }))).toEqual(["CRD102 v0", "CRD117 vx"]);
    expect(codes(found(after, after, { owned: [other, elsewhere] }))).toEqual([]);
  });

  test("are each reported, as owner or as requirer", () => {
    const findings = found(before, after, { requiredBy: [user("crane", "v0")], ownedBy: [user("winch", "v0")] });
    expect(codes(findings)).toEqual(["CRD102 v0", "CRD103 v0", "CRD106 v0", "CRD117 vx"]);
  });

  test("OLM does not check owners", () => {
    const findings = found(before, after, { ownedBy: [user("winch", "v0")], compat: true });
    expect(codes(findings)).toEqual(["CRD102 v0", "CRD117 vx"]);
  });
});

describe("a definition that is no longer there", () => {
  const before = definition({ versions: { v0: "", ...V1 } });

  test("is reported, with the operators that require what it served", () => {
    const requiredBy = [user("crane", "v1"), user("crane", "v0")];
    expect(codes(found(before, undefined, { requiredBy }))).toEqual(["CRD107", "CRD103 v1"]);
  });

  test("does not concern its requirers, if another operator owns the version", () => {
    const findings = found(before, undefined, {
      requiredBy: [user("crane", "v1")],
      ownedBy: [user("winch in south", "v1")],
    });
    expect(codes(findings)).toEqual(["CRD107"]);
    expect(findings[0]?.message).toBe(
      "winches.harbour.example.com is no longer there, but winch in south still owns it",
    );
  });
});

describe("versions in which objects may be stored", () => {
  const before = definition({ versions: { v0: "served storage", ...V1, v1: "served" }, stored: ["v0", "v1"] });
  const after = definition({ versions: V1 });

  test("are those of the cluster, unless overridden", () => {
    expect(codes(found(before, after))).toContain("CRD101 v0");
    const moved = definition({ versions: { v0: "", ...V1 }, stored: ["v0", "v1"] });
    expect(codes(found(moved, after))).toContain("CRD101 v0");
    expect(codes(found(moved, after, { stored: ["v1"] }))).not.toContain("CRD101 v0");
    expect(codes(found(before, after, { stored: ["v0", "v0", "vx"] }))).toEqual([
      "CRD108 v1",
      "CRD101 v0",
      "CRD102 v0",
      "CRD101 vx",
    ]);
  });

  test("are always the storage version, too", () => {
    expect(codes(found(before, after, { stored: ["v1"] }))).toContain("CRD101 v0");
    const stale = definition({ versions: { v0: "storage", v1: "served" }, stored: ["v1"] });
    const [finding] = found(stale, after).filter(({ code }) => code === "CRD101");
    expect(finding?.message).toBe("objects are stored in v0, but the new CRD does not have it");
  });

  test("are the storage version by default", () => {
    const silent = definition({ versions: { v0: "storage", v1: "served" } });
    const [finding] = found(silent, after).filter(({ code }) => code === "CRD101");
    expect(finding?.message).toBe("objects are stored in v0, but the new CRD does not have it");
    expect(codes(found(silent, after, { stored: [] }))).toContain("CRD101 v0");
  });
});

describe("schemas", () => {
  const ruled = (rule: string, more: JsonObject = {}) =>
    spec({ brake: { type: "string", "x-kubernetes-validations": [{ rule }], ...more } });

  test("existing mistakes are not reported again, even at another position", () => {
    const bad = { $ref: "#/a" };
    const [old, more] = [single(spec({ a: bad })), single(spec({ b: bad, a: bad }))];
    expect(codes(found(undefined, old))).toEqual(["CRD007 v1 .spec.a"]);
    expect(codes(found(old, old))).toEqual([]);
    expect(codes(found(old, more))).toEqual(["CRD007 v1 .spec.b"]);
    expect(codes(found(single(ruled("self >")), single(ruled("self >", { maxLength: 9 }))))).toEqual([
      "CRD205 v1 .spec.brake",
    ]);
    expect(codes(found(single(ruled("self >")), single(ruled("self <"))))).toEqual([
      "CRD009 v1 .spec.brake",
      "CRD218 v1 .spec.brake",
    ]);
  });

  test("a rule that no longer compiles because its field changed is reported", () => {
    const before = single(ruled("self.size() > 1"));
    expect(codes(found(before, single(ruled("self.size() > 1", { type: "integer" }))))).toContain(
      "CRD009 v1 .spec.brake",
    );
  });

  test("many mistakes of one kind are counted", () => {
    const fields = Object.fromEntries(Array.from({ length: 105 }, (_, index) => [`f${index}`, { $ref: "#" }]));
    const findings = found(undefined, single(spec(fields)));
    expect(findings).toHaveLength(101);
    expect(
      findings.filter(({ message }) => message.startsWith("5 more findings of CRD007 are not listed")),
    ).toHaveLength(1);
  });

  test("one that all versions of a v1beta1 definition share is looked at once, and compared for each", () => {
    const shared = (schema: JsonObject) =>
      definition({
        versions: { v1: { flags: "served storage" }, v2: { flags: "served" } },
        apiVersion: "v1beta1",
        spec: { validation: { openAPIV3Schema: schema } },
      });
    const findings = found(shared(spec({ a: {} })), shared(spec({ a: { $ref: "#" } })));
    expect(codes(findings)).toEqual(["CRD007 v1 .spec.a", "CRD299 v1 .spec.a", "CRD299 v2 .spec.a"]);
    expect(findings[0]?.place.path?.slice(0, 3)).toEqual(["spec", "validation", "openAPIV3Schema"]);
  });

  test("one that comes or goes is one finding", () => {
    const none = definition({ versions: { v1: { flags: "served storage" } } });
    const comes = found(none, single(PLAIN));
    expect(comes).toMatchObject([
      { code: "CRD215", severity: "warning", message: "v1 has a schema now; so far it took and kept anything" },
    ]);
    const goes = found(single(PLAIN), none);
    expect(goes).toMatchObject([
      { code: "CRD006", severity: "warning" },
      { code: "CRD215", severity: "info", message: "v1 has no schema any more: it takes and keeps anything" },
    ]);
    expect(found(none, none)).toEqual([]);
  });

  test("of versions that are not served are compared, too", () => {
    const unserved = (schema: JsonObject) => definition({ versions: { ...V1, v2: { flags: "", schema } } });
    expect(codes(found(unserved(PLAIN), unserved(spec({}))))).toEqual(["CRD209 v2 .spec.brake"]);
  });

  test("of versions that a webhook converted differ from each other when it is gone; OLM does not see that", () => {
    const two = (webhook: boolean) =>
      definition({
        versions: { v1: { flags: "served storage", schema: PLAIN }, v2: { flags: "served", schema: spec({}) } },
        webhook,
      });
    const findings = found(two(true), two(false));
    expect(codes(findings)).toEqual(["CRD110", "CRD209 v1 -> v2 .spec.brake"]);
    expect(findings[1]?.place.path?.slice(0, 3)).toEqual(["spec", "versions", 0]);
    expect(codes(found(two(true), two(false), { compat: true }))).toEqual(["CRD110"]);
    expect(codes(found(two(false), two(true)))).toEqual([]);
  });

  test("a looser one is an info finding that explains why it matters", () => {
    const list = (more: JsonObject) => spec({ a: { type: "array", items: { type: "string" }, ...more } });
    const [finding] = found(single(list({ uniqueItems: true })), single(list({})));
    expect(finding).toMatchObject({
      severity: "info",
      why: "objects stay valid, but clients may meet the same item twice",
      help: "nothing, if it is meant; make sure that clients that read .spec.a in v1 are ready for it",
    });
  });
});

describe("versions", () => {
  test("of two with one name, the first counts", () => {
    const written = (served: readonly boolean[]) => {
      const versions = served.map((isServed) => ({
        name: "v1",
        served: isServed,
        storage: isServed,
        schema: { openAPIV3Schema: PLAIN },
      }));
      return definition({ versions: {}, spec: { versions } });
    };
    const requiredBy = [user("crane", "v1")];
    expect(codes(found(written([true]), written([true, false]), { requiredBy }))).toEqual(["CRD005 v1"]);
    expect(codes(found(written([true]), written([false, true]), { requiredBy }))).toContain("CRD103 v1");
  });

  test("spec.version means nothing in a definition of v1", () => {
    expect(found(undefined, definition({ versions: V1, spec: { version: "v9" } }))).toEqual([]);
  });

  test("with two storage versions, a move cannot be detected", () => {
    const after = definition({ versions: { v1: "served", v2: "served storage", v3: "served storage" } });
    expect(codes(found(definition({ versions: V1 }), after))).toEqual(["CRD001"]);
  });
});

describe("what else differs", () => {
  const version = (more: JsonObject, specMore: JsonObject = {}) =>
    definition({ versions: { v1: { flags: "served storage", schema: PLAIN, more } }, spec: specMore });

  test.each<[string, JsonObject, JsonObject]>([
    ["columns", { additionalPrinterColumns: [{ name: "a" }] }, {}],
    ["marks of deprecation", { deprecated: false }, { deprecated: true, deprecationWarning: "use v2" }],
    ["a field to select by that is new", {}, { selectableFields: [{ jsonPath: ".spec.brake" }] }],
    ["a subresource that is new", {}, { subresources: { scale: { specReplicasPath: ".spec.a" } } }],
  ])("is fine: %s", (_, before, after) => {
    expect(found(version(before), version(after))).toEqual([]);
  });

  test("display names are fine", () => {
    const names = (more: JsonObject) => definition({ versions: V1, names: more });
    expect(
      found(names({ shortNames: ["w"] }), names({ categories: ["all"], singular: "w", listKind: "WinchList" })),
    ).toEqual([]);
  });

  test("a field that can no longer be selected by", () => {
    const fields = (...paths: readonly string[]) => ({ selectableFields: paths.map((jsonPath) => ({ jsonPath })) });
    expect(found(version(fields(".spec.brake", ".spec.size")), version(fields(".spec.size")))).toMatchObject([
      { code: "CRD299", version: "v1", path: ".spec.brake", message: 'v1 can no longer be selected by ".spec.brake"' },
    ]);
    expect(found(version({}, fields(".spec.brake")), version({}, fields()))).toHaveLength(1);
    expect(found(version({}, fields(".spec.brake")), version(fields(".spec.brake")))).toEqual([]);
  });

  test("unknown fields of the definition", () => {
    expect(found(version({ novel: 1 }), version({ novel: 2 }))).toMatchObject([
      { code: "CRD299", version: "v1", message: "novel of v1 is another one", old: 1, new: 2 },
    ]);
    expect(found(version({}), version({}, { novel: [1] }))).toMatchObject([
      {
        code: "CRD299",
        version: "",
        message: "novel of the definition is new",
        new: [1],
        place: { path: ["spec", "novel"] },
      },
    ]);
    expect(found(version({ novel: { a: 1, b: 2 } }), version({ novel: { b: 2, a: 1 } }))).toEqual([]);
    expect(found(version({ novel: 1 }), version({}))).toMatchObject([{ message: "novel of v1 is gone", old: 1 }]);
  });

  test("OLM v1 refuses what it does not know, OLM v0 does not look", () => {
    const severity = (objects: Circumstances["objects"], compat: boolean) =>
      found(version({}), version({ novel: 1 }), { objects, compat })[0]?.severity;
    expect([severity(undefined, false), severity([], false)]).toEqual(["warning", "warning"]);
    expect([severity(undefined, true), severity([], true)]).toEqual(["error", "info"]);
  });

  test("unknown fields that are kept from now on are a remark", () => {
    const keeps = definition({ versions: V1, apiVersion: "v1beta1" });
    expect(found(definition({ versions: V1 }), keeps)).toMatchObject([{ code: "CRD215", severity: "info", path: "." }]);
  });
});

describe("any input", () => {
  const broken: readonly Json[] = [
    {},
    { spec: null },
    { spec: { versions: [null, 1, {}] } },
    { spec: { versions: {} } },
  ];

  test("broken definitions are compared as far as they go", () => {
    const place = { source: "crd.yaml", line: 1, column: 1 };
    const made = broken.map((object) => definitionOf(object as JsonObject, "v1", place));
    for (const before of [undefined, ...made])
      for (const after of [undefined, ...made, definition({ versions: V1 })])
        for (const objects of [undefined, [winch("any", "v1", null)]])
          expect(Array.isArray(found(before, after, { objects }))).toBe(true);
  });

  test("names that every object has are names as any other", () => {
    const versions = JSON.parse(
      '{"__proto__": "served storage", "constructor": "served"}',
    ) as WrittenDefinition["versions"];
    const before = definition({ versions });
    expect(codes(found(before, definition({ versions: V1 })))).toEqual([
      "CRD108 v1",
      "CRD101 __proto__",
      "CRD102 __proto__",
      "CRD102 constructor",
      "CRD115 constructor",
    ]);
  });

  test("texts stay short", () => {
    const long = "x".repeat(100_000);
    const before = definition({ versions: { [long]: "served storage" } });
    const after = single(spec({ [long]: { $ref: "#" } }));
    const findings = [
      ...found(before, after, { requiredBy: [user(long, long)], owned: [{ ...user(long, long), group: GROUP }] }),
      ...found(after, single(spec({})), { objects: [winch(long, "v1", { [long]: 1 })] }),
    ];
    expect(findings.length).toBeGreaterThan(5);
    for (const { message, help, path } of findings)
      expect(Math.max(message.length, help.length, path.length)).toBeLessThan(2100);
  });

  test("a pair that is left of many versions is not blamed for what it had against each other", () => {
    const schemas = (count: number) =>
      definition({
        versions: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `v${index + 1}`,
            { flags: index === 0 ? "served storage" : "served", schema: index % 2 === 0 ? PLAIN : spec({}) },
          ]),
        ),
      });
    const after = schemas(4);
    const added = {
      ...after,
      versions: [
        ...after.versions,
        { ...(after.versions[0] as (typeof after.versions)[0]), name: "v99", storage: false },
      ],
    };
    const findings = found(schemas(30), added, { stored: ["v1"] });
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["CRD102"]));
  });

  test("many versions take no longer than they are many", () => {
    const many = (count: number, from: number) =>
      definition({
        versions: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`v${from + index}`, { flags: "served" }]),
        ),
      });
    const findings = found(many(2000, 1), many(2000, 1001));
    expect(findings.filter(({ code }) => code === "CRD102")).toHaveLength(1000);
  });
});
