// What becomes of objects and fields when they are stored in another version? Without a webhook everything that is written in any
// version is stored as the storage version has it (schemaCoercingConverter of apiextensions-apiserver v0.37).

import { describe, expect, test } from "vitest";
import { checkUpgrade, type FindingInWords } from "../../../test/crd/in-words.ts";
import { definition, spec, type WrittenDefinition, winch } from "../../../test/crd/winches.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Circumstances, NOTHING_KNOWN } from "./circumstances.ts";

const TEXT = { type: "string" };
const fields = (...names: readonly string[]): JsonObject => spec(Object.fromEntries(names.map((name) => [name, TEXT])));

/** Versions by their flags and the fields of their spec. */
function kind(
  versions: Readonly<Record<string, readonly [string, ...string[]]>>,
  more: Partial<WrittenDefinition> = {},
) {
  const written = Object.entries(versions).map(([name, [flags, ...names]]) => [
    name,
    { flags, schema: fields(...names) },
  ]);
  return definition({ versions: Object.fromEntries(written), ...more });
}

type Kind = ReturnType<typeof kind>;

function found(before: Kind, after: Kind, more: Partial<Circumstances> = {}): readonly FindingInWords[] {
  return checkUpgrade(before, after, { ...NOTHING_KNOWN, ...more });
}

const findingLines = (findings: readonly FindingInWords[]) =>
  findings.map(({ severity, code, version, path }) => `${severity} ${code} ${version} ${path}`.trim());

const about = (objects: readonly CustomResource[], before: Kind, after: Kind, more: Partial<Circumstances> = {}) =>
  findingLines(found(before, after, { objects, ...more }).filter(({ code }) => code.startsWith("CRD3")));

const LOST = [winch("roped", "v1", { rope: "long", brake: "band" })];

describe("objects are validated in the version in which they will be stored", () => {
  test("which is the only one that is served", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"] });
    const after = kind({ v1: ["", "rope", "brake"], v2: ["served storage", "brake"] });
    const findings = found(before, after, { objects: LOST });
    expect(findingLines(findings)).toEqual([
      "warning CRD116 v1",
      "warning CRD209 v1 -> v2 .spec.rope",
      "info CRD108 v2",
      "warning CRD302 v2 .spec.rope",
    ]);
    expect(findings[3]?.why).toBe(
      "whichever version it is written in, it is stored in v2 from now on: the value is gone then",
    );
    expect(about(LOST, before, after, { owners: 2 })).toEqual(["error CRD302 v2 .spec.rope"]);
    expect(findingLines(found(before, after, { objects: [winch("bare", "v1", { brake: "band" })] }))).toEqual([
      "warning CRD116 v1",
      "info CRD209 v1 -> v2 .spec.rope",
      "info CRD108 v2",
    ]);
  });

  test("not served: what it drops is lost, what it would reject does not matter", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"] });
    expect(about(LOST, before, kind({ v1: ["served", "rope", "brake"], v2: ["storage", "brake"] }))).toEqual([
      "warning CRD302 v2 .spec.rope",
    ]);
    const short = spec({ rope: { ...TEXT, maxLength: 1 }, brake: TEXT });
    const strict = (flags: string) =>
      definition({
        versions: { v1: { flags: "served", schema: fields("rope", "brake") }, v2: { flags, schema: short } },
      });
    expect(about(LOST, before, strict("storage"))).toEqual([]);
    expect(about(LOST, before, strict("served storage"))).toEqual(["warning CRD301 v2 .spec.rope"]);
  });

  test("which was served before, and did not have the field then", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"], v2: ["served", "brake"] });
    const after = kind({ v1: ["served", "rope", "brake"], v2: ["served storage", "brake"] });
    expect(findingLines(found(before, after, { objects: LOST }))).toEqual([
      "warning CRD209 v1 -> v2 .spec.rope",
      "info CRD108 v2",
      "warning CRD302 v2 .spec.rope",
    ]);
    expect(about([winch("roped", "v2", { brake: "band" }), ...LOST], before, after)).toHaveLength(1);
  });

  test("which was served before, and refused them then", () => {
    const two = (first: string, second: string, maxLength: number) =>
      definition({
        versions: {
          v1: { flags: first, schema: fields("rope") },
          v2: { flags: second, schema: spec({ rope: { ...TEXT, maxLength } }) },
        },
      });
    const given = [winch("roped", "v1", { rope: "long" })];
    const [before, after] = [two("served storage", "served", 3), two("served", "served storage", 2)];
    expect(about(given, before, after)).toEqual([]);
    expect(about(given, two("served storage", "served", 9), after)).toEqual(["warning CRD301 v2 .spec.rope"]);
  });

  test("and what is lost there counts for all differences of it", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"], v2: ["served", "brake", "crew"] });
    const after = kind({ v1: ["served", "rope", "brake"], v2: ["served storage", "brake"] });
    expect(findingLines(found(before, after, { objects: LOST }))).toContain("warning CRD209 v2 .spec.crew");
  });

  test("a field that goes in the same step is lost once", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"], v2: ["served", "rope", "brake"] });
    const after = kind({ v1: ["served", "rope", "brake"], v2: ["served storage", "brake"] });
    expect(about(LOST, before, after)).toEqual(["warning CRD302 v2 .spec.rope"]);
  });

  test("which stays, and is not served", () => {
    const before = kind({ v1: ["served", "rope", "brake"], v2: ["storage", "rope", "brake"] });
    const after = kind({ v1: ["served", "rope", "brake"], v2: ["storage", "brake"] });
    expect(about(LOST, before, after)).toEqual(["warning CRD302 v2 .spec.rope"]);
    expect(about(LOST, before, before)).toEqual([]);
    const narrow = kind({ v1: ["served", "rope", "brake"], v2: ["storage", "brake"] });
    const wider = kind({ v1: ["served", "rope", "brake"], v2: ["storage", "brake", "crew"] });
    expect(about(LOST, narrow, wider)).toEqual([]);
  });

  test("a version that is the only one to read them in", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"], v2: ["", "brake"] });
    const after = kind({ v1: ["storage", "rope", "brake"], v2: ["served", "brake"] });
    expect(about(LOST, before, after)).toEqual(["warning CRD302 v2 .spec.rope"]);
    const others = kind({ v1: ["served storage", "rope", "brake"], v2: ["served", "brake"] });
    expect(about(LOST, before, others)).toEqual([]);
  });

  test("not as OLM validates them, and not where a webhook will convert them", () => {
    const before = kind({ v1: ["served storage", "rope", "brake"] });
    const versions = { v1: ["", "rope", "brake"], v2: ["served storage", "brake"] } as const;
    expect(findingLines(found(before, kind(versions), { objects: LOST, compat: true }))).toEqual([
      "info CRD116 v1",
      "info CRD108 v2",
    ]);
    expect(about(LOST, before, kind(versions, { webhook: true }))).toEqual(["warning CRD304 v1 .apiVersion"]);
    const converted = kind({ v1: ["served storage", "rope", "brake"] }, { webhook: true });
    expect(about(LOST, converted, kind(versions))).toEqual(["warning CRD302 v2 .spec.rope"]);
  });
});

describe("where objects are not given, the old and the new storage version are compared", () => {
  const before = kind({ v1: ["served storage", "rope"], v2: ["served"] });

  test("a difference that existed before is reported, because it matters from now on", () => {
    const after = kind({ v1: ["served", "rope"], v2: ["served storage"] });
    const [finding, ...rest] = found(before, after, { owners: 2 });
    expect(findingLines(rest)).toEqual(["info CRD108 v2"]);
    expect(finding).toMatchObject({
      code: "CRD209",
      severity: "error",
      version: "v1 -> v2",
      why: "objects are stored in v2 from now on, in whichever version they are written",
      help: "make .spec.rope in v2 as it is in v1 before objects are stored in it, or convert objects by a webhook",
    });
    expect(findingLines(found(before, after, { compat: true }))).toEqual(["info CRD108 v2"]);
  });

  test("and those that are the only ones to read them in", () => {
    const one = kind({ v1: ["served storage", "rope"], v2: [""] });
    const all = found(one, kind({ v1: ["storage", "rope"], v2: ["served"] }));
    expect(findingLines(all)).toEqual(["warning CRD109 v1", "warning CRD116 v1", "warning CRD209 v1 -> v2 .spec.rope"]);
    expect(all[2]).toMatchObject({
      code: "CRD209",
      version: "v1 -> v2",
      why: "objects were stored in v1, and can be read and written in v2 from now on",
    });
    expect(findingLines(found(one, kind({ v1: ["served storage", "rope"], v2: [""] })))).toEqual([]);
  });

  test("a difference between served versions is not reported twice", () => {
    const one = kind({ v1: ["served storage", "rope"] });
    expect(findingLines(found(one, kind({ v1: ["served", "rope"], v2: ["served storage"] })))).toEqual([
      "warning CRD209 v1 -> v2 .spec.rope",
      "info CRD108 v2",
    ]);
  });

  test("not where a webhook converts them, nor where either has two storage versions", () => {
    const after = kind({ v1: ["served", "rope"], v2: ["served storage"] }, { webhook: true });
    expect(findingLines(found(before, after))).toEqual(["info CRD108 v2"]);
    const two = kind({ v1: ["served storage", "rope"], v2: ["served storage"] });
    expect(findingLines(found(before, two))).toEqual(["error CRD001"]);
  });

  test("a storage version without a schema kept everything", () => {
    const open = definition({
      versions: { v1: { flags: "served storage" }, v2: { flags: "served", schema: fields() } },
      apiVersion: "v1beta1",
      spec: { preserveUnknownFields: false },
    });
    const moved = definition({
      versions: { v1: { flags: "served" }, v2: { flags: "served storage", schema: fields() } },
      apiVersion: "v1beta1",
      spec: { preserveUnknownFields: false },
    });
    expect(findingLines(found(open, moved))).toEqual(["warning CRD215 v1 -> v2 .", "info CRD108 v2"]);
  });
});

describe("what can be written, but is not stored", () => {
  const before = kind({ v1: ["served storage", "brake"] });
  const findings113 = (old: Kind, now: Kind) => found(old, now).filter(({ code }) => code === "CRD113");

  test("is reported once for each version, with the first fields", () => {
    const [finding, ...rest] = findings113(
      before,
      kind({ v1: ["served storage", "brake"], v2: ["served", "brake", "a", "b", "c", "d"], v3: ["", "e"] }),
    );
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({
      severity: "warning",
      version: "v2",
      path: ".spec.a",
      message: "v2 has .spec.a, .spec.b, .spec.c, 1 more, but objects are stored in v1, which does not",
    });
  });

  test("where the version is served for the first time, or the field is new", () => {
    const after = kind({ v1: ["served storage", "brake"], v2: ["served", "a", "b"] });
    expect(findings113(kind({ v1: ["served storage", "brake"], v2: ["", "a", "b"] }), after)).toHaveLength(1);
    expect(findings113(kind({ v1: ["served storage", "brake"], v2: ["served", "a"] }), after)).toMatchObject([
      { path: ".spec.b" },
    ]);
    expect(findings113(after, after)).toEqual([]);
  });

  test("where a webhook took care of it so far", () => {
    const versions = { v1: ["served storage", "brake"], v2: ["served", "a"] } as const;
    expect(findings113(kind(versions, { webhook: true }), kind(versions))).toHaveLength(1);
  });

  test("not where a field is only described more closely in the storage version", () => {
    const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const two = (more: JsonObject) =>
      definition({
        versions: {
          v1: { flags: "served storage", schema: { ...open, ...more } },
          v2: { flags: "served", schema: open },
        },
      });
    expect(findings113(before, two({ properties: { size: { type: "integer" } } }))).toEqual([]);
    const closed = definition({
      versions: { v1: { flags: "served storage", schema: fields("brake") }, v2: { flags: "served", schema: open } },
    });
    expect(findings113(before, closed)).toMatchObject([
      { message: "v2 has any field in the object, but objects are stored in v1, which does not" },
    ]);
  });

  test("not where a webhook converts, or everything is kept", () => {
    const versions = { v1: ["served storage", "brake"], v2: ["served", "a"] } as const;
    expect(findings113(before, kind(versions, { webhook: true }))).toEqual([]);
    expect(findings113(before, kind(versions, { apiVersion: "v1beta1" }))).toEqual([]);
  });

  test("a field that only the old storage version has is reported as such", () => {
    expect(findings113(before, kind({ v1: ["served", "brake"], v2: ["served storage"] }))).toEqual([]);
  });
});

describe("an object that is given in several versions", () => {
  const before = kind({
    v1: ["served", "brake"],
    v2: ["served storage", "rope", "brake"],
    v3: ["served", "rope", "brake"],
  });
  const after = kind({ v1: ["served", "brake"], v2: ["served storage", "rope", "brake"], v3: ["served", "brake"] });
  const narrow = winch("roped", "v1", { brake: "band" });
  const whole = winch("roped", "v2", { brake: "band", rope: "long" });

  test("is validated in others as the storage version has it", () => {
    expect(about([narrow, whole], before, after)).toEqual(["warning CRD302 v3 .spec.rope"]);
    expect(about([whole], before, after)).toEqual(["warning CRD302 v3 .spec.rope"]);
  });

  test("is reported once if each shows the same", () => {
    const [old, now] = [
      kind({ v1: ["served", "rope"], v2: ["served", "rope"], v3: ["served storage", "rope"] }),
      kind({ v1: ["served", "rope"], v2: ["served", "rope"], v3: ["served storage"] }),
    ];
    const given = ["v1", "v2"].map((version) => winch("roped", version, { rope: "long" }));
    expect(about(given, old, now)).toEqual(["warning CRD302 v3 .spec.rope"]);
  });

  test("shows nothing of what a narrower version does not have", () => {
    const severity = (objects: readonly CustomResource[]) =>
      found(before, after, { objects }).find(({ code, version }) => code === "CRD209" && version === "v3")?.severity;
    expect(severity([narrow])).toBe("warning");
    expect(severity([winch("bare", "v2", { brake: "band" })])).toBe("info");
    expect(severity([winch("bare", "v3", { brake: "band" })])).toBe("info");
  });

  test.each<[string, string, readonly string[], readonly string[]]>([
    ["is not stored", "info", ["brake"], ["brake", "rope"]],
    ["the validated version does not have either", "info", ["brake", "rope"], ["brake"]],
    ["both have", "warning", ["brake", "rope"], ["brake", "rope"]],
  ])("a narrower version shows enough of what %s: %s", (_, severity, stored, validated) => {
    const three = (third: readonly string[]) =>
      kind({ v1: ["served", "brake"], v2: ["served storage", ...stored], v3: ["served", ...third] });
    const findings = found(three(validated), three(validated.slice(0, -1)), { objects: [winch("bare", "v1", {})] });
    const wanted = `${severity} CRD209 v3 .spec.${validated.at(-1)}`;
    expect(findingLines(findings)).toContain(wanted);
  });

  test("what a version drops that is no longer served is what it dropped before", () => {
    const old = kind({ v1: ["served storage", "rope", "brake"], v2: ["served", "brake"] });
    const now = kind({ v1: ["served storage", "rope", "brake"], v2: [""] });
    const severity = (value: JsonObject) => findingLines(found(old, now, { objects: [winch("a", "v1", value)] }));
    expect(severity({ rope: "long" })).toContain("info CRD209 v2 .spec.brake");
    expect(severity({ brake: "band" })).toContain("warning CRD209 v2 .spec.brake");
  });
});
