import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkUpgrade, type FindingInWords } from "../../../test/crd/in-words.ts";
import { definition, spec, type WrittenDefinition, winch } from "../../../test/crd/winches.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Circumstances, NOTHING_KNOWN } from "./circumstances.ts";
import { MAX_REPORTED } from "./existing-objects.ts";

const integer = (more: JsonObject = {}): JsonObject => spec({ size: { type: "integer", ...more } });
const ANY = integer();
const SMALL = integer({ maximum: 9 });

function versions(written: Readonly<Record<string, JsonObject>>, more: Partial<WrittenDefinition> = {}) {
  const [first = ""] = Object.keys(written);
  return definition({
    versions: Object.fromEntries(
      Object.entries(written).map(([name, schema]) => [
        name,
        { flags: name === first ? "served storage" : "served", schema },
      ]),
    ),
    ...more,
  });
}

function found(
  before: ReturnType<typeof definition>,
  after: ReturnType<typeof definition>,
  objects: readonly CustomResource[],
  more: Partial<Circumstances> = {},
): readonly FindingInWords[] {
  return checkUpgrade(before, after, { ...NOTHING_KNOWN, objects, ...more });
}

/** The findings about objects: code, version, field and name. */
function aboutObjects(findings: readonly FindingInWords[]): readonly string[] {
  return findings
    .filter(({ code }) => code.startsWith("CRD3"))
    .map(({ code, version, path, object }) => `${code} ${version} ${path} ${object?.name}`);
}

const severities = (findings: readonly FindingInWords[]) => findings.map(({ code, severity }) => `${code} ${severity}`);

describe("a field that is newly required", () => {
  const required = (properties: JsonObject) => versions({ v1: spec(properties, { required: ["brake"] }) });
  const BRAKE = { size: { type: "integer" }, brake: { type: "string" } };
  const objectFindings = (before: ReturnType<typeof definition>, after = required(BRAKE)) =>
    found(before, after, [winch("bare", "v1", { size: 1 })]).filter(({ code }) => code === "CRD301");

  test("cannot be set first where the old schema would drop it", () => {
    const [finding, ...more] = objectFindings(versions({ v1: ANY }));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ path: ".spec.brake", isStuck: true });
    expect(finding?.help).toBe(
      "nothing can be done to the object now, because the old schema would drop .spec.brake: give .spec.brake a default in the schema of v1, ship a version in between that has it without requiring it, or add it to the CRD of the cluster first and then set it in the object",
    );
  });

  test("nor where it is required in something that the old schema keeps empty", () => {
    const nested = (brake: JsonObject) => spec({ brake: { type: "object", ...brake } });
    const before = versions({ v1: nested({ properties: { band: { type: "string" } } }) });
    const after = versions({
      v1: nested({ properties: { band: { type: "string" }, disc: { type: "string" } }, required: ["disc"] }),
    });
    const [finding] = found(before, after, [winch("bare", "v1", { brake: { band: "wide" } })]).filter(
      ({ code }) => code === "CRD301",
    );
    expect(finding).toMatchObject({ path: ".spec.brake.disc", isStuck: true });
  });

  test.each([
    ["the old schema has it", versions({ v1: spec(BRAKE) })],
    [
      "the old schema keeps unknown fields",
      versions({ v1: spec({}, { "x-kubernetes-preserve-unknown-fields": true }) }),
    ],
    ["the old definition has no schema", definition({ versions: { v1: { flags: "served storage" } } })],
    [
      "the old definition keeps unknown fields",
      versions({ v1: ANY }, { apiVersion: "v1beta1", spec: { preserveUnknownFields: true } }),
    ],
  ])("is to be set first where %s", (_, before) => {
    const [finding] = objectFindings(before);
    expect(finding).toMatchObject({ path: ".spec.brake" });
    expect(finding).not.toHaveProperty("isStuck");
    expect(finding?.help).toBe(
      "set .spec.brake in the object before the upgrade; or leave it optional in the schema of v1, or give it a default",
    );
  });

  test("is no finding where it has a default", () => {
    expect(objectFindings(versions({ v1: ANY }), required({ brake: { type: "string", default: "band" } }))).toEqual([]);
  });
});

describe("without a webhook an object is read in every served version", () => {
  const before = versions({ v1: ANY, v2: ANY });

  test("and validated by the new schema of each that stays served", () => {
    const objects = [winch("large", "v1", { size: 10 }), winch("small", "v1", { size: 9 })];
    expect(aboutObjects(found(before, versions({ v1: ANY, v2: SMALL }), objects))).toEqual([
      "CRD301 v2 .spec.size large",
    ]);
    expect(aboutObjects(found(before, versions({ v1: SMALL, v2: SMALL }), objects))).toEqual([
      "CRD301 v1 .spec.size large",
      "CRD301 v2 .spec.size large",
    ]);
  });

  test("as it was given in that version, where it was given in several", () => {
    const given = [winch("large", "v1", { size: 10 }), winch("large", "v2", { size: 1 })];
    expect(aboutObjects(found(before, versions({ v1: ANY, v2: SMALL }), given))).toEqual([]);
    expect(aboutObjects(found(before, versions({ v1: SMALL, v2: SMALL }), given))).toEqual([
      "CRD301 v1 .spec.size large",
    ]);
  });

  test("objects of one name in two namespaces are two; objects without a name are each one", () => {
    const given = [
      winch("large", "v1", { size: 10 }, "north"),
      winch("large", "v1", { size: 11 }, "south"),
      winch("", "v1", { size: 12 }),
      winch("", "v1", { size: 13 }),
    ];
    expect(aboutObjects(found(before, versions({ v1: SMALL, v2: ANY }), given))).toHaveLength(4);
    const apart = [winch("large", "v1", { size: 10 }, "north"), winch("large", "v2", { size: 11 }, "south")];
    expect(aboutObjects(found(before, versions({ v1: SMALL, v2: ANY }), apart))).toHaveLength(2);
    const inOther = given.map((object, index) => (index % 2 === 0 ? object : { ...object, version: "v2" }));
    expect(aboutObjects(found(before, versions({ v1: SMALL, v2: ANY }), inOther))).toHaveLength(4);
  });

  test("with the name of that version, for rules that ask for it", () => {
    const ruled = { ...ANY, "x-kubernetes-validations": [{ rule: "self.apiVersion.endsWith('/v2')" }] };
    const given = [winch("any", "v1", { size: 1 })];
    expect(aboutObjects(found(before, versions({ v1: ANY, v2: ruled }), given))).toEqual([]);
    expect(aboutObjects(found(before, versions({ v1: ruled, v2: ANY }), given))).toEqual(["CRD301 v1  any"]);
  });

  test("not in versions that are served on one side only", () => {
    const half = definition({
      versions: { v1: { flags: "served storage", schema: ANY }, v2: { flags: "", schema: ANY } },
    });
    const given = [winch("large", "v1", { size: 10 })];
    expect(aboutObjects(found(half, versions({ v1: ANY, v2: SMALL }), given))).toEqual([]);
    const ended = definition({
      versions: { v1: { flags: "served storage", schema: ANY }, v2: { flags: "", schema: SMALL } },
    });
    expect(aboutObjects(found(before, ended, given))).toEqual([]);
  });
});

describe("with a webhook an object is validated in the version in which it was given only", () => {
  const plain = { v1: ANY, v2: ANY };
  const tight = { v1: ANY, v2: SMALL };

  test.each([
    ["before", true, false],
    ["after", false, true],
  ])("%s the upgrade", (_, was, is) => {
    const [before, after] = [versions(plain, { webhook: was }), versions(tight, { webhook: is })];
    expect(aboutObjects(found(before, after, [winch("large", "v1", { size: 10 })]))).toEqual([]);
    expect(aboutObjects(found(before, after, [winch("large", "v2", { size: 10 })]))).toEqual([
      "CRD301 v2 .spec.size large",
    ]);
  });

  test("if that version is removed or no longer served, the object is reported as not checked", () => {
    const [before, given] = [versions(plain, { webhook: true }), [winch("large", "v2", { size: 10 })]];
    const gone = found(before, versions({ v1: ANY }), given);
    expect(gone.filter(({ code }) => code === "CRD304")).toMatchObject([
      {
        version: "v2",
        message: `winches "large" in namespace quay-north is given in v2, which the new CRD does not have: it was not checked`,
        help: "give the object in v1, as the API server converts it today",
      },
    ]);
    const unserved = definition({
      versions: { v1: { flags: "served storage", schema: ANY }, v2: { flags: "", schema: ANY } },
      webhook: true,
    });
    expect(aboutObjects(found(before, unserved, given))).toEqual(["CRD304 v2 .apiVersion large"]);
    expect(aboutObjects(found(before, unserved, [winch("large", "v1", { size: 10 }), ...given]))).toEqual([]);
    expect(aboutObjects(found(versions(plain), versions({ v1: ANY }), given))).toEqual([]);
  });

  test("so that nothing is known of the others", () => {
    const [before, after] = [versions(plain, { webhook: true }), versions(tight, { webhook: true })];
    const severity = (objects: readonly CustomResource[]) =>
      found(before, after, objects).find(({ code }) => code === "CRD205")?.severity;
    expect(severity([])).toBe("info");
    expect(severity([winch("small", "v2", { size: 1 })])).toBe("info");
    expect(severity([winch("small", "v1", { size: 1 })])).toBe("warning");
    expect(severity([winch("small", "v1", { size: 1 }), winch("small", "v2", { size: 1 })])).toBe("info");
  });
});

describe("what the API server gives today is validated", () => {
  test("without fields that it drops already", () => {
    const before = versions({ v1: ANY });
    const after = versions({ v1: spec({ size: { type: "integer", maximum: 9 } }, { maxProperties: 1 }) });
    const given = [winch("more", "v1", { size: 1, rope: "long" })];
    expect(aboutObjects(found(before, after, given))).toEqual([]);
  });

  test("with the defaults of the old schema", () => {
    const before = versions({ v1: integer({ default: 10 }) });
    expect(aboutObjects(found(before, versions({ v1: SMALL }), [winch("usual", "v1", {})]))).toEqual([
      "CRD301 v1 .spec.size usual",
    ]);
    expect(aboutObjects(found(versions({ v1: ANY }), versions({ v1: SMALL }), [winch("usual", "v1", {})]))).toEqual([]);
  });

  test("a field that only the old default gave is no loss", () => {
    const before = versions({ v1: spec({ size: { type: "integer" }, rope: { type: "string", default: "long" } }) });
    expect(found(before, versions({ v1: ANY }), [winch("usual", "v1", { size: 1 })])).toMatchObject([
      { code: "CRD209", severity: "info" },
    ]);
    expect(aboutObjects(found(before, versions({ v1: ANY }), [winch("roped", "v1", { rope: "long" })]))).toEqual([
      "CRD302 v1 .spec.rope roped",
    ]);
  });

  test("a required field that a new default fills is no fault", () => {
    const required = (more: JsonObject) => spec({ size: { type: "integer", ...more } }, { required: ["size"] });
    const given = [winch("empty", "v1", {})];
    expect(aboutObjects(found(versions({ v1: ANY }), versions({ v1: required({}) }), given))).toEqual([
      "CRD301 v1 .spec.size empty",
    ]);
    expect(aboutObjects(found(versions({ v1: ANY }), versions({ v1: required({ default: 1 }) }), given))).toEqual([]);
  });

  test("a value that is not in the text is reported at the nearest one that is", () => {
    const after = versions({ v1: spec({ size: { type: "integer" } }, { required: ["size"] }) });
    const [finding] = found(versions({ v1: ANY }), after, [winch("empty", "v1", {})]).filter(
      ({ code }) => code === "CRD301",
    );
    expect(finding?.place).toEqual({ source: "empty.yaml", line: 1, column: 1, path: ["spec"] });
  });

  test("a definition without a schema took everything", () => {
    const before = definition({ versions: { v1: { flags: "served storage" } }, apiVersion: "v1beta1" });
    const given = [winch("large", "v1", { size: 10, rope: "long" })];
    expect(aboutObjects(found(before, versions({ v1: SMALL }), given))).toEqual([
      "CRD302 v1 .spec.rope large",
      "CRD301 v1 .spec.size large",
    ]);
  });

  test("fields are lost where unknown ones are no longer kept, though no schema changes", () => {
    const before = versions({ v1: ANY }, { apiVersion: "v1beta1" });
    const given = [winch("roped", "v1", { size: 1, rope: "long" })];
    const lost = found(before, versions({ v1: ANY }), given);
    expect(aboutObjects(lost)).toEqual(["CRD302 v1 .spec.rope roped"]);
    expect(severities(lost)).toEqual(["CRD215 warning", "CRD302 warning"]);
    expect(severities(found(before, versions({ v1: ANY }), [winch("bare", "v1", { size: 1 })]))).toEqual([
      "CRD215 info",
    ]);
  });
});

describe("what was wrong before", () => {
  const bad = [winch("bad", "v1", { size: "ten" })];

  test("is reported as such, in the version in which it was given", () => {
    const [before, after] = [versions({ v1: ANY, v2: ANY }), versions({ v1: SMALL, v2: SMALL })];
    expect(aboutObjects(found(before, after, bad))).toEqual(["CRD303 v1 .spec.size bad"]);
    expect(aboutObjects(found(before, before, bad))).toEqual(["CRD303 v1 .spec.size bad"]);
  });

  test("does not hide what is new", () => {
    const both = (more: JsonObject) => spec({ size: { type: "integer" }, rope: { type: "string", ...more } });
    const given = [winch("bad", "v1", { size: "ten", rope: "long" })];
    const [finding] = found(versions({ v1: both({}) }), versions({ v1: both({ maxLength: 3 }) }), given).filter(
      ({ code }) => code === "CRD301",
    );
    expect(finding?.path).toBe(".spec.rope");
    expect(finding?.message).not.toContain(".spec.size");
  });

  test("another rule at the same field is new; the same rule at another position is not", () => {
    const ruled = (...rules: readonly string[]) =>
      versions({ v1: { ...ANY, "x-kubernetes-validations": rules.map((rule) => ({ rule })) } });
    const [five, seven] = ["self.spec.size > 5", "self.spec.size > 7"];
    const given = [winch("bad", "v1", { size: 1 })];
    const findings = found(ruled(five), ruled(five, seven), given);
    expect(aboutObjects(findings)).toEqual(["CRD301 v1  bad"]);
    expect(findings.find(({ code }) => code === "CRD301")?.message).not.toContain("> 5");
    expect(aboutObjects(found(ruled(five), ruled("true", five), given))).toEqual(["CRD303 v1  bad"]);
  });

  test("the same keyword elsewhere in the schema is new", () => {
    const given = [winch("bad", "v1", { size: 10 })];
    const more = integer({ maximum: 9, allOf: [{ maximum: 8 }] });
    expect(aboutObjects(found(versions({ v1: SMALL }), versions({ v1: more }), given))).toEqual([
      "CRD301 v1 .spec.size bad",
    ]);
    expect(aboutObjects(found(versions({ v1: SMALL }), versions({ v1: integer({ maximum: 8 }) }), given))).toEqual([
      "CRD303 v1 .spec.size bad",
    ]);
  });

  test("another keyword at the same field is new", () => {
    const given = [winch("bad", "v1", { size: 10 })];
    const after = integer({ maximum: 9, multipleOf: 3 });
    const findings = found(versions({ v1: SMALL }), versions({ v1: after }), given);
    expect(aboutObjects(findings)).toEqual(["CRD301 v1 .spec.size bad"]);
    expect(findings.find(({ code }) => code === "CRD301")?.message).toMatch(/multiple of 3/);
  });
});

describe("objects that cannot be validated", () => {
  test("are of a version that the old CRD does not have", () => {
    const findings = found(versions({ v1: ANY }), versions({ v1: SMALL }), [winch("lost", "v0", { size: 1 })]);
    expect(severities(findings)).toEqual(["CRD304 warning", "CRD205 warning"].sort());
  });

  test("hit the limit of what rules may cost", () => {
    const ruled = { ...ANY, "x-kubernetes-validations": [{ rule: "self.spec.size + 1 > 0" }] };
    const given = [winch("dear", "v1", { size: 1 })];
    const findings = found(versions({ v1: ANY }), versions({ v1: ruled }), given, { celCostLimit: 1 });
    expect(aboutObjects(findings)).toEqual(["CRD304 v1  dear"]);
    expect(aboutObjects(found(versions({ v1: ANY }), versions({ v1: ruled }), given))).toEqual([]);
  });

  test("are reported once, if they could not be evaluated before either", () => {
    const ruled = (maximum: number) => ({
      ...integer({ maximum }),
      "x-kubernetes-validations": [{ rule: "self.spec.size + 1 > 0" }],
    });
    const [before, after] = [versions({ v1: ruled(50), v2: ruled(50) }), versions({ v1: ruled(9), v2: ruled(9) })];
    const findings = found(before, after, [winch("dear", "v1", { size: 1 })], { celCostLimit: 1 });
    expect(aboutObjects(findings)).toEqual(["CRD304 v1  dear"]);
  });
});

describe("what is known of the objects", () => {
  const [before, after] = [versions({ v1: ANY, v2: ANY }), versions({ v1: SMALL, v2: ANY })];
  const severity = (objects: readonly CustomResource[] | undefined, owners = 1) =>
    checkUpgrade(before, after, { ...NOTHING_KNOWN, objects, owners }).find(({ code }) => code === "CRD205")?.severity;

  test("decides how serious a difference is", () => {
    expect([severity(undefined), severity(undefined, 2)]).toEqual(["warning", "error"]);
    expect([severity([]), severity([], 2)]).toEqual(["info", "warning"]);
    const small = [winch("small", "v2", { size: 1 })];
    expect([severity(small), severity(small, 2)]).toEqual(["info", "warning"]);
    const large = [winch("large", "v2", { size: 10 })];
    expect([severity(large), severity(large, 2)]).toEqual(["warning", "error"]);
  });

  test("objects of other kinds and groups are none of it", () => {
    const large = winch("large", "v1", { size: 10 });
    expect(
      severity([
        { ...large, kind: "Crane" },
        { ...large, group: "example.com" },
      ]),
    ).toBe("info");
  });

  test("between versions, those read in the newer one count", () => {
    const one = versions({ v1: ANY });
    const two = versions({ v1: ANY, v2: SMALL });
    const between = (size: number) => severities(found(one, two, [winch("any", "v1", { size })]));
    expect(between(9)).toEqual(["CRD205 info"]);
    expect(between(10)).toEqual(["CRD205 warning"]);
  });
});

describe("many objects", () => {
  const many = Array.from({ length: MAX_REPORTED + 5 }, (_, index) => winch(`w${index}`, "v1", { size: 10 }));

  test("at most a fixed number is reported, with the number of the others", () => {
    const findings = found(versions({ v1: ANY }), versions({ v1: SMALL }), many).filter(
      ({ code }) => code === "CRD301",
    );
    expect(findings).toHaveLength(MAX_REPORTED + 1);
    const rest = findings.filter(({ message }) =>
      message.startsWith("5 more findings of CRD301 are not listed; the first is: "),
    );
    expect(rest).toHaveLength(1);
    const names = many.map(({ name }) => name).sort();
    expect(rest[0]?.object?.name).toBe(names[MAX_REPORTED]);
  });

  test("exactly the maximum is reported without a rest", () => {
    const findings = found(versions({ v1: ANY }), versions({ v1: SMALL }), many.slice(5));
    expect(findings.filter(({ code }) => code === "CRD301")).toHaveLength(MAX_REPORTED);
  });

  test("those of one code do not push out those of another", () => {
    const wrong = many.map((object) => ({ ...object, object: { ...object.object, spec: { size: "ten" } } }));
    const findings = found(versions({ v1: ANY }), versions({ v1: SMALL }), [...wrong, winch("x", "v1", { size: 10 })]);
    expect(findings.filter(({ code }) => code === "CRD301")).toHaveLength(1);
    expect(findings.filter(({ code }) => code === "CRD303")).toHaveLength(MAX_REPORTED + 1);
  });

  test("the order in which they are given makes no difference", () => {
    const object = fc.record({
      name: fc.constantFrom("a", "b", "c", ""),
      version: fc.constantFrom("v0", "v1", "v2"),
      size: fc.constantFrom(1, 10, "ten"),
      namespace: fc.constantFrom("north", "south"),
    });
    const [before, after] = [versions({ v1: ANY, v2: ANY }), versions({ v1: SMALL, v2: integer({ minimum: 2 }) })];
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 8 }).chain((given) => {
          const objects = given.map(({ name, version, size, namespace }, index) => ({
            ...winch(name, version, { size }, namespace),
            place: { source: `${index}.yaml`, line: 1, column: 1 },
          }));
          return fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length }));
        }),
        ([objects, shuffled]) => {
          expect(found(before, after, shuffled)).toEqual(found(before, after, objects));
        },
      ),
      { numRuns: process.env.PLIMSOLL_LONG ? 5000 : 100 },
    );
  });
});
