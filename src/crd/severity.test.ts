// The table of severities of CRD findings: every cell of it.

import { describe, expect, test } from "vitest";
import type { Severity } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import { compareSchemas } from "./compare/compare-schemas.ts";
import type { SchemaDifference } from "./compare/difference.ts";
import { CRD_RULES, type CrdCode, type RuleKind } from "./finding-codes.ts";
import { readSchema } from "./schema/read-schema.ts";
import { type Situation, severityOf } from "./severity.ts";

const ONE: Situation = { severalOwners: false, compat: false, objects: "unknown", effect: "tighter", webhook: false };

/** For each state of the objects: one owner, several owners; as OLM: one owner, several owners. */
type Row = readonly [Severity, Severity, Severity, Severity];
interface Cells {
  readonly unknown: Row;
  readonly valid: Row;
  readonly "not-all-valid": Row;
}

const always = (severity: Severity): Row => [severity, severity, severity, severity];
const whatever = (row: Row): Cells => ({ unknown: row, valid: row, "not-all-valid": row });

const TABLE: Readonly<Record<RuleKind, Cells>> = {
  never: whatever(always("error")),
  doubtful: whatever(always("warning")),
  remark: whatever(always("info")),
  object: whatever(["warning", "error", "error", "error"]),
  unknown: {
    unknown: ["warning", "warning", "error", "error"],
    valid: ["warning", "warning", "info", "info"],
    "not-all-valid": ["warning", "warning", "info", "info"],
  },
  schema: {
    unknown: ["warning", "error", "error", "error"],
    valid: ["info", "warning", "info", "info"],
    "not-all-valid": ["warning", "error", "info", "info"],
  },
};

const LOOSER: Cells = {
  unknown: ["info", "info", "error", "error"],
  valid: ["info", "info", "info", "info"],
  "not-all-valid": ["info", "info", "info", "info"],
};

/** N06, N08, N12: OLM v1 refuses these in both directions, and an owner's clients may not read what is allowed now. */
const REFUSED_EITHER_WAY: readonly CrdCode[] = ["CRD201", "CRD203", "CRD206", "CRD207", "CRD208", "CRD217"];

/** Where OLM treats a single rule differently (M14: a served version may go or end; it does not ask what was wrong before, nor what is dropped). */
const OLM_SEVERITIES: Readonly<Partial<Record<CrdCode, Severity | "off">>> = {
  CRD102: "info",
  CRD119: "info",
  CRD106: "off",
  CRD116: "info",
  CRD118: "info",
  CRD302: "warning",
  CRD303: "error",
};

const codes = Object.keys(CRD_RULES) as CrdCode[];
const OWNERS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

function rowOf(code: CrdCode, situation: Situation): readonly (Severity | "off")[] {
  return OWNERS.map(([severalOwners, compat]) => severityOf(code, { ...situation, severalOwners, compat }, new Map()));
}

describe.each(codes)("%s", (code) => {
  const { kind } = CRD_RULES[code];
  const olm = OLM_SEVERITIES[code];

  test.each(["unknown", "valid", "not-all-valid"] as const)("objects: %s", (objects) => {
    const expected = TABLE[kind][objects].map((severity, index) => (index >= 2 && olm ? olm : severity));
    expect(rowOf(code, { ...ONE, objects })).toEqual(expected);
    expect(rowOf(code, { ...ONE, objects, effect: "different" })).toEqual(expected);
    const looser = kind === "schema" && !REFUSED_EITHER_WAY.includes(code) ? LOOSER[objects] : expected;
    expect(rowOf(code, { ...ONE, objects, effect: "looser" })).toEqual(looser);
    expect(rowOf(code, { ...ONE, objects, effect: "none" })).toEqual(kind === "schema" ? LOOSER[objects] : expected);
  });

  test("a conversion webhook makes only objects less serious, and only to OLM (M08)", () => {
    const converted = new Map<string, readonly unknown[]>([
      ["object", ["warning", "error", "warning", "warning"]],
      ["CRD303", ["warning", "warning", "warning", "warning"]],
    ]);
    const expected = converted.get(kind) ?? converted.get(code) ?? rowOf(code, ONE);
    expect(rowOf(code, { ...ONE, webhook: true })).toEqual(expected);
  });

  test("what OLM v1 does not look for is no error to it", () => {
    const [one, several, ...olm] = rowOf(code, ONE);
    const expected = kind === "schema" ? [one, several, "info", "info"] : [one, several, ...olm];
    expect(rowOf(code, { ...ONE, unseenByOlm: true })).toEqual(expected);
  });

  test.each(["error", "warning", "info", "off"] as const)("can be made %s from any default", (choice) => {
    const choices = new Map([[code, choice]]);
    for (const [severalOwners, compat] of OWNERS)
      for (const objects of ["unknown", "valid", "not-all-valid"] as const)
        expect(severityOf(code, { ...ONE, severalOwners, compat, objects }, choices)).toBe(choice);
  });
});

test.each<readonly [string, JsonObject, JsonObject, CrdCode]>([
  ["N06", { type: "boolean" }, { type: "string" }, "CRD201"],
  ["N06", { type: "integer" }, { type: "number" }, "CRD201"],
  ["N06", { type: "integer" }, { "x-kubernetes-int-or-string": true }, "CRD217"],
  ["N08", {}, { enum: ["a"] }, "CRD203"],
  ["N08", { enum: ["a", "b"] }, { enum: ["a"] }, "CRD203"],
  ["N08", { enum: ["a"] }, {}, "CRD203"],
  ["N12", {}, { nullable: true }, "CRD208"],
  ["N12", { nullable: true }, {}, "CRD208"],
  ["pattern", { pattern: "a" }, {}, "CRD206"],
  ["default", {}, { default: 1 }, "CRD207"],
  ["default", { default: 1 }, {}, "CRD207"],
])("%s: from %j to %j is refused where there are two owners", (_, before, after, code) => {
  const differences = compareSchemas(readSchema(before).schema, readSchema(after).schema);
  expect(differences).toMatchObject([{ code }]);
  const [{ effect }] = differences as readonly [SchemaDifference];
  expect(rowOf(code, { ...ONE, effect })).toEqual(["warning", "error", "error", "error"]);
  expect(rowOf(code, { ...ONE, effect, objects: "valid" })).toEqual(["info", "warning", "info", "info"]);
});
